"""W623: `and` beside `or` without brackets, of which `and` joins first."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import Span

MESSAGE = "`and` joins before `or` does: this belongs together."
HELP = "Put brackets around it, or around what `or` joins."


def mixed_joins(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report `a and b` as one side of `or`, unless it is in brackets."""
    for node in (node for nodes in checked.program.node_lists() for node in nodes):
        if isinstance(node, ty.Or):
            for part in node.parts:
                if isinstance(part, ty.And) and _is_bare(part.span, node.span):
                    findings.report("W623", part.span, MESSAGE, HELP)


def _is_bare(part: Span, whole: Span) -> bool:
    """Return whether a part begins or ends a phrase, without a bracket around the part."""
    start, end = (part.line, part.column), (part.end_line, part.end_column)
    at_start = start == (whole.line, whole.column)
    return part.line > 0 and (at_start or end == (whole.end_line, whole.end_column))

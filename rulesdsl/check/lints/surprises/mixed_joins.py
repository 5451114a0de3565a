"""W623: operators that meet without brackets: `and` beside `or`, and a limit after a sum."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import Span

_AND = "`and` joins before `or` does: this belongs together."
_AROUND = "Put brackets around it, or around what `or` joins."
_LIMITED = "This whole sum is limited, not only its last part."
_AROUND_SUM = "Put brackets around the sum, or around its last part with the limit."


def mixed_joins(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report `a and b` as one side of `or`, and `a + b at most c`, unless they are in brackets."""
    for node in (node for nodes in checked.program.node_lists() for node in nodes):
        if isinstance(node, ty.Or):
            for part in node.parts:
                if isinstance(part, ty.And) and _is_bare(part.span, node.span):
                    findings.report("W623", part.span, _AND, _AROUND)
        elif isinstance(node, ty.Arith) and node.op == "min" and _is_open_sum(node):
            findings.report("W623", node.left.span, _LIMITED, _AROUND_SUM)


def _is_open_sum(limited: ty.Arith) -> bool:
    """Return whether the last part of a sum without brackets might seem to be limited alone."""
    part = limited.left
    if not isinstance(part, ty.Arith) or part.op != "+" or isinstance(part.right, ty.Const):
        return False
    return _is_bare(part.span, limited.span)


def _is_bare(part: Span, whole: Span) -> bool:
    """Return whether a part begins or ends a phrase, without a bracket around the part."""
    start, end = (part.line, part.column), (part.end_line, part.end_column)
    at_start = start == (whole.line, whole.column)
    return part.line > 0 and (at_start or end == (whole.end_line, whole.end_column))

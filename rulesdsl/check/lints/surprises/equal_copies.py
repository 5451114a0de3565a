"""W619: comparisons of two printed pieces with `<>`, for which equal copies are the same."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.english import a_or_an
from rulesdsl.source.facts import EqualCopies


def equal_copies(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report `it <> c` if there are several copies of a card."""
    program = checked.program
    for node in (node for nodes in program.node_lists() for node in nodes):
        if not isinstance(node, ty.Comparison) or node.op != "<>":
            continue
        left, right = node.left, node.right
        if not isinstance(left, ty.EntryOf) or not isinstance(right, ty.EntryOf):
            continue
        info = program.world.pieces[left.piece]
        if program.world.kinds[info.name].has_copies:
            message = (
                f"Copies of {a_or_an(info.name)} count as equal here: they are left out as well."
            )
            help_text = (
                f"For any other {info.name}, write `{a_or_an(info.name)} in ... other than c`; to "
                "leave out its copies as well, `not it = c`."
            )
            findings.report("W619", node.span, message, help_text, facts=EqualCopies())

"""W607: things that look the same to those who choose between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.source.diagnostic import Related

if TYPE_CHECKING:
    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.world import EntryInfo
    from rulesdsl.packs.layers import Layered
    from rulesdsl.source.diagnostic import Findings


def same_title(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report entries of one kind that have the same title."""
    for kind in checked.program.world.kinds.values():
        first: dict[str, EntryInfo] = {}
        for entry in kind.entries:
            other = first.setdefault(entry.title, entry)
            if other is not entry:
                findings.report(
                    "W607",
                    entry.span,
                    f"`{entry.name}` and `{other.name}` are both called {entry.title}.",
                    "Give one of them another name, so that players can tell them apart.",
                    [Related(other.span, "the other one")],
                )

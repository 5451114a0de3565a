"""W607: entries that players cannot distinguish."""

from __future__ import annotations

from rulesdsl.check.symbols.symbol_table import EntryInfo
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings, Related


def same_title(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report entries of one kind with equal titles."""
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

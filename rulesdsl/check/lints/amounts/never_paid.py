"""W603: prices that nobody can ever pay."""

from __future__ import annotations

from rulesdsl.check.analysis.intervals import most_of
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.span import Span


def never_paid(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report prices in fields, and named prices, that are higher than any seat can pay."""
    world = checked.program.world
    for kind in world.kinds.values():
        for entry in kind.entries:
            for (field, key), value in entry.values.items():
                written = "/".join(part for part in (field, key) if part)
                if isinstance(value, dict) and written in entry.spans:
                    _check(value, entry.spans[written], world, findings)
    for number in world.constants.values():
        if isinstance(number.value, dict):
            _check(number.value, number.span, world, findings)


def _check(price: dict[str, object], span: Span, world: SymbolTable, findings: Findings) -> None:
    for noun, number in price.items():
        if isinstance(number, dict):
            _check(number, span, world, findings)
            continue
        singular = world.singular(noun)
        info = world.pieces.get(singular) or world.tracks.get(singular)
        most = most_of(singular, world)
        if info is None or most is None or not isinstance(number, int) or number <= most:
            continue
        findings.report(
            "W603",
            span,
            f"Nobody can ever pay this: it costs {number} {info.plural}, and nobody can have more "
            f"than {most}.",
            "Lower the price, or add more to the game.",
        )

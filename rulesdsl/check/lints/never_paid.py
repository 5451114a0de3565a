"""W603: prices that are higher than anybody's means can ever be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.intervals import most_of

if TYPE_CHECKING:
    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.world import World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span


def never_paid(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report prices in fields and named prices of which there is not enough in the box."""
    world = checked.program.world
    for kind in world.kinds.values():
        for entry in kind.entries:
            for (field, key), value in entry.values.items():
                written = "/".join(part for part in (field, key) if part)
                if isinstance(value, dict) and written in entry.spans:
                    _check(value, entry.spans[written], world, findings)
    for name, value in world.constants.items():
        if isinstance(value, dict):
            _check(value, world.constant_spans[name], world, findings)


def _check(price: dict[str, object], span: Span, world: World, findings: Findings) -> None:
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
            f"Nobody can ever pay this: it takes {number} {info.plural}, and nobody can have more "
            f"than {most}.",
            "Lower the price, or put more into the box.",
        )

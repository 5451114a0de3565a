"""What a player has, as far as they know it: weights of options may depend on it.

A holding is how many pieces of a kind lie in places of a player, or what a track or a flag of
theirs shows.  What is shared, and what all see, counts for everybody.  A level says roughly how
much it is: so few of them that each is met often enough to learn something about it.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.state import cells_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.lower.layout import Layout
    from rulesdsl.lower.schema import FlagInfo, TrackInfo

LEVELS = (1, 2, 3, 4, 6, 10, 20, 40)
"""The least of each level but the first one (house: fine where a few more or less decide)."""
MANY_LEVELS = len(LEVELS) + 1
MOST_HOLDINGS = 3  # house: of one set of weights; each makes a game take longer
MOST_CELLS = 8  # house: that are added up for one holding
PILES = "l:"
_KEPT = {"printed": PILES, "counted": "n:"}
_SEATS = {("player",), ("seat",)}


@attrs.frozen
class Holding:
    """Something that players have: which cells of an array count for each seat."""

    name: str
    array: str
    cells: tuple[tuple[int, ...], ...]

    def level(self, st: Any, seat: int) -> int:  # noqa: ANN401 - the class is made at run time
        """Return how much of it a seat (from 0) has in a state."""
        found = cells_of(st, self.array)
        if isinstance(found, int):
            return level_of(found)
        numbers = map(len, found) if self.array.startswith(PILES) else found
        kept = [*numbers]
        return level_of(sum(kept[each] for each in self.cells[seat]))


def level_of(amount: int) -> int:
    """Return the level of an amount."""
    return bisect_right(LEVELS, amount)


def holdings_of(layout: Layout) -> dict[str, Holding]:
    """Return all that players have, by names: `cards in hand`, `turns`."""
    found = [*_lying(layout), *_counted(layout)]
    fitting = (each for each in found if any(each.cells) and not _wide(each))
    return {each.name: each for each in fitting}


def _wide(holding: Holding) -> bool:
    return any(len(each) > MOST_CELLS for each in holding.cells)


def _lying(layout: Layout) -> Iterator[Holding]:
    """Yield pieces in places of players, and in places that all see."""
    schema = layout.schema
    for piece in schema.pieces.values():
        if piece.style not in _KEPT:
            continue
        cells: dict[str, list[list[int]]] = {}
        for code, owner in enumerate(layout.owners_of_cells(piece.name)):
            place, _ = layout.place_of(piece.name, code)
            if place.seen_by == "nobody" or (place.seen_by == "owner" and owner < 0):
                continue
            seats = cells.setdefault(place.name, [[] for _ in range(layout.seats)])
            for seat in range(layout.seats) if owner < 0 else (owner,):
                seats[seat].append(code)
        for name, seats in cells.items():
            said = f"{schema.plurals[piece.name]} in {name}"
            array = f"{_KEPT[piece.style]}{piece.name}"
            yield Holding(said, array, tuple(map(tuple, seats)))


def _counted(layout: Layout) -> Iterator[Holding]:
    """Yield tracks and flags of players, and those that are shared."""
    schema = layout.schema
    every: list[tuple[str, TrackInfo | FlagInfo, str | None]] = [
        *(("t", each, each.seen_by) for each in schema.tracks.values()),
        *(("f", each, None) for each in schema.flags.values()),
    ]
    for letter, info, seen_by in every:
        own = info.dims in _SEATS
        if seen_by == "nobody" or not (own or (not info.dims and seen_by is None)):
            continue
        cells = tuple((seat,) if own else (0,) for seat in range(layout.size("seat")))
        yield Holding(schema.plurals[info.name], f"{letter}:{info.name}", cells)

"""Which items of a group the same player chose in a game, and how often that was enough to win."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import attrs

from rulesdsl.figures.uses import winners

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.figures.groups import Groups
    from rulesdsl.interpreter.simulator.playouts import Played

Pair = tuple[str, str]


@attrs.frozen
class Company:
    """Two items that one player chose: in how many games, points in them, and victories."""

    takers: int = 0
    points: int = 0
    wins: int = 0

    def with_more(self, other: Company) -> Company:
        """Return both together."""
        return Company(
            self.takers + other.takers, self.points + other.points, self.wins + other.wins
        )


@attrs.define
class Together:
    """All pairs of items of one group, each in the order of its ids; an item with itself too."""

    pairs: dict[Pair, Company] = attrs.Factory(dict)

    def add(self, played: Played, players: Sequence[int], groups: Groups, group: str) -> None:
        """Add a game; `players` are the seats of players, among those that score."""
        taken: dict[int, set[str]] = {}
        for option, seat in played.chosen:
            for of, item in groups.items[option]:
                if of == group:
                    taken.setdefault(seat, set()).add(item)
        (won,) = winners(played.results)
        for seat in players:
            one = Company(1, played.scores[seat], int(won[seat]))
            items = sorted(taken.get(seat, ()))
            for pair in [*combinations(items, 2), *((each, each) for each in items)]:
                self.pairs[pair] = self.pairs.get(pair, Company()).with_more(one)

    def with_more(self, other: Together) -> Together:
        """Return both together."""
        pairs = dict(self.pairs)
        for pair, each in other.pairs.items():
            pairs[pair] = pairs.get(pair, Company()).with_more(each)
        return Together(pairs)

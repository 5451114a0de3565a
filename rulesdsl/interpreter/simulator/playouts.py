"""What games by chance came to: columns of numbers, and sums of them."""

from __future__ import annotations

from array import array
from math import prod

import attrs


@attrs.frozen
class Totals:
    """Sums over games; tuples run along the seats that score."""

    games: int
    decisions: int
    rounds: int
    scores: tuple[int, ...]
    wins: tuple[int, ...]
    """How often a seat was in first place, alone or with others."""


@attrs.frozen
class Chosen:
    """How often something was offered, and how often it was chosen, by each seat."""

    offered: tuple[int, ...]
    chosen: tuple[int, ...]


@attrs.frozen
class Playouts:
    """What games by chance came to.

    Each view has one entry for each game, in their order: `scores[game, seat]`,
    `points[game, line, seat]`, `verdicts[game, player]` (the index of a verdict in `words`, -1 for
    none).  NumPy takes them as arrays without a copy.
    """

    games: int
    seats: tuple[str, ...]
    """The names of the seats that score."""
    lines: tuple[str, ...] = attrs.field(repr=False)
    """What points are scored for."""
    words: tuple[str, ...] = attrs.field(repr=False)
    """What the end can mean for a player: `won`, `drawn` or `lost`."""
    numbers: dict[str, array[int]] = attrs.field(repr=False)
    """What each view is of, one number after the other, by the names of the views."""
    _shapes: dict[str, tuple[int, ...]] = attrs.field(repr=False)
    options: dict[str, Chosen] = attrs.field(factory=dict, repr=False)
    """What was offered, by the ids of options; empty where that was not asked for."""
    entries: dict[str, Chosen] = attrs.field(factory=dict, repr=False)
    """The same by the ids of the entries that options name."""

    def _view(self, name: str) -> memoryview:
        shape = (self.games, *self._shapes[name])
        view = memoryview(self.numbers[name])
        return view.cast("B").cast("q", shape) if prod(shape) else view

    @property
    def decisions(self) -> memoryview:
        """How many decisions each game had."""
        return self._view("decisions")

    @property
    def rounds(self) -> memoryview:
        """How often the first loop with decisions in the step `game` went round.

        A round in which nobody decides counts with the next one; all are 0 without such a loop.
        """
        return self._view("rounds")

    @property
    def traces(self) -> memoryview:
        """A number for each game that differs where anybody was asked anything else."""
        return self._view("traces")

    @property
    def scores(self) -> memoryview:
        """The scores, by game and seat."""
        return self._view("scores")

    @property
    def places(self) -> memoryview:
        """The places in the final ranking, from 1, by game and seat."""
        return self._view("places")

    @property
    def points(self) -> memoryview:
        """Where the scores come from: points by game, line of the scoring and seat."""
        return self._view("points")

    @property
    def verdicts(self) -> memoryview:
        """What the end means for each player, as an index of `words`; -1 for nothing."""
        return self._view("verdicts")

    @property
    def totals(self) -> Totals:
        """The sums over all games."""
        width = len(self.seats)
        scores, places = self.numbers["scores"], self.numbers["places"]
        return Totals(
            self.games,
            sum(self.numbers["decisions"]),
            sum(self.numbers["rounds"]),
            tuple(sum(scores[seat::width]) for seat in range(width)),
            tuple(places[seat::width].count(1) for seat in range(width)),
        )


@attrs.frozen
class Played:
    """What one game by chance came to; `scores` and `places` are by the seats that score.

    `offered` and `chosen` tell how often, by the number of an option and a seat (from 0).
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    offered: dict[tuple[int, int], int] = attrs.field(repr=False)
    chosen: dict[tuple[int, int], int] = attrs.field(repr=False)
    results: Playouts = attrs.field(repr=False)
    """All that is told of the game, as of many."""
    held: dict[tuple[int, int, int], tuple[int, int]] = attrs.field(factory=dict, repr=False)
    """Both where one had so much of something: by `Weighing.rows`, option and seat."""

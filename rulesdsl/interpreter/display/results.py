"""Results of single games and of many playouts."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from math import prod
from typing import Any

import attrs

from rulesdsl.interpreter.labels import Labels
from rulesdsl.lower.flat import STANDING, TOTAL, rank_name, value_name
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.schema import Verdict
from rulesdsl.source.english import and_list, ended

WON, DRAWN, LOST = "won", "drawn", "lost"


@attrs.frozen
class Outcome:
    """The outcome for a seat, by the rules or else by its place.

    `winners` of `rivals` seats share a victory. A verdict counts as in a two-player game.
    """

    word: str
    """`won`, `drawn` or `lost`."""
    winners: int
    rivals: int
    text: str | None = None
    """The reason given by the rules; None if the place decides."""

    @property
    def share(self) -> float:
        """The share of the victory, from 0 to 1."""
        return 0.0 if self.word == LOST else 1 / self.winners

    @property
    def balance(self) -> float:
        """The value from -1 to 1; the values of all rivals sum to 0."""
        if self.word == LOST:
            return -1 / (self.rivals - 1)
        if self.rivals == 1:
            return 0.0
        return (self.rivals - self.winners) / (self.winners * (self.rivals - 1))


_outcome = lru_cache(64)(Outcome)  # few differ, and playouts ask for very many


def _stated(word: str, text: str = "") -> Outcome:
    return _outcome(word, 2 if word == DRAWN else 1, 2, text)


def outcomes(places: Sequence[int], stated: Sequence[Outcome | None] = ()) -> tuple[Outcome, ...]:
    """Return each seat's outcome: the one stated for a player, or else the one from its place.

    The players occupy the first seats.
    """
    winners, rivals = places.count(1), len(places)
    return tuple(
        _outcome(WON if place == 1 else LOST, winners, rivals) if each is None else each
        for place, each in zip_longest(places, stated)
    )


@attrs.frozen
class Rank:
    """A ranking criterion, and whether more or less of it ranks higher."""

    most: bool
    text: str
    values: tuple[int, ...]
    """The value of each scoring seat."""


@attrs.frozen
class Result:
    """The result of a game. Tuples have an item for each of `seats`, the seats that score."""

    seats: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    breakdown: tuple[tuple[str, tuple[int, ...]], ...]
    winners: tuple[int, ...]
    """The numbers (from 1, in table order) of the seats in first place."""
    verdicts: tuple[Verdict | None, ...] = ()
    """The outcome for each player; None if the rules do not define one."""
    ranking: tuple[Rank, ...] = ()
    """The criteria in order; each breaks the ties of the one before."""


def stated_outcomes(result: Result) -> tuple[Outcome | None, ...]:
    """Return the outcomes that the rules state, by player."""
    return tuple(
        None if each is None else _stated(each.word, each.text) for each in result.verdicts
    )


class Results:
    """Reader of results from the states of one setting."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.seats = labels.layout.scoring_seats()
        self._columns = columns(labels.layout)

    @property
    def by_place(self) -> bool:
        """True if places decide every outcome."""
        return not self.labels.layout.schema.verdicts

    def result(self, st: Any) -> Result:  # noqa: ANN401 - the state class is generated
        """Return the result of a state as if the game ended here."""
        engine, schema, width = self.labels.engine, self.labels.layout.schema, len(self.seats)
        found = {
            name: tuple(engine.call(function, st, seat) for function, seat in column.cells)
            for name, column in self._columns.items()
        }
        points, places = found["points"], found["places"]
        return Result(
            tuple(self.labels.seats[seat] for seat in self.seats),
            places,
            found["scores"],
            tuple(
                (line.title, points[at * width : (at + 1) * width])
                for at, line in enumerate(schema.scores)
            ),
            tuple(seat + 1 for seat, place in zip(self.seats, places, strict=True) if place == 1),
            tuple(None if at < 0 else schema.verdicts[at] for at in found["verdicts"]),
            tuple(self._ranking(st)),
        )

    def _ranking(self, st: Any) -> Iterator[Rank]:  # noqa: ANN401
        ranking = zip(self.labels.layout.schema.ranking, self.labels.criteria, strict=True)
        for at, (most, text) in enumerate(ranking):
            values = (self.labels.engine.call(rank_name(at), st, seat) for seat in self.seats)
            yield Rank(most, text, tuple(values))


COUNTS = ("decisions", "rounds", "traces")
"""Statistics of a playout; a trace is a hash of all questions asked."""


@attrs.frozen
class Columns:
    """A group of result columns: its shape, and (function, seat) for each cell."""

    shape: tuple[int, ...]
    cells: tuple[tuple[str, int], ...] = ()


def columns(layout: Layout) -> dict[str, Columns]:
    """Return the result columns: counts, scores, places, points by source, verdicts by player."""
    seats = layout.scoring_seats()
    lines = [value_name(*each.value) for each in layout.schema.scores]
    players = tuple(range(layout.players))
    found = {name: Columns(()) for name in COUNTS}
    found["scores"] = _of_seats((len(seats),), [TOTAL], seats)
    found["places"] = _of_seats((len(seats),), [STANDING], seats)
    found["points"] = _of_seats((len(lines), len(seats)), lines, seats)
    found["verdicts"] = _of_seats((len(players),), [value_name(*layout.schema.verdict)], players)
    return found


def _of_seats(shape: tuple[int, ...], functions: list[str], seats: tuple[int, ...]) -> Columns:
    return Columns(shape, tuple((name, seat) for name in functions for seat in seats))


@attrs.frozen
class Totals:
    """Sums over games; tuples have an item for each seat that scores."""

    games: int
    decisions: int
    rounds: int
    scores: tuple[int, ...]
    wins: tuple[int, ...]
    """The number of games in which each seat is in first place, including ties."""


@attrs.frozen
class Chosen:
    """Counts of how often an option was offered, and how often it was chosen, by seat."""

    offered: tuple[int, ...]
    chosen: tuple[int, ...]


@attrs.frozen
class Playouts:
    """Results of playouts.

    Each view has one entry for each game, in order: `scores[game, seat]`, `points[game, line,
    seat]`, `verdicts[game, player]` (an index into `words`, -1 for none). NumPy wraps them without
    a copy.
    """

    games: int
    seats: tuple[str, ...]
    """The names of the seats that score."""
    lines: tuple[str, ...] = attrs.field(repr=False)
    """The titles of the scoring lines."""
    words: tuple[str, ...] = attrs.field(repr=False)
    """The possible verdicts: `won`, `drawn` or `lost`."""
    numbers: dict[str, array[int]] = attrs.field(repr=False)
    """The flat data of each view, by its name."""
    _shapes: dict[str, tuple[int, ...]] = attrs.field(repr=False)
    options: dict[str, Chosen] = attrs.field(factory=dict, repr=False)
    """Counts by option id; empty unless requested."""
    entries: dict[str, Chosen] = attrs.field(factory=dict, repr=False)
    """Counts by the id of the entry that an option names."""

    def _view(self, name: str) -> memoryview:
        shape = (self.games, *self._shapes[name])
        view = memoryview(self.numbers[name])
        return view.cast("B").cast("q", shape) if prod(shape) else view

    @property
    def decisions(self) -> memoryview:
        """The number of decisions in each game."""
        return self._view("decisions")

    @property
    def rounds(self) -> memoryview:
        """The number of rounds: passes of the outermost loops in which players decide.

        Loops over players are turns, not rounds. A round in which nobody decides does not count.
        """
        return self._view("rounds")

    @property
    def traces(self) -> memoryview:
        """A hash of all questions asked, for each game."""
        return self._view("traces")

    @property
    def scores(self) -> memoryview:
        """The scores, by game and seat."""
        return self._view("scores")

    @property
    def places(self) -> memoryview:
        """The places in the final ranking (1 is the first), by game and seat."""
        return self._view("places")

    @property
    def points(self) -> memoryview:
        """The points by game, scoring line and seat."""
        return self._view("points")

    @property
    def verdicts(self) -> memoryview:
        """The outcomes by game and player, as indexes into `words`; -1 for none."""
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


def no_playouts(layout: Layout) -> Playouts:
    """Return the results for zero games."""
    names, shapes = layout.seat_names(), columns(layout)
    return Playouts(
        0,
        tuple(names[seat] for seat in layout.scoring_seats()),
        tuple(each.title for each in layout.schema.scores),
        tuple(each.word for each in layout.schema.verdicts),
        {name: array("q") for name in shapes},
        {name: each.shape for name, each in shapes.items()},
    )


def playout_outcomes(found: Playouts) -> list[tuple[Outcome, ...]]:
    """Return the outcomes of each game, by seat."""
    places, verdicts, width = found.numbers["places"], found.numbers["verdicts"], len(found.seats)
    players = len(verdicts) // found.games if found.games else 0
    by_number = (*map(_stated, found.words), None)
    return [
        outcomes(
            places[game * width : (game + 1) * width],
            [by_number[at] for at in verdicts[game * players : (game + 1) * players]],
        )
        for game in range(found.games)
    ]


def outcome_lines(result: Result) -> list[str]:
    """Return each player's outcome (in one line if all are alike), or else the winners."""
    stated = stated_outcomes(result)
    verdicts = [
        (f"{seat} has ", f"{outcome.word}: {ended(_on_one_line(outcome.text))}")
        for seat, outcome in zip(result.seats, stated, strict=False)
        if outcome is not None and outcome.text is not None
    ]
    if not verdicts:
        places = zip(result.seats, result.places, strict=True)
        first = [seat for seat, place in places if place == 1]
        if not first:
            return ["Nobody wins."]
        return [f"{and_list(first)} {'wins' if len(first) == 1 else 'share the victory'}."]
    if len({line for _, line in verdicts}) == 1 and len(verdicts) == len(stated):
        line = verdicts[0][1]
        return [line[0].upper() + line[1:]]
    return [who + line for who, line in verdicts]


def _on_one_line(text: str) -> str:
    return " ".join(text.split())

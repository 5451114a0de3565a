"""How a game ended: places, scores, and where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.lower.flatten.values import STANDING, TOTAL, VERDICT, rank_name, value_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.labels import Labels


@attrs.frozen
class Verdict:
    """What the end of a game means for a player: `won`, `drawn` or `lost`, and why."""

    word: str
    text: str


@attrs.frozen
class Rank:
    """A step of the ranking: what is compared, whether most or least of it is first."""

    most: bool
    text: str
    values: tuple[int, ...]
    """What each seat that scores has of it."""


@attrs.frozen
class Result:
    """The end of a game. Tuples run along `seats`: the seats that take part in the scoring."""

    seats: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    breakdown: tuple[tuple[str, tuple[int, ...]], ...]
    winners: tuple[int, ...]
    """The numbers (from 1, in the order of the table) of the seats in first place."""
    verdicts: tuple[Verdict | None, ...] = ()
    """What the end means for each player; None for one of whom the rules do not say it."""
    ranking: tuple[Rank, ...] = ()
    """By what places are given: who is level in one step is compared by the next."""


class Results:
    """Scores the states of one setting."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.seats = labels.layout.scoring_seats()

    def result(self, st: Any) -> Result:  # noqa: ANN401 - the state class is made at run time
        """Return the result of a state as if the game ended here."""
        engine = self.labels.engine
        breakdown: list[tuple[str, tuple[int, ...]]] = []
        for line in self.labels.layout.schema.scores:
            function = value_name(*line.value)
            scored = tuple(engine.call(function, st, seat) for seat in self.seats)
            breakdown.append((line.title, scored))
        scores = tuple(engine.call(TOTAL, st, seat) for seat in self.seats)
        places = tuple(engine.call(STANDING, st, seat) for seat in self.seats)
        winners = tuple(
            seat + 1 for seat, place in zip(self.seats, places, strict=True) if place == 1
        )
        titles = tuple(self.labels.seats[seat] for seat in self.seats)
        players = range(self.labels.layout.players)
        verdicts = tuple(self._verdict(st, player) for player in players)
        lines = tuple(breakdown)
        return Result(titles, places, scores, lines, winners, verdicts, tuple(self._ranking(st)))

    def _ranking(self, st: Any) -> Iterator[Rank]:  # noqa: ANN401
        for at, (most, text) in enumerate(self.labels.layout.schema.ranking):
            values = (self.labels.engine.call(rank_name(at), st, seat) for seat in self.seats)
            yield Rank(most, text, tuple(values))

    def _verdict(self, st: Any, player: int) -> Verdict | None:  # noqa: ANN401
        at = self.labels.engine.call(VERDICT, st, player)
        if at < 0:
            return None
        return Verdict(*self.labels.layout.schema.verdicts[at])

"""How a game ended: places, scores, and where they come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter import pynodes as py

if TYPE_CHECKING:
    from rulesdsl.interpreter.labels import Labels


@attrs.frozen
class Result:
    """The end of a game. Tuples run along `seats`: the seats that take part in the scoring."""

    seats: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    breakdown: tuple[tuple[str, tuple[int, ...]], ...]
    winners: tuple[int, ...]
    """The numbers (from 1, in the order of the table) of the seats in first place."""


class Results:
    """Scores the states of one setting."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.seats = labels.layout.scoring_seats()

    def result(self, st: Any) -> Result:  # noqa: ANN401 - the state class is made at run time
        """Return the result of a state as if the game ended here."""
        names = self.labels.engine.names
        breakdown: list[tuple[str, tuple[int, ...]]] = []
        for line in self.labels.world.scores:
            function = names[f"{py.identifier(line.name, 'x_')}_{len(line.hooks)}"]
            scored = tuple(function(st, seat) for seat in self.seats)
            breakdown.append((line.score_title or line.name, scored))
        scores = tuple(names["total_score"](st, seat) for seat in self.seats)
        keys = [self._key(st, seat) for seat in self.seats]
        places = tuple(1 + sum(other > key for other in keys) for key in keys)
        winners = tuple(
            seat + 1 for seat, place in zip(self.seats, places, strict=True) if place == 1
        )
        titles = tuple(self.labels.seats[seat] for seat in self.seats)
        return Result(titles, places, scores, tuple(breakdown), winners)

    def _key(self, st: Any, seat: int) -> tuple[int, ...]:  # noqa: ANN401
        names = self.labels.engine.names
        ranking = self.labels.program.ranking
        if not ranking:
            return (names["total_score"](st, seat),)
        return tuple(
            names[f"r_{at}"](st, seat) * (1 if most else -1)
            for at, (most, _) in enumerate(ranking)
        )

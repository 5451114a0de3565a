"""Where everybody would be if the game ended now, as far as somebody may know it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.lower.flatten.values import STANDING, TOTAL, value_name

if TYPE_CHECKING:
    from rulesdsl.interpreter.views import Views
    from rulesdsl.lower.schema import Eyes


@attrs.frozen
class ScoreLine:
    """What a seat would get from one source; None where the viewer may not know it."""

    title: str
    points: int | None


@attrs.frozen
class Score:
    """What a seat would have if the game ended now.

    The lines are those of the final result, in the same order. `total` and `place` are None
    where the viewer may not know them.
    """

    seat: int
    """The number of the seat, from 1: players first, then rivals."""
    name: str
    lines: tuple[ScoreLine, ...]
    total: int | None
    place: int | None
    """1 is first; those who are level share a place."""


class Standings:
    """Reads scores from the states of one setting, with what the checker knows of secrets."""

    def __init__(self, views: Views) -> None:
        self.views = views
        self.labels = views.labels
        self.seats = views.labels.layout.scoring_seats()

    @cached_property
    def _sources(self) -> tuple[tuple[str, str, Eyes, str], ...]:
        """For each line: its title, its function, who sees it, and the name of its seat there."""
        layout = self.labels.layout
        return tuple(
            (line.title, value_name(*line.value), *layout.value_eyes(*line.value))
            for line in layout.schema.scores
        )

    def all(self, st: Any, viewer: int | None) -> tuple[Score, ...]:  # noqa: ANN401 - made at run time
        """Return the scores as a player (from 1) may know them; None: somebody who watches."""
        return tuple(self._score(st, seat, viewer) for seat in self.seats)

    def whole(self, st: Any, seat: int) -> Score:  # noqa: ANN401 - made at run time
        """Return the score of a seat (from 0) with everything that may be secret."""
        return self._score(st, seat, None, secrets=True)

    def _score(
        self,
        st: Any,  # noqa: ANN401 - made at run time
        seat: int,
        viewer: int | None,
        *,
        secrets: bool = False,
    ) -> Score:
        engine, layout = self.labels.engine, self.labels.layout
        secrets = secrets or st.over  # the final result is open to all
        own = viewer == seat + 1
        lines = tuple(
            ScoreLine(
                title,
                engine.call(function, st, seat)
                if secrets or eyes is None or (own and owner in eyes)
                else None,
            )
            for title, function, eyes, owner in self._sources
        )
        known = all(line.points is not None for line in lines)
        return Score(
            seat + 1,
            self.labels.seats[seat],
            lines,
            engine.call(TOTAL, st, seat) if known else None,
            engine.call(STANDING, st, seat) if secrets or layout.places_are_open else None,
        )

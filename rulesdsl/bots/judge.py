"""What the end of a game is worth to a player, from 0 to 1: being first, and the lead in points.

Who only counts victories learns nothing from games that are nearly lost or won; who only
counts points risks a victory for them.  So both count one half.  A lead is measured by how far the
leads of the first games that were played are spread: no game has a number of its own here.
"""

from __future__ import annotations

from math import sqrt, tanh
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.interpreter.simulator.playouts import Playouts

VERDICTS = {"won": 1.0, "drawn": 0.5, "lost": 0.0}


@attrs.define
class Judge:
    """Tells what games came to for each player, on one scale for one decision."""

    _setting: Setting
    _centre: float = 0.0
    _spread: float = 0.0

    def values(self, found: Playouts) -> list[list[float]]:
        """Return what each game is worth to each player; the first ones set the scale."""
        width, players = len(found.seats), self._setting.layout.players
        scores, places = found.numbers["scores"], found.numbers["places"]
        verdicts = found.numbers["verdicts"]
        games = [
            (
                scores[at * width : at * width + width],
                places[at * width : at * width + width],
                verdicts[at * players : at * players + players],
            )
            for at in range(found.games)
        ]
        if not self._spread:
            self._set_scale([_lead(each, at) for each, _, _ in games for at in range(width)])
        return [
            [self._value(*each, player, found.words) for player in range(players)]
            for each in games
        ]

    def _set_scale(self, leads: Sequence[float]) -> None:
        """Measure leads by their standard deviation; alone, from the middle of one's scores."""
        many = max(len(leads), 1)
        mean = sum(leads) / many
        self._spread = max(1.0, sqrt(sum((each - mean) ** 2 for each in leads) / many))
        self._centre = mean

    def _value(
        self,
        scores: Sequence[int],
        places: Sequence[int],
        verdicts: Sequence[int],
        player: int,
        words: Sequence[str],
    ) -> float:
        seats = self._setting.layout.scoring_seats()
        at = seats.index(player) if player in seats else None
        parts = []
        if verdicts[player] >= 0:
            parts.append(VERDICTS[words[verdicts[player]]])
        elif at is not None and len(scores) > 1:
            first = [each == 1 for each in places]
            parts.append(first[at] / sum(first) if first[at] else 0.0)
        if at is not None:
            lead = (_lead(scores, at) - self._centre) / self._spread
            parts.append((1 + tanh(lead)) / 2)
        return sum(parts) / len(parts) if parts else 0.5


def _lead(scores: Sequence[int], at: int) -> float:
    """Return how many points a seat is ahead of the best of the others; alone, its points."""
    others = [*scores[:at], *scores[at + 1 :]]
    return scores[at] - max(others) if others else scores[at]

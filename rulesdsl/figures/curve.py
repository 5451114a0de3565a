"""Points over time, by the place that a seat has in the end.

A game by chance that is stopped after so many decisions is scored as it is: that is what everybody
would have if it ended there.  The same games are played again and again, each time a little
farther; a game that has ended keeps its last points.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

import attrs

from rulesdsl.figures.games import players_among
from rulesdsl.figures.tally import Tally

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.simulator.simulator import Simulator
    from rulesdsl.interpreter.simulator.weighing import Weights

SAMPLES = 24  # house: points of a line in a chart


@attrs.frozen
class Curve:
    """Points of players after so many decisions, for each place, first place first."""

    decisions: tuple[int, ...]
    places: tuple[tuple[Tally, ...], ...]
    """For each place the points after each of those numbers of decisions."""


def curve(
    simulator: Simulator,
    games: int,
    seed: int = 0,
    *,
    weights: Weights | Sequence[Weights] | None = None,
    samples: int = SAMPLES,
) -> Curve:
    """Play so many games (at least one) and return how points grow in them."""
    many = len(simulator.playouts(0).seats)
    players = players_among(simulator.setting)
    ready = None if weights is None else simulator.weighing(weights)
    full = simulator.playouts(games, seed, weights=ready)
    longest = max(full.numbers["decisions"])
    moments = sorted({longest * at // samples for at in range(samples + 1)})
    places = full.numbers["places"]
    found: list[list[list[int]]] = [[[] for _ in moments] for _ in repeat(None, many)]
    for at, moment in enumerate(moments):
        scores = simulator.playouts(games, seed, weights=ready, most=moment).numbers["scores"]
        for game in range(games):
            for seat in players:
                cell = game * many + seat
                found[places[cell] - 1][at].append(scores[cell])
    lines = (tuple(map(Tally.of, each)) for each in found if any(each))
    return Curve(tuple(moments), tuple(lines))

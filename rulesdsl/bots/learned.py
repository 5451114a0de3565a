"""Learned weights of options, by option name and by the amounts that a player holds."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

import attrs

from rulesdsl.interpreter.simulator.action_space import ONE, OptionName, Situated, Weights

FARTHEST = 7.0  # e^7 is about 1,100
UNIT = 1000  # weight of an untrained option


@attrs.define
class Learned:
    """Log weights by option name, and the number of games from which they were learned."""

    weights: dict[str, float] = attrs.Factory(dict)
    games: int = 0
    held: dict[str, dict[str, list[float]]] = attrs.Factory(dict)  # by holding, option and level

    @property
    def taste(self) -> Weights:
        """The weights in the form that a simulator takes."""
        return Situated(self.weigh, tuple(self.held), self._factor) if self.held else self.weigh

    def softened(self, share: float) -> Learned:
        """Return a copy with all logarithms scaled by `share`."""
        held = {
            holding: {name: [share * each for each in levels] for name, levels in of.items()}
            for holding, of in self.held.items()
        }
        return Learned({name: share * e for name, e in self.weights.items()}, self.games, held)

    def weigh(self, option: OptionName) -> int:
        """Return the weight of an option, ignoring the amounts that the player holds."""
        return max(1, round(UNIT * exp(self.weights.get(name_of(option), 0.0))))

    def _factor(self, option: OptionName, holding: str, level: int) -> int:
        return round(ONE * exp(self._added(name_of(option), holding, level)))

    def _added(self, name: str, holding: str, level: int) -> float:
        levels = self.held[holding].get(name)
        return levels[level] if levels else 0.0

    def logarithm(self, option: OptionName, levels: Sequence[int]) -> float:
        """Return the log weight of an option at the given levels of the player's amounts."""
        name = name_of(option)
        added = (self._added(name, *each) for each in zip(self.held, levels, strict=True))
        return bounded(self.weights.get(name, 0.0) + sum(added))


def bounded(weight: float) -> float:
    """Return a log weight clamped to the allowed range."""
    return min(max(weight, -FARTHEST), FARTHEST)


def name_of(option: OptionName) -> str:
    """Return the key of an option's weight; empty if the option is never offered."""
    return f"{option.asked}: {option.id}" if option.id else ""

"""What self-play has taught: how good options are, by their names and by what one has."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.simulator.weighing import ONE, Situated, Weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulesdsl.interpreter.simulator.offers import OptionName

FARTHEST = 7.0  # house: e^7 is about 1,100 times as often
UNIT = 1000  # an option that has learned nothing comes so often, in proportion


@attrs.define
class Learned:
    """Natural logarithms of weights, by names of options, and how many games have taught them."""

    weights: dict[str, float] = attrs.Factory(dict)
    games: int = 0
    held: dict[str, dict[str, list[float]]] = attrs.Factory(dict)
    """What is added where one has so much of a holding: by its name, the option, the level."""

    @property
    def taste(self) -> Weights:
        """How often options come, for a simulator."""
        return Situated(self.weigh, tuple(self.held), self._factor) if self.held else self.weigh

    def softened(self, share: float) -> Learned:
        """Return the same, less sure of it: a copy with only a share of each logarithm."""
        held = {
            holding: {name: [share * each for each in levels] for name, levels in of.items()}
            for holding, of in self.held.items()
        }
        return Learned({name: share * e for name, e in self.weights.items()}, self.games, held)

    def weigh(self, option: OptionName) -> int:
        """Return how often an option comes, in proportion, whatever one has."""
        return max(1, round(UNIT * exp(self.weights.get(name_of(option), 0.0))))

    def _factor(self, option: OptionName, holding: str, level: int) -> int:
        """Return how many times as often it comes where one has so much of something."""
        return round(ONE * exp(self._added(name_of(option), holding, level)))

    def _added(self, name: str, holding: str, level: int) -> float:
        levels = self.held[holding].get(name)
        return levels[level] if levels else 0.0

    def logarithm(self, option: OptionName, levels: Sequence[int]) -> float:
        """Return the logarithm of how often an option comes, where one has so much."""
        name = name_of(option)
        added = (self._added(name, *each) for each in zip(self.held, levels, strict=True))
        return bounded(self.weights.get(name, 0.0) + sum(added))


def bounded(weight: float) -> float:
    """Return a logarithm that goes no farther than any may."""
    return min(max(weight, -FARTHEST), FARTHEST)


def name_of(option: OptionName) -> str:
    """Return the name under which the weight of an option is kept, empty for what is none."""
    return f"{option.asked}: {option.id}" if option.id else ""


def known(options: Iterable[OptionName]) -> frozenset[str]:
    """Return the names of options, numbers left out: of those that might come, most never do."""
    return frozenset(name_of(each) for each in options if each.id and not each.id.isdigit())

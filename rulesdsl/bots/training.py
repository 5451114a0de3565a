"""Weights of options, learned by self-play.

All seats choose by the same weights.  After some games each option is compared with what was
offered beside it: how far ahead of the others did those come out who chose it, and those who did
not?  Its weight follows the difference (a policy gradient with the offered options as baseline).
No game needs a line of its own: an option is known by what asks and its id.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl.interpreter.simulator.offers import OptionName
    from rulesdsl.interpreter.simulator.simulator import Played, Simulator

BATCH = 500  # house: games between two changes of the weights
STEP = 3.0  # house: how far a weight goes for an advantage of one standard deviation
RARE = 20  # house: options that were chosen less often than this go less far
FARTHEST = 7.0  # house: e^7 is about 1,100 times as often
UNIT = 1000  # an option that has learned nothing comes so often, in proportion


@attrs.define
class Learned:
    """What self-play has taught so far: natural logarithms of weights, by names of options."""

    weights: dict[str, float] = attrs.Factory(dict)
    games: int = 0

    def weigh(self, option: OptionName) -> int:
        """Return how often an option comes, in proportion."""
        return max(1, round(UNIT * exp(self.weights.get(name_of(option), 0.0))))


def name_of(option: OptionName) -> str:
    """Return the name under which the weight of an option is kept, empty for what is none."""
    return f"{option.asked}: {option.id}" if option.id else ""


def known(options: Iterable[OptionName]) -> frozenset[str]:
    """Return the names of options, numbers left out: of those that might come, most never do."""
    return frozenset(name_of(each) for each in options if each.id and not each.id.isdigit())


@attrs.define
class _Advantage:
    """How far ahead those came out who chose an option, and those who were only offered it."""

    chosen: int = 0
    offered: int = 0
    ahead_chosen: float = 0
    ahead_offered: float = 0

    @property
    def step(self) -> float:
        """How far the weight goes; nothing where there was no choice."""
        passed = self.offered - self.chosen
        if not self.chosen or not passed:
            return 0
        gain = self.ahead_chosen / self.chosen
        gain -= (self.ahead_offered - self.ahead_chosen) / passed
        fewest = min(self.chosen, passed)
        return STEP * gain * fewest / (fewest + RARE)


def train(
    simulators: Sequence[Simulator], learned: Learned, games: int, seed: int = 0
) -> Iterator[Learned]:
    """Play so many games more, and yield what has been learned after each batch of them.

    The simulators, of several numbers of players for example, take turns with the batches.
    The games go on where those that were played before ended, so that training may be stopped and
    taken up again.  It is the same for the same seed, in whatever whole batches it is done.
    """
    last = learned.games + games
    while learned.games < last:
        simulator = simulators[learned.games // BATCH % len(simulators)]
        learned = _after(simulator, learned, min(BATCH, last - learned.games), seed)
        yield learned


def _after(simulator: Simulator, learned: Learned, games: int, seed: int) -> Learned:
    """Return what has been learned after a batch of games."""
    names = [name_of(each) for each in simulator.setting.option_names]
    found: dict[str, _Advantage] = {}
    for each in simulator.watched(games, seed, first=learned.games, weights=learned.weigh):
        _add(found, each, names)
    unknown = dict.fromkeys(sorted(known(simulator.setting.option_names)), 0.0)
    weights = unknown | learned.weights
    for option, advantage in found.items():
        weight = weights.get(option, 0.0) + advantage.step
        weights[option] = min(max(weight, -FARTHEST), FARTHEST)
    return Learned(weights, learned.games + games)


def _add(found: dict[str, _Advantage], played: Played, names: Sequence[str]) -> None:
    """Add what a game says about the options in it."""
    ahead = _ahead(played.scores)
    for (option, seat), count in played.offered.items():
        if seat < len(ahead):
            one = found.get(names[option])
            if one is None:
                one = found[names[option]] = _Advantage()
            one.offered += count
            one.ahead_offered += count * ahead[seat]
    for (option, seat), count in played.chosen.items():
        if seat < len(ahead):
            one = found[names[option]]
            one.chosen += count
            one.ahead_chosen += count * ahead[seat]


def _ahead(scores: Sequence[int]) -> list[float]:
    """Return how many standard deviations above the mean of a game each score is."""
    mean = sum(scores) / len(scores)
    spread = sqrt(sum((each - mean) ** 2 for each in scores) / len(scores))
    return [(each - mean) / spread if spread else 0.0 for each in scores]

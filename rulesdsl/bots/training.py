"""Weights of options, learned by playing.

In every other batch of games all seats choose by the same weights; in those between, one seat does
among others that choose at random: who only ever meets their own kind learns customs that nobody
else keeps to.  After a batch each option is compared with what was offered beside it: how many
points had those who chose it, and those who did not?  The weight follows the difference (a policy
gradient with the offered options as baseline); where weights depend on what one has, so does what
is added to them, each level for itself.  All of it fades a little each time, and counts a little
less in the games that teach, so that what is no longer tried is tried again.
No game needs a line of its own: an option is known by what asks and its id.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import sqrt
from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.bots.learned import Learned, bounded, known, name_of
from rulesdsl.interpreter.arguments import whole
from rulesdsl.interpreter.simulator.holdings import MANY_LEVELS
from rulesdsl.source.ranges import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl.interpreter.simulator.playouts import Played
    from rulesdsl.interpreter.simulator.simulator import Simulator
    from rulesdsl.interpreter.simulator.weighing import Weights

BATCH = 500  # house: games between two changes of the weights
STEP = 0.3  # house: how far weights go at most, in the mean; see `_stride`
WARM = 16  # house: batches until weights go that far; after as many again, half as far
SOFT = 0.7  # house: how much of what has been learned counts in the games that teach
HELD = 0.5  # house: how far, of that, goes what is added for what one has
KEPT = 0.97  # house: what is left of a weight after each change, before it changes
RARE = 20  # house: options that were chosen less often than this go less far
Key = TypeVar("Key", bound=Hashable)


@attrs.define
class _Advantage:
    """How well those came out who chose an option, and those who were only offered it."""

    chosen: int = 0
    offered: int = 0
    ahead_chosen: float = 0
    ahead_offered: float = 0

    def add(self, offered: int, chosen: int, ahead: float) -> None:
        """Add a game: how often it was offered and chosen, how well that came out."""
        self.offered += offered
        self.chosen += chosen
        self.ahead_offered += offered * ahead
        self.ahead_chosen += chosen * ahead

    @property
    def step(self) -> float:
        """How much better it is, less where it is hardly known; nothing if there was no choice."""
        passed = self.offered - self.chosen
        if not self.chosen or not passed:
            return 0
        gain = self.ahead_chosen / self.chosen
        gain -= (self.ahead_offered - self.ahead_chosen) / passed
        fewest = min(self.chosen, passed)
        return gain * fewest / (fewest + RARE)


def train(
    simulators: Sequence[Simulator], learned: Learned, games: int, seed: int = 0
) -> Iterator[Learned]:
    """Play so many games more, and yield what has been learned after each batch of them.

    The simulators, of several numbers of players for example, take turns with the batches.
    The games go on where those that were played before ended, so that training may be stopped and
    taken up again.  It is the same for the same seed, in whatever whole batches it is done.
    ValueError where it is about holdings that players do not have.
    """
    last = learned.games + whole("games", games, GAMES)
    while learned.games < last:
        lap, at = divmod(learned.games // BATCH, len(simulators))
        simulator = simulators[at]
        players = range(simulator.setting.layout.players)
        learning = players if lap % 2 == 0 else range(lap // 2 % len(players), len(players))[:1]
        learned = _after(simulator, learned, min(BATCH, last - learned.games), seed, learning)
        yield learned


def _after(
    simulator: Simulator, learned: Learned, games: int, seed: int, learning: range
) -> Learned:
    """Return what has been learned after a batch of games, in which some seats learn."""
    setting = simulator.setting
    names = [name_of(each) for each in setting.option_names]
    taste = learned.softened(SOFT).taste
    seats: list[Weights] = [
        taste if seat in learning else {} for seat in range(setting.layout.players)
    ]
    played = list(simulator.watched(games, seed, first=learned.games, weights=seats))
    every = iter(_above([score for each in played for score in each.scores]))
    found: dict[str, _Advantage] = {}
    held: dict[tuple[int, str], _Advantage] = {}
    for each in played:
        ahead = [next(every) for _ in each.scores]
        for option, seat, offered, chosen in _options(each):
            if seat in learning and seat < len(ahead):
                _of(found, names[option]).add(offered, chosen, ahead[seat])
        for (row, option, seat), (offered, chosen) in each.held.items():
            if seat in learning and seat < len(ahead):
                _of(held, (row, names[option])).add(offered, chosen, ahead[seat])
    stride = _stride([each.step for each in found.values()], learned.games // BATCH)
    unknown = dict.fromkeys(sorted(known(setting.option_names)), 0.0)
    faded = learned.softened(KEPT)
    weights, added = unknown | faded.weights, faded.held
    for name, advantage in found.items():
        weights[name] = bounded(weights.get(name, 0.0) + stride * advantage.step)
    tables = [*added.values()]
    for (row, name), advantage in held.items():
        which, level = divmod(row, MANY_LEVELS)
        levels = tables[which].setdefault(name, [0.0] * MANY_LEVELS)
        levels[level] = bounded(levels[level] + HELD * stride * advantage.step)
    return Learned(weights, learned.games + games, added)


def _stride(steps: Iterable[float], batches: int) -> float:
    """Return how far weights go for a step, after so many batches.

    What is an advantage depends on how much chance and how many choices there are in a game; so
    steps are measured by their own mean.  At first they are small, for who is sure too early of
    what is good among others that play badly never tries the rest; later they are small again.
    """
    squares = [each * each for each in steps if each]
    mean = sqrt(sum(squares) / len(squares)) if squares else 1.0
    begun = (batches + 1) / WARM
    return STEP * min(begun, 1 / begun) / mean


def _options(played: Played) -> Iterable[tuple[int, int, int, int]]:
    """Yield option and seat, how often it was offered, and chosen."""
    for key, offered in played.offered.items():
        yield *key, offered, played.chosen.get(key, 0)


def _of(found: dict[Key, _Advantage], key: Key) -> _Advantage:
    one = found.get(key)
    if one is None:
        one = found[key] = _Advantage()
    return one


def _above(scores: Sequence[int]) -> list[float]:
    """Return how many standard deviations above their mean scores are."""
    mean = sum(scores) / len(scores)
    spread = sqrt(sum((each - mean) ** 2 for each in scores) / len(scores))
    return [(each - mean) / spread if spread else 0.0 for each in scores]

"""Weights for options, learned by self-play."""

from __future__ import annotations

from collections import defaultdict
from math import sqrt
from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.learned import Learned, bounded, name_of
from rulesdsl.interpreter.arguments import whole
from rulesdsl.interpreter.simulator.action_space import MANY_LEVELS, Weights
from rulesdsl.source.ranges import GAMES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl.interpreter.simulator.action_space import OptionName
    from rulesdsl.interpreter.simulator.simulator import Simulator


def known(options: Iterable[OptionName]) -> frozenset[str]:
    """Return the keys of options whose ids are not numbers: most numbers never occur in a game."""
    return frozenset(name_of(each) for each in options if each.id and not each.id.isdigit())


BATCH = 500  # games between updates of the weights
STEP = 0.3  # largest root mean square of an update; see `_stride`
WARM = 16  # batches of warm-up, after which steps shrink again
SOFT = 0.7  # share of the learned log weights used in training games
HELD = 0.5  # step of weights that depend on holdings, relative to other weights
KEPT = 0.97  # decay of weights before each update
RARE = 20  # pseudo-count that shrinks the steps of rarely chosen options


@attrs.define
class _Advantage:
    """Outcomes for the players who chose an option, and for those who were offered it."""

    chosen: int = 0
    offered: int = 0
    ahead_chosen: float = 0
    ahead_offered: float = 0

    def add(self, offered: int, chosen: int, ahead: float) -> None:
        """Add a game: counts of offers and choices, and the player's lead."""
        self.offered += offered
        self.chosen += chosen
        self.ahead_offered += offered * ahead
        self.ahead_chosen += chosen * ahead

    @property
    def step(self) -> float:
        """The advantage of choosing the option, shrunk if evidence is scarce; 0 if none exists."""
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
    """Play `games` more games, yielding the weights after each batch.

    Raises ValueError if the weights depend on amounts that players never hold in this game.
    """
    # A policy gradient with the other offered options as baseline: after each batch, the weight of
    # an option moves by the mean difference in points between players that chose it and players
    # that were offered it but passed. Terms for holdings move likewise, each level separately. In
    # every other batch all seats use the learned weights; in the others only one seat does and its
    # opponents are random, to avoid conventions that only work among equals. Weights decay before
    # each update and are softened in training games, so that neglected options are tried again.
    #
    # Batches alternate between the simulators, e.g. for several player counts. Training resumes
    # after the games already played, and is reproducible for a given seed.
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
    """Return the weights after a batch of games in which only the seats `learning` learn."""
    setting = simulator.setting
    names = [name_of(each) for each in setting.option_names]
    taste = learned.softened(SOFT).taste
    players = range(setting.layout.players)
    seats: list[Weights] = [taste if seat in learning else {} for seat in players]
    played = list(simulator.watched(games, seed, first=learned.games, weights=seats))
    every = iter(_above([score for each in played for score in each.scores]))
    found: defaultdict[str, _Advantage] = defaultdict(_Advantage)
    held: defaultdict[tuple[int, str], _Advantage] = defaultdict(_Advantage)
    for each in played:
        ahead = [next(every) for _ in each.scores]
        for (option, seat), offered in each.offered.items():
            if seat in learning and seat < len(ahead):
                chosen = each.chosen.get((option, seat), 0)
                found[names[option]].add(offered, chosen, ahead[seat])
        for (row, option, seat), (offered, chosen) in each.held.items():
            if seat in learning and seat < len(ahead):
                held[row, names[option]].add(offered, chosen, ahead[seat])
    stride = _stride([each.step for each in found.values()], learned.games // BATCH)
    faded = learned.softened(KEPT)
    weights = dict.fromkeys(sorted(known(setting.option_names)), 0.0) | faded.weights
    for name, advantage in found.items():
        weights[name] = bounded(weights.get(name, 0.0) + stride * advantage.step)
    tables = [*faded.held.values()]
    for (row, name), advantage in held.items():
        which, level = divmod(row, MANY_LEVELS)
        levels = tables[which].setdefault(name, [0.0] * MANY_LEVELS)
        levels[level] = bounded(levels[level] + HELD * stride * advantage.step)
    return Learned(weights, learned.games + games, faded.held)


def _stride(steps: Iterable[float], batches: int) -> float:
    """Return the factor for update steps after a number of batches."""
    # Steps are normalised by their root mean square, since the scale of advantages depends on the
    # game. The factor grows during warm-up, because early certainty among weak players stops
    # exploration, and shrinks afterwards.
    squares = [each * each for each in steps if each]
    mean = sqrt(sum(squares) / len(squares)) if squares else 1.0
    begun = (batches + 1) / WARM
    return STEP * min(begun, 1 / begun) / mean


def _above(scores: Sequence[int]) -> list[float]:
    """Return scores standardised to mean 0 and standard deviation 1."""
    mean = sum(scores) / len(scores)
    spread = sqrt(sum((each - mean) ** 2 for each in scores) / len(scores))
    return [(each - mean) / spread if spread else 0.0 for each in scores]

"""Flat Monte Carlo with sequential halving: play each option out some times, drop the worse half.

Every round draws some worlds that the player cannot tell from the real one, and plays all options
that are left from the same worlds, with the same chance.  The playouts choose as bots have learned
to (`trained`), and what was learned counts beside the few playouts that an option has had: the
more there are, the less it counts.
"""

from __future__ import annotations

import random
from math import ceil, log2, sqrt
from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.bot import decision_of
from rulesdsl.bots.judge import Judge

if TYPE_CHECKING:
    from rulesdsl.bots.worlds import Worlds
    from rulesdsl.interpreter.game import Game

WORLDS = 8  # house: worlds for a decision, shared among its rounds
PLAYOUTS = 3  # house: of each option in a world, while none has been dropped
TRUST = 0.3  # house: how much one unit of a learned weight counts beside a single playout


@attrs.frozen
class Quick:
    """One that plays options out."""

    worlds: Worlds
    count: int = WORLDS
    playouts: int = PLAYOUTS

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of the best option; see `Bot`."""
        return self.estimates(game, player, seed)[0][0]

    def estimates(self, game: Game, player: int, seed: int) -> list[tuple[int, float]]:
        """Return options with what they are worth (from 0 to 1), those that came farthest first.

        What an option is worth was measured in more games the farther it came.
        """
        decision = decision_of(game, player)
        if decision.count == 1:
            return [(0, 0.5)]
        chance = random.Random(seed)  # noqa: S311 - it plays games
        judge = Judge(game.setting)
        learned = [self.worlds.learned(game.setting.option_names[e]) for e in decision.numbered]
        totals, counts = [0.0] * decision.count, [0] * decision.count
        left, dropped = list(range(decision.count)), list[int]()

        def merit(option: int) -> float:
            mean = totals[option] / counts[option]
            return mean + TRUST * learned[option] / sqrt(counts[option])

        rounds = ceil(log2(decision.count))
        for _ in range(rounds):
            many = self.playouts * decision.count // len(left)
            for _ in range(max(1, self.count // rounds)):
                world = self.worlds.draw(game, player, chance)
                run = chance.getrandbits(63)
                for option in left:
                    found = self.worlds.playouts(world, option, many, run)
                    totals[option] += sum(each[player - 1] for each in judge.values(found))
                    counts[option] += many
            left.sort(key=merit, reverse=True)
            half = ceil(len(left) / 2)
            left, dropped = left[:half], left[half:] + dropped
        return [(each, totals[each] / counts[each]) for each in [*left, *dropped]]

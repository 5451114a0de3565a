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
from rulesdsl.bots.thought import Thought

if TYPE_CHECKING:
    from rulesdsl.bots.worlds import Worlds
    from rulesdsl.interpreter.game import Game

ITERATIONS = 100  # house: about 10 ms of a long game with 4 players
WORLDS = 4  # house: worlds that a round draws, where there are enough iterations
PLAYOUTS = 2  # house: of each option in a world, at least
WIDEST = 16  # house: options that are looked at, those first that bots like who have learned
TRUST = 0.3  # house: how much one unit of a learned weight counts beside a single playout


@attrs.frozen
class Quick:
    """One that plays options out."""

    worlds: Worlds
    thought: Thought = attrs.Factory(Thought)

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of the best option; see `Bot`."""
        return self.estimates(game, player, seed)[0][0]

    def estimates(self, game: Game, player: int, seed: int) -> list[tuple[int, float]]:
        """Return the options that were tried with what they are worth, from 0 to 1.

        Those that came farthest are the first: what they are worth was measured in more games.
        """
        decision = decision_of(game, player)
        if decision.count == 1:
            return [(0, 0.5)]
        thinking = self.thought.begin(ITERATIONS)
        chance = random.Random(seed)  # noqa: S311 - it plays games
        judge, worlds = Judge(game.setting), self.worlds.of(game, player, chance)
        learned = self.worlds.learned(game, player)
        totals, counts = [0.0] * decision.count, [0] * decision.count
        order = sorted(range(decision.count), key=learned.__getitem__, reverse=True)
        left, dropped = order[:WIDEST], order[WIDEST:]

        def merit(option: int) -> float:
            mean = totals[option] / counts[option]
            return mean + TRUST * learned[option] / sqrt(counts[option])

        rounds = ceil(log2(len(left)))
        for number in range(1, rounds + 1):
            share = number / rounds
            many = max(PLAYOUTS, thinking.room(share) // (len(left) * WORLDS))
            while thinking.goes_on(share) or not counts[left[-1]]:
                world = self.worlds.asked(next(worlds), player, chance)
                run = chance.getrandbits(63)
                for option in left:
                    found = self.worlds.play_on(world, (option,), run, many)
                    totals[option] += sum(each[player - 1] for each in judge.values(found))
                    counts[option] += many
                thinking.done += many * len(left)
            left.sort(key=merit, reverse=True)
            half = ceil(len(left) / 2)
            left, dropped = left[:half], left[half:] + dropped
        return [(e, totals[e] / counts[e]) for e in [*left, *dropped] if counts[e]]

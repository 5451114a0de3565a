"""The random numbers of games by chance, in Python: the same that modules draw.

A run of games has a seed.  Game number `n` of it has two seeds of its own, the numbers 2n and
2n + 1 of the run's stream: one for the chance in the game, one for who chooses by chance.
"""

from __future__ import annotations

import attrs

from rulesdsl.interpreter.runtime import MASK, STEP, mixed

TRACE = STEP
HALF = (1 << 32) - 1
NEVER = (1 << 63) - 1
"""Decisions that no game has: none is stopped before its end."""


def seeds(run: int, number: int) -> tuple[int, int]:
    """Return the seeds of a game: of the chance in it, and of the choices."""
    first = run + STEP * (2 * number + 1)
    return mixed(first & MASK), mixed((first + STEP) & MASK)


@attrs.define
class Dice:
    """Chooses by chance; `trace` differs where anything else was asked."""

    state: int
    decisions: int = 0
    trace: int = 0

    def below(self, count: int) -> int:
        """Return a number from 0 to count - 1, each as likely (Lemire's way, with 32 bits)."""
        while True:
            self.state = (self.state + STEP) & MASK
            if count > HALF:  # a sum of weights: how uneven that is, nobody can measure
                return mixed(self.state) % count
            product = (mixed(self.state) >> 32) * count
            rest = product & HALF
            if rest >= count or rest >= (HALF + 1 - count) % count:
                return product >> 32

    def bits(self) -> int:
        """Return 64 bits by chance: the seed of somebody who chooses in another way."""
        self.state = (self.state + STEP) & MASK
        return mixed(self.state)

    def asked(self, count: int, player: int) -> None:
        """Count a decision with so many options of a player, from 0."""
        self.decisions += 1
        self.trace = (self.trace ^ (count | player << 32)) * TRACE & MASK

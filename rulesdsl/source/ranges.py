"""Limits of counts, seeds, times and weights, for callers and command lines.

They are checked first, so that a typo gives a message instead of an exhausted memory.
"""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """The minimum and maximum of a number."""

    least: int
    most: int

    def __str__(self) -> str:
        """Format both bounds."""
        return f"from {self.least} to {self.most}"


PLAYERS = Limits(1, 20)  # house: more sit at no table
SEED = Limits(0, 2**64 - 1)  # all states of the generator
COUNT = Limits(0, 2**40)  # games and decisions: more than anybody can wait for
GAMES = Limits(1, 10**9)  # house: a day of the fastest game
LESSON = Limits(1, 1000)  # house: nobody learns that long
JOBS = Limits(1, 256)  # house: more cores than today's machines have
ITERATIONS = Limits(1, 1_000_000)  # house: minutes for a choice
MUTANTS = Limits(0, 100_000)  # house: a day
WEIGHT = Limits(0, 2**21 - 1)  # e^7 times 1000, the largest learned weight, is below it
SECONDS = (0.01, 60.0)  # house: as long as people wait for a choice

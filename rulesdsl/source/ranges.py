"""Limits on counts, seeds, times and weights, for callers of the API and for the command line.

They are checked early, so that a typo leads to an error message instead of exhausting memory.
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


PLAYERS = Limits(1, 20)  # house: no game is for more
SEED = Limits(0, 2**64 - 1)  # all states of the generator
COUNT = Limits(0, 2**40)  # games and decisions: more than anybody can wait for
GAMES = Limits(1, 10**9)  # house: a day of playouts of the fastest game
LESSON = Limits(1, 1000)  # house: far longer than any lesson
JOBS = Limits(1, 256)  # house: more cores than today's machines have
ITERATIONS = Limits(1, 1_000_000)  # house: minutes per decision
MUTANTS = Limits(0, 100_000)  # house: a day of work
WEIGHT = Limits(0, 2**21 - 1)  # above the largest learned weight, e^7 times 1000
SECONDS = (0.01, 60.0)  # house: people do not wait longer for a decision

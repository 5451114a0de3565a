"""Ranges of counts, seeds, times and weights that callers and command lines may ask for.

They are checked before anything is done, so that a slip of the keyboard is a message and neither
an empty memory nor a night of work.
"""

from __future__ import annotations

from typing import NamedTuple


class Range(NamedTuple):
    """The least and the most that a number may be."""

    least: int
    most: int

    def __str__(self) -> str:
        """Name both ends."""
        return f"from {self.least} to {self.most}"


PLAYERS = Range(1, 20)  # house: more sit at no table
SEED = Range(0, 2**64 - 1)  # all that the generator can be in
COUNT = Range(0, 2**40)  # of games and decisions: more than anybody can wait for
GAMES = Range(1, 10**9)  # house: a day of the fastest game
LESSON = Range(1, 1000)  # house: nobody learns so long
JOBS = Range(1, 256)  # house: more cores than a machine of today has
ITERATIONS = Range(1, 1_000_000)  # house: minutes for a choice
MUTANTS = Range(0, 100_000)  # house: a day
WEIGHT = Range(0, 2**21 - 1)  # e^7 times 1000, the most that bots learn, is below it
SECONDS = (0.01, 60.0)  # house: as long as people wait for a choice

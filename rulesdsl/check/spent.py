"""How much is done between two questions, and how that adds up along steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable

NEVER = -(10**30)  # of what cannot be: steps that provably ask, or never do


@attrs.frozen
class Spent:
    """Rounds and calls, at the most: where nobody is asked, and around what is asked."""

    silent: int
    first: int = NEVER  # up to the first question
    between: int = NEVER  # two questions
    last: int = NEVER  # after the last one

    @property
    def most(self) -> int:
        """Return the most that is done without a question."""
        return max(self.silent, self.first, self.between, self.last)

    def then(self, other: Spent) -> Spent:
        """Return what these steps and others after them come to."""
        return Spent(
            self.silent + other.silent,
            max(self.first, self.silent + other.first),
            max(self.between, other.between, self.last + other.first),
            max(other.last, self.last + other.silent),
        )

    def times(self, rounds: int) -> Spent:
        """Return what so many rounds come to, or fewer."""
        silent = max(self.silent, 0)
        return Spent(
            rounds * silent,
            self.first + (rounds - 1) * silent,
            max(self.between, self.last + (rounds - 2) * silent + self.first),
            self.last + (rounds - 1) * silent,
        )

    def perhaps(self) -> Spent:
        """Return what these steps come to, or nothing."""
        return either([NOTHING, self])


NOTHING = Spent(0)
QUESTION = Spent(NEVER, first=0, last=0)


def either(ways: Iterable[Spent]) -> Spent:
    """Return what one of several ways comes to."""
    every = list(ways) or [NOTHING]
    return Spent(
        max(each.silent for each in every),
        max(each.first for each in every),
        max(each.between for each in every),
        max(each.last for each in every),
    )

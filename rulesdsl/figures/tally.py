"""A whole number of each game, added up."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulesdsl.figures.sequences import Confidence, Interval


@attrs.frozen
class Tally:
    """Numbers, one of each game: how many, their sum, the sum of their squares, their bounds."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int = 0
    most: int = 0

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Tally:
        """Add numbers up."""
        if not numbers:
            return cls()
        squares = sum(each * each for each in numbers)
        return cls(len(numbers), sum(numbers), squares, min(numbers), max(numbers))

    def with_more(self, other: Tally) -> Tally:
        """Return both together."""
        if not self.count or not other.count:
            return self if self.count else other
        return Tally(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            min(self.least, other.least),
            max(self.most, other.most),
        )

    @property
    def mean(self) -> float:
        """What they are on average; 0 where there are none."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float:
        """How far they are spread: the mean square of what is between them and their mean."""
        if not self.count:
            return 0.0
        return (self.squares * self.count - self.total * self.total) / self.count**2

    def interval(self, confidence: Confidence) -> Interval:
        """Return their mean with its interval."""
        return confidence.around(self.mean, self.variance, self.count)

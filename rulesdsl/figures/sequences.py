"""Intervals that hold at every look: confidence sequences of a normal mixture.

An interval of a textbook holds for a number of games that was fixed before.  Who looks again and
again, and stops when it leaves out 0, is wrong far more often than one in twenty times.  These
hold for all looks together: they may be shown while games are played, and a command may stop when
they say enough.  They cost about half as much width again.

The technique: the boundary of a normal mixture (Robbins 1970; Howard, Ramdas, McAuliffe and
Sekhon, "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics
2021), with the variance estimated as in Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas,
"Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 2024,
theorem 2.2.  That one needs some games before the first look: `FEWEST`.
"""

from __future__ import annotations

from math import inf, log, sqrt

import attrs

FEWEST = 30  # house: games before which no interval is told; the limit theorem needs some
USUAL = 0.05  # house: intervals are wrong in one of twenty cases, as everywhere
PLANNED = 1000  # house: games at which intervals are narrowest where nobody says how many


@attrs.frozen
class Confidence:
    """How often intervals may be wrong, and the number of games at which they are narrowest."""

    alpha: float = USUAL
    planned: int = PLANNED

    def radius(self, games: int) -> float:
        """Return half the width of the interval of a mean of so many games.

        The unit is the standard deviation of one game.  It is infinite before there are enough.
        """
        if games < FEWEST:
            return inf
        spread = -2 * log(self.alpha)
        rho = (spread + log(spread + 1)) / max(
            self.planned, FEWEST
        )  # the square of that in theorem 2.2
        grown = games * rho + 1
        return sqrt(2 * grown / (games * games * rho) * log(sqrt(grown) / self.alpha))

    def shared(self, many: int) -> Confidence:
        """Return that of each of so many intervals which hold all together (Bonferroni)."""
        return attrs.evolve(self, alpha=self.alpha / max(many, 1))

    def around(self, mean: float, variance: float, games: int) -> Interval:
        """Return the interval of a mean of so many games; `variance` is that of one game."""
        radius = self.radius(games)
        return Interval(mean, inf if radius == inf else radius * sqrt(max(variance, 0.0)))

    def share(self, count: int, games: int) -> Interval:
        """Return the interval of a share: of so many games, this many.

        Two games are added to the variance, one of each sort: what has always happened need not.
        """
        if not games:
            return NOTHING
        guess = (count + 1) / (games + 2)
        return self.around(count / games, guess * (1 - guess), games)


@attrs.frozen
class Interval:
    """An estimate, and how far the truth may be from it; infinitely far before enough games."""

    mean: float
    radius: float

    @property
    def low(self) -> float:
        """The lower bound."""
        return self.mean - self.radius

    @property
    def high(self) -> float:
        """The upper bound."""
        return self.mean + self.radius

    @property
    def known(self) -> bool:
        """Whether there were enough games to tell."""
        return self.radius != inf

    @property
    def sign(self) -> int:
        """1 where it lies above 0, -1 where it lies below, 0 where that is not decided."""
        return (self.low > 0) - (self.high < 0)

    def scaled(self, by: float) -> Interval:
        """Return it in another unit."""
        return Interval(self.mean * by, self.radius * abs(by))


NOTHING = Interval(0.0, inf)
"""What is known before any game."""

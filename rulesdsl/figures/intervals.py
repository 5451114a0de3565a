"""Confidence sequences: intervals that stay valid at every look, for many games or few values."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, log, sqrt

import attrs

FEWEST = 30  # games before the first interval, for the limit theorem
USUAL = 0.05  # error rate
PLANNED = 1000  # default number of games at which intervals are narrowest


@attrs.frozen
class Confidence:
    """Confidence sequence for a mean, narrowest at a planned number of games."""

    # A textbook interval holds for a number of games fixed in advance; checking repeatedly, and
    # stopping once it excludes 0, errs far more often. A confidence sequence holds at all times
    # simultaneously, at the price of being half again as wide. It is the normal-mixture boundary
    # (Robbins 1970; Howard, Ramdas, McAuliffe and Sekhon, "Time-uniform, nonparametric,
    # nonasymptotic confidence sequences", Annals of Statistics 2021) with estimated variance
    # (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, "Time-uniform central limit theory and
    # asymptotic confidence sequences", Annals of Statistics 2024, theorem 2.2). The guarantee is
    # asymptotic, so there is no interval before `FEWEST` games.

    alpha: float = USUAL
    planned: int = PLANNED

    def radius(self, games: int) -> float:
        """Return half the width of the interval for a mean over `games` games.

        The unit is the standard deviation of one game. The result is infinite below `FEWEST`.
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
        """Return the confidence for each of `many` simultaneous intervals (Bonferroni)."""
        return attrs.evolve(self, alpha=self.alpha / max(many, 1))

    def around(self, mean: float, variance: float, games: int) -> Interval:
        """Return the interval for a mean; `variance` is that of a single game's value."""
        radius = self.radius(games)
        return Interval(mean, inf if radius == inf else radius * sqrt(max(variance, 0.0)))

    def share(self, count: int, games: int) -> Interval:
        """Return the interval for a proportion: `count` out of `games`.

        The variance estimate adds one success and one failure, so it is never 0.
        """
        if not games:
            return NOTHING
        guess = (count + 1) / (games + 2)
        return self.around(count / games, guess * (1 - guess), games)


@attrs.frozen
class Interval:
    """An estimate with its radius, which is infinite until there are enough games."""

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
        """True if there are enough games."""
        return self.radius != inf

    @property
    def sign(self) -> int:
        """1 if the interval lies above 0, -1 if it lies below, 0 if it contains 0."""
        return (self.low > 0) - (self.high < 0)

    def scaled(self, by: float) -> Interval:
        """Return the interval in another unit."""
        return Interval(self.mean * by, self.radius * abs(by))


NOTHING = Interval(0.0, inf)  # before any game
PRIOR = 1.0  # prior deviation of effects, in standard deviations


def of_few(values: Sequence[float], alpha: float = USUAL) -> Interval:
    """Return the mean of a few normally distributed values, with an always valid interval."""
    # For comparing trainings: each value is a mean over many games, but there are too few values
    # for the limit theorem that `Confidence` uses. The Bayes factor of a t-test with a normal
    # prior on the standardised effect is a martingale whatever the variance, so it is rarely large
    # (Lai 1976; Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian
    # means with unknown variance", Sequential Analysis 2025; Pérez-Ortiz, Lardy, de Heide and
    # Grünwald, "E-statistics, group invariance and anytime-valid testing", Annals of Statistics
    # 2024). The interval is infinite while there are too few values for `alpha`; it is not valid
    # for values far from normal.
    many = len(values)
    if many < 2:  # noqa: PLR2004 - one value has no spread
        return Interval(values[0], inf) if values else NOTHING
    mean = sum(values) / many
    squares = sum((each - mean) ** 2 for each in values)
    bound = exp(log((many + PRIOR) / (PRIOR * alpha * alpha)) / many)
    left = 1 - bound * PRIOR / (many + PRIOR)
    if left <= 0:
        return Interval(mean, inf)
    return Interval(mean, sqrt(squares * (bound - 1) / (many * left)))

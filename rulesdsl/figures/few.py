"""Intervals of a few values that are spread like a normal distribution, which hold at every look.

Bots that learn a game twice do not play it alike, so a thousand games of one training say little
about the next one.  Where trainings are what is counted there are few of them, too few for the
limit theorem of `sequences`; but each is a mean over many games.

The technique: the Bayes factor of a t-test with a normal prior on the effect in standard
deviations is a martingale whatever the true deviation is, so it is seldom ever large (Lai 1976;
Wang and Ramdas, "Anytime-valid t-tests and confidence sequences for Gaussian means with unknown
variance", Sequential Analysis 2025; Pérez-Ortiz, Lardy, de Heide and Grünwald, "E-statistics,
group invariance and anytime-valid testing", Annals of Statistics 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, inf, log, sqrt

from rulesdsl.figures.sequences import NOTHING, USUAL, Interval

PRIOR = 1.0  # house: effects of about one standard deviation of a training are looked for


def of_few(values: Sequence[float], alpha: float = USUAL) -> Interval:
    """Return the mean of values with an interval that is wrong, at any look, as often as `alpha`.

    It is infinite while there are too few values for so sure an interval.
    """
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

from __future__ import annotations

import random
from math import inf

from rulesdsl.figures.intervals import FEWEST, Confidence, Interval

LOOKS = (30, 45, 70, 100, 150, 220, 330, 500, 700, 1000)


def misses(draw: object, mean: float, confidence: Confidence, runs: int) -> int:
    """Return in how many runs the interval leaves out the mean at any of the looks."""
    missed = 0
    for run in range(runs):
        chance = random.Random(run)
        total = squares = 0.0
        bad = False
        for number in range(1, LOOKS[-1] + 1):
            value = draw(chance)  # type: ignore[operator]
            total += value
            squares += value * value
            if number in LOOKS:
                average = total / number
                found = confidence.around(average, squares / number - average**2, number)
                bad = bad or not found.low <= mean <= found.high
        missed += bad
    return missed


def test_they_are_wrong_seldom_however_often_one_looks() -> None:
    assert misses(lambda chance: chance.random(), 0.5, Confidence(planned=300), 400) <= 20
    assert misses(lambda chance: chance.expovariate(1), 1.0, Confidence(planned=300), 400) <= 20


def test_nothing_is_told_of_a_few_games() -> None:
    few = Confidence().around(3.0, 1.0, FEWEST - 1)

    assert few.radius == inf
    assert not few.known
    assert few.sign == 0


def test_they_are_narrowest_near_the_number_of_games_that_is_planned() -> None:
    at = {planned: Confidence(planned=planned).radius(1000) for planned in (50, 1000, 100_000)}

    assert at[1000] < min(at[50], at[100_000])


def test_several_that_hold_together_are_wider() -> None:
    one, many = Confidence().radius(1000), Confidence().shared(100).radius(1000)

    assert one < many < 2 * one


def test_what_has_always_happened_need_not() -> None:
    found = Confidence(planned=100).share(100, 100)

    assert found.mean == 1
    assert 0 < found.radius < 0.1


def test_a_sign_is_told_once_zero_is_left_out() -> None:
    assert [Interval(mean, 1.0).sign for mean in (-2, -0.5, 0, 0.5, 2)] == [-1, 0, 0, 0, 1]

from __future__ import annotations

import random
from collections import Counter
from math import inf

import pytest

from rulesdsl.figures.games import Figures, Seat, Tally
from rulesdsl.figures.intervals import of_few
from rulesdsl.figures.pairs import Pair, Pairs, advantage, chosen
from rulesdsl.figures.uses import POINTS, Everybody, ItemUse, OutcomeTally, Uses, added

ITEM = ("card", "card:ruby")


def missed(run: int, alpha: float) -> bool:
    chance = random.Random(run)
    values: list[float] = []
    for _ in range(40):
        values.append(chance.gauss(0, 3) + chance.uniform(-1, 1))
        if abs(of_few(values, alpha).mean) > of_few(values, alpha).radius:
            return True
    return False


def test_few_values_are_enough_however_often_one_looks() -> None:
    assert sum(missed(run, 0.05) for run in range(1000)) <= 50
    assert 0 < sum(missed(run, 0.2) for run in range(1000)) <= 200


def test_a_few_values_tell_nothing_and_more_tell_more() -> None:
    assert of_few([]).radius == of_few([3.0]).radius == of_few([1.0, 2.0]).radius == inf
    ten, forty = of_few([1.0, 2.0] * 5), of_few([1.0, 2.0] * 20)
    assert ten.mean == forty.mean == 1.5
    assert forty.radius < ten.radius < inf
    assert of_few([1.0, 2.0] * 5, 0.001).radius > ten.radius


def figures(points: float, takers: int = 40) -> Figures:
    """Return figures of 100 games of two seats; those who chose the item have more points."""
    tally = Tally(100, round(100 * points), 0, 0, 99)
    seat = Seat("Ann", tally, (50, 50), 50, 0, (), Counter())
    rest = round(200 * points) - takers * round(points)
    own = takers * (round(points) + 5) + round(10 * points)
    use = ItemUse(chosen=2 * takers, takers=takers, games=takers, seen=200)
    use.outcomes[POINTS].total = own
    others = {("card", str(at)): ItemUse() for at in range(9)}
    uses = Uses(Everybody(100, 2, [own + rest, 0, 0]), {ITEM: use, **others})
    return Figures((seat, seat), (), Tally(100, 900, 0, 9, 9), Tally(100), 0, uses)


def pairs(differences: list[float], *, changed: bool = False) -> Pairs:
    found = Pairs(changed=frozenset({ITEM}) if changed else frozenset())
    for each in differences:
        found = found.with_more(Pair(figures(20), figures(20 + each)))
    return found


@pytest.mark.parametrize(
    ("differences", "decided", "sign"),
    [
        ([2.0, 2.5] * 6, True, 1),
        ([-2.0, -2.5] * 6, True, -1),
        ([0.1, -0.1] * 6, True, 0),
        ([3.0, -3.0] * 6, False, 0),
        ([2.0], False, 0),
    ],
)
def test_points_are_decided(differences: list[float], decided: bool, sign: int) -> None:
    found = pairs(differences)

    assert found.decided(0.5) == decided
    assert found.points.sign == sign


def test_what_changed_has_a_larger_part_of_the_error() -> None:
    plain, changed = pairs([1.0, 2.0] * 20), pairs([1.0, 2.0] * 20, changed=True)
    both = [each.of_item(ITEM, advantage(ITEM, POINTS)) for each in (plain, changed)]

    assert both[0].mean == both[1].mean
    assert both[1].radius < both[0].radius
    assert plain.games == 4000
    assert plain.mean(chosen(ITEM)) == pytest.approx((0.8, 0.8))


def test_an_item_that_few_chose_tells_nothing() -> None:
    few = Pair(figures(20, takers=3), figures(20, takers=3))

    assert None in {advantage(ITEM, POINTS)(each) for each in (few.before, few.after)}
    assert Pairs((few,)).difference(chosen(ITEM)).mean == 0
    assert Pairs((few,)).mean(advantage(ITEM, POINTS)) == (0, 0)


def test_outcomes_add_up() -> None:
    one, two = OutcomeTally(), OutcomeTally()
    one.add(3, 1, 10)
    two.add(4, 2, 20)

    assert added(one, two) == OutcomeTally(7, 25, 11, 110)

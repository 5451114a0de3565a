import random
from collections import Counter
from functools import reduce
from math import inf
from pathlib import Path
from typing import Any

import pytest

import rulesdsl
from packs_on_the_fly import loaded
from rulesdsl.figures.games import Figures, Seat, Tally, curve
from rulesdsl.figures.intervals import FEWEST, Confidence, Interval, of_few
from rulesdsl.figures.pairs import Pair, Pairs, advantage, chosen
from rulesdsl.figures.uses import (
    PLACE,
    POINTS,
    WIN,
    Everybody,
    ItemUse,
    OutcomeTally,
    Uses,
    added,
    group_names,
    groups_of,
)

MENU = """\
verb copper: raise my fame by 1
verb gold: raise my fame by 5
verb shop:
    menu:
        once for each card c in deck: raise my fame by 1
        once: raise my fame by 2
    choose one:
        copper
        gold
"""
GOLD = ("option", "shop: gold")


@pytest.fixture(scope="module")
def simulator(tmp_path_factory: pytest.TempPathFactory) -> rulesdsl.Simulator:
    return loaded(tmp_path_factory.mktemp("shop"), "shop\nshop", MENU).simulator(3)


def watched(simulator: rulesdsl.Simulator, count: int, first: int = 0) -> Figures:
    groups = groups_of(simulator.setting, group_names(simulator.setting))
    games = simulator.watched(count, 5, first=first, weights={"gold": 2})
    return Figures.watched(games, simulator.setting, groups, "card")


def test_parts_make_the_same_whole_in_any_order(simulator: rulesdsl.Simulator) -> None:
    parts = [watched(simulator, count, first) for first, count in ((0, 40), (40, 25), (65, 1))]
    whole = watched(simulator, 66)
    assert reduce(Figures.with_more, parts) == reduce(Figures.with_more, parts[::-1]) == whole


def test_seats_are_told_alike_whether_games_are_watched(simulator: rulesdsl.Simulator) -> None:
    plain = Figures.of(simulator.playouts(50, 5, weights={"gold": 2}))
    assert watched(simulator, 50).seats == plain.seats
    assert sum(sum(each.places) for each in plain.seats) == 150
    assert sum(each.shared for each in plain.seats) >= 2 * plain.ties > 0


def test_sources_add_up_to_points(simulator: rulesdsl.Simulator) -> None:
    for seat in watched(simulator, 50).seats:
        assert sum(each.total for each in seat.sources) == seat.points.total


def test_what_brings_more_points_has_the_advantage(simulator: rulesdsl.Simulator) -> None:
    uses = watched(simulator, 500).uses
    sure = Confidence(planned=500)

    points, place, win = (uses.advantage(GOLD, each, sure) for each in (POINTS, PLACE, WIN))

    chose, others = uses.means(GOLD, POINTS)
    assert points.mean == pytest.approx(chose - others)
    assert points.low > 2
    assert place.high < 0
    assert win.low > 0
    assert uses.advantage(("option", "shop: copper"), POINTS, sure).high < 0


def test_the_variance_of_an_advantage_is_that_of_its_parts(simulator: rulesdsl.Simulator) -> None:
    games = list(simulator.watched(200, 5, weights={"gold": 2}))
    gold = next(at for at, each in enumerate(simulator.setting.option_names) if each.id == "gold")
    takers = [[seat for seat in range(3) if (gold, seat) in each.chosen] for each in games]
    own = [sum(g.scores[s] for s in t) for g, t in zip(games, takers, strict=True)]
    rest = [sum(g.scores) - o for g, o in zip(games, own, strict=True)]
    many = [len(each) for each in takers]
    a, b = sum(own) / sum(many), sum(rest) / (600 - sum(many))
    parts = [
        (o - a * n) * 200 / sum(many) - (r - b * (3 - n)) * 200 / (600 - sum(many))
        for o, r, n in zip(own, rest, many, strict=True)
    ]
    variance = sum(each**2 for each in parts) / 200

    uses = watched(simulator, 200).uses
    sure = Confidence()
    found = uses.advantage(GOLD, POINTS, sure)

    assert found.mean == pytest.approx(a - b)
    assert found.radius == pytest.approx(sure.radius(200) * variance**0.5)


def test_groups_are_options_verbs_and_kinds(simulator: rulesdsl.Simulator) -> None:
    items = watched(simulator, 50).uses.items
    assert {group for group, _ in items} == {"option", "verb", "card"}
    assert ("card", "card:ant") in items
    assert items["option", "shop: gold"] == items["verb", "shop: gold"]
    assert items[GOLD].seen == 150, "all three players are offered it in all games"
    assert items[GOLD].questions.total() == items[GOLD].chosen


def test_what_one_question_does_not_ask_is_left_out(simulator: rulesdsl.Simulator) -> None:
    groups = groups_of(simulator.setting, ["option"], "shop")
    assert set(groups.titles) >= {GOLD}
    with pytest.raises(ValueError, match="a similar name exists: `shop`"):
        groups_of(simulator.setting, ["option"], "shops")
    with pytest.raises(ValueError, match="a similar name exists: `card`"):
        groups_of(simulator.setting, ["cards"])


def test_pairs_of_items_are_those_of_one_player(simulator: rulesdsl.Simulator) -> None:
    figures = watched(simulator, 60)
    own = figures.together.pairs["card:ant", "card:ant"]
    both = figures.together.pairs["card:ant", "card:bee"]
    assert own.takers == figures.uses.items["card", "card:ant"].takers
    assert own.wins == figures.uses.items["card", "card:ant"].outcomes[WIN].total
    assert 0 < both.takers < own.takers


def test_points_over_time_end_where_games_end(simulator: rulesdsl.Simulator) -> None:
    found = curve(simulator, 40, 5, weights={"gold": 2})
    figures = Figures.of(simulator.playouts(40, 5, weights={"gold": 2}))

    assert found.decisions[0] == 0
    assert found.decisions[-1] == figures.decisions.most
    ends = [line[-1] for line in found.places]
    assert sum(each.total for each in ends) == sum(each.points.total for each in figures.seats)
    assert ends[0].mean > ends[-1].mean
    assert all(line[0].mean <= line[-1].mean for line in found.places)


CHOICE = """\
verb pick:
    choose one:
        "two": raise my fame by 2
        "nine": raise my fame by 9
"""


@pytest.mark.parametrize(
    ("players", "verdicts"),
    [
        (1, 'verdict won "Well" when my fame > 5\nverdict lost "Bad"\n'),
        (2, 'verdict won "Well" when my fame > 5\nverdict drawn "So" when my fame > 1\n'),
        (2, 'verdict lost "Bad" when my fame < 5\n'),
        (2, ""),
    ],
)
def test_who_has_won_is_what_the_rules_say(tmp_path: Path, players: int, verdicts: str) -> None:
    simulator = loaded(tmp_path, "pick", CHOICE + verdicts).simulator(players)
    found = simulator.playouts(60, 3)
    scores: Any = found.scores.tolist()

    figures = Figures.of(found)

    def wins(game: list[int], seat: int) -> bool:
        if "won" in verdicts or ("lost" in verdicts and game[seat] < 5):
            return game[seat] == 9
        return game[seat] == max(game)

    for seat in range(players):
        expected = sum(wins(game, seat) for game in scores)
        assert figures.seats[seat].wins == expected
        assert 0 < expected < 60
    won = [sum(wins(game, seat) for seat in range(players)) for game in scores]
    assert figures.ties == sum(many > 1 for many in won)
    groups = groups_of(simulator.setting, ("option",))
    seen = Figures.watched(simulator.watched(60, 3, weights={}), simulator.setting, groups)
    assert seen.uses.everybody.totals[WIN] == sum(won)


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
    """Return figures for 100 games with two seats; those who chose the item score more."""
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


LOOKS = (30, 45, 70, 100, 150, 220, 330, 500, 700, 1000)


def misses(draw: object, mean: float, confidence: Confidence, runs: int) -> int:
    """Return the number of runs in which an interval ever excludes the mean."""
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

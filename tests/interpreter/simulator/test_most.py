from __future__ import annotations

from collections.abc import Callable

import pytest

import rulesdsl

Weights = dict[str, int] | None


@pytest.mark.parametrize("weights", [None, {"high": 3}])
@pytest.mark.parametrize("most", [0, 1, 2, 3, 100])
def test_a_game_stops_where_it_is(
    bidding: rulesdsl.Pack,
    in_python: Callable[[rulesdsl.Pack, int], rulesdsl.Simulator],
    weights: Weights,
    most: int,
) -> None:
    found = [
        each.playouts(30, 9, most=most, weights=weights)
        for each in (bidding.simulator(2), in_python(bidding, 2))
    ]

    assert found[0].decisions.tolist() == found[1].decisions.tolist()
    assert found[0].scores.tolist() == found[1].scores.tolist()
    assert max(found[0].decisions.tolist()) == min(most, 6)  # three rounds of two players
    assert (sum(found[0].totals.scores) > 0) is (most > 0)


def test_the_next_game_goes_to_its_end(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(2)
    before = simulator.playouts(30, 9)
    simulator.playouts(30, 9, most=1)

    assert simulator.playouts(30, 9).scores.tolist() == before.scores.tolist()


def test_from_a_position_decisions_count_from_there(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(2)
    simulator.begin(1)
    simulator.choose(0)

    found = simulator.playouts(10, 9, most=1, position=simulator.save())

    assert found.decisions.tolist() == [1] * 10
    assert all(2 < found.scores[game, 0] + found.scores[game, 1] < 5 for game in range(10))


def test_what_is_prepared_weighs_the_same(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(2)
    high, low = simulator.weighing({"high": 0}), simulator.weighing({"low": 0})

    for weighing, other in ((high, {"high": 0}), (low, {"low": 0}), (high, {"high": 0})):
        found = [simulator.playouts(20, 3, weights=each).scores for each in (weighing, other)]
        assert found[0].tolist() == found[1].tolist()

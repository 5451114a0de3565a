from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulesdsl
from interpreter.simulator.bidding import BID
from kept import shipped_pack
from packs_on_the_fly import loaded
from rulesdsl.interpreter.simulator.python_runner import PythonRunner

ROOT = Path(__file__).parents[3]
SHOP = """\
verb shop:
    menu:
        once for each card c in deck: raise my fame by 1
        once: raise my fame by 2
"""


@pytest.fixture(scope="module")
def shopping(tmp_path_factory: pytest.TempPathFactory) -> rulesdsl.Pack:
    return loaded(tmp_path_factory.mktemp("shop"), "if able: bid\nshop", SHOP + BID)


def test_options_are_counted_by_seat(shopping: rulesdsl.Pack) -> None:
    simulator = shopping.simulator(2)
    plain, counted = simulator.playouts(50, 3), simulator.playouts(50, 3, options=True)

    assert counted.traces.tolist() == plain.traces.tolist(), "to count changes nothing"
    assert sum(sum(each.chosen) for each in counted.options.values()) == sum(plain.decisions)
    assert {"high", "low", "done"} <= counted.options.keys()
    assert all(
        most >= many
        for each in counted.options.values()
        for most, many in zip(each.offered, each.chosen, strict=True)
    )
    assert counted.entries.keys() == {"card:ant", "card:bee", "card:cow", "card:dog"}
    assert plain.options == plain.entries == {}


def test_options_come_as_often_as_they_weigh(shopping: rulesdsl.Pack) -> None:
    simulator = shopping.simulator(2)

    never = simulator.playouts(50, weights={"high": 0}, options=True)
    often = simulator.playouts(200, weights={"high": 9}, options=True)

    assert sum(never.options["high"].chosen) == 0
    high, low = (sum(often.options[each].chosen) for each in ("high", "low"))
    assert 6 < high / low < 13


def test_each_player_has_weights_of_their_own(shopping: rulesdsl.Pack) -> None:
    found = shopping.simulator(2).playouts(200, weights=({"high": 0}, {"low": 0}), options=True)

    assert found.options["high"].chosen[0] == found.options["low"].chosen[1] == 0
    assert found.options["high"].chosen[1] > 0 < found.options["low"].chosen[0]


def test_a_weight_may_be_computed(shopping: rulesdsl.Pack) -> None:
    found = shopping.simulator(1).playouts(
        20, weights=lambda each: int(each.about != "card:ant"), options=True
    )

    assert sum(found.entries["card:ant"].chosen) == 0
    assert sum(found.entries["card:bee"].chosen) > 0


@pytest.mark.parametrize(
    "weights", [{}, {"high": 7, "raise*-2": 0, "raise*": 3}, [{"high": 7}, {"low": 3}]]
)
def test_both_back_ends_count_and_weigh_alike(
    shopping: rulesdsl.Pack,
    in_python: Callable[[rulesdsl.Pack, int], rulesdsl.Simulator],
    weights: dict[str, int],
) -> None:
    simulators = shopping.simulator(3), in_python(shopping, 3)

    one, other = (each.playouts(30, 5, weights=weights, options=True) for each in simulators)

    assert one.traces.tolist() == other.traces.tolist()
    assert one.options == other.options
    assert one.entries == other.entries


def test_weights_may_add_up_to_more_than_32_bits(
    tmp_path: Path, in_python: Callable[[rulesdsl.Pack, int], rulesdsl.Simulator]
) -> None:
    rules = "verb take:\n    let n = a number in 0..2999\n    raise my fame by n\n"
    pack = loaded(tmp_path, "for each player: take", rules)
    weights = lambda each: (1 << 21) - 1  # noqa: ARG005, E731

    one, other = (
        each.playouts(30, 5, weights=weights, options=True).options
        for each in (pack.simulator(1), in_python(pack, 1))
    )

    assert one == other
    assert sum(each.chosen[0] > 0 for each in one.values()) > 20


def test_a_shipped_game_is_counted_alike() -> None:
    setting = shipped_pack(ROOT / "content").simulator(3).setting
    both = rulesdsl.Simulator(setting), rulesdsl.Simulator(setting, PythonRunner(setting))

    one, other = (each.playouts(6, 5, weights={"done": 3}, options=True) for each in both)

    assert one.traces.tolist() == other.traces.tolist()
    assert one.options == other.options
    assert len(one.options) > 50

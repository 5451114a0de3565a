from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import box_with_game, loaded

IN_PYTHON = Callable[[rulesdsl.Pack, int], rulesdsl.Simulator]
ASK = "for each player: choose-fame"
GAMES = {
    "a loop": ((f"repeat 3 times: {ASK}",), 3),
    "only the first loop": ((f"repeat 2 times: {ASK}", f"repeat 4 times: {ASK}"), 2),
    "what comes before and behind it": ((ASK, f"repeat 3 times: {ASK}", ASK), 3),
    "a loop around others": ((f"repeat 3 times: repeat 2 times: {ASK}",), 3),
    "no loop": ((ASK,), 0),
    "a loop in which nobody decides": (("repeat 5 times: shuffle deck", ASK), 0),
    "a loop that ends by itself": ((f"repeat at most 9 times until note > 1: {ASK}",), 9),
}


@pytest.mark.parametrize("what", GAMES)
def test_rounds_are_those_of_the_first_loop(
    what: str, tmp_path: Path, in_python: IN_PYTHON
) -> None:
    lines, expected = GAMES[what]
    pack = loaded(tmp_path, "nothing", box=box_with_game(*lines))
    fast, slow = pack.simulator(2), in_python(pack, 2)

    found = fast.playouts(4, 1)

    assert list(found.rounds) == [expected] * 4
    assert found.totals.rounds == 4 * expected
    assert list(slow.playouts(4, 1).rounds) == [expected] * 4


def test_rounds_count_from_the_position_on(tmp_path: Path, in_python: IN_PYTHON) -> None:
    pack = loaded(tmp_path, "nothing", box=box_with_game(f"repeat 5 times: {ASK}"))

    for simulator in (pack.simulator(2), in_python(pack, 2)):
        simulator.begin(1)
        simulator.choose(0, 0, 0)  # the second player in the second round

        found = simulator.playouts(3, 1, position=simulator.save())

        assert list(found.rounds) == [3, 3, 3]
        assert list(found.decisions) == [7, 7, 7]


def test_a_game_may_end_in_the_middle(tmp_path: Path, in_python: IN_PYTHON) -> None:
    game = f"repeat 9 times: {ASK}"
    pack = loaded(
        tmp_path,
        "nothing",
        "after choose-fame when my fame > 9: end game",
        box=box_with_game(game),
    )

    found = [each.playouts(30, 1) for each in (pack.simulator(2), in_python(pack, 2))]

    assert list(found[0].rounds) == list(found[1].rounds)
    assert set(found[0].rounds) == {4, 5}
    assert all(
        rounds == -(-decisions // 2)
        for rounds, decisions in zip(found[0].rounds, found[0].decisions, strict=True)
    )

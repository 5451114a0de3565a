import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

import rulesdsl
from kept import shipped_pack
from packs_on_the_fly import loaded
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.training import train
from some import some

CONTENT = Path(__file__).parents[2] / "content"
LINE = 120
SMALL = """\
step ask:
    for each player:
        choose one "Take {my fame} or more?":
            "some": raise my fame by 1
            "more": raise my fame by 2
        choose one "Which way?":
            "left": nothing
            "right": raise my fame by 0
        choose one "Which way?":
            "up": nothing
            "down": raise my fame by 0
after game: ask
"""


@pytest.fixture
def pack(tmp_path: Path) -> rulesdsl.Pack:
    return loaded(tmp_path, "nothing", SMALL)


Call = Callable[[rulesdsl.Pack], object]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda p: p.new_game(players="3"), "`players` must be a whole number, not '3' (str)"),
        (lambda p: p.new_game(2, seed="x"), "`seed` must be a whole number, not 'x' (str)"),
        (lambda p: p.new_game(2, seed=1.5), "`seed` must be a whole number, not 1.5 (float)"),
        (lambda p: p.new_game(True), "`players` must be a whole number, not True (bool)"),
        (lambda p: p.new_game(2, options=["a"]), "`options` must be a table such as {'name'"),
        (lambda p: p.new_game(2, names="ab"), "`names` must be a list of strings, not 'ab' (str)"),
        (lambda p: p.simulator("2"), "`players` must be a whole number, not '2' (str)"),
        (lambda p: p.actions(None), "`players` must be a whole number, not None (NoneType)"),
        (lambda p: p.simulator(2).playouts("9"), "`count` must be a whole number, not '9' (str)"),
        (lambda p: p.new_game(2).view("1"), "`player` must be a whole number, not '1' (str)"),
        (lambda p: p.new_game(2).view(3), "there is no player 3: players are 1 to 2"),
        (lambda p: p.new_game(2).score("1"), "`seat` must be a whole number, not '1' (str)"),
        (lambda p: p.new_game(2).redraw(1, "x"), "`seed` must be a whole number, not 'x' (str)"),
        (lambda p: p.new_game(2, seed=-1), "`seed` must be a whole number from"),
        (lambda p: p.new_game(2, seed=2**64), "`seed` must be a whole number from"),
        (lambda p: p.new_game(2).redraw(1, -1), "`seed` must be a whole number from"),
        (lambda p: p.simulator(2).begin(-1), "`seed` must be a whole number from"),
        (lambda p: p.simulator(2).playouts(-1), "`count` must be a whole number from"),
        (lambda p: p.simulator(2).playouts(1, first=2**63), "`first` must be a whole number from"),
        (lambda p: p.simulator(2).playouts(1, most=-1), "`most` must be a whole number from"),
        (lambda p: [*p.simulator(2).watched(-1, weights={})], "`count` must be a whole number"),
        (lambda p: p.simulator(2).choose("a"), "`choices` must be a whole number, not 'a' (str)"),
        (lambda _: Thought(iterations=0), "`iterations` must be a whole number from 1 to 1000000"),
        (lambda _: Thought(seconds=1e9), "`seconds` must be a number from 0.01 to 60"),
        (lambda _: next(train([], Learned(), 0)), "`games` must be a whole number from 1 to "),
        (lambda p: p.new_game(2).choose(None), "`option` must be an Option, its"),
    ],
)
def test_what_is_accepted_is_said(pack: rulesdsl.Pack, call: Call, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        call(pack)


@pytest.mark.parametrize("weight", [0.5, -1, True, 2**21, 2**40, "3"])
def test_a_weight_is_a_number_in_its_range(pack: rulesdsl.Pack, weight: object) -> None:
    simulator = pack.simulator(2)
    several: list[Any] = [{"some": weight}, [{}, {"some": weight}], lambda _: weight]
    for weights in several:
        with pytest.raises(ValueError, match=r"^`weight of .*` must be a whole number"):
            simulator.playouts(1, weights=weights)


def test_weights_are_those_of_the_game(pack: rulesdsl.Pack) -> None:
    simulator, wrong = pack.simulator(2), cast("Any", 7)
    with pytest.warns(UserWarning, match="`sme` matches no option in this game"):
        simulator.playouts(1, weights={"sme": 3})
    with pytest.raises(ValueError, match="`weights` has 3 tables, more than there are players"):
        simulator.playouts(1, weights=[{}, {}, {}])
    with pytest.raises(ValueError, match="`weights` must be a table or a function, not 7"):
        simulator.playouts(1, weights=wrong)


def test_the_type_of_an_option_of_a_game() -> None:
    pack = shipped_pack(CONTENT)
    with pytest.raises(
        ValueError, match=r"horse-limit cannot be '4' \(str\): it must be one of 1, 2"
    ):
        pack.new_game(2, options={"horse-limit": "4"})
    with pytest.raises(ValueError, match=r"horse-limit cannot be 40: it must be one of 1, 2"):
        pack.new_game(2, options={"horse-limit": 40})


def test_questions_have_ids_of_their_steps(pack: rulesdsl.Pack) -> None:
    game, found = pack.new_game(2), []
    while decision := game.decision:
        found.append(decision.id)
        game.choose(0)
    assert found[:3] == ["ask", "ask-2", "ask-3"]
    assert found[3:] == found[:3]
    assert {each.decision for each in game.actions} >= set(found)


def test_ids_of_questions_are_unique() -> None:
    ids = shipped_pack(CONTENT).setting(3, {}, log=True).question_ids
    assert len(set(ids.values())) == len(ids)


@pytest.mark.parametrize("name", ["", "sutters_mill"])
def test_what_is_printed_fits_a_line(name: str) -> None:
    pack = shipped_pack(CONTENT / name)
    game = pack.new_game(2, seed=3)
    decision = some(game.decision)
    simulator = pack.simulator(2)
    things = [pack, game, decision, decision.options[0], game.actions[0]]

    for each in [*things, simulator.playouts(2)]:
        assert repr(each).startswith(f"{type(each).__name__}(")
        assert len(repr(each)) <= LINE
    assert len(repr(game.setting)) <= 5 * LINE  # as many options as the game has

"""A saved game is held against what the game can be in before anything of it is taken."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulesdsl
from packs_on_the_fly import BOX, loaded

Data = dict[str, Any]

ACT = """
move up to 3 coins from heap into my purse
move up to 2 cards from deck into my hand
if any cards in my hand:
    let c = a card in my hand
    move c into my shelf
may: pay-and-choose
"""
MORE = """
option extra "Extra": off

verb pay-and-choose:
    choose-fame
    pay 1 coin

step all-choose:
    all choose secretly a number n in 0..2: raise my fame by n
"""
SECRET_FIRST = """step game:
    all-choose
    for each player: act
"""


@pytest.fixture(scope="module")
def pack(tmp_path_factory: pytest.TempPathFactory) -> rulesdsl.Pack:
    box = BOX.replace("step game: for each player: act", SECRET_FIRST)
    return loaded(tmp_path_factory.mktemp("pack"), ACT, MORE, box=box)


def saved(pack: rulesdsl.Pack, *choices: int) -> Data:
    """Return a game of two players after some choices, as it is read from a file."""
    game = pack.new_game(2, 5)
    for each in choices:
        game.choose(each)
    data: Data = json.loads(json.dumps(game.to_data()))
    return data


SECRETS, PICK, MAY, BELOW = (), (1, 2), (1, 2, 0), (1, 2, 0, 0)


def put(*path: Any) -> Callable[[Data], None]:  # noqa: ANN401
    """Return a change: the last of the path is put in the place that the others lead to."""

    def change(data: Data) -> None:
        at: Any = data
        *before, key, value = path
        for each in before:
            at = at[each]
        at[key] = value

    return change


def remove(*path: Any) -> Callable[[Data], None]:  # noqa: ANN401
    """Return a change: a place is taken out."""

    def change(data: Data) -> None:
        at: Any = data
        for each in path[:-1]:
            at = at[each]
        del at[path[-1]]

    return change


def moved(name: str, source: int, target: int, count: int) -> Callable[[Data], None]:
    """Return a change: counted pieces go from one cell to another."""

    def change(data: Data) -> None:
        data["state"][name][source] -= count
        data["state"][name][target] += count

    return change


CASES: list[tuple[tuple[int, ...], Callable[[Data], None], str]] = [
    ((), put("options", []), "`options` is not a table"),
    ((), put("names", ["Ann"]), "`names` has 1 names and not 2"),
    ((), put("options", {"extra": 3.5}), "`options.extra` is not a value of an option"),
    ((), put("options", {"other": True}), "`options.extra` is missing"),
    ((), put("seed", float("inf")), "`seed` is not a whole number"),
    ((), put("seed", True), "`seed` is not a whole number"),
    ((), put("seed", -1), "`seed` is not from 0 to 18446744073709551615"),
    ((), put("players", 3.0), "`players` is not a whole number"),
    ((), put("players", 9), "`players` is not from 1 to 4"),
    ((), put("players", 3), "items and not"),
    ((), put("log", 1), "`log` is not true or false"),
    ((), put("mods", "x"), "`mods` is not a list"),
    ((), put("mods", [["x"]]), "`mods` is not a list of texts"),
    ((), put("digest", None), "`digest` is not a text"),
    ((), put("state", []), "`state` is not a table"),
    ((), put("state", "rng", -1), "`state.rng` is not from 0 to 18446744073709551615"),
    ((), put("state", "rng", [1]), "`state.rng` is not a whole number"),
    ((), put("state", "learned", -1), "`state.learned` is not from 0"),
    ((), put("state", "options", []), "`state.options` is unknown"),
    ((), remove("state", "over"), "`state.over` is missing"),
    ((), put("state", "over", True), "`state.over` is true where, and only where"),
    ((), put("state", "over", 0), "`state.over` is true where, and only where"),
    ((), put("state", "t_fame", 0, 21), "`state.t_fame[0]` is not from 0 to 20"),
    ((), put("state", "t_fame", 0, "1"), "`state.t_fame[0]` is not a whole number"),
    ((), put("state", "t_fame", [0]), "`state.t_fame` has 1 items and not 2"),
    ((), put("state", "t_note", [0]), "`state.t_note` is not a whole number"),
    ((), put("state", "f_spent", 0, 2), "`state.f_spent[0]` is not from 0 to 1"),
    ((), put("state", "n_coin", 0, 9), "`state.n_coin` has 9 pieces where there are 10"),
    ((), moved("n_coin", 0, 1, 11), "`state.n_coin[0]` is not from 0 to 10"),
    ((), moved("n_dude", 0, 1, 1), "`state.n_dude` has 2 pieces where there are 3"),
    ((), put("state", "s_pawn", 0, 99), "`state.s_pawn[0]` is not from 0 to"),
    ((), put("state", "s_badge", -1), "`state.s_badge` is not from 0 to"),
    ((), put("state", "l_card", 4, []), "`state.w_card` says other places than `state.l_card`"),
    ((), put("state", "l_card", 1, [0]), "`state.l_card` has piece 0 twice"),
    ((), put("state", "l_card", 0, [7]), "`state.l_card[0][0]` is not from 0 to 3"),
    ((), put("state", "w_card", 0, 1), "`state.w_card` says other places than `state.l_card`"),
    ((), put("state", "frames", []), "`state.over` is true where, and only where"),
    ((), put("state", "frames", 0, []), "`state.frames[0][0]` is not a part of the rules"),
    ((), put("state", "frames", 0, 0, ["x"]), "`state.frames[0][0]` is not a part of the rules"),
    (
        (),
        put("state", "frames", 0, 0, "game/99"),
        "`state.frames[0][0]` is not a part of the rules",
    ),
    ((), put("state", "frames", 0, 0, "act/0"), "`state.frames[0][0]` is not a part of the rules"),
    ((), put("state", "answers", [0]), "`state.answers` has 1 items and not 2"),
    ((), put("state", "answers", [3, -1]), "`state.answers[0]` is not from -1 to 2"),
    ((), put("state", "answers", [0, 0]), "`state.answers` has all answers"),
    (PICK, put("state", "answers", [0, -1]), "`state.answers` has 2 items and not 0"),
    (PICK, put("state", "frames", 1, 1, 2), "`state.frames[1][1]` is not from -1 to 1"),
    (PICK, put("state", "frames", 1, 2, 4), "`state.frames[1][2]` is not from 0 to 3"),
    (PICK, put("state", "frames", 1, 2, None), "`state.frames[1][2]` is not a whole number"),
    (PICK, remove("state", "frames", 1, 2), "`state.frames[1]` has"),
    (
        PICK,
        remove("state", "frames", 1),
        "`state.frames[0][0]` is not a part of the rules in which",
    ),
    (PICK, remove("state", "frames", 0), "`state.frames[0][0]` is not a part of the rules that"),
    (PICK, put("state", "frames", 0, 3, -1), "`state.frames[0][3]` is not from 0 to"),
    (BELOW, remove("state", "frames", 1), "`state.frames[1][0]` is not a part of the rules that"),
]


@pytest.mark.parametrize(("choices", "change", "message"), CASES)
def test_what_the_game_cannot_be_in_is_refused_with_its_place(
    pack: rulesdsl.Pack, choices: tuple[int, ...], change: Callable[[Data], None], message: str
) -> None:
    data = saved(pack, *choices)
    assert pack.game_from_data(data).to_data() == data
    change(data)

    with pytest.raises(ValueError, match=r"^this is not a saved game of this pack: ") as refused:
        pack.game_from_data(data)

    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_position_that_goes_on_by_itself_is_refused(pack: rulesdsl.Pack) -> None:
    data = saved(pack, *MAY)
    moved("n_coin", 1, 0, data["state"]["n_coin"][1])(data)  # nobody is asked who cannot pay

    with pytest.raises(rulesdsl.SaveError, match=r"is not one at which the game waits"):
        pack.game_from_data(data)


LONG = "a\n\x1b[2J" + "b" * 10_000


@pytest.mark.parametrize(
    "change",
    [
        put("pack", LONG),
        put("mods", [LONG]),
        put("names", [LONG, "x"]),
        put("options", {LONG: True}),
        put("options", "extra", LONG),
        put("state", LONG, 1),
        put(LONG, 1),
    ],
)
def test_what_is_told_of_a_save_is_a_line(
    pack: rulesdsl.Pack, change: Callable[[Data], None]
) -> None:
    data = saved(pack)
    change(data)

    with pytest.raises(ValueError, match=r"saved|option") as refused:
        pack.game_from_data(data)

    said = str(refused.value)
    assert len(said) < 500
    assert "\n" not in said
    assert "\x1b" not in said


@pytest.mark.parametrize("data", [None, [], "x", 5, {}, {"state": {}}])
def test_what_is_no_saved_game_at_all_is_refused(pack: rulesdsl.Pack, data: Any) -> None:  # noqa: ANN401
    with pytest.raises(rulesdsl.SaveError):
        pack.game_from_data(data)


def test_nobody_pays_what_is_not_there(pack: rulesdsl.Pack) -> None:
    data = saved(pack, *BELOW)
    moved("n_coin", 1, 0, data["state"]["n_coin"][1])(data)
    game = pack.game_from_data(data)
    while game.decision:
        game.choose(0)

    assert min(game.to_data()["state"]["n_coin"]) >= 0


def test_nothing_is_taken_from_what_is_given(pack: rulesdsl.Pack) -> None:
    data = saved(pack, *PICK)
    before = copy.deepcopy(data)
    game = pack.game_from_data(data)
    chance = random.Random(1)
    while decision := game.decision:
        game.choose(chance.randrange(decision.count))

    assert data == before


def test_every_position_of_a_game_is_accepted(pack: rulesdsl.Pack) -> None:
    chance = random.Random(7)
    for seed in range(20):
        game = pack.new_game(chance.randint(1, 4), seed)
        while game.decision:
            decision = chance.choice(game.decisions)
            game.choose(chance.randrange(decision.count), decision.player)
            data = json.loads(json.dumps(game.to_data()))
            assert pack.game_from_data(data).to_data() == data


def test_a_game_is_read_back_after_a_loop_of_less_than_no_rounds(tmp_path: Path) -> None:
    act = "repeat (my fame - 1) times: may raise my fame by 1\nmay raise my fame by 2"
    pack = loaded(tmp_path, act)
    game = pack.new_game(1)

    again = pack.game_from_data(game.to_data())

    assert again.to_data() == game.to_data()


def test_a_game_is_read_back_where_an_offer_can_be_taken_up_more_often_than_loops_go(
    tmp_path: Path,
) -> None:
    pack = loaded(tmp_path, "may up to 5000 times: raise my fame by 1")
    game = pack.new_game(1)
    game.choose(0)

    again = pack.game_from_data(game.to_data())

    assert again.to_data() == game.to_data()


SEEN = """
if able:
    let rich = coins in my purse > 5
    may gain 1 coin
    if rich: gain 1 coin
may raise my fame by 1
"""


def test_a_no_that_is_not_needed_any_more_is_read_back_as_it_was(tmp_path: Path) -> None:
    pack = loaded(tmp_path, SEEN)
    game = pack.new_game(1)
    game.choose(0)
    saved = json.dumps(game.to_data())

    assert json.dumps(pack.game_from_data(json.loads(saved)).to_data()) == saved


BELLS = """
kind bell/bells "Bell":
    use: effect
bell ding "Ding":
    use: gain 1 coin
bell dong "Dong":
    use: gain 1 coin
bell dang "Dang":
    use: gain 1 coin
track rung per bell from 1..3 during ring
value usable of bell b: any use of b
verb ring:
    let b = a bell
    if usable of b: raise rung of b by 1
    may lower rung of ding by 1
"""


def test_a_table_of_ones_is_not_taken_for_one_of_yeses(tmp_path: Path) -> None:
    game = loaded(tmp_path, "ring", BELLS).new_game(1)

    assert [*map(type, game.to_data()["state"]["t_rung"])] == [int, int, int]

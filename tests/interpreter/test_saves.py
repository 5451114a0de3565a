import copy
import json
import pickle
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import rulesdsl
from packs_on_the_fly import BOX, box_with_game, loaded
from rulesdsl.interpreter.saves import SaveError

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
    """Return a saved game of two players after some choices, read back from JSON."""
    game = pack.new_game(2, 5)
    for each in choices:
        game.choose(each)
    data: Data = json.loads(json.dumps(game.position_data()))
    return data


PICK, MAY, BELOW = (1, 2), (1, 2, 0), (1, 2, 0, 0)


def change(data: Data, line: str) -> None:
    """Apply a line of `saves.txt` to a saved game."""
    path, _, value = line.lstrip("-").partition(" = ")
    path, _, move = path.partition(": ")
    *before, last = (int(each) if each.isdecimal() else each for each in path.split("."))
    at: Any = data
    for each in before:
        at = at[each]
    if move:
        take(at[last], *map(int, re.findall(r"\d+", move)))
    elif value:
        at[last] = json.loads(value)
    else:
        del at[last]


def take(cells: list[int], source: int, target: int, count: int) -> None:
    """Move counted pieces from one cell to another."""
    cells[source] -= count
    cells[target] += count


def cases() -> Iterator[tuple[list[int], str, str]]:
    """Yield the choices, a change to the saved game, and the expected message."""
    choices: list[int] = []
    for line in (Path(__file__).parent / "saves.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            choices = json.loads(line)
        elif " => " in line:
            changed, _, said = line.partition(" => ")
            yield choices, changed, said


@pytest.mark.parametrize(("choices", "changed", "said"), list(cases()))
def test_broken_saves(pack: rulesdsl.Pack, choices: list[int], changed: str, said: str) -> None:
    data = saved(pack, *choices)
    assert pack.game_from_data(data).to_data() == data
    change(data, changed)
    with pytest.raises(ValueError, match=r"^this is not a saved game of this pack: ") as refused:
        pack.game_from_data(data)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_position_that_goes_on_by_itself_is_refused(pack: rulesdsl.Pack) -> None:
    data = saved(pack, *MAY)
    take(
        data["state"]["n_coin"], 1, 0, data["state"]["n_coin"][1]
    )  # nobody is asked who cannot pay
    with pytest.raises(rulesdsl.SaveError, match=r"does not belong to a game that waits"):
        pack.game_from_data(data)


def test_a_list_that_stands_for_several_frames_is_checked_as_each_of_them(tmp_path: Path) -> None:
    box = BOX.replace(
        "step game: for each player: act", "step game: for each player: may gain 1 coin"
    )
    pack = loaded(tmp_path, "raise my fame by 1", box=box)
    data = saved(pack)
    assert len(data["state"]["frames"]) == 1
    data["state"]["frames"] *= 3
    with pytest.raises(rulesdsl.SaveError, match=r"frames\[\d\]\[0\]` is not a part of the rules"):
        pack.game_from_data(data)


LONG = "a\n\x1b[2J" + "b" * 10_000


@pytest.mark.parametrize(
    "changes",
    [
        {"pack": LONG},
        {"mods": [LONG]},
        {"names": [LONG, "x"]},
        {"options": {LONG: True}},
        {"options": {"extra": LONG}},
        {"state": {LONG: 1}},
        {LONG: 1},
    ],
)
def test_what_is_told_of_a_save_is_a_line(pack: rulesdsl.Pack, changes: Data) -> None:
    data = saved(pack)
    state = data["state"] | changes.get("state", {})

    with pytest.raises(ValueError, match=r"saved|option") as refused:
        pack.game_from_data(data | changes | {"state": state})

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
    take(data["state"]["n_coin"], 1, 0, data["state"]["n_coin"][1])
    game = pack.game_from_data(data)
    while game.decision:
        game.choose(0)
    assert min(game.position_data()["state"]["n_coin"]) >= 0


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
            data = json.loads(json.dumps(game.position_data()))
            assert pack.game_from_data(data).to_data() == data


def test_a_game_is_read_back_after_a_loop_of_less_than_no_rounds(tmp_path: Path) -> None:
    act = "repeat (my fame - 1) times: may raise my fame by 1\nmay raise my fame by 2"
    pack = loaded(tmp_path, act)
    game = pack.new_game(1)
    again = pack.game_from_data(game.position_data())
    assert again.to_data() == game.position_data()


def test_an_offer_beyond_the_limit_of_loops_is_restored(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "may up to 5000 times: raise my fame by 1")
    game = pack.new_game(1)
    game.choose(0)
    again = pack.game_from_data(game.position_data())
    assert again.to_data() == game.position_data()


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
    saved = json.dumps(game.position_data())
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
    assert [*map(type, game.position_data()["state"]["t_rung"])] == [int, int, int]


OF_A_GAME: list[Callable[[rulesdsl.Pack, rulesdsl.Game], object]] = [
    lambda _, game: game.decision,
    lambda _, game: game.setting,
    lambda pack, _: pack.simulator(2),
]


@pytest.mark.parametrize("of", OF_A_GAME)
def test_what_holds_code_is_not_pickled(
    pack: rulesdsl.Pack, of: Callable[[rulesdsl.Pack, rulesdsl.Game], object]
) -> None:
    with pytest.raises(TypeError, match=r"send .* \(see `coloma explain processes`\)$"):
        pickle.dumps(of(pack, pack.new_game(2)))


def finished(game: rulesdsl.Game) -> rulesdsl.Game:
    while (decision := game.decision) is not None:
        game.choose(decision.count - 1, decision.player)
    return game


def test_a_game_is_restored_from_its_choices_with_its_log(pack: rulesdsl.Pack) -> None:
    chance = random.Random(3)
    for seed in range(20):
        game = pack.new_game(chance.randint(1, 4), seed, names=["Ann"])
        for _ in range(chance.randrange(12)):
            if game.decisions:
                decision = chance.choice(game.decisions)
                game.choose(chance.randrange(decision.count), decision.player)
        data = json.loads(json.dumps(game.to_data()))
        for again in (pack.game_from_data(data), pickle.loads(pickle.dumps(game))):
            assert again.to_data() == data
            assert again.position_data()["state"] == game.position_data()["state"]
            assert [*again.log] == [*game.log]
            assert again.seats == game.seats
            assert finished(again).result == finished(game.clone()).result


def test_games_of_a_pack_share_it_in_another_process(pack: rulesdsl.Pack) -> None:
    one, other = pickle.loads(pickle.dumps([pack.new_game(2), pack.new_game(2, 1)]))
    assert one.setting is other.setting
    assert pickle.loads(pickle.dumps(pack)).digest == pack.digest


def test_content_that_changed_is_not_mistaken_for_what_was_sent(tmp_path: Path) -> None:
    sent = pickle.dumps(loaded(tmp_path, "may gain 1 coin").new_game(1))
    loaded(tmp_path, "may gain 2 coins")
    with pytest.raises(ValueError, match="has changed since it was sent"):
        pickle.loads(sent)


@pytest.mark.parametrize(
    ("choices", "why"),
    [
        ([[1, 99]], r"`choices\[0\]` is not possible: there is no option 99"),
        ([[5, 0]], r"`choices\[0\]` is not between 1 and"),
        ([[1, 0, 0]], r"`choices\[0\]` has 3 items instead of 2"),
        ([[1, "no"]], r"`choices\[0\]` is not a whole number"),
        ({}, "`choices` is not a list"),
        ([[1, 0]] * 5000, "is not possible"),
    ],
)
def test_broken_choices_of_a_save(pack: rulesdsl.Pack, choices: object, why: str) -> None:
    data = pack.new_game(2, 1).to_data() | {"choices": choices}
    with pytest.raises(SaveError, match=f"this is not a saved game of this pack: .*{why}"):
        pack.game_from_data(data)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_are_independent(
    pack: rulesdsl.Pack, copied: Callable[[rulesdsl.Game], rulesdsl.Game]
) -> None:
    game = pack.new_game(2)
    before = game.position_data()
    copied(game).choose(0)
    assert game.position_data() == before


def test_a_game_is_read_after_a_choice_from_which_somebody_was_excluded(tmp_path: Path) -> None:
    choose = "all where my fame > 4 choose secretly a player p: raise my fame by 1"
    rules = SECRET_FIRST.replace("for each", f"{choose}\n    for each")
    pack = loaded(tmp_path, ACT, MORE, box=BOX.replace("step game: for each player: act", rules))
    game = pack.new_game(2, 5)
    while (decision := game.decision) is not None:
        assert pack.game_from_data(game.position_data()).to_data() == game.position_data()
        game.choose(0, decision.player)


def test_the_log_of_a_loaded_game_does_not_say_where_pieces_lay(tmp_path: Path) -> None:
    show = "if any cards in my hand: show all cards in my hand to all\nmay gain 1 coin"
    box = box_with_game("for each player: move top of deck into my hand")
    pack = loaded(tmp_path, show, box=box)
    game = pack.new_game(2, 5)
    again = pack.game_from_data(game.position_data())
    for each in (game, again):
        each.choose("no")
    shown = [[line.text for line in each.log if line.kind == "peek"][-1] for each in (game, again)]
    assert shown == ["Player 2 shows Cow in the Hand"] * 2

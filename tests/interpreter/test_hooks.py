"""Hooks on procedures and values."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, carried_on, findings, loaded, played, written
from rulesdsl.interpreter.emit_values import function_name

VERB = "verb work:\n    raise my fame by 2\n"
HOOKS: dict[str, tuple[str, int]] = {
    "before": ("before work: lower my fame by 20\n", 2),
    "after": ("after work: lower my fame by 1\n", 2),
    "instead": ("instead of work: raise my fame by 9\n", 10),
    "instead, with what lies beneath": (
        "instead of work:\n    raise my fame by 4\n    work\n",
        7,
    ),
    "two instead: the later one lies on top": (
        (
            "instead of work:\n    raise my fame by 4\n    work\n"
            "instead of work:\n    work\n    work\n"
        ),
        13,
    ),
    "not when its condition fails": ("after work when my fame > 9: lower my fame by 20\n", 3),
    "in the order they stand": (
        "after work: raise my fame by 20\nafter work: lower my fame by 5\n",
        15,
    ),
    "instead only when": ("instead of work when my fame > 5: nothing\n", 3),
}


@pytest.mark.parametrize("name", sorted(HOOKS))
def test_what_a_hook_does(name: str, tmp_path: Path) -> None:
    hooks, wanted = HOOKS[name]

    assert played(tmp_path, "raise my fame by 1\nwork", more=VERB + hooks).fame() == wanted


def test_a_hook_knows_the_parameters(tmp_path: Path) -> None:
    more = "after gain n coins: raise my fame by n\n"

    assert played(tmp_path, "gain 3 coins", more=more).fame() == 3


VALUE = "value pay of seat: 2\n"
VALUE_HOOKS: dict[str, tuple[str, int]] = {
    "replaced": ("instead of value pay of seat: 5\n", 5),
    "with what lies beneath": ("instead of value pay of seat: pay of me + 1\n", 3),
    "twice": (
        (
            "instead of value pay of seat: pay of me + 1\n"
            "instead of value pay of seat: pay of me * 2\n"
        ),
        6,
    ),
    "not when its condition fails": ("instead of value pay of seat when my fame > 1: 9\n", 2),
}


@pytest.mark.parametrize("name", sorted(VALUE_HOOKS))
def test_what_a_hook_on_a_value_does(name: str, tmp_path: Path) -> None:
    hooks, wanted = VALUE_HOOKS[name]
    more = VALUE.replace("pay", "wage") + hooks.replace("pay", "wage")

    assert played(tmp_path, "raise my fame by my wage", more=more).fame() == wanted


def test_a_value_of_a_thing_asks_for_nobody_because_a_hook_may_not_hold(tmp_path: Path) -> None:
    more = """
        value size-now of stall s: size of s
        instead of value size-now of stall s when s = two: size-now of s + 1
        after game: raise note by size-now of two + size-now of one
    """

    assert played(tmp_path, "nothing", more=more).note == 4


def test_a_hook_whose_value_asks_who_acts_lies_on_one_that_does_too(tmp_path: Path) -> None:
    more = """
        value luck: 1 + my fame
        instead of value luck when my fame > 0: luck + my fame
    """

    assert played(tmp_path, "raise my fame by 2\nraise my fame by luck", more=more).fame() == 7


MENU = """\
verb draw: raise my fame by 9
verb stroll on stall s:
    menu:
        once "Rest": raise my fame by 1
"""
LINES: dict[str, tuple[str, list[str], list[str], int]] = {
    "once": (
        'add to menu of stroll on stall s:\n    once "Sing": raise my fame by size of s\n',
        ["rest", "sing", "done"],
        ["sing", "rest"],
        3,
    ),
    "with other names for the parameters": (
        'add to menu of stroll on stall x:\n    once "Sing": raise my fame by size of x\n',
        ["rest", "sing", "done"],
        ["sing", "done"],
        2,
    ),
    "not when its condition fails": (
        'add to menu of stroll on stall s when size of s = 1:\n    once "Sing": draw\n',
        ["rest", "done"],
        ["done"],
        0,
    ),
    "not where they cannot be done": (
        'add to menu of stroll on stall s:\n    any time "Buy": pay 1 coin\n',
        ["rest", "done"],
        ["done"],
        0,
    ),
    "for each thing": (
        (
            "add to menu of stroll on stall s when size of s = 2:\n"
            '    once "Touch" for each card c in pile where worth > 1: raise my fame by 3\n'
        ),
        ["rest", "touch:bee", "touch:cow", "touch:dog", "done"],
        ["touch:cow", "done"],
        3,
    ),
    "several hooks in their order": (
        (
            'add to menu of stroll on stall s:\n    once "B": raise my fame by 5\n'
            'add to menu of stroll on stall s:\n    once "A": raise my fame by 7\n'
        ),
        ["rest", "b", "a", "done"],
        ["a", "done"],
        7,
    ),
}


@pytest.mark.parametrize("name", sorted(LINES))
def test_lines_that_hooks_add_to_a_menu(name: str, tmp_path: Path) -> None:
    hooks, offered, choices, fame = LINES[name]

    found = played(
        tmp_path, "move all cards in deck into pile\nstroll on two", *choices, more=MENU + hooks
    )

    assert found.asked[0] == offered
    assert found.fame() == fame


def test_ways_that_a_hook_adds_to_a_choice(tmp_path: Path) -> None:
    more = """
        verb reward n coins:
            choose one:
                "Fame": raise my fame by 1
                "Coins": gain n coins
        add to choices of reward n coins when my fame = 0:
            "Both":
                raise my fame by n
                gain n coins
            raise note by 1
        add to choices of reward n coins when my fame > 0:
            "Never": nothing
    """

    found = played(tmp_path, "reward 3 coins", "both", more=more)

    assert found.asked == [["fame", "coins", "both", "raise-note-by-1"]]
    assert found.fame() == 3


def test_an_added_line_may_not_be_done_for_ever(tmp_path: Path) -> None:
    more = MENU + 'add to menu of stroll on stall s:\n    any time "X": gain 1 coin\n'

    assert findings(tmp_path, "stroll on two", more=more) == ["E402"]


RIVAL = """
rival ghost "Ghost" without score when players = 1
verb work: raise my fame by 2
instead of work when me = ghost: nothing
value wage of seat: 2
instead of value wage of seat when me = ghost: 7
after act when any ghost: for ghost: work
"""


@pytest.mark.parametrize("players", [1, 2])
def test_hooks_of_a_rival(tmp_path: Path, players: int) -> None:
    game = played(tmp_path, "work\nraise my fame by my wage", more=RIVAL, players=players)

    assert [game.fame(seat) for seat in (1, 2)] == ([4, 0] if players == 1 else [4, 4])


def test_hooks_of_a_rival_who_is_not_there_are_passed_over(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "work\nraise my fame by my wage", RIVAL)
    engines = [pack.setting(players, {}, log=False).engine for players in (1, 2)]
    called = [each.names[function_name("do:act")].__code__.co_names for each in engines]

    work = function_name("do:work")
    assert [work in names for names in called] == [True, False]


NUMBERS = 'source = "house"\nmost-pawns = 3\nfee = 2\n'
FIXED = """
constants from "numbers.toml"
piece knight most-pawns in field
place tower holds knight
instead of value most-pawns when my-choice: 1
instead of value fee: fee * 3
option my-choice "One only": on
"""


def test_a_named_number_is_hooked_like_a_value(tmp_path: Path) -> None:
    box = BOX.replace("place field holds dude", "place field holds dude, knight")
    folder = written(tmp_path, "work\nraise my fame by fee", box=box)
    (folder / "numbers.toml").write_text(NUMBERS)
    rules = folder / "box.rules"
    more = "verb work:\n    move up to most-pawns knights from field into tower\n"
    rules.write_text(
        rules.read_text() + FIXED + more + "after game: raise note by knights in field\n"
    )

    found = carried_on(rulesdsl.load(folder, cache=False).new_game(1, 1), [])

    assert found.fame() == 6
    assert found.note == 2  # three are in the box, whatever the hook says


def test_a_value_that_divides_may_be_hooked_on(tmp_path: Path) -> None:
    more = (
        "value pace of seat: 2\n"
        "instead of value pace of seat when fame of me > 3: pace of me + 1\n"
        "instead of value pace of seat when fame of me > 4: pace of me\n"
        "value laps of seat: 8 / (pace of me at least 1)\n"
        "verb share: gain (6 / my step-length) coins\n"
        "value step-length of seat: 3\n"
        "instead of value step-length of seat when my busy: step-length of me\n"
        "before act: mark my busy\n"
    )

    assert played(tmp_path, "share\nraise my fame by my laps", more=more).fame() == 4
    assert findings(tmp_path / "no", "share", more.replace("of seat: 3", "of seat: my fame")) == [
        "E301"
    ]


CHOSEN_WITHOUT_A_PLACE = """
verb take:
    choose one:
        "one": grab a card
        "none": nothing
verb grab card c:
    needs any c in pile
    pay 1 coin
    move c into my shelf
instead of grab card c when my fame > {least}:
    needs any c in pile
    move c into my shelf
instead of grab card c when my fame > 90:
    needs any c in pile and my fame + my fame + my fame + my fame + my fame + my fame < 999
    move c into my shelf
before act: move all cards in deck into pile
"""


def test_where_something_is_chosen_from_is_seen_through_hooks(tmp_path: Path) -> None:
    rich = CHOSEN_WITHOUT_A_PLACE.format(least=50)
    free = CHOSEN_WITHOUT_A_PLACE.format(least=0)

    paid = played(tmp_path / "paid", "gain 1 coin\ntake", "one", "card:cow", more=rich)
    assert paid.asked[1] == ["card:ant", "card:bee", "card:cow", "card:dog"]
    act = "raise my fame by 1\ntake\nraise note by coins in my purse"
    got = played(tmp_path / "free", act, "one", "card:cow", more=free)
    assert got.note == 0
    poor = played(tmp_path / "poor", "take\nraise note by 1", more=rich)
    assert poor.asked == []
    assert poor.note == 1

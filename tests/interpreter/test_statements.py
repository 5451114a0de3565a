"""Each statement of the language: rules as text in, what came of it out."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, carried_on, findings, loaded, played, written

# what is done, what is chosen, and the fame that comes of it
DONE: dict[str, tuple[str, tuple[str, ...], int]] = {
    "raise": ("raise my fame by 3", (), 3),
    "raise stops at the upper bound": ("raise my fame by 50", (), 20),
    "lower stops at the lower bound": (
        "raise my fame by 5\nlower my fame by 9\nraise my fame by 1",
        (),
        1,
    ),
    "lines are done in order": ("raise my fame by 25\nlower my fame by 1", (), 19),
    "effects on one line": ("raise my fame by 2, raise my fame by 3", (), 5),
    "nothing": ("nothing\nraise my fame by 1", (), 1),
    "a let keeps what was": (
        "raise my fame by 2\nlet x = my fame\nraise my fame by 5\nraise my fame by x",
        (),
        9,
    ),
    "repeat": ("repeat 3 times: raise my fame by 2", (), 6),
    "repeat no times": ("repeat 0 times: raise my fame by 2", (), 0),
    "repeat counts beforehand": (
        "raise my fame by 3\nrepeat my fame times: raise my fame by 1",
        (),
        6,
    ),
    "for each over entries": ("for each stall s: raise my fame by size of s", (), 5),
    "for each with a condition": (
        "for each stall s where size of s = 2: raise my fame by 1",
        (),
        2,
    ),
    "for each over numbers": ("for each number n in 2..4: raise my fame by n", (), 9),
    "for each over an empty range": ("for each number n in 4..2: raise my fame by n", (), 0),
    "for each over pieces is a snapshot": (
        "for each card c in deck:\n    move c into pile\n    raise my fame by 1",
        (),
        4,
    ),
    "if": ("if my fame = 0: raise my fame by 7", (), 7),
    "otherwise if": (
        (
            "if my fame = 1: raise my fame by 1\n"
            "otherwise if my fame = 0: raise my fame by 2\n"
            "otherwise: raise my fame by 3"
        ),
        (),
        2,
    ),
    "otherwise": (
        "if my fame = 1: raise my fame by 1\notherwise: raise my fame by 3",
        (),
        3,
    ),
    "if able does what it can": (
        "gain 2 coins\nif able: pay 2 coins to raise my fame by 4\notherwise: raise my fame by 1",
        (),
        4,
    ),
    "if able skips what it cannot": (
        "gain 1 coin\nif able: pay 2 coins to raise my fame by 4\notherwise: raise my fame by 1",
        (),
        1,
    ),
    "if able takes no half of it": (
        "gain 1 coin\nif able:\n    raise my fame by 5\n    pay 2 coins",
        (),
        0,
    ),
    "or else by choice": (
        "raise my fame by 1 or else raise my fame by 2",
        ("raise-my-fame-by-2",),
        2,
    ),
    "or else with one way open": (
        "gain 1 coin\npay 2 coins to raise my fame by 5 or else raise my fame by 1",
        (),
        1,
    ),
    "may: yes": ("may raise my fame by 2", ("yes",), 2),
    "may: no": ("may raise my fame by 2", ("no",), 0),
    "may is not asked for what cannot be": ("may pay 1 coin to raise my fame by 2", (), 0),
    "may up to": ("may up to 3 times: raise my fame by 2", ("yes", "yes", "no"), 4),
    "may up to, to its limit": ("may up to 2 times: raise my fame by 2", ("yes", "yes"), 4),
    "may any number of times, while it can be paid": (
        "gain 2 coins\nmay any number of times: pay 1 coin to raise my fame by 3",
        ("yes", "yes"),
        6,
    ),
    "choose one": (
        'choose one:\n    "A": raise my fame by 1\n    "B": raise my fame by 2',
        ("b",),
        2,
    ),
    "choose one, lines without names": (
        "choose one:\n    raise my fame by 1\n    raise my fame by 2",
        ("raise-my-fame-by-1",),
        1,
    ),
    "choose one leaves out what cannot be": (
        (
            "gain 1 coin\n"
            "choose one:\n"
            '    "A": pay 2 coins to raise my fame by 9\n'
            '    "B": raise my fame by 2\n'
            '    "C": pay 1 coin to raise my fame by 3'
        ),
        ("c",),
        3,
    ),
    "menu lines that are done once": (
        'menu:\n    once "A": raise my fame by 1\n    once "B": raise my fame by 2',
        ("b", "a"),
        3,
    ),
    "menu: done": (
        'menu:\n    once "A": raise my fame by 1\n    once "B": raise my fame by 2',
        ("b", "done"),
        2,
    ),
    "menu lines for any time": (
        'gain 3 coins\nmenu:\n    any time "A": pay 1 coin to raise my fame by 1',
        ("a", "a", "a"),
        3,
    ),
    "menu lines for each thing, once each": (
        (
            "move all cards in deck into pile\n"
            "menu:\n"
            '    once "Take" for each card c in pile where worth < 3: raise my fame by worth of c'
        ),
        ("take:bee", "take:ant"),
        3,
    ),
    "needs within a way": (
        (
            'raise my fame by 1\nchoose one:\n    "A":\n        needs my fame > 1\n'
            '        raise my fame by 9\n    "B": raise my fame by 1'
        ),
        (),
        2,
    ),
    "a move takes what it says": (
        "gain 3 coins\nraise my fame by coins in my purse",
        (),
        3,
    ),
    "up to takes what there is": (
        "gain 30 coins\nraise my fame by coins in my purse",
        (),
        10,
    ),
    "move all": (
        "gain 4 coins\nmove all coins in my purse into heap\nraise my fame by coins in heap",
        (),
        10,
    ),
    "the top of a stack, one or none": (
        "repeat 6 times: move top of deck into my hand\nraise my fame by cards in my hand",
        (),
        4,
    ),
    "the top is the last one laid": (
        (
            "for each card c in deck: move c into pile\n"
            "for each card c in pile where worth of c = 1: move c into deck\n"
            "for each card c in pile where worth of c = 2: move c into deck\n"
            "let t = top of deck\n"
            "if any t: raise my fame by worth of t"
        ),
        (),
        2,
    ),
    "into the bottom": (
        (
            "for each card c in deck: move c into pile\n"
            "for each card c in pile where worth of c = 1: move c into deck\n"
            "for each card c in pile where worth of c = 2: move c into bottom of deck\n"
            "let t = top of deck\n"
            "if any t: raise my fame by worth of t"
        ),
        (),
        1,
    ),
    "top 3 of a stack": (
        "move all top 3 of deck into my hand\nraise my fame by cards in my hand",
        (),
        3,
    ),
    "mark and clear": (
        (
            "mark my busy\nif my busy: raise my fame by 1\nclear my busy\n"
            "if not my busy: raise my fame by 2"
        ),
        (),
        3,
    ),
    "marks on pieces": (
        (
            "for each card c in deck where worth of c = 3: mark spent of c\n"
            "for each card c in deck where spent: raise my fame by 1"
        ),
        (),
        2,
    ),
    "look at changes nothing": (
        "look at top 2 of deck\nraise my fame by cards in deck",
        (),
        4,
    ),
    "act as somebody": ("for me: raise my fame by 2", (), 2),
    "repeat until": (
        "repeat at most 20 times until my fame >= 7: raise my fame by 2",
        (),
        8,
    ),
    "repeat until stops before the first round": (
        "repeat at most 20 times until my fame = 0: raise my fame by 2",
        (),
        0,
    ),
    "repeat until has a cap": (
        "repeat at most 3 times until my fame > 99: raise my fame by 2",
        (),
        6,
    ),
    "end game leaves everything": ("raise my fame by 1\nend game\nraise my fame by 5", (), 1),
}
FLOW_ONLY = {name for name in DONE if name.startswith("repeat until")}


@pytest.mark.parametrize("name", sorted(set(DONE) - FLOW_ONLY))
def test_what_a_statement_does(name: str, tmp_path: Path) -> None:
    act, choices, fame = DONE[name]

    assert played(tmp_path, act, *choices).fame() == fame


@pytest.mark.parametrize("name", sorted(FLOW_ONLY))
def test_what_a_loop_of_the_flow_does(name: str, tmp_path: Path) -> None:
    loop, _, fame = DONE[name]
    flow = loop.replace("my fame", "note").replace("repeat at", "    repeat at")
    more = "step looped:\n" + flow

    assert played(tmp_path, "nothing", more=more, box=_with_game("looped")).note == fame


def _with_game(*lines: str) -> str:
    body = "\n".join(f"    {line}" for line in lines)
    whole = f"step game:\n{body}\n    for each player: act"
    return BOX.replace("step game: for each player: act", whole)


def test_the_flow_ends_inside_nested_calls(tmp_path: Path) -> None:
    more = """
        verb outer: for each stall s: inner on s
        verb inner on stall s:
            raise my fame by 1
            if size of s = 2: deepest
        verb deepest:
            may raise my fame by 3
            end game
        """

    done = played(tmp_path, "outer\nraise my fame by 9", "no", more=more, players=2)

    assert (done.fame(1), done.fame(2)) == (2, 0)
    assert done.state["frames"] == []


def test_cells_of_a_procedure_are_its_own(tmp_path: Path) -> None:
    act = """
        raise my paid by 2
        if my fame > 9: raise my fame by 1
        raise my fame by my paid
        """

    assert played(tmp_path, act, box=_with_game("for each player: act")).fame() == 4


def test_pieces_that_belong_to_somebody_stay_theirs_in_common_places(tmp_path: Path) -> None:
    act = "move up to 2 dudes from my purse into field\nraise my fame by my dudes in field"

    done = played(tmp_path, act, players=3)

    assert [done.fame(seat) for seat in (1, 2, 3)] == [2, 2, 2]
    assert done.row("Field") == "2 dudes of Player 1, 2 dudes of Player 2, 2 dudes of Player 3"


def test_a_bundle_is_paid_by_its_nouns(tmp_path: Path) -> None:
    more = """
        piece jug from "jugs.toml" in deck:
            price: bundle
        verb pay bundle b: pay (coins of b) coins
        verb buy jug j:
            pay price of j
            raise my fame by 5
        """
    box = BOX.replace("stack deck seen by nobody holds card", "stack deck holds card, jug")
    jugs = "source = 'house'\n[red]\nprice = { coins = 3 }\n[big]\nprice = { coins = 7 }\n"
    act = "gain 5 coins\nif able:\n    let j = a jug in deck\n    buy j"
    folder = written(tmp_path, act, more, box=box)
    (folder / "jugs.toml").write_text(jugs)

    done = carried_on(rulesdsl.load(folder, cache=False).new_game(1), [])

    assert (done.fame(), done.row("Purse", 1)) == (5, "2 coins, 3 dudes")


def test_a_secret_choice_with_one_option_is_asked(tmp_path: Path) -> None:
    more = 'place lake "Lake" holds pawn:\n    size: number\nlake deep "Deep":\n    size = 1\n'
    box = _with_game("all choose secretly a lake s: move my pawn into s")

    done = played(tmp_path, "nothing", "lake:deep", "lake:deep", players=2, box=box, more=more)

    assert done.asked == [["lake:deep"], ["lake:deep"]]


def test_hidden_candidates_are_asked_even_when_there_is_one(tmp_path: Path) -> None:
    act = """
        move top of deck into my hand
        if able:
            let c = a card in my hand
            move c into pile
        """

    assert played(tmp_path, act, "card:dog").asked == [["card:dog"]]


def test_open_candidates_are_not_asked_when_there_is_one(tmp_path: Path) -> None:
    act = """
        move top of deck into my shelf
        if able:
            let c = a card in my shelf
            move c into pile
        """

    done = played(tmp_path, act)

    assert (done.asked, done.row("Pile")) == ([], "Dog")


def test_effects_of_fields_are_done_as_they_stand_in_the_table(tmp_path: Path) -> None:
    act = "for each card c in deck:\n    if able: do use of c"

    assert played(tmp_path, act, "three").fame() == 4


def test_an_absent_effect_cannot_be_carried_out(tmp_path: Path) -> None:
    act = """
        move all cards in deck into my shelf
        menu:
            once for each card c in my shelf: used on c
        """

    done = played(tmp_path, act, "done", more="verb used on card c: do use of c\n")

    assert done.asked == [["used:ant", "used:bee", "done"]]


def test_what_may_get_stuck_is_refused(tmp_path: Path) -> None:
    assert findings(tmp_path, "move 2 coins from my purse into heap") == ["E401"]


def test_a_pack_on_the_fly_plays_with_every_number_of_players(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "may raise my fame by 1")

    for players in range(1, 5):
        game = pack.new_game(players)
        for _ in range(players):
            game.choose("yes")
        assert game.over


def test_the_last_of_several_ways_may_be_to_do_nothing(tmp_path: Path) -> None:
    act = 'choose one:\n    "one": raise my fame by 1\n    "none": nothing'

    assert played(tmp_path / "one", act, "one").fame() == 1
    assert played(tmp_path / "none", act, "none").fame() == 0

"""Each statement of the language: rules as text in, what came of it out."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import box_with_game, played

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
    "look at the top one": (
        "look at top of deck\nlook at bottom of deck\nraise my fame by cards in deck",
        (),
        4,
    ),
    "a number up to one that is never too small": (
        "raise my fame by 2\nlet n = a number in 0..my fame\nlower my fame by n",
        ("1",),
        1,
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

    assert played(tmp_path, "nothing", more=more, box=box_with_game("looped")).note == fame

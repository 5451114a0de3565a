"""Under which words a body is offered: nothing in them is known to the rules alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import loaded

STROLL = """
verb stroll:
    may:
        let s = the stall with most size
        if any s: move my pawn into s
"""

# what is done, the verbs that it takes, the label of the first option
OFFERED = {
    "as it stands": ("may: gain 2 coins", "", "Act: gain 2 coins?"),
    "in words of its own": ('may "Take two": gain 2 coins', "", "Take two?"),
    "again, in words of its own": (
        'may "Take two more" up to 2 times: gain 2 coins',
        "",
        "Take two more?",
    ),
    "as often as it can be paid, in words of its own": (
        'gain 1 coin\nmay "Drop one" any number of times: move 1 coin from my purse into heap',
        "",
        "Drop one?",
    ),
    "a sentence behind the question is no question": (
        'may "Take two? You have {fame of me}": gain 2 coins',
        "",
        "Take two? You have 0.",
    ),
    "of a choice, too": (
        'let s = a stall "Which stall? You have {fame of me} fame!"\nraise note by size of s',
        "",
        "Which stall? You have 0 fame!",
    ),
    "of lines, too": (
        'choose one "Which way? {me} has 1":\n    gain 2 coins\n    gain 3 coins',
        "",
        "Which way? Player 1 has 1.",
    ),
    "of a menu, too": (
        'menu "Your turn: {me}! Any more":\n    once: gain 2 coins',
        "",
        "Your turn: Player 1! Any more.",
    ),
    "a full stop within a number or a word is no end": (
        'may "Take 2.5 or so": gain 2 coins',
        "",
        "Take 2.5 or so?",
    ),
    "what is given to a verb is called what it is": (
        "take two",
        "verb take stall s: may seize s\nverb seize stall s: raise note by size of s",
        "Take Two: seize the stall?",
    ),
    "by the title of its kind": (
        "greet badge",
        "verb greet badge b: may kiss b\nverb kiss badge b: move b into my corner",
        "Greet Badge: kiss the badge?",
    ),
    "a number is worth no word": (
        "take 2",
        "verb take number n: may raise note by n",
        "Take 2: take?",
    ),
    "a name of its own": (
        "stroll",
        STROLL,
        "Stroll: stroll?",
    ),
    "a way": (
        "take two",
        "verb take stall s: seize s or else gain 1 coin\nverb seize stall s: raise note by 1",
        "Seize the stall",
    ),
}


@pytest.mark.parametrize("name", OFFERED)
def test_words_of_an_offer(name: str, tmp_path: Path) -> None:
    act, more, label = OFFERED[name]

    decision = loaded(tmp_path, act, more).new_game(1, 1).decision

    assert decision is not None
    assert label in {decision.prompt, decision.options[0].label}

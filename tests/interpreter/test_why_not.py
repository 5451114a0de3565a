"""Why an option is not offered: what is said of conditions of different kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from flat_reader import program_text
from packs_on_the_fly import loaded
from rulesdsl import LintError


def now(*lines: str) -> str:
    """Return a menu with something to look at, and what that needs or does."""
    body = "\n".join(f"        {each}" for each in lines)
    return f'menu "What now?":\n    once "Look":\n{body}\n    once "Wait": gain 1 coin'


# what is done to look, why it is not offered
STRUCK = {
    "too little to pay": (
        now("pay 3 coins"),
        "It needs: move n coins from your Purse into Heap.",
    ),
    "what it needs": (
        now("needs note > 2"),
        "It needs: Note > 2.",
    ),
    "none of its kind": (
        now("needs any cards in my hand"),
        "It needs: any cards in your Hand.",
    ),
    "in words of its own": (
        now('needs note > 2 "It rang {note} times, not {3 coins}"'),
        "It rang 0 times, not 3 coins.",
    ),
    "of several, what the first that fails says": (
        now('needs not my busy and note > 2 "not now!"', "needs note > 5"),
        "Not now!",
    ),
    "each of several that are denied together": (
        "raise note by 7\n" + now('needs not (my busy or note > 2) "too late"'),
        "Too late.",
    ),
    "in the words of what it does": (
        now("go two"),
        "The Two has room for 2: you are 0.",
    ),
    "with a name given before": (
        now("let n = my fame + 4", 'needs my busy "It would be {n}"'),
        "It would be 4.",
    ),
    "with what is not chosen yet left open": (
        now("let s = a stall", 'needs my busy "The {s} is closed"'),
        "A Stall is closed.",
    ),
    "for each of the ways": (
        now(
            "choose one:",
            '    "Left":',
            '        needs note > 1 "Left is shut"',
            "        gain 1 coin",
            '    "Right":',
            '        needs note > 2 "right is shut"',
            "        gain 2 coins",
        ),
        "Left is shut. Right is shut.",
    ),
    "hides what is hidden": (
        now(
            "let p = the player where it <> me with most fame of it",
            "needs any p",
            'needs note > 2 "You need {note + 3}, and {guess of p} is guessed"',
        ),
        "You need 3, and some is guessed.",
    ),
}

GO = """
verb go stall s:
    needs my fame >= size of s "The {s} has room for {size of s}: you are {my fame}"
    move my pawn into s
"""


@pytest.mark.parametrize("name", STRUCK)
def test_a_struck_option_says_what_it_lacks(name: str, tmp_path: Path) -> None:
    act, why = STRUCK[name]
    game = loaded(tmp_path, act, GO).new_game(2)
    action = next(each for each in game.actions if each.id == "look")

    reason = game.why_not(action, 1)

    assert reason.text == why
    assert not reason.offered
    assert reason.rule.file.endswith(".rules")


def test_what_is_taken_once_and_what_is_offered_say_so(tmp_path: Path) -> None:
    act = 'menu "What now?":\n    once "Buy": gain 3 coins\n    once "Wait": gain 1 coin'
    game = loaded(tmp_path, act).new_game(2)
    buy = next(each for each in game.actions if each.id == "buy")

    assert game.why_not(buy).offered
    game.choose("buy")

    assert game.why_not(buy).text == "It can be done only once, and it has been done."
    assert game.why_not(buy, 2).text == "It is Player 1 who decides now."


def test_a_text_costs_the_playouts_nothing(tmp_path: Path) -> None:
    said = 'needs my busy "It is {n} on {cards in deck} cards"'
    spoken, silent = (
        program_text(loaded(tmp_path / str(at), act).setting(2, {}, log=False).engine.flat)
        for at, act in enumerate(now("let n = 2 + note", each) for each in (said, said[:13]))
    )

    assert spoken == silent


def test_a_text_cannot_speak_of_what_comes_later(tmp_path: Path) -> None:
    late = now("gain 1 coin", "let n = coins in my purse", 'needs my busy "You have {n}"')

    with pytest.raises(LintError, match=r"E302.*says why it is impossible, before"):
        loaded(tmp_path, late)

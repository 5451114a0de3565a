"""Why an option is not offered: what is said of conditions of different kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import loaded

# what is done, the id of an option that is struck, why
STRUCK = {
    "too little to pay": (
        'menu "What now?":\n    once "Buy": pay 3 coins\n    once "Wait": gain 1 coin',
        "buy",
        "You have 0 coins in your Purse; it takes at least 3.",
    ),
    "what it needs": (
        'menu "What now?":\n    once "Look": needs note > 2\n    once "Wait": gain 1 coin',
        "look",
        "The Note is 0; it has to be more than 2.",
    ),
    "none of its kind": (
        'menu "Now?":\n    once "Look": needs any cards in my hand\n    once "Wait": gain 1 coin',
        "look",
        "There are no cards in your Hand.",
    ),
}


@pytest.mark.parametrize("name", STRUCK)
def test_a_struck_option_says_what_it_lacks(name: str, tmp_path: Path) -> None:
    act, wanted, why = STRUCK[name]
    game = loaded(tmp_path, act).new_game(2)
    action = next(each for each in game.actions if each.id == wanted)

    reason = game.why_not(action)

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

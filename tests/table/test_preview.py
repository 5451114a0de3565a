"""Previews of choices: rules, then what each option says of itself."""

from pathlib import Path

import attrs
import pytest

from packs_on_the_fly import loaded
from rulesdsl.table.preview import previews
from some import some

_COINS = ("1 coin", "2 coins", "3 coins")
CASES = {
    "costs and gains": (
        'menu "What?":\n    once "Dig": dig\n    once "Wait": gain 1 coin',
        'verb dig "digs": gain 2 coins',
        ["+2 coins||", "+1 coin||", "||"],
    ),
    "the question that follows": (
        'choose one "What?":\n    "Coin": hand-out\n    "Fame": raise my fame by 1',
        (
            'verb hand-out:\n    choose one "How?":\n'
            '        "Slowly": gain 1 coin\n        "Fast": gain 2 coins'
        ),
        ["|Slowly / Fast|", "+1 fame||"],
    ),
    "an offer stands for itself": (
        'choose one "What?":\n    "Coin": offer\n    "Fame": raise my fame by 1',
        'verb offer: may "Gain a coin?": gain 1 coin',
        ["||Gain a coin?", "+1 fame||"],
    ),
    "what all lead to is left out": (
        (
            'choose one "What?":\n    "Coin": gain 1 coin\n    "Fame": raise my fame by 1\n'
            'choose one "And?":\n    "Sit": nothing\n    "Stand": raise note by 1'
        ),
        "",
        ["+1 coin||", "+1 fame||"],
    ),
    "what is drawn is not told": (
        (
            'choose one "What?":\n    "Draw": move top of deck into my hand\n'
            '    "Fame": raise my fame by 1'
        ),
        "",
        ["||", "+1 fame||"],
    ),
    "a verb that previews says, gains and asks": (
        'let n = a number in 1..3 "Which?" preview show-off\nraise my fame by n',
        """
verb show-off on number n:
    say "note is {note}"
    gain n coins
    menu "Then?":
        once "Dig": gain 1 coin
        once "Rest": nothing
""",
        [f"Note is 0. gains {coins} / Dig (+1 coin) / Rest||" for coins in _COINS],
    ),
    "where its conditions fail there is nothing": (
        'let n = a number in 1..2 "Which?" preview show-off\nraise my fame by n',
        "verb show-off on number n:\n    needs n > 1\n    gain n coins",
        ["nothing now||", "gains 2 coins||"],
    ),
    "it may not show what is drawn": (
        'let n = a number in 1..2 "Which?" preview show-off\nraise my fame by n',
        "verb show-off on number n: repeat n times: move top of deck into my hand",
        ["+1 fame||", "+2 fames||"],
    ),
    "a step of all may preview a secret choice": (
        "nothing",
        """
after game: all choose secretly a number n in 1..2 "Which?" preview all-gain: raise my fame by n
step all-gain on number n: for each player: gain n coins
""",
        ["gains 1 coin||", "gains 2 coins||"],
    ),
    "secret answers have none": (
        "nothing",
        'after game: all choose secretly a number n in 1..2 "Which?": raise my fame by n',
        ["||", "||"],
    ),
}


@pytest.mark.parametrize("on_demand", [False, True])  # as libraries and sessions compile
@pytest.mark.parametrize("name", CASES)
def test_what_is_said_of_each_option(name: str, on_demand: bool, tmp_path: Path) -> None:
    act, more, expected = CASES[name]
    pack = attrs.evolve(loaded(tmp_path, act, more), on_demand=on_demand)
    game = pack.new_game(2)
    before = game.to_data()

    texts = [
        f"{found.outcome}|{' / '.join(found.next_options)}|{found.next_question}"
        for found in previews(game, some(game.decision))
    ]

    assert texts == expected
    assert game.to_data() == before

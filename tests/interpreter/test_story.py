"""The log as a story: rules in, the sentences that each viewer reads out."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import loaded

QUIET = "place heap holds coin, badge", "place heap holds coin, badge quiet"
CARDS = ("Ant", "Bee", "Cow", "Dog")
HOLD = 'verb hold card c "shows the {c}": '


def told(
    folder: Path, act: str, more: str = "", *, take: tuple[str, ...] = (), viewer: int | None = 0
) -> list[str]:
    """Play a game of one, or of two, and return what a viewer reads."""
    game: rulesdsl.Game = loaded(folder, act, more).new_game(2)
    for option in take:
        game.choose(option)
    return [line.text for line in game.story(viewer)]


# what is done, the rest of the rules, what is chosen, what is told
STORIES = {
    "costs and gains are folded into what is done": (
        "gain 3 coins\nif able: bargain",
        'verb bargain "strikes a bargain for {2 coins}": pay 2 coins, raise my fame by 3',
        (),
        [
            "Player 1 gains 3 coins",
            "Player 1 strikes a bargain for 2 coins (2 coins): +3 fames",
            "Player 2 gains 3 coins",
            "Player 2 strikes a bargain for 2 coins (2 coins): +3 fames",
        ],
    ),
    "what is done inside is told below, and pays for itself": (
        "gain 2 coins\nif able: outer",
        """
        verb outer "begins":
            needs coins in my purse >= 2
            pay 1 coin
            if able: inner
            raise my fame by 1
        verb inner "goes on": pay 1 coin
        """,
        (),
        [
            "Player 1 gains 2 coins",
            "Player 1 begins (1 coin): +1 fame",
            "Player 1 goes on (1 coin)",
            "Player 2 gains 2 coins",
            "Player 2 begins (1 coin): +1 fame",
            "Player 2 goes on (1 coin)",
        ],
    ),
    "a choice that no words are declared for is told with its outcome": (
        "gain 1 coin\nchoose-fame",
        "",
        ("two", "three"),
        [
            "Player 1 gains 1 coin",
            "Player 1 chooses Two: +2 fames",
            "Player 2 gains 1 coin",
            "Player 2 chooses Three: +3 fames",
        ],
    ),
    "an offer that is refused is not told": (
        "may gain 1 coin",
        "",
        ("no", "yes"),
        ["Player 2 gains 1 coin"],
    ),
    "what is quiet is not told": (
        "hush",
        "verb hush quiet: gain 1 coin\n",
        (),
        [],
    ),
    "effects in their words": (
        'for each stall s: say "{s}: {gift of s}"',
        "kind stall:\n    gift: effect\nstall two:\n    gift: may gain 2 coins\n",
        (),
        ["One: nothing", "Two: may gain 2 coins", "Three: nothing"] * 2,
    ),
    "a line of the rules' own": (
        'let s = a stall "Where to?"\nsay "{me} likes {s}, of size {size of s}"',
        "",
        ("stall:one", "stall:three"),
        [
            "Player 1 likes One, of size 1",
            "Player 2 likes Three, of size 2",
        ],
    ),
    "what is alike is told together": (
        "repeat 2 times: gain 1 coin\nmove my pawn into two",
        "",
        (),
        [
            "Player 1 gains 2 coins",
            "Player 1 moves the Pawn to Two",
            "Player 2 gains 2 coins",
            "Player 2 moves the Pawn to Two",
        ],
    ),
}


@pytest.mark.parametrize("name", STORIES)
def test_it_is_told(name: str, tmp_path: Path) -> None:
    act, more, take, lines = STORIES[name]

    assert told(tmp_path, act, more, take=take) == lines


def test_a_card_is_named_to_those_who_see_it_by_the_end(tmp_path: Path) -> None:
    act = "move top of deck into my hand\nfor each card c in my hand:\n    hold c\n    play-it c"
    more = HOLD + "raise my fame by 1\n"
    more += 'verb play-it card c "plays the {c}": move c into my shelf'
    hand = loaded(tmp_path, act, more).new_game(2)
    name = next(text for text in CARDS if text in hand.story(None)[1].text)

    mine, theirs = ([line.text for line in hand.story(viewer)][:3] for viewer in (1, 2))

    assert mine[1:] == [f"Player 1 shows the {name}: +1 fame", f"Player 1 plays the {name}"]
    assert theirs == [
        "Player 1 draws 1 card",
        "Player 1 shows a Card: +1 fame",
        f"Player 1 plays the {name}",
    ]


def test_a_number_that_others_may_not_know_is_not_told_to_them(tmp_path: Path) -> None:
    act = 'raise my guess by 2\nsay "{me} guesses {my guess} of {my guess coins}"'
    mine, theirs = (told(tmp_path / each, act, viewer=at) for each, at in (("a", 1), ("b", 2)))

    assert "Player 1 guesses 2 of 2 coins" in mine
    assert "Player 1 guesses some of some coins" in theirs


def test_parts_of_the_game_are_headings(tmp_path: Path) -> None:
    more = 'step tally number n "The count of {n}": for each player: raise my fame by n\n'
    game = loaded(tmp_path, "raise note by 1", more + "after game: tally 3").new_game(2)

    lines = [(line.level, line.depth, line.text) for line in game.story(0)]

    assert lines[-3:] == [
        ("part", 0, "The count of 3"),
        ("line", 0, "Player 1 gains 3 fames"),
        ("line", 0, "Player 2 gains 3 fames"),
    ]


def test_what_goes_on_says_so(tmp_path: Path) -> None:
    more = 'verb wander "wanders": choose-fame'
    game = loaded(tmp_path, "wander", more).new_game(2)

    assert [(line.text, line.goes_on) for line in game.story(0)] == [("Player 1 wanders", True)]
    game.choose("two")
    assert [(line.text, line.goes_on) for line in game.story(0)] == [
        ("Player 1 wanders: +2 fames", False),
        ("Player 2 wanders", True),
    ]

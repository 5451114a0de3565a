from __future__ import annotations

from pathlib import Path

from packs_on_the_fly import loaded

CARDS = ("Ant", "Bee", "Cow", "Dog")
HOLD = 'verb hold card c "shows the {c}": '


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

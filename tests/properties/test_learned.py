"""The limit of undo: `learned` grows exactly when somebody learns something."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from packs_on_the_fly import BOX, loaded

LEARNING = {
    "drawing a hidden card": "move top of deck into my hand",
    "turning a hidden card up": "move top of deck into pile",
    "chance": "let s = random stall\nmove my pawn into s",
    "chance among cards": "for each card c in deck: move c into pile",
    "looking at hidden cards": "look at top 2 of deck",
    "asking for a hidden card": "if any ant in deck: raise my fame by 1",
    "a hidden amount": "raise my fame by worth per cards in deck",
    "a hidden number given to a verb": "gain (worth per cards in deck) coins",
    "whoever has most that is hidden": (
        "let p = the player with most (worth per cards in my hand)\nif any p: for p: gain 1 coin"
    ),
    "what a hidden card does": "let c = top of deck\nif any c:\n    if able: do use of c",
}
FREE = {
    "nothing": "nothing",
    "counting": "raise my fame by 3",
    "moving what all see": "gain 2 coins",
    "moving one's own": "move my pawn into one",
    "marking": "mark my busy",
    "how many lie hidden": "raise my fame by cards in deck",
    "what only a hidden track tells": "if any ant in my hand: raise my guess by 1",
    "from hidden to hidden": "move top of deck into bottom of deck",
}
# what is asked then, and whether that shows what was hidden
ASKED = {
    "a card out of a hidden pile": ("let c = a card in deck\nmove c into pile", True),
    "among the top ones": ("let c = a card in top 2 of deck\nmove c into pile", True),
    "some of a hidden pile": (
        "let c = a card in deck where worth of it > 1\nmove c into pile",
        True,
    ),
    "a menu of hidden cards": ("menu:\n    once for each card c in deck: move c into pile", True),
    "a card in the own hand": ("let c = a card in my hand\nmove c into pile", False),
    "a menu of the own hand": (
        "menu:\n    once for each card c in my hand: move c into pile",
        False,
    ),
    "what lies open": ("let c = a card in pile\nmove c into my hand", False),
}


@pytest.mark.parametrize("name", sorted(ASKED))
def test_what_is_offered_may_be_what_was_hidden(name: str, tmp_path: Path) -> None:
    body, shown = ASKED[name]
    asked = textwrap.indent(body, "    ")
    act = f"move top of deck into my hand\nmove top of deck into pile\nmay:\n{asked}"
    game = loaded(tmp_path, act).new_game(1)
    before = game.learned
    game.choose("yes")

    assert (game.learned > before) == shown


@pytest.mark.parametrize("name", sorted(LEARNING))
def test_it_grows(name: str, tmp_path: Path) -> None:
    assert _grown(tmp_path, LEARNING[name]) > 0


@pytest.mark.parametrize("name", sorted(FREE))
def test_it_stays(name: str, tmp_path: Path) -> None:
    assert _grown(tmp_path, FREE[name]) == 0


def _grown(folder: Path, done: str) -> int:
    """Return by how much `learned` grows from one choice to the next when this is done."""
    body = done.replace("\n", "\n    ")
    act = f"may:\n    {body}\nmay raise my fame by 1"
    game = loaded(folder, act).new_game(1)
    before = game.learned
    game.choose("yes")
    return game.learned - before


def test_it_does_not_grow_when_nothing_is_taken(tmp_path: Path) -> None:
    game = loaded(tmp_path, "may move top of deck into my hand\nmay raise my fame by 1").new_game(
        1
    )
    game.choose("no")

    assert game.learned == 0


def test_it_grows_when_sealed_answers_are_revealed_and_not_before(tmp_path: Path) -> None:
    flow = "step game:\n    all choose secretly a stall s: move my pawn into s\n"
    flow += "    for each player: act"
    box = BOX.replace("step game: for each player: act", flow)
    game = loaded(tmp_path, "may raise my fame by 1", box=box).new_game(2)
    game.choose(0, player=2)
    between = game.learned
    game.choose(1, player=1)

    assert (between, game.learned) == (0, 1)

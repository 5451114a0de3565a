"""The limit of undo: `learned` grows exactly when somebody learns something."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import BOX, loaded

LEARNING = {
    "drawing a hidden card": "move top of deck into my hand",
    "turning a hidden card up": "move top of deck into pile",
    "chance": "let s = random stall\nmove my pawn into s",
    "chance among cards": "for each card c in deck: move c into pile",
    "looking at hidden cards": "look at top 2 of deck",
}
FREE = {
    "nothing": "nothing",
    "counting": "raise my fame by 3",
    "moving what all see": "gain 2 coins",
    "moving one's own": "move my pawn into one",
    "marking": "mark my busy",
}


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

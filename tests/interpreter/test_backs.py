from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import MANIFEST, rows_of

RULES = """
kind suit: sun, moon
piece tile "Tile" from "tiles.toml" in bag:
    suit: suit seen by all
    worth: number
stack bag "Bag" seen by nobody holds tile
place rack "Rack" per player seen by owner holds tile
place table-top "Table" holds tile
step game:
    for each player:
        move top 2 of bag into my rack
        may play-tile
verb play-tile:
    let t = a tile in my rack
    move t into table-top
score worths "Tiles": worth per tiles in my rack
win with most score
panel "All": bag, table-top
panel "Own" per player: rack
"""
TILES = """
source = "house"
[sun-1]
suit = "sun"
worth = 1
[sun-2]
suit = "sun"
worth = 2
[moon-1]
suit = "moon"
worth = 1
[moon-2]
suit = "moon"
worth = 2
[moon-3]
suit = "moon"
worth = 3
"""
# from the top of the bag: moon-3, moon-2, moon-1, sun-2, sun-1


def written(folder: Path, rules: str = RULES) -> Path:
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "tiles.toml").write_text(TILES)
    (folder / "game.rules").write_text(rules)
    return folder


def begun(folder: Path) -> rulesdsl.Game:
    game = rulesdsl.load(written(folder), cache=False).new_game(2)
    game.choose("no")  # the second player has two tiles now as well
    return game


def test_a_view_shows_the_backs_of_what_lies_hidden(tmp_path: Path) -> None:
    board = begun(tmp_path).view(1)["board"]

    assert board["tile"] == [  # type: ignore[index]
        ["Sun"],
        ["moon-2#3", "moon-3#4"],
        ["Moon", "Sun"],
        [],
    ]


@pytest.mark.parametrize(
    ("viewer", "racks"),
    [
        (1, ["Moon 3, Moon 2", "2 tiles (1 Moon, 1 Sun)"]),
        (2, ["2 tiles (Moon)", "Moon 1, Sun 2"]),
        (None, ["2 tiles (Moon)", "2 tiles (1 Moon, 1 Sun)"]),
    ],
)
def test_the_board_counts_backs(viewer: int | None, racks: list[str], tmp_path: Path) -> None:
    shared, *own = begun(tmp_path).board(viewer)

    assert rows_of(shared) == (("Bag", "1 tile (Sun)"), ("Table", "-"))
    assert [dict(rows_of(each))["Rack"] for each in own] == racks


def test_the_log_tells_others_the_back_only(tmp_path: Path) -> None:
    lines = begun(tmp_path).log

    assert "Player 1 draws Moon 3" in [line.seen_text(1) for line in lines]
    assert "Player 1 draws a Tile (Moon)" in [line.seen_text(2) for line in lines]
    assert "Moon 3" not in " ".join(line.seen_text(2) for line in lines)


@pytest.mark.parametrize(
    "wrong",
    [
        RULES.replace("suit seen by all", "suit seen by owner"),
        RULES + "kind mood:\n    joy: number seen by all = 1\nmood glad:\n    joy = 2\n",
        RULES.replace("worth: number\n", "worth: number\n    act: effect seen by all\n", 1),
        RULES.replace(
            "worth: number\n", "worth: number\n    age: number per suit seen by all\n", 1
        ),
    ],
)
def test_only_plain_fields_of_pieces_are_printed_on_a_back(wrong: str, tmp_path: Path) -> None:
    report = rulesdsl.lint(written(tmp_path, wrong))

    assert "E201" in {each.code for each in report.diagnostics}

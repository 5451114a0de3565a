"""What panels show of flags and tracks: what is meant, under its name, to those who may see it."""

from __future__ import annotations

from pathlib import Path

import rulesdsl
from packs_on_the_fly import BOX, findings, loaded, rows_of

MORE = """
kind face: sun, moon
track tally "Tally" per player per face
track heat "Heat" per face
track total "Total"
flag lit
flag ready per player
flag full per stall
panel "All": total, heat, lit, full, spent, fame
panel "Own" per player: tally, ready
"""
ACT = """
raise tally of me at moon by 3
raise heat of sun by 2
mark lit
mark my ready
mark full of two
move top of deck into my hand
for each card c in my hand: mark spent of c
move top of deck into pile
for each card c in pile: mark spent of c
may raise my fame by 1
"""


def rows(folder: Path, viewer: int | None) -> dict[tuple[int | None, str], str]:
    game = loaded(folder, ACT, MORE).new_game(2)
    panels = [each for each in game.board(viewer) if each.title != "Seat"]
    return {(each.seat, label): text for each in panels for label, text in rows_of(each)}


def test_tracks_and_flags_are_shown_by_the_names_of_their_cells(tmp_path: Path) -> None:
    shown = rows(tmp_path, 2)

    assert shown[None, "Heat"] == "Sun 2, Moon 0"
    assert shown[None, "Total"] == "0"
    assert shown[None, "Fame"] == "Player 1 0, Player 2 0"
    assert (shown[None, "Lit"], shown[None, "Full"]) == ("yes", "Two")


def test_a_panel_of_a_player_shows_what_is_that_players(tmp_path: Path) -> None:
    shown = rows(tmp_path, 1)

    assert (shown[1, "Tally"], shown[2, "Tally"]) == ("Sun 0, Moon 3", "Sun 0, Moon 0")
    assert (shown[1, "Ready"], shown[2, "Ready"]) == ("yes", "no")


def test_marks_of_what_lies_hidden_are_shown_to_those_who_see_it(tmp_path: Path) -> None:
    # the first player holds the dog, the cow lies open: copies of one pack, seen by each
    assert rows(tmp_path, 1)[None, "Spent"] == "Cow, Dog"
    assert rows(tmp_path, 2)[None, "Spent"] == "Cow"
    assert rows(tmp_path, None)[None, "Spent"] == "Cow"


def test_a_panel_is_per_player_or_per_seat(tmp_path: Path) -> None:
    more = 'panel "Stall" per stall: fame'

    assert findings(tmp_path, "may raise my fame by 1", more) == ["E201"]


def test_a_track_on_a_copy_names_that_copy(tmp_path: Path) -> None:
    more = "track wounds per soldier\nplace camp holds soldier\n"
    more += 'piece soldier "Soldier" from "soldiers.toml" in camp'
    act = "for each soldier s in camp: raise wounds of s by 1"
    (tmp_path / "soldiers.toml").write_text('source = "house"\n[man]\ncopies = 2\n[chief]\n')
    game = loaded(tmp_path, act, more, box=BOX).new_game(1)

    assert [line.text for line in game.log] == [
        "The Wounds of Man is now 1",
        "The Wounds of Man is now 1",
        "The Wounds of Chief is now 1",
    ]


def test_a_change_that_only_some_see_is_told_to_them_alone(tmp_path: Path) -> None:
    act = "raise my guess by 2\nmove top of deck into my hand\n"
    act += "for each card c in my hand: raise wounds of c by 1\nmay raise my fame by 1"
    game: rulesdsl.Game = loaded(tmp_path, act, "track wounds per card").new_game(2)
    lines = [(line.seen_text(1), line.seen_text(2)) for line in game.log]

    assert lines == [
        ("Player 1 gains 2 guesses", ""),
        ("Player 1 draws Dog", "Player 1 draws 1 card"),
        ("The Wounds of Dog is now 1", ""),
    ]

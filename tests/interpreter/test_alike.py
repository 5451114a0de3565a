"""Pieces that are alike are offered once: by print, owner, place and marks."""

from __future__ import annotations

import textwrap
from pathlib import Path

import rulesdsl
from packs_on_the_fly import BOX, box_with_game, carried_on, written

MEN = """
source = "house"
[man]
name = "Man"
copies = 2
[chief]
name = "Chief"
"""
MORE = """
piece soldier "Soldier" from "soldiers.toml" 1 per player in camp
place camp "Camp" per player holds soldier
place hill "Hill" per stall holds soldier
stack line-up "Line" holds soldier
flag tired per soldier
flag known per soldier per stall
track wounds per soldier
"""


def asked(folder: Path, act: str, *choices: str, players: int = 1) -> list[list[str]]:
    written(folder, f"if able:\n{textwrap.indent(textwrap.dedent(act), '    ')}", MORE, box=BOX)
    (folder / "soldiers.toml").write_text(MEN)
    pack = rulesdsl.load(folder, cache=False)
    return carried_on(pack.new_game(players, 1), choices).asked


def test_copies_are_offered_once(tmp_path: Path) -> None:
    act = "let m = a soldier in my camp\nmove m into hill of one"

    assert asked(tmp_path, act, "soldier:man") == [["soldier:man", "soldier:chief"]]


def test_copies_in_two_places_are_offered_for_each(tmp_path: Path) -> None:
    act = """
        move up to 1 man from my camp into hill of one
        move up to 1 man from my camp into hill of two
        if able: send
        """
    more = "\nverb send:\n    let m = a soldier in hills\n    move m into line-up"
    written(tmp_path, act, MORE + more, box=BOX)
    (tmp_path / "soldiers.toml").write_text(MEN)
    game = rulesdsl.load(tmp_path, cache=False).new_game(1)

    assert [option.label for option in game.decision.options] == [  # type: ignore[union-attr]
        "Man of Player 1 (Hill (One))",
        "Man of Player 1 (Hill (Two))",
    ]


def test_a_mark_tells_copies_apart(tmp_path: Path) -> None:
    for name, mark in (
        ("flag", "mark tired of m"),
        ("flag per stall", "mark known of m at two"),
        ("track", "raise wounds of m by 1"),
    ):
        act = f"""
            let m = a soldier in my camp
            {mark}
            let n = a soldier in my camp
            move n into hill of one
            """
        folder = tmp_path / name

        assert asked(folder, act, "soldier:man", "soldier:man-2") == [
            ["soldier:man", "soldier:chief"],
            ["soldier:man", "soldier:man-2", "soldier:chief"],
        ]


def test_copies_of_two_owners_are_two_things(tmp_path: Path) -> None:
    act = """
        move all soldiers in my camp into hill of one
        if able:
            needs soldiers in hill of one = 6
            let m = a soldier in hill of one
            move m into line-up
        """

    assert asked(tmp_path, act, "soldier:chief", players=2) == [
        ["soldier:man", "soldier:chief", "soldier:man-2", "soldier:chief-2"]
    ]


def test_in_a_stack_no_two_are_alike(tmp_path: Path) -> None:
    act = """
        move all soldiers in my camp into line-up
        if able:
            let m = a soldier in line-up
            move m into hill of one
        """

    assert asked(tmp_path, act, "soldier:man-2") == [
        ["soldier:man", "soldier:man-2", "soldier:chief"]
    ]


def test_a_move_to_where_it_lies_is_no_news(tmp_path: Path) -> None:
    act = "move badge into heap\nmove up to 1 man from my camp into my camp"
    written(tmp_path, act, MORE, box=BOX)
    (tmp_path / "soldiers.toml").write_text(MEN)
    game = rulesdsl.load(tmp_path, cache=False).new_game(1)

    assert [line.text for line in game.log] == []


def test_a_menu_has_one_line_for_those_that_are_alike(tmp_path: Path) -> None:
    act = 'menu:\n    once "Tire" for each soldier s in my camp: mark tired of s'

    assert asked(tmp_path, act, "tire:man", "tire:man", "tire:chief") == [
        ["tire:man", "tire:chief", "done"],
        ["tire:man", "tire:chief", "done"],
        ["tire:chief", "done"],
    ]


def test_a_menu_offers_any_time_one_of_those_that_are_alike(tmp_path: Path) -> None:
    act = "menu:\n    any time for each soldier s in my camp: move s into hill of one"

    assert asked(tmp_path, act, "move:man", "move:man", "move:chief") == [
        ["move:man", "move:chief", "done"],
        ["move:man", "move:chief", "done"],
        ["move:chief", "done"],
    ]


def test_a_secret_choice_offers_copies_once(tmp_path: Path) -> None:
    box = box_with_game(
        "for each player: go",
        "if able: all choose secretly a soldier m in hill of one: move m into line-up",
    )
    more = "\nverb go: move all soldiers in my camp into hill of one\n"
    written(tmp_path, "nothing", MORE + more, box=box)
    (tmp_path / "soldiers.toml").write_text(MEN)
    game = rulesdsl.load(tmp_path, cache=False).new_game(1, 1)

    assert carried_on(game, ["soldier:man"]).asked == [["soldier:man", "soldier:chief"]]

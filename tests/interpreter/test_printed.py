from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import written

STALL = "let s = a stall\nmove my pawn into s"
HOLD = "if able: hold a feast"
RULES = """
kind mood "Mood": merry, calm
kind feast "Feast" from "feasts.toml":
    text: text
    shout: text
    size: number = 4
    loud: yes-no = off
    fee: bundle
    follows: mood
    moods: moods
    prize: number per number
    dance: effect per mood
    song: automatic
    fun: formula
verb pay bundle b: pay coins of b coins
verb hold feast f:
    pay fee of f
    do song of f
    for each mood m in moods of f:
        if any dance of f at m: do dance of f at m
    raise note by (size of f + fun of f + prize of f at 1)
    if loud of f and follows of f = calm: raise note by 1
"""
FEASTS = """
source = "house"
[ball]
name = "Great ball"
text = "All who can walk will dance"
loud = true
fee = { coins = 1 }
follows = "calm"
moods = ["merry", "calm"]
prize = { 1 = 2, 3 = 5 }
dance.merry = ["may pay 2 coins to raise my fame by 1", "raise note by 1"]
song = "raise my fame by 1"
fun = "coins in my purse at most 2"
[picnic]
fee = {}
follows = "merry"
moods = ["merry"]
prize = { 1 = 1 }
song = "nothing"
fun = "0"
"""


def game(folder: Path, act: str) -> rulesdsl.Game:
    written(folder, act, RULES)
    (folder / "feasts.toml").write_text(FEASTS)
    return rulesdsl.load(folder, cache=False).new_game(1, 1)


def rows(of: rulesdsl.Game, entry: str) -> dict[str, str]:
    return next(dict(each.rows) for each in of.printed if each.id == entry)


def test_every_sort_of_field_is_put_into_words(tmp_path: Path) -> None:
    assert rows(game(tmp_path, HOLD), "feast:ball") == {
        "Text": "All who can walk will dance",
        "Size": "4",
        "Loud": "yes",
        "Fee": "1 coin",
        "Follows": "Calm",
        "Moods": "Merry, Calm",
        "Prize": "2 at 1, 5 at 3",
        "Dance, Merry": "may pay 2 coins to raise my fame by 1, raise note by 1",
        "Song": "raise my fame by 1",
        "Fun": "coins in my purse at most 2",
    }


def test_what_holds_nothing_is_left_out_but_not_a_price_of_nothing(tmp_path: Path) -> None:
    picnic = rows(game(tmp_path, HOLD), "feast:picnic")

    assert not {"Text", "Shout", "Dance, Merry", "Dance, Calm"} & picnic.keys()
    assert (picnic["Fee"], picnic["Size"], picnic["Loud"]) == ("nothing", "4", "no")


def test_pieces_and_places_are_printed_too_and_plain_lists_are_not(tmp_path: Path) -> None:
    found = game(tmp_path, HOLD)
    kinds = {each.kind for each in found.printed}

    assert rows(found, "card:cow") == {"Worth": "3", "Use": "pay 2 coins, raise my fame by 9"}
    assert rows(found, "stall:two") == {"Size": "2"}
    assert "Mood" not in kinds


def test_what_is_printed_does_not_depend_on_where_things_lie(tmp_path: Path) -> None:
    one = game(tmp_path, STALL)
    before = one.printed
    assert one.decision is not None
    one.choose(0)

    assert one.printed == before


@pytest.mark.parametrize(
    ("act", "shown"),
    [
        (HOLD, [("feast:ball", "All who can walk will dance"), ("feast:picnic", "")]),
        (
            "menu:\n    once for each feast f in feasts: hold f",
            [("feast:ball", "All who can walk will dance"), ("feast:picnic", ""), ("", "")],
        ),
        # what the line says that it does is enough
        (
            "menu:\n    once for each feast f in feasts: do song of f",
            [("feast:ball", ""), ("feast:picnic", ""), ("", "")],
        ),
        (STALL, [("stall:one", ""), ("stall:two", ""), ("stall:three", "")]),
        ("may gain 1 coin", [("", ""), ("", "")]),
    ],
)
def test_options_tell_what_they_name_and_its_text(
    act: str, shown: list[tuple[str, str]], tmp_path: Path
) -> None:
    decision = game(tmp_path, f"gain 5 coins\n{act}").decision

    assert decision is not None
    assert [(each.about, each.text) for each in decision.options] == shown

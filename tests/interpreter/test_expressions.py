"""Each form of expression: rules as text in, the number that it comes to out."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, carried_on, findings, played, written

ROWS = """
source "house"
value third of number n:
    1 if n = 1
    2 if n = 2
    otherwise 3
value doubled of number n: n + n
value sized of stall s: size of s
value wealth of seat: coins in my purse
value richest: the seat with most wealth
value named: me
"""

# what the number is, and what it comes to; before it, two coins have been gained
COMES_TO: dict[str, tuple[str, int]] = {
    "sum": ("2 + 3 - 1", 4),
    "product": ("2 * 3", 6),
    "quotient is rounded down": ("7 / 2", 3),
    "product before sum": ("1 + 2 * 3", 7),
    "brackets": ("(1 + 2) * 3", 9),
    "below none is none on a track": ("2 - 5", 0),
    "at most": ("9 at most 4", 4),
    "at least": ("2 at least 4", 4),
    "a count": ("coins in my purse", 2),
    "a count of named pieces": ("cards in deck", 4),
    "a count with a condition": ("(all cards in deck where worth = 3)", 2),
    "per": ("1 per 2 cards in deck", 2),
    "so much per piece": ("2 per coin in my purse", 4),
    "a field": ("size of two", 2),
    "a value": ("doubled of 4", 8),
    "a value by cases": ("third of 2", 2),
    "a value by cases, otherwise": ("third of 9", 3),
    "a value of a thing": ("sized of three", 2),
    "a value of me": ("my wealth", 2),
    "a sum over things": ("worth per cards in deck", 9),
    "a position in a list": ("position of two in stalls", 2),
    "how many of a kind": ("stalls", 3),
}

# a condition, and whether it holds
HOLDS: dict[str, tuple[str, bool]] = {
    "equal": ("coins in my purse = 2", True),
    "unequal": ("coins in my purse <> 2", False),
    "less": ("coins in my purse < 2", False),
    "at most so many": ("coins in my purse <= 2", True),
    "more": ("coins in my purse > 1", True),
    "at least so many": ("coins in my purse >= 3", False),
    "any": ("any coins in my purse", True),
    "any of none": ("any coins in one", False),
    "no": ("no coins in one", True),
    "any where": ("any stalls where size = 2", True),
    "any where none": ("any stalls where size = 9", False),
    "and": ("any coins in my purse and any coins in one", False),
    "or": ("any coins in my purse or any coins in one", True),
    "not": ("not any coins in one", True),
    "and before or": ("1 = 1 or 1 = 2 and 1 = 2", True),
}


@pytest.mark.parametrize("name", sorted(COMES_TO))
def test_what_a_number_comes_to(name: str, tmp_path: Path) -> None:
    number, wanted = COMES_TO[name]

    done = played(tmp_path, f"gain 2 coins\nraise my fame by {number}", more=ROWS)

    assert done.fame() == wanted


@pytest.mark.parametrize("name", sorted(HOLDS))
def test_whether_a_condition_holds(name: str, tmp_path: Path) -> None:
    condition, wanted = HOLDS[name]

    done = played(tmp_path, f"gain 2 coins\nif {condition}: raise my fame by 1", more=ROWS)

    assert done.fame() == int(wanted)


BEST = {
    "the one with most": ("the card in deck where worth < 3 with most worth", 2),
    "the one with least": ("the card in deck with least worth", 1),
    "a tie gives none": ("the card in deck with most worth", 0),
    "a tie is broken by what is asked then": (
        "the card in deck with most odd then least worth",
        1,
    ),
    "none of none": ("the card in pile with most worth", 0),
}


@pytest.mark.parametrize("name", sorted(BEST))
def test_what_the_rules_choose(name: str, tmp_path: Path) -> None:
    chosen, wanted = BEST[name]
    worth = "worth" if "card" in chosen else "size"
    act = f"let x = {chosen}\nif any x: raise my fame by {worth} of x"
    more = "value odd of card c:\n    1 if worth of c <> 2\n    otherwise 0\n"

    assert played(tmp_path, act, more=more).fame() == wanted


LIST = """
source "house"
kind path from "paths.toml":
    stops: stalls
"""


FIRST = {
    "the first": ("the first stall in stops of round-trip", 3),
    "the first where": ("the first stall in stops of round-trip where size = 1", 1),
    "the first after one": ("the first stall in stops of round-trip after one", 2),
    "none after the last": ("the first stall in stops of round-trip after two", 0),
    "none after one that is not there": (
        "the first stall in stops of short-trip after two",
        0,
    ),
}


@pytest.mark.parametrize("name", sorted(FIRST))
def test_the_first_along_a_list(name: str, tmp_path: Path) -> None:
    chosen, wanted = FIRST[name]
    act = f"let x = {chosen}\nif any x: raise my fame by position of x in stops of far-trip"
    folder = written(tmp_path, act, LIST)
    (folder / "paths.toml").write_text(
        "source = 'house'\n"
        "[round-trip]\nstops = ['three', 'one', 'two']\n"
        "[short-trip]\nstops = ['three', 'one']\n"
        "[far-trip]\nstops = ['one', 'two', 'three']\n"
    )

    assert carried_on(rulesdsl.load(folder, cache=False).new_game(1), []).fame() == wanted


def test_a_step_along_entries_goes_round(tmp_path: Path) -> None:
    act = """
        move my pawn into 1 stall after three
        if any my pawn in one: raise my fame by 1
        move my pawn into 1 stall before one
        if any my pawn in three: raise my fame by 2
        move my pawn into 2 stalls after one
        if any my pawn in three: raise my fame by 4
        """

    assert played(tmp_path, act).fame() == 7


CHART = """
source "house"
kind step from "steps.toml":
    gain: number per number
"""


@pytest.mark.parametrize(("at", "wanted"), [(1, 5), (3, 9), (0, 5), (4, 9), (99, 9)])
def test_a_chart_goes_on_beyond_its_ends(at: int, wanted: int, tmp_path: Path) -> None:
    folder = written(tmp_path, f"raise my fame by gain of first-step at {at}", CHART)
    (folder / "steps.toml").write_text(
        "source = 'house'\n[first-step]\ngain = { 1 = 5, 2 = 7, 3 = 9 }\n"
    )

    assert carried_on(rulesdsl.load(folder, cache=False).new_game(1), []).fame() == wanted


def test_the_seats_in_a_circle(tmp_path: Path) -> None:
    game = """step game:
    for each player: move badge into my corner
    for each player starting with seat of badge: act"""
    box = BOX.replace("step game: for each player: act", game)

    done = played(tmp_path, "raise my fame by note\nraise note by 1", players=3, box=box)

    assert [done.fame(seat) for seat in (1, 2, 3)] == [1, 2, 0]


def test_a_division_by_none_is_refused(tmp_path: Path) -> None:
    assert findings(tmp_path, "raise my fame by 5 / my fame") != []


def test_a_track_or_an_option_that_begins_above_none_divides(tmp_path: Path) -> None:
    more = 'track width from 2..5\noption breadth "Breadth": 3 in 1..4\n'

    assert played(tmp_path, "raise my fame by 12 / width / breadth", more=more).fame() == 2


@pytest.mark.parametrize(("asked", "player"), [("1 player after", 1), ("2 players after", 2)])
def test_players_stand_around_a_rival_behind_the_last(
    asked: str, player: int, tmp_path: Path
) -> None:
    assert _raised_by_ghost(tmp_path, asked) == player


@pytest.mark.parametrize(("asked", "player"), [("1 player before", 3), ("2 players before", 2)])
def test_players_before_a_rival_end_with_the_last(asked: str, player: int, tmp_path: Path) -> None:
    assert _raised_by_ghost(tmp_path, asked) == player


def _raised_by_ghost(folder: Path, asked: str) -> int:
    more = f"""
rival wraith "Wraith"
rival ghost "Ghost"
after game: for ghost: nudge
verb nudge:
    let p = {asked} me
    raise fame of p by 5
"""
    game = played(folder, "nothing", more=more, players=3)
    return 1 + [game.fame(seat) for seat in (1, 2, 3)].index(5)


def test_a_value_that_asks_for_the_position_of_whoever_acts(tmp_path: Path) -> None:
    more = "value my-turn: position of me\n"

    done = played(tmp_path, "raise my fame by my-turn", more=more, players=3)

    assert [done.fame(seat) for seat in (1, 2, 3)] == [1, 2, 3]

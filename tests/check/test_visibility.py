"""Who sees what a value comes to, and what steps tell: a text in, who sees it out."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, written
from rulesdsl.check.program import Program
from rulesdsl.check.visibility import Visibility

MORE = """
kind suit: sun, moon
piece tile "Tile" from "tiles.toml" 1 per player in bag:
    suit: suit seen by all
    points: number
    bonus: formula
    act: effect
    near: suits
stack bag "Bag" seen by nobody holds tile
place rack "Rack" per player seen by owner holds tile, badge
place open-rack per player holds tile
track secret per player seen by nobody
track wounds per card
flag known per card
option mode "M": off
value twice of player: my guess * 2
value plus of number n: n + 1
value liking of player:
    sun if my guess > 2
    otherwise moon
"""
TILES = """
source = "house"
[sun-one]
suit = "sun"
points = 1
bonus = "my fame"
act = "raise my fame by 1"
near = ["sun", "moon"]
[moon-two]
suit = "moon"
points = 2
bonus = "my guess"
act = "choose-fame"
"""
SEEN = """
# all
3
players
mode
my fame
fame of (1 player after me)
fame per players
my busy
cards in my hand
cards in hands
cards in deck
any cards in deck
coins in my purse
coins in heap
stall of my pawn
any badge in heap
1 per (top 2 of deck)
worth per cards in my shelf
any ant in my shelf
any top of deck
(all tiles in bag where suit = sun)
(all tiles in bag where suit = sun and my fame > 1)
plus of my fame
position of one
2 if my fame > 3 otherwise 0
size of one
the stall with most size
my standing
my score
all stalls where any coins in it
the first suit in near of sun-one
the first suit in near of sun-one where it = moon
the first suit in near of sun-one after sun
near of sun-one
any tiles in bag
any tile in bag where suit = sun
sun-one in open-rack
act of sun-one
the tile in open-rack with most points
any (the tile in open-rack with most points)
owner of my pawn
standing of me
standing of (1 player after me)
score of me
# own
the first suit in near of sun-one where my guess > 2
the first suit in near of sun-one after my liking
my guess
my guess + 1
my guess > 2
not my guess > 2
my guess > 2 and my fame > 2
my guess > 2 or my fame > 2
my twice
bonus per tiles in open-rack
plus of my guess
worth per cards in my hand
any cards in my hand where worth > 1
ant in my hand
any ant in my hand
(all cards in my hand where worth > 1)
(all cards in my hand where spent)
the card in my hand with most worth
any stalls where size > my guess
the stall with most (size + my guess)
2 if my guess > 3 otherwise 0
# nobody
my secret
guess of (1 player after me)
guess per players
the player with most guess
worth per cards in deck
(all cards in deck where worth > 1)
any ant in deck
top of deck
worth per cards in hands
any ant in hands
(all tiles in bag where points > 1)
bonus per tiles in bag
2 if any ant in deck otherwise 0
the card in deck with most worth
"""


def cases() -> list[tuple[str, str]]:
    """Return formulas, and who sees what each comes to."""
    found: list[tuple[str, str]] = []
    for block in SEEN.split("# ")[1:]:
        who, *formulas = block.strip().splitlines()
        found += [(each, who) for each in formulas]
    return found


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Program:
    """All formulas as values of one pack."""
    folder = tmp_path_factory.mktemp("seen")
    more = MORE
    for at, (formula, _) in enumerate(cases()):
        first, *rest = formula.split(" otherwise ")
        more += f"value asked-{at} of player:"
        more += f"\n    {first}\n    otherwise {rest[0]}\n" if rest else f" {formula}\n"
    written(folder, "may raise my fame by 1", more, box=BOX)
    (folder / "tiles.toml").write_text(TILES)
    return rulesdsl.load(folder, cache=False).program


@pytest.mark.parametrize("at", range(len(cases())), ids=[formula for formula, _ in cases()])
def test_who_sees_what_a_value_comes_to(at: int, program: Program) -> None:
    assert _who(Visibility(program), f"asked-{at}") == cases()[at][1]


def test_a_hidden_score_hides_where_everybody_stands(tmp_path: Path) -> None:
    box = BOX.replace('"Fame": my fame', '"Fame": my guess')
    more = "value own of player: my score\nvalue place of player: my standing\n"
    program = rulesdsl.load(written(tmp_path, "nothing", more, box=box), cache=False).program
    see = Visibility(program)

    assert [_who(see, each) for each in ("own", "place")] == ["own", "nobody"]


def _who(see: Visibility, value: str) -> str:
    eyes, owner = see.value_eyes(value, 0)
    return "all" if eyes is None else "own" if owner in eyes else "nobody"

"""A panel shows a value only to those who see what the value looks at."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, rows_of, written

VALUES = """
value hand-size of player: cards in my hand
value hand-worth of player: worth per cards in my hand
value has-ant of player: any ant in my hand
value wealth of player: my guess + 1
value richest of player:
    1 if my guess >= guess of (1 player after me)
    otherwise 0
value twice of player: my wealth * 2
value next-wealth of player: wealth of (1 player after me)
value deck-size: cards in deck
value deck-worth: worth per cards in deck
value shelf-worth of player: worth per cards in my shelf
panel "Shared": deck-size, deck-worth
panel "Own" per player: hand-size, hand-worth, has-ant, wealth, richest, twice, shelf-worth
panel "Neighbour" per player: next-wealth
"""
PUBLIC = {"Hand size": "1", "Shelf worth": "0"}
OWN = {"Hand worth": "3", "Has ant": "no", "Wealth": "6", "Twice": "12"}
NOBODYS = {"Richest": "?", "Next wealth": "?"}
HIDDEN = dict.fromkeys(OWN, "?")


@pytest.mark.parametrize(
    ("viewer", "shown"),
    [
        (1, PUBLIC | OWN | NOBODYS),
        (2, PUBLIC | HIDDEN | NOBODYS),
        (None, PUBLIC | HIDDEN | NOBODYS),
    ],
)
def test_a_value_is_as_hidden_as_what_it_looks_at(
    viewer: int | None, shown: dict[str, str], tmp_path: Path
) -> None:
    act = "move top of deck into my hand\nraise my guess by 5\nmay raise my fame by 1"
    game = rulesdsl.load(written(tmp_path, act, VALUES, box=BOX), cache=False).new_game(2)
    panels = game.board(viewer)
    rows = dict(row for panel in panels if panel.seat == 1 for row in rows_of(panel))

    assert ("Shared", (("Deck size", "3"), ("Deck worth", "?"))) in [
        (panel.title, rows_of(panel)) for panel in panels
    ]
    assert shown.items() <= rows.items()

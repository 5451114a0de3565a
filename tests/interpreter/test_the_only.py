"""`the only X where ...`: one or none, and none where there are several."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import findings, played

ONLY = {
    "there is one": ("the only stall where size = 1", "size", 1),
    "there are several": ("the only stall where size = 2", "size", 0),
    "there is none": ("the only stall where size = 9", "size", 0),
    "a card in a place": ("the only card in deck where worth = 2", "worth", 2),
    "a card anywhere": ("the only card where worth = 1", "worth", 1),
    "in a place that holds one": ("the only card in pile", "worth", 3),
    "in a place that holds more": ("the only card in deck", "worth", 0),
}


@pytest.mark.parametrize("name", sorted(ONLY))
def test_it_is_found_where_it_is_alone(name: str, tmp_path: Path) -> None:
    phrase, field, wanted = ONLY[name]
    act = f"move top of deck into pile\nlet x = {phrase}\nif any x: raise my fame by {field} of x"

    assert played(tmp_path, act).fame() == wanted


def test_a_player_who_is_alone_with_something(tmp_path: Path) -> None:
    act = """
        let rich = the only player where coins in purse of it > 0
        if any rich: raise note by 1
        gain 1 coin
        """

    assert played(tmp_path, act, players=3).note == 1


def test_it_may_be_none_and_has_to_be_asked(tmp_path: Path) -> None:
    act = "let x = the only stall where size = 1\nmove my pawn into x"

    assert findings(tmp_path, act) == ["E302"]

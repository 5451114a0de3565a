"""What lints clean does what it says: rules that look for a gap between the two."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import findings, played

BEST = "value best: the stall with most (coins in it)\n"


@pytest.mark.parametrize("used", ["m", "b"])
def test_two_that_are_equal_may_both_be_missing(used: str, tmp_path: Path) -> None:
    act = f"""
    let m = the stall with most (coins in it)
    let b = the stall with most (pawns in it)
    if m = b: raise note by size of {used}
    """

    assert findings(tmp_path, act) == ["E302"]


def test_what_equals_something_that_is_there_is_there(tmp_path: Path) -> None:
    act = "let m = the stall with most (coins in it)\nif m = two: raise note by size of m"

    assert findings(tmp_path, act) == []


def test_like_pieces_go_where_the_rules_pointed_before_the_move(tmp_path: Path) -> None:
    act = """
    move up to 2 coins from heap into one
    move up to 1 coin from heap into two
    if any best: move up to 1 coin from one into best
    """

    done = played(tmp_path, act, more=BEST)

    # without the coin the two stalls would be level, and nowhere would be best
    assert done.state["n_coin"] == [7, 0, 2, 1, 0]


def test_printed_pieces_all_go_where_the_rules_pointed_before_the_move(tmp_path: Path) -> None:
    act = """
    move top of deck into tray at one
    if any emptiest: move all cards in deck into tray at emptiest
    """
    more = """
    value emptiest: the stall with least (cards in tray at it * 2 + position of it)
    place tray per stall holds card
    """

    done = played(tmp_path, act, more=more)

    piles: list[object] = list(done.state["l_card"])
    assert piles == [[], [], [], [], [3], [0, 1, 2], []]


def test_a_second_local_of_a_name_is_not_taken_for_another_name(tmp_path: Path) -> None:
    act = """
    if note = 0:
        let x = 1
        raise my fame by x
    let x-2e-2 = 5
    let x = 2
    raise my fame by x-2e-2
    """

    assert played(tmp_path, act).fame() == 6

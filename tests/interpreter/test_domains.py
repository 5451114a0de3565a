"""What can be done with the things of a phrase: whatever lints clean plays, in both ways alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from packs_on_the_fly import played

# ---------------------------------------------------------------- asked, then chosen
RENT = """\
after act:
    if any coins in my purse:
        let s = a stall
        raise my fame by size of s
"""


def test_pieces_that_are_alike_are_asked_for_before_something_else_is_chosen(
    tmp_path: Path,
) -> None:
    done = played(tmp_path, "gain 1 coin", "stall:two", more=RENT)

    assert done.fame() == 2


def test_nothing_is_chosen_where_no_pieces_that_are_alike_are_there(tmp_path: Path) -> None:
    assert played(tmp_path, "raise note by 1", more=RENT).fame() == 0


# ---------------------------------------------------------------- what never holds here
@pytest.mark.parametrize("condition", ["extra", "1 > 2", "no players", "extra and 2 > 1"])
def test_what_never_holds_leads_to_what_is_done_otherwise(condition: str, tmp_path: Path) -> None:
    act = f"""
    if able:
        move a card in my hand into my shelf
        needs {condition}
    otherwise: raise my fame by 3
    """
    more = 'option extra "Extra": off'

    assert played(tmp_path, act, more=more).fame() == 3


# ---------------------------------------------------------------- yes and no
YES_NO = [
    "any cards in my shelf",
    "any dudes in my purse",
    "any coins in stalls",
    "any stalls where any coins in it",
    "any players where fame of it > 0",
    "any cards in my shelf where worth of it > 1",
    "any pawn of me in my corner",
    "not no coins in my purse",
    "not no cards in my shelf",
    "cards in my shelf > 0",
    "cards in my shelf >= 1 or busy of me",
    "busy of me",
    "any cards in deck and any coins in my purse",
    "any busiest",
]


@pytest.mark.parametrize("asked", YES_NO)
def test_a_yes_is_the_same_yes_however_it_was_found(asked: str, tmp_path: Path) -> None:
    act = """
    look
    move up to 2 cards from deck into my shelf
    move up to 2 coins from heap into my purse
    move up to 1 coin from heap into two
    raise my fame by 1
    mark busy of me
    look
    """
    more = f"""
    value busiest: the stall with most (coins in it)
    value same of seat: {asked}
    value sure of seat: ({asked}) and my fame >= 0
    verb look:
        let kept = {asked}
        if kept = my same: raise note by 1
        if my same = my sure: raise note by 1
        if ({asked}) = my sure: raise note by 1
    panel "Told" per seat: same, sure
    """

    done = played(tmp_path, act, more=more)

    assert done.note == 6
    assert done.row("Same", 1) == done.row("Sure", 1) == "yes"

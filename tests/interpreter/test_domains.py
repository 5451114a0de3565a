"""What can be done with the things of a phrase: whatever lints clean plays, in both ways alike."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import BOX, CARDS, findings, loaded, played, written
from rulesdsl.scenarios import run_scenarios

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


@pytest.mark.parametrize(
    ("expected", "found"),
    [
        ("any cards in hand of p1", ""),
        ("not no cards in hand of p1", ""),
        ("cards in hand of p1 > 0", ""),
        ("(any cards in hand of p1) = (any coins in heap)", ""),
        ("any cards in hand of p2", "cards in hand of p2: 0"),
        ("(any cards in hand of p2) = (any coins in heap)", "coins in heap: 10"),
        ("ways of ant = ways of bee", "ways of ant: One, Three"),
    ],
)
def test_scenarios_ask_for_what_any_phrase_comes_to(
    expected: str, found: str, tmp_path: Path
) -> None:
    box = BOX.replace("    use: effect\n", "    use: effect\n    ways: stalls\n")
    folder = written(tmp_path, "raise note by 1", box=box)
    cards = CARDS.replace("worth = 1", 'worth = 1\nways = ["one", "three"]')
    (folder / "cards.toml").write_text(cards)
    (folder / "scenarios").mkdir()
    scenario = f"""
    [[scenario]]
    name = "Some cards"
    given = ["for p1: move up to 2 cards from deck into my hand"]
    play = ""
    expect = ["{expected}"]
    """
    (folder / "scenarios" / "some.toml").write_text(scenario)

    report = run_scenarios(folder)

    assert not report.findings
    details = [each for result in report.results for f in result.failures for each in f.details]
    assert details == [] if not found else ("found", found) in details, details


# ---------------------------------------------------------------- pieces that are alike
@pytest.mark.parametrize(
    "phrase",
    [
        "dudes of p in field",
        "(all dudes in field where owner of it = p)",
        "(all dudes in field where p = owner of it)",
    ],
)
def test_pieces_that_are_alike_are_told_apart_by_their_owner(phrase: str, tmp_path: Path) -> None:
    act = f"""
    let p = 1 player after me
    for p: move up to 2 dudes from my purse into field
    move up to 1 dude from my purse into field
    raise my fame by {phrase}
    """

    assert played(tmp_path, act, players=2).fame(2) == 2 + 1


@pytest.mark.parametrize(
    "line",
    [
        "if any coins in my purse where my fame > 1: raise note by 1",
        "raise note by (all coins in heap where my fame > 1)",
        "move all coins in my purse where my fame > 1 into heap",
        "raise note by (all dudes in my purse where owner of it = me)",
        "raise note by (coins in purse of (owner of it)) per dudes in field",
        "look at coins in my purse",
        "look at pawns in stalls",
        "look at players",
        "raise note by my coins in heap",
        "for each card c in my hand: raise note by position of c in (cards in my hand)",
    ],
)
def test_what_a_phrase_cannot_do_is_refused(line: str, tmp_path: Path) -> None:
    assert findings(tmp_path, line) == ["E301"]


def test_single_pieces_that_a_condition_picks_are_all_moved(tmp_path: Path) -> None:
    act = """
    move my pawn into one
    move all pawns in stalls where owner of it <> me into two
    """

    assert played(tmp_path, act, players=2).state["s_pawn"] == [3, 2]


def test_a_number_of_each_is_added_up_also_where_it_is_its_position(tmp_path: Path) -> None:
    assert played(tmp_path, "raise note by (position of it) per stalls").note == 1 + 2 + 3


def test_a_rival_is_not_among_the_players(tmp_path: Path) -> None:
    act = """
    for each seat s:
        if any s in (all players where fame of it >= 0): raise note by 1
    """
    more = 'rival ghost "Ghost"'

    assert played(tmp_path, act, more=more).note == 1


def test_numbers_below_nothing_are_called_by_their_number(tmp_path: Path) -> None:
    act = "if able:\n    let n = a number in (0 - 2)..1\n    raise note by (n + 2)"

    game = loaded(tmp_path, act).new_game(1)

    assert game.decision is not None
    assert [option.label for option in game.decision.options] == ["-2", "-1", "0", "1"]


@pytest.mark.parametrize("move", ["move up to", "move"])
@pytest.mark.parametrize("count", ["(1 - 3)", "(note - 2)", "(many - 3)"])
def test_fewer_than_none_are_none(move: str, count: str, tmp_path: Path) -> None:
    act = f"""
    if able: {move} {count} cards from deck into my hand
    if able: {move} {count} coins from heap into my purse
    """
    more = 'option many "Many": 1 in 1..3'

    state = played(tmp_path, act, more=more).state

    assert not state["l_card"][0]
    assert state["n_coin"][:2] == [10, 0]


def test_no_pieces_from_the_top_are_no_pieces(tmp_path: Path) -> None:
    assert findings(tmp_path, "raise note by top 0 of deck") == ["E301"]


def test_a_list_under_a_name_is_asked_for_a_plain_yes(tmp_path: Path) -> None:
    act = """
    for each card c in deck:
        let w = ways of c
        let some = any w
        if some = (any coins in heap): raise note by 1
    """
    box = BOX.replace("    use: effect\n", "    use: effect\n    ways: stalls\n")
    folder = written(tmp_path, act, box=box)
    cards = CARDS.replace("worth = 1", 'worth = 1\nways = ["one", "three"]')
    (folder / "cards.toml").write_text(cards)

    game = rulesdsl.load(folder, cache=False).new_game(1)

    assert game.to_data()["state"]["t_note"] == 1

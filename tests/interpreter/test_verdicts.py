"""What the end of a game means for each player, and what the board shows of a rival."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import carried_on, loaded, rows_of

RIVAL = """
rival ghost "Ghost" when players = 1
verdict won "Ahead" when any ghost and my standing < standing of ghost
verdict drawn "Level" when any ghost and my standing = standing of ghost
verdict lost "Behind" when any ghost
"""
TOGETHER = """
verdict won "The heap is safe" when coins in heap >= 8
verdict lost "The heap is gone"
"""
GOAL = """
verdict won "A great life" when my score > 2
verdict won "A good life" when my score > 0
"""


def ended(folder: Path, act: str, more: str, players: int = 1) -> rulesdsl.Game:
    return loaded(folder, act, more).new_game(players)


def said(game: rulesdsl.Game) -> list[tuple[str, str] | None]:
    assert game.result
    return [(each.word, each.text) if each else None for each in game.result.verdicts]


@pytest.mark.parametrize(
    ("act", "verdict"),
    [
        ("raise my fame by 1", ("won", "Ahead")),
        ("nothing", ("drawn", "Level")),
        ("if any ghost: raise fame of ghost by 1", ("lost", "Behind")),
    ],
)
def test_alone_against_a_rival(tmp_path: Path, act: str, verdict: tuple[str, str]) -> None:
    game = ended(tmp_path, act, RIVAL)

    assert said(game) == [verdict]
    assert game.result
    assert game.result.seats == ("Player 1", "Ghost")


def test_verdicts_about_who_is_not_there(tmp_path: Path) -> None:
    assert said(ended(tmp_path, "raise my fame by 1", RIVAL, players=2)) == [None, None]


@pytest.mark.parametrize(
    ("taken", "verdict"),
    [(1, ("won", "The heap is safe")), (2, ("lost", "The heap is gone"))],
)
def test_all_together_against_the_game(
    tmp_path: Path, taken: int, verdict: tuple[str, str]
) -> None:
    game = ended(
        tmp_path, f"move up to {taken} coins from heap into my purse", TOGETHER, players=2
    )

    assert said(game) == [verdict, verdict]


@pytest.mark.parametrize(
    ("fame", "verdict"),
    [(3, ("won", "A great life")), (2, ("won", "A good life")), (0, None)],
)
def test_the_first_that_holds_counts(
    tmp_path: Path, fame: int, verdict: tuple[str, str] | None
) -> None:
    assert said(ended(tmp_path, f"raise my fame by {fame}", GOAL)) == [verdict]


def test_each_player_has_their_own(tmp_path: Path) -> None:
    act = """
if any badge in heap: move badge into my corner
move up to 1 coin from heap into my purse
"""
    more = """
verdict won "The plot worked" when any badge in my corner
verdict lost "Betrayed" when coins in heap < 10
"""

    assert said(ended(tmp_path, act, more, players=2)) == [
        ("won", "The plot worked"),
        ("lost", "Betrayed"),
    ]


def test_a_game_without_verdicts_has_none(tmp_path: Path) -> None:
    assert said(ended(tmp_path, "nothing", "", players=2)) == [None, None]


@pytest.mark.parametrize(
    ("fame", "standings"), [((3, 1, 2), "132"), ((2, 2, 1), "113"), ((0, 0, 0), "111")]
)
def test_standing_counts_those_ahead_and_level_ones_share(
    tmp_path: Path, fame: tuple[int, int, int], standings: str
) -> None:
    more = "after game: for each player: raise note by 9 * note + standing of me\n"
    pack = loaded(tmp_path, "let n = a number in 0..3\nraise my fame by n", more)
    game = carried_on(pack.new_game(3), [str(each) for each in fame]).game

    assert str(game.to_data()["state"]["t_note"]) == standings


def test_a_panel_of_a_rival_is_there_where_the_rival_is(tmp_path: Path) -> None:
    more = RIVAL + 'panel "The Ghost" of ghost: fame, purse\n'
    pack = loaded(tmp_path, "if any ghost: raise fame of ghost by 4", more)
    alone, two = ({each.title: each for each in pack.new_game(n).board(1)} for n in (1, 2))

    assert alone["The Ghost"].seat == 2
    assert rows_of(alone["The Ghost"]) == (("Fame", "4"), ("Purse", "3 dudes"))
    assert "The Ghost" not in two

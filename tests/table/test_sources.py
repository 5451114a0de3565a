"""Scores by source: what brought each point, as everybody may read it."""

from pathlib import Path

import pytest

from packs_on_the_fly import BOX, loaded
from rulesdsl.interpreter.log import Gain
from rulesdsl.table.sources import ScoreTable

SCORED = BOX.replace(
    'score fame-score "Fame": my fame',
    'score fame-score "Fame": my fame\nscore coin-score "Coins": 0 - coins in my purse',
)
DEEDS = """
verb dig "digs up a Badge": raise my fame by 3
verb call "calls on Two": raise my fame by 2
verb sing "sings": raise my fame by 1
"""


def gain(by: int, source: str, column: int = 0, title: str = "Fame") -> Gain:
    return Gain(title, column, by, source, "", "")


def told(folder: Path, act: str, box: str = SCORED) -> list[tuple[str, int, str, str]]:
    game = loaded(folder, act, DEEDS, box=box).new_game(1)
    return [(each.source, each.by, each.words, each.moment) for each in game.gains]


@pytest.mark.parametrize(
    ("act", "gains"),
    [
        ("dig", [("Badges", 3, "Digs up a Badge", "")]),
        ("call", [("Stalls", 2, "Calls on Two", "")]),
        ("sing", [("Sings", 1, "Sings", "")]),
        ("raise my fame by 4", [("", 4, "", "")]),
        ("dig\ndig", [("Badges", 3, "Digs up a Badge", "")] * 2),
        ("raise my guess by 3\nraise note by 2", []),  # not what scores
    ],
)
def test_what_brought_points(
    tmp_path: Path, act: str, gains: list[tuple[str, int, str, str]]
) -> None:
    assert told(tmp_path, f"{act}\nmay gain 1 coin") == gains


def test_parts_of_the_game_name_what_no_thing_does(tmp_path: Path) -> None:
    days = 'step day on number n "Day {n}": feast\nstep feast "Feast": for each player: sing\n'
    box = SCORED.replace(
        "step game: for each player: act",
        f"step game:\n    for each number n in 1..2: day on n\n    for each player: act\n{days}",
    )
    gains = told(tmp_path, "may gain 1 coin", box)
    assert gains == [("Feast", 1, "Sings", "Day 1"), ("Feast", 1, "Sings", "Day 2")]


def test_hidden_scores_are_not_followed(tmp_path: Path) -> None:
    box = SCORED.replace('"Fame": my fame', '"Guess": my guess')
    assert told(tmp_path, "raise my guess by 3\nmay gain 1 coin", box) == []


@pytest.mark.parametrize(
    ("lines", "gains", "scored", "final"),
    [
        pytest.param(
            [("Fame", (5, 2)), ("Coins", (-1, 0))],
            [gain(3, "Badges"), gain(2, "Stalls"), gain(2, "Stalls", 1)],
            (("Badges", (3, 0)), ("Stalls", (2, 2))),
            (("Coins", (-1, 0)),),
            id="by source",
        ),
        pytest.param(
            [("Fame", (5,)), ("Coins", (1,))],
            [gain(3, "Badges"), gain(1, "")],
            (("Badges", (3,)), ("Anything else", (2,))),
            (("Coins", (1,)),),
            id="what the log does not tell",
        ),
        pytest.param(
            [("Fame", (3, 0))], [gain(3, "Badges")], (), (("Fame", (3, 0)),), id="one source"
        ),
        pytest.param(
            [("Fame", (3,)), ("Badges", (2,))],
            [gain(3, "Badges")],
            (("Badges", (3,)),),
            (("Badges, at the end", (2,)),),
            id="the same name",
        ),
        pytest.param(
            [("Fame", (0, 0)), ("Guess", (None, 0)), ("Coins", (0, 0))],
            [gain(3, "Badges"), gain(-3, "Badges")],
            (),
            (("Guess", (None, 0)),),
            id="nobody has any",
        ),
    ],
)
def test_a_table_has_rows_for_sources_with_points(
    lines: list[tuple[str, tuple[int | None, ...]]],
    gains: list[Gain],
    scored: tuple[object, ...],
    final: tuple[object, ...],
) -> None:
    table = ScoreTable.of(lines, gains)
    assert (table.scored, table.final) == (scored, final)

from __future__ import annotations

import random

import pytest

from bench.baselines.connect_four import COLUMNS, ConnectFour, playout

DRAWN = "441365675334466335442232661515577771217122"


def after(columns: str) -> ConnectFour:
    """Play a line, its columns numbered from 1."""
    game = ConnectFour()
    for column in columns:
        assert not game.over, f"over before {column} of {columns}"
        game.play(int(column) - 1)
    return game


def test_every_column_is_a_move_until_it_is_full() -> None:
    assert after("").moves() == list(range(COLUMNS))
    assert after("444444").moves() == [0, 1, 2, 4, 5, 6]


@pytest.mark.parametrize(
    ("line", "winner"),
    [
        pytest.param("1122334", 1, id="along a row"),
        pytest.param("7766554", 1, id="along a row, to the right edge"),
        pytest.param("1122443", 1, id="along a row, closed from within"),
        pytest.param("1212121", 1, id="up a column"),
        pytest.param("71212121", 2, id="up a column, by the second player"),
        pytest.param("12233434474", 1, id="up to the right"),
        pytest.param("76655454414", 1, id="up to the left"),
    ],
)
def test_four_in_a_row_win(line: str, winner: int) -> None:
    game = after(line)

    assert game.over
    assert game.winner == winner


@pytest.mark.parametrize("line", ["112233", "121212", "1122335", "5566771122"])
def test_less_does_not(line: str) -> None:
    assert not after(line).over


def test_a_full_board_without_four_in_a_row_is_nobodys() -> None:
    assert not after(DRAWN[:-1]).over
    assert after(DRAWN).over
    assert after(DRAWN).winner == 0


def test_a_row_does_not_run_on_round_the_edge() -> None:
    # 5, 6 and 7 of the lowest row, then 1 of the row above.
    assert not after("5566711").over


def test_the_distinct_positions_of_the_first_plies_are_the_known_numbers() -> None:
    positions = {tuple(after("").board): ""}
    counts = []
    for _ in range(5):
        counts.append(len(positions))
        positions = {
            tuple(after(line + str(move + 1)).board): line + str(move + 1)
            for line in positions.values()
            for move in after(line).moves()
        }

    assert counts == [1, 7, 49, 238, 1120]


def test_a_playout_ends_the_game_and_follows_from_its_seed() -> None:
    games = [playout(random.Random(7)) for _ in range(2)]

    assert games[0].over
    assert games[0].board == games[1].board

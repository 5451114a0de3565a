from __future__ import annotations

import random

from bench.baselines.tic_tac_toe import EMPTY, TicTacToe, playout


def after(*moves: int) -> TicTacToe:
    game = TicTacToe()
    for move in moves:
        game.play(move)
    return game


def test_every_free_cell_is_a_move() -> None:
    assert after().moves() == list(range(9))
    assert after(4, 0).moves() == [1, 2, 3, 5, 6, 7, 8]


def test_a_line_wins_at_once() -> None:
    game = after(0, 3, 1, 4, 2)

    assert game.over
    assert game.winner == 1


def test_the_second_player_wins_too() -> None:
    game = after(0, 2, 1, 4, 3, 6)

    assert game.over
    assert game.winner == 2


def test_a_full_board_without_a_line_is_nobodys() -> None:
    game = after(0, 1, 2, 4, 3, 5, 7, 6, 8)

    assert game.over
    assert game.winner == 0


def test_a_line_with_the_last_mark_still_wins() -> None:
    game = after(0, 1, 2, 3, 4, 5, 7, 6, 8)

    assert game.moves() == []
    assert game.winner == 1


def test_all_reachable_positions_are_the_known_number() -> None:
    # 5,478 positions: 626 won by the first player, 316 by the second, 16 drawn.
    lines: dict[tuple[int, ...], tuple[int, ...]] = {(EMPTY,) * 9: ()}
    ends: list[int] = []
    frontier = list(lines.values())
    while frontier:
        following: list[tuple[int, ...]] = []
        for line in frontier:
            game = after(*line)
            if game.over:
                ends.append(game.winner)
                continue
            for move in game.moves():
                board = tuple(after(*line, move).board)
                if board not in lines:
                    lines[board] = (*line, move)
                    following.append((*line, move))
        frontier = following

    assert len(lines) == 5478
    assert [ends.count(winner) for winner in (1, 2, 0)] == [626, 316, 16]


def test_a_playout_ends_the_game_and_follows_from_its_seed() -> None:
    games = [playout(random.Random(7)) for _ in range(2)]

    assert games[0].over
    assert games[0].board == games[1].board

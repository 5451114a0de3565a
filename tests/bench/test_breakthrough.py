from __future__ import annotations

import random

from bench.baselines.breakthrough import Breakthrough, playout


def cell(name: str) -> int:
    """Number a cell: `a1` is the corner of player 1."""
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def position(first: str, second: str, player: int = 1) -> Breakthrough:
    """Set up the pawns of the first and of the second player."""
    game = Breakthrough()
    game.pawns = [[], [cell(name) for name in first.split()], [cell(n) for n in second.split()]]
    game.board = [0] * 64
    for owner, cells in enumerate(game.pawns):
        for each in cells:
            game.board[each] = owner
    game.player = player
    return game


def play(game: Breakthrough, move: str) -> Breakthrough:
    """Make a legal move such as `a2b3`."""
    pair = (cell(move[:2]), cell(move[2:]))
    assert pair in game.moves()
    game.play(pair)
    return game


def moves(game: Breakthrough) -> set[str]:
    return {
        "".join("abcdefgh"[each % 8] + str(each // 8 + 1) for each in move)
        for move in game.moves()
    }


def test_a_pawn_goes_straight_or_diagonally_ahead() -> None:
    assert moves(position("d4", "h8")) == {"d4c5", "d4d5", "d4e5"}
    assert moves(position("d4", "h8 a8", player=2)) == {"h8h7", "h8g7", "a8a7", "a8b7"}


def test_it_captures_diagonally_and_never_straight() -> None:
    assert moves(position("d4", "d5 e5")) == {"d4c5", "d4e5"}


def test_its_own_pawns_stand_in_its_way() -> None:
    assert moves(position("d4 d5 c5", "h8")) == {
        "d4e5",
        "c5b6",
        "c5c6",
        "c5d6",
        "d5c6",
        "d5d6",
        "d5e6",
    }


def test_a_captured_pawn_is_gone() -> None:
    game = play(position("d4", "e5 h8"), "d4e5")

    assert not game.over
    assert moves(game) == {"h8h7", "h8g7"}


def test_reaching_the_far_row_wins() -> None:
    game = play(position("a7", "h8"), "a7a8")
    other = play(position("a7", "h2", player=2), "h2g1")

    assert (game.over, game.winner) == (True, 1)
    assert (other.over, other.winner) == (True, 2)


def test_capturing_the_last_pawn_wins() -> None:
    game = play(position("d4 a1", "e5"), "d4e5")

    assert (game.over, game.winner) == (True, 1)


def test_the_lines_of_three_plies_are_the_known_number() -> None:
    def lines(line: tuple[tuple[int, int], ...], depth: int) -> int:
        game = Breakthrough()
        for move in line:
            game.play(move)
        if depth == 1:
            return len(game.moves())
        return sum(lines((*line, move), depth - 1) for move in game.moves())

    assert [lines((), depth) for depth in (1, 2, 3)] == [22, 484, 11132]


def test_a_playout_keeps_its_board_and_its_pawns_in_step() -> None:
    game = playout(random.Random(7))

    assert game.over
    assert game.winner in (1, 2)
    for player in (1, 2):
        standing = [each for each, owner in enumerate(game.board) if owner == player]
        assert sorted(game.pawns[player]) == standing

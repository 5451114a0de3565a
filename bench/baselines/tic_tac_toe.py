"""Hand-written tic-tac-toe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random

EMPTY: Final = 0
CELLS: Final = 9
_LINES: Final = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)
# For each cell, the other two cells of every line through it.
_PARTNERS: Final = tuple(
    tuple(tuple(other for other in line if other != cell) for line in _LINES if cell in line)
    for cell in range(CELLS)
)


class TicTacToe:
    """A position; players are 1 and 2, and `winner` is 0 if there is none."""

    __slots__ = ("board", "over", "player", "plies", "winner")

    def __init__(self) -> None:
        self.board = [EMPTY] * CELLS
        self.player = 1
        self.plies = 0
        self.over = False
        self.winner = 0

    def moves(self) -> list[int]:
        """List the free cells, numbered row by row."""
        return [cell for cell, owner in enumerate(self.board) if owner == EMPTY]

    def play(self, move: int) -> None:
        """Mark a free cell and pass the turn."""
        board, player = self.board, self.player
        board[move] = player
        self.plies += 1
        for first, second in _PARTNERS[move]:
            if board[first] == player and board[second] == player:
                self.winner = player
                self.over = True
                return
        self.over = self.plies == CELLS
        self.player = 3 - player


def playout(rng: random.Random) -> TicTacToe:
    """Play a game to its end with uniformly random moves."""
    game = TicTacToe()
    draw = rng.random
    while not game.over:
        moves = game.moves()
        game.play(moves[int(draw() * len(moves))])
    return game

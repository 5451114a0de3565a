"""Hand-written four in a row: seven columns of six."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random

COLUMNS: Final = 7
ROWS: Final = 6
EMPTY: Final = 0
_EDGE: Final = -1
# There is an extra column, and a row below and above, so that a walk along a line always meets an
# edge and needs no bounds check.
_WIDTH: Final = COLUMNS + 1
_NEW_BOARD: Final = (
    [_EDGE] * _WIDTH + ([EMPTY] * COLUMNS + [_EDGE]) * ROWS + [_EDGE] * (_WIDTH + 1)
)
_DIRECTIONS: Final = (1, _WIDTH - 1, _WIDTH, _WIDTH + 1)
_LINE: Final = 4


class ConnectFour:
    """A position; players are 1 and 2, and `winner` is 0 if there is none."""

    __slots__ = ("board", "free", "over", "player", "plies", "winner")

    def __init__(self) -> None:
        self.board = _NEW_BOARD[:]
        self.free = list(range(_WIDTH, _WIDTH + COLUMNS))  # the lowest free cell of each column
        self.player = 1
        self.plies = 0
        self.over = False
        self.winner = 0

    def moves(self) -> list[int]:
        """List the columns that are not full, numbered from the left."""
        board = self.board
        return [column for column, cell in enumerate(self.free) if board[cell] == EMPTY]

    def play(self, move: int) -> None:
        """Drop a disc into a column that is not full, and pass the turn."""
        cell = self.free[move]
        self.board[cell] = self.player
        self.free[move] = cell + _WIDTH
        self.plies += 1
        if self._makes_line(cell):
            self.winner = self.player
            self.over = True
        else:
            self.over = self.plies == COLUMNS * ROWS
            self.player = 3 - self.player

    def _makes_line(self, cell: int) -> bool:
        board, player = self.board, self.player
        for step in _DIRECTIONS:
            after = cell + step
            while board[after] == player:
                after += step
            before = cell - step
            while board[before] == player:
                before -= step
            if after - before > _LINE * step:
                return True
        return False


def playout(rng: random.Random) -> ConnectFour:
    """Play a game to its end with uniformly random moves."""
    game = ConnectFour()
    draw = rng.random
    while not game.over:
        moves = game.moves()
        game.play(moves[int(draw() * len(moves))])
    return game

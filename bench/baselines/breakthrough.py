"""Hand-written Breakthrough: eight by eight, two rows of pawns for each side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import random

SIDE: Final = 8
EMPTY: Final = 0
_CELLS: Final = SIDE * SIDE
_ROWS_OF_PAWNS: Final = 2 * SIDE
_NEW_BOARD: Final = (
    [1] * _ROWS_OF_PAWNS + [EMPTY] * (_CELLS - 2 * _ROWS_OF_PAWNS) + [2] * _ROWS_OF_PAWNS
)
# These three are indexed by player; entry 0 is unused.
_NEW_PAWNS: Final = (range(0), range(_ROWS_OF_PAWNS), range(_CELLS - _ROWS_OF_PAWNS, _CELLS))
_GOAL: Final = (range(0), range(_CELLS - SIDE, _CELLS), range(SIDE))
_FORWARD: Final = (0, SIDE, -SIDE)


def _steps(cell: int, player: int) -> tuple[int, tuple[int, ...]]:
    """Return the cell straight ahead of a pawn, and the cells diagonally ahead."""
    ahead = cell + _FORWARD[player]
    if cell in _GOAL[player]:
        return cell, ()  # never used, because the game is over there
    column = cell % SIDE
    left = (ahead - 1,) if column > 0 else ()
    right = (ahead + 1,) if column < SIDE - 1 else ()
    return ahead, left + right


# Indexed by player, then by cell.
_STEPS: Final = tuple(tuple(_steps(cell, player) for cell in range(_CELLS)) for player in range(3))


class Breakthrough:
    """A position; 1 moves to higher cells, 2 to lower ones; `winner` is 0 if there is none."""

    __slots__ = ("board", "over", "pawns", "player", "plies", "winner")

    def __init__(self) -> None:
        self.board = _NEW_BOARD[:]
        self.pawns = [list(cells) for cells in _NEW_PAWNS]  # the cells of the pawns, by player
        self.player = 1
        self.plies = 0
        self.over = False
        self.winner = 0

    def moves(self) -> list[tuple[int, int]]:
        """List the legal moves as pairs of cells: from, to."""
        board, player = self.board, self.player
        steps = _STEPS[player]
        found = []
        for cell in self.pawns[player]:
            ahead, diagonals = steps[cell]
            if board[ahead] == EMPTY:
                found.append((cell, ahead))
            for target in diagonals:
                if board[target] != player:
                    found.append((cell, target))  # noqa: PERF401 - faster here
        return found

    def play(self, move: tuple[int, int]) -> None:
        """Move a pawn, capture an opposing one, and pass the turn."""
        cell, target = move
        board, player = self.board, self.player
        other = 3 - player
        if board[target] == other:
            self.pawns[other].remove(target)
        board[target] = player
        board[cell] = EMPTY
        pawns = self.pawns[player]
        pawns[pawns.index(cell)] = target
        self.plies += 1
        if target in _GOAL[player] or not self.pawns[other]:
            self.winner = player
            self.over = True
        else:
            self.player = other


def playout(rng: random.Random) -> Breakthrough:
    """Play a game to its end with uniformly random moves."""
    game = Breakthrough()
    draw = rng.random
    while not game.over:
        moves = game.moves()
        game.play(moves[int(draw() * len(moves))])
    return game

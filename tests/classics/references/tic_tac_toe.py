"""Tic-tac-toe in which three in a row lose."""

from classics.reference import Rules
from rulesdsl import Game

_LINES = ("a1b1c1", "a2b2c2", "a3b3c3", "a1a2a3", "b1b2b3", "c1c2c3", "a1b2c3", "a3b2c1")
_SQUARES = [file + rank for file in "abc" for rank in "123"]


def misere(_game: Game) -> Rules:
    """Play until somebody has three in a row or the board is full."""
    marks: dict[str, int] = {}
    while len(marks) < len(_SQUARES):
        mover = len(marks) % 2 + 1
        free = [f"square:{square}" for square in _SQUARES if square not in marks]
        _, option = yield {mover: free}
        marks[option.removeprefix("square:")] = mover
        rows = ((line[:2], line[2:4], line[4:]) for line in _LINES)
        if any(all(marks.get(square) == mover for square in row) for row in rows):
            scores = [int(player != mover) for player in (1, 2)]
            return scores, scores
    return [0, 0], [0, 0]

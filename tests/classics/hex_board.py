"""Hex beside OpenSpiel's, on boards of several sizes and with the swap rule."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from classics.lockstep import Break, ByAction, Ids, State
from rulesdsl import Game

_COLUMNS = "abcdefghijk"
_STEPS = ((0, 1), (1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1))  # rows down, columns to the right
_EAGER = 0.95  # house: how often a steered game puts its end off
_TRIES = 8  # house: how many cells it looks at for that


def _board(state: State) -> list[str]:
    """Return the rows of theirs: x for the first player, o for the second, . for nobody."""
    return ["".join(row.split()) for row in str(state).rstrip().splitlines()]


def _chain(board: Sequence[str], row: int, column: int) -> int:
    """Return how many stones are in the chain of a cell."""
    colour = board[row][column]
    found, new = {(row, column)}, [(row, column)]
    while new:
        at, beside = new.pop()
        for down, right in _STEPS:
            cell = at + down, beside + right
            if cell in found or not (min(cell) >= 0 and max(cell) < len(board)):
                continue
            if board[cell[0]][cell[1]] == colour:
                found.add(cell)
                new.append(cell)
    return len(found)


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Put the end off: the board fills, and chains wind across it until one must join."""
    if chance.random() > _EAGER:
        return None
    tried = chance.sample(actions, min(_TRIES, len(actions)))
    return next((each for each in tried if not state.child(each).is_terminal()), None)


def _events(_before: State, action: int, after: State) -> Iterable[str]:
    board = _board(after)
    size = len(board)
    if action == size * size:
        yield "swapped"
    if not after.is_terminal():
        return
    if sum(row.count(".") for row in board) <= size:
        yield "won on a board that is nearly full"
    if _chain(board, *divmod(action, size)) >= 3 * size:
        yield "won with a long chain"


def _match(size: int, *, swap: bool = False) -> ByAction:
    def action(path: Ids, _game: Game) -> int:
        cell = path[0].removeprefix("cell:")
        if cell == "swap":
            return size * size
        return (int(cell[1:]) - 1) * size + _COLUMNS.index(cell[0])

    return ByAction(
        f"hex {size}x{size}{' with swapping' if swap else ''}",
        "hex",
        f"hex(board_size={size},swap={swap})",
        action,
        {"size": size, "swap-rule": swap},
        steer=_steer,
        events=_events,
    )


MATCHES = (_match(3), _match(5), _match(11), _match(4, swap=True))

BREAKS = (
    Break(
        "hex.rules", "    row of c if position of me = 1\n", "    row of c if position of me = 2\n"
    ),
    Break(
        "hex.rules",
        "and depth of me at it = size: win-game",
        "and depth of me at it = size - 1: win-game",
    ),
    Break("hex.rules", "row of c <= size and", "row of c < size and"),
    Break("hex.rules", "    if old <> new:", "    if old > new:"),
    Break("hex.rules", "            place-stone on m\n", "            place-stone on c\n"),
    Break("hex.rules", " and stones in cells = 1", ""),
    Break(
        "cells.toml",
        'beside = ["c2", "b3", "a3", "a2", "b1", "c1"]',
        'beside = ["c2", "b3", "c3", "a2", "b1", "a1"]',
    ),
)

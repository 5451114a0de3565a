"""Our Hex and OpenSpiel's, on boards of several sizes and with the swap rule."""

import random
from collections.abc import Sequence

from classics.lockstep import Break, ByAction, Ids, State
from rulesdsl import Game

_COLUMNS = "abcdefghijk"
_EAGER = 0.95  # house: how often a steered game puts its end off
_TRIES = 8  # house: how many cells it looks at for that


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Avoid the end: the board fills, and chains wind across it until one must connect."""
    if chance.random() > _EAGER:
        return None
    tried = chance.sample(actions, min(_TRIES, len(actions)))
    return next((each for each in tried if not state.child(each).is_terminal()), None)


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
    )


MATCHES = (
    *(_match(size) for size in (3, 5, 8, 11)),
    *(_match(size, swap=True) for size in (4, 11)),
)

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

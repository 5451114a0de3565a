"""Our Breakthrough and OpenSpiel's `breakthrough`.

Positions are compared, because our game does not ask for the target of a pawn with a single move.
"""

import random
from collections.abc import Hashable, Sequence

from classics.lockstep import Break, ByPosition, State
from rulesdsl import Game

_FILES = "abcdefgh"
_SIDE = 8
_SUPPLIES = 2


def _ours(game: Game) -> str:
    """Return the board, rank by rank from a1: `b` or `w` for the players' pawns, else a dot."""
    pawns = game.position_data()["state"]["n_pawn"][_SUPPLIES:]
    return "".join(
        "b" if first else "w" if second else "."
        for first, second in zip(pawns[::2], pawns[1::2], strict=True)
    )


def _theirs(state: State) -> str:
    """Return the board in the same form; OpenSpiel prints the first player at the top."""
    ranks = str(state).splitlines()[:_SIDE]
    return "".join(each[1:] for each in ranks)


def _toward(option: str, before: Hashable, wanted: Hashable) -> bool:
    """Return whether an option names a square on which two positions differ."""
    file, rank = _FILES.index(option[-2]), int(option[-1]) - 1
    at = _SIDE * rank + file
    return str(before)[at] != str(wanted)[at]


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Capture, and break through only if nothing else is possible."""
    ends = {each for each in actions if state.child(each).is_terminal()}
    captures = [each for each in actions if each % 2]
    last = [each for each in captures if each in ends and _theirs(state).count("w") == 1]
    quiet = [each for each in captures if each not in ends]
    others = [each for each in actions if each not in ends]
    for found in (last, quiet, others):
        if found:
            return chance.choice(found)
    return None


MATCHES = (
    ByPosition(
        "Breakthrough",
        "breakthrough",
        "breakthrough",
        _ours,
        _theirs,
        steer=_steer,
        toward=_toward,
        share=0.1,
    ),
)

BREAKS = (
    Break("game.rules", "it <> ahead of s at d or no pawns in it", "1 = 1"),
    Break("game.rules", "it <> ahead of s at d or no pawns in it", "no pawns in it"),
    Break("game.rules", "    if goal of t at d: break-through on t\n", ""),
    Break("game.rules", "    if pawns in supply of foe = 16: capture-all\n", ""),
    Break("game.rules", "    for foe: move up to 1 pawn from t into my supply\n", ""),
    Break("squares.toml", 'steps.south = ["c5", "e5", "d5"]', 'steps.south = ["c5", "d5"]'),
    Break("squares.toml", 'ahead.north = "d4"', 'ahead.north = "e4"'),
)

"""Tic-tac-toe beside OpenSpiel's `tic_tac_toe`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from classics.lockstep import Break, ByAction, Ids, State
from rulesdsl import Game

_COLUMNS = "abc"


def _action(path: Ids, _game: Game) -> int:
    """Return the square of theirs: they count row by row from the top."""
    square = path[0].removeprefix("square:")
    return 3 * (3 - int(square[1])) + _COLUMNS.index(square[0])


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Leave three in a row undone as long as possible, so that the board fills."""
    quiet = [each for each in actions if not state.child(each).is_terminal()]
    return chance.choice(quiet) if quiet else None


def _events(_before: State, _action: int, after: State) -> Iterable[str]:
    end = after.clone()
    while not end.is_terminal() and len(end.legal_actions()) == 1:  # ours has gone on by itself
        end.apply_action(end.legal_actions()[0])
    if end.is_terminal():
        if not any(end.returns()):
            yield "draw"
        elif not after.is_terminal():
            yield "won on the last square"


MATCHES = (
    ByAction("Tic-Tac-Toe", "tic_tac_toe", "tic_tac_toe", _action, steer=_steer, events=_events),
)

BREAKS = (
    Break("game.rules", "any my marks in second of l and", ""),
    Break("game.rules", 'needs no marks in s "There is a mark on {s} already"', "nothing"),
    Break("game.rules", "    end game\n", ""),
    Break("game.rules", "    otherwise: raise my won by 1", "    otherwise: nothing"),
    Break("lines.toml", 'first = "c1", second = "b2"', 'first = "c1", second = "b1"'),
    Break("squares.toml", '"line-5", "line-7", "line-8"]', '"line-5", "line-7"]'),
)

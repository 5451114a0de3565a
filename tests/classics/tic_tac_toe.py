"""Our tic-tac-toe and OpenSpiel's `tic_tac_toe`."""

import random
from collections.abc import Sequence

from classics.lockstep import Break, ByAction, Ids, State
from classics.reference import ByReference
from classics.references.tic_tac_toe import misere
from rulesdsl import Game

_COLUMNS = "abc"


def _action(path: Ids, _game: Game) -> int:
    """Return OpenSpiel's number for a square; squares are numbered row by row from the top."""
    square = path[0].removeprefix("square:")
    return 3 * (3 - int(square[1])) + _COLUMNS.index(square[0])


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Avoid three in a row for as long as possible, so that the board fills."""
    quiet = [each for each in actions if not state.child(each).is_terminal()]
    return chance.choice(quiet) if quiet else None


MATCHES = (
    ByAction("Tic-Tac-Toe", "tic_tac_toe", "tic_tac_toe", _action, steer=_steer),
    ByReference("Tic-Tac-Toe, three in a row lose", "tic_tac_toe", misere, {"misere": True}),
)

BREAKS = (
    Break("game.rules", "any my marks in second of l and", ""),
    Break("game.rules", 'needs no marks in s "There is a mark on {s} already"', "nothing"),
    Break("game.rules", "    end game\n", ""),
    Break("game.rules", "    otherwise: raise my won by 1", "    otherwise: nothing"),
    Break("lines.toml", 'first = "c1", second = "b2"', 'first = "c1", second = "b1"'),
    Break("squares.toml", '"line-5", "line-7", "line-8"]', '"line-5", "line-7"]'),
)

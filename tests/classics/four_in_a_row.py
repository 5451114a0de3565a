"""Our Four in a Row and OpenSpiel's `connect_four`."""

import random
from collections.abc import Sequence

from classics.lockstep import Break, ByAction, Ids, State
from rulesdsl import Game

_COLUMNS = "abcdefg"


def _action(path: Ids, _game: Game) -> int:
    """Return OpenSpiel's number for a column; columns are numbered from the left."""
    return _COLUMNS.index(path[0].removeprefix("column:column-"))


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Avoid four in a row for as long as possible, so that columns and the board fill."""
    quiet = [each for each in actions if not state.child(each).is_terminal()]
    return chance.choice(quiet) if quiet else None


MATCHES = (ByAction("Four in a Row", "four_in_a_row", "connect_four", _action, steer=_steer),)

BREAKS = (
    Break("game.rules", "any my discs in third of l and", ""),
    Break("game.rules", 'needs no discs in highest of k "Column {k} is full"', "nothing"),
    Break("game.rules", "    raise my won by 1\n", ""),
    Break("game.rules", "    end game\n", ""),
    Break("lines.toml", 'first = "d3", second = "e4"', 'first = "d3", second = "e3"'),
    Break("columns.toml", '"d2", "d3", "d4"', '"d2", "d4", "d3"'),
)

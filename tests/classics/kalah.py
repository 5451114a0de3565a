"""Our Kalah and OpenSpiel's `mancala`."""

import random
import re
from collections.abc import Sequence

from classics.lockstep import Break, ByAction, Ids, State
from classics.reference import ByReference
from classics.references.kalah import kalah
from rulesdsl import Game

_COLUMNS = "abcdef"
_LAP = 13  # seeds that come round to the house they were taken from


def _action(path: Ids, _game: Game) -> int:
    """Return OpenSpiel's number for a pit: 1 to 6 from a1 to f1, 8 to 13 from f2 to a2."""
    house = path[0].removeprefix("pit:")
    column = _COLUMNS.index(house[0])
    return column + 1 if house[1] == "1" else 13 - column


def _pits(state: State) -> list[int]:
    """Return the number of seeds in each of OpenSpiel's pits, read from its drawing."""
    drawn = [int(each) for each in re.findall(r"\d+", str(state).split("Current")[0])]
    top, (north, south), bottom = drawn[:6], drawn[6:8], drawn[8:14]
    return [north, *bottom, south, *reversed(top)]


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Let a house grow until its seeds go all the way round, then sow it."""
    pits = _pits(state)
    fullest = max(actions, key=lambda each: pits[each])
    if pits[fullest] >= _LAP:
        return fullest
    rest = [each for each in actions if each != fullest]
    return chance.choice(rest) if rest else None


MATCHES = (
    ByAction("Kalah", "kalah", "mancala", _action, steer=_steer),
    *(
        ByReference(f"Kalah, {seeds} seeds", "kalah", kalah, {"seeds-per-house": seeds})
        for seeds in (3, 5, 6)
    ),
    ByReference("Kalah, empty captures", "kalah", kalah, {"empty-capture": True}),
)

BREAKS = (
    Break("pits.toml", 'south = "a1", north = "north-store"', 'south = "a1", north = "a1"'),
    Break(  # the opponent's store is not skipped
        "pits.toml",
        'south = "south-store", north = "f2"',
        'south = "south-store", north = "south-store"',
    ),
    Break("play.rules", "seeds in last = 1", "seeds in last <= 2"),
    Break("play.rules", "otherwise if empty-capture:", "otherwise:"),
    Break("play.rules", "    if any h: move all seeds in h into my home\n", ""),
    Break("play.rules", "if last <> my home: pass-on", "pass-on"),
    Break("play.rules", "until any rows where cleared", "until no rows where not cleared"),
    Break("play.rules", "move all seeds in p into my home", "nothing"),
)

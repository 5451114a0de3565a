"""Our Quarter Turn and OpenSpiel's `pentago`."""

import random
from collections.abc import Sequence

import attrs

from classics.lockstep import Break, ByAction, Difference, Ids, State, same_result
from classics.reference import ByReference
from classics.references.quarter_turn import at_once
from rulesdsl import Decision, Game

_COLUMNS = "abcdef"
_QUARTERS = ("upper-left", "upper-right", "lower-right", "lower-left")  # in their order
_SIGNS = {".": 0, "O": 1, "@": 2}
_GIVEN_AWAY = 0.3  # house: how often a steered game lets the other player win


@attrs.frozen
class _LastCell(ByAction):
    """A match in which our game fills the last free cell itself and asks only for the turn."""

    def _paths(self, game: Game, decision: Decision, legal: Sequence[int]) -> dict[int, Ids]:
        if decision.options[0].id.startswith("cell:"):
            return super()._paths(game, decision, legal)
        cell = legal[0] // 8
        return {8 * cell + _turn(each.id): [each.id] for each in decision.options}


def _turn(option: str) -> int:
    quarter, _, way = option.removeprefix("turn:").rpartition("-")
    return 2 * _QUARTERS.index(quarter) + (way == "clockwise")


def _action(path: Ids, _game: Game) -> int | None:
    if len(path) == 1:
        return None
    cell = path[0].removeprefix("cell:")
    return 8 * (6 * (int(cell[1]) - 1) + _COLUMNS.index(cell[0])) + _turn(path[1])


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Play on until a turn makes five for both players or, now and then, for the opponent."""
    quiet: int | None = None
    for action in chance.sample(actions, len(actions)):
        after = state.child(action)
        if not after.is_terminal():
            quiet = action
            continue
        gain = after.returns()[state.current_player()]
        if gain == 0 or (gain < 0 and chance.random() < _GIVEN_AWAY):
            return action
    return quiet


def _result(game: Game, state: State) -> None:
    """Compare the marbles on each cell at the end, and the winner."""
    same_result(game, state)
    board = game.view(1)["board"]
    assert isinstance(board, dict)
    counts = board["marble"]
    assert isinstance(counts, list)
    ours = [
        first + 2 * second for first, second in zip(counts[:72:2], counts[1:72:2], strict=True)
    ]
    theirs = [_SIGNS[row[4 + 2 * at]] for row in str(state).splitlines()[2:8] for at in range(6)]
    if ours != theirs:
        raise Difference(f"marbles: ours {ours}\n{state}")


MATCHES = (
    _LastCell("Quarter Turn", "quarter_turn", "pentago", _action, steer=_steer, result=_result),
    ByReference("Quarter Turn, at once", "quarter_turn", at_once, {"at-once": True}),
)

_RULES = "quarter_turn.rules"
BREAKS = (
    Break(_RULES, "if at-once and my has-five", "if my has-five"),
    Break(_RULES, "if any players where has-five of it: end game", "if my has-five: end game"),
    Break(_RULES, "    1 if my has-five\n    otherwise 0", "    position of me"),
    Break(_RULES, "where no my marbles in it", "where no marbles in it"),
    Break("cells.toml", 'turned.clockwise = "c2"', 'turned.clockwise = "b2"'),
    Break("lines.toml", 'b5-f1 = { cells = ["b5", "c4", "d3", "e2", "f1"] }\n', ""),
    Break(
        "turns.toml",
        'quarter = "lower-left", way = "clockwise"',
        'quarter = "lower-right", way = "clockwise"',
    ),
)

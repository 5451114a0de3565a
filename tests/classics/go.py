"""Our Go and OpenSpiel's, on a board of five by five."""

import random
from collections.abc import Sequence

from classics.lockstep import Break, ByAction, Ids, State, Steer
from rulesdsl import Game

_SIZE = 5
_FILES = "abcde"
_PASS = _SIZE * _SIZE
_EAGER = 0.8  # house: how often a steered game repeats a position or captures, if it can
_TIRED = 0.1  # house: how often it passes


def _action(path: Ids, _game: Game) -> int:
    point = path[0].removeprefix("point:")
    return _PASS if point == "pass" else (int(point[1]) - 1) * _SIZE + _FILES.index(point[0])


def _board(state: State) -> str:
    """Return OpenSpiel's 25 points in the order of actions: X is Black, O White, and + empty."""
    ranks = str(state).splitlines()[2 : 2 + _SIZE]
    return "".join(rank.split()[1] for rank in reversed(ranks))


def _stones(board: str) -> int:
    return len(board) - board.count("+")


def _captured(before: State, after: State) -> int:
    return _stones(_board(before)) + 1 - _stones(_board(after))


def _is_repeated(action: int, after: State) -> bool:
    """Return whether a repetition ended the game; no other end is a draw."""
    return action != _PASS and after.is_terminal() and not any(after.returns())


def _leads_back(state: State, action: int, captures: int) -> bool:
    """Return whether a stone, followed by up to `captures` captures, can repeat a position."""
    after = state.child(action)
    if after.is_terminal() or not captures:
        return _is_repeated(action, after)
    return any(
        _leads_back(after, each, captures - 1)
        for each in after.legal_actions()
        if each != _PASS and _captured(after, after.child(each))
    )


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Repeat positions, capture, and pass now and then, for long games with small eyes."""
    stones = [each for each in actions if each != _PASS]
    if len(stones) < len(actions) and chance.random() < _TIRED:
        return _PASS
    if not stones or chance.random() > _EAGER:
        return None
    for captures in (0, 1, 2):
        repeating = [each for each in stones if _leads_back(state, each, captures)]
        if repeating:
            return chance.choice(repeating)
    capturing = [each for each in stones if _captured(state, state.child(each))]
    return chance.choice(capturing or stones)


def _match(komi: int, steer: Steer | None = None) -> ByAction:
    return ByAction(
        f"go with a komi of {komi}.5",
        "go",
        f"go(board_size={_SIZE},komi={komi}.5)",
        _action,
        {"komi": komi},
        steer=steer,
    )


MATCHES = (_match(7, _steer), *(_match(komi) for komi in (0, 1, 5, 12, 24, 25)))

BREAKS = (
    Break("go.rules", "liberties of n > 1", "liberties of n > 0"),
    Break("go.rules", "taken = 1 and liberties of p = 1 and", "taken = 1 and"),
    Break("go.rules", "taken = 1 and liberties", "taken > 0 and liberties"),
    Break("go.rules", "    move ko into box\n", ""),
    Break("go.rules", "    lower passes by 2\n", ""),
    Break("go.rules", "liberties of n = 0: capture", "liberties of n < 2: capture"),
    Break("go.rules", "by position-code * 2 + digit", "by digit"),
    Break("go.rules", " or code-after of other at it = position-code:", ":"),
    Break("go.rules", "otherwise all points where owns of me at it", "otherwise 0"),
    Break("go.rules", "with most score then most half-points of me", "with most score"),
    Break("points.toml", 'beside = ["d3", "b3", "c4", "c2"]', 'beside = ["d3", "b3", "c4"]'),
)

"""Reversi beside OpenSpiel's `othello`."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence

from classics.lockstep import Break, ByAction, Difference, Ids, State, same_result
from rulesdsl import Game

_FILES = "abcdefgh"
_PASS = 64  # theirs; ours passes without a question
_EAGER = 0.8  # house: how often a steered game restricts the other player
_MANY = 4  # house: directions in which a move is rarely seen to turn discs


def _action(path: Ids, _game: Game) -> int:
    """Return the square of theirs, counted along the ranks from a1."""
    square = path[0].removeprefix("square:")
    return 8 * (int(square[1]) - 1) + _FILES.index(square[0])


def _board(state: State) -> str:
    """Return the 64 squares of theirs, from their drawing."""
    ranks = str(state).splitlines()[2:10]
    return "".join(each for rank in ranks for each in rank[1:-1] if each != " ")[:64]


def _replies(state: State, action: int) -> int:
    """Return how many squares the other player has after a move; none at the end or at a pass."""
    after = state.child(action)
    legal = after.legal_actions()
    return 0 if after.is_terminal() or legal == [_PASS] else len(legal)


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Leave the other player few squares: that leads to passes and to games that end early."""
    if chance.random() > _EAGER:
        return None
    return min(actions, key=lambda each: (_replies(state, each), each))


def _directions(before: str, after: str, at: int) -> int:
    """Return in how many directions a move has turned discs: each neighbour that was turned."""
    row, column = divmod(at, 8)
    return sum(
        before[beside] not in {"-", after[beside]}
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
        if 0 <= row + down < 8 and 0 <= column + right < 8
        for beside in [8 * (row + down) + column + right]
        if beside != at
    )


def _events(before: State, action: int, after: State) -> Iterable[str]:
    board = _board(after)
    if action != _PASS and _directions(_board(before), board, action) >= _MANY:
        yield f"turned in {_MANY} directions or more"
    if not after.is_terminal() and after.legal_actions() == [_PASS]:
        yield "pass"
    if after.is_terminal():
        if "-" in board:
            yield "over before the board is full"
        if not ("x" in board and "o" in board):
            yield "no disc left"
        if board.count("x") == board.count("o"):
            yield "draw"


def _result(game: Game, state: State) -> None:
    """Compare the discs of both players as well as who has won."""
    same_result(game, state)
    assert game.result is not None
    board = _board(state)
    if tuple(game.result.scores) != (board.count("x"), board.count("o")):
        raise Difference(f"discs: ours {game.result.scores}\n{state}")


MATCHES = (
    ByAction(
        "Reversi", "reversi", "othello", _action, steer=_steer, events=_events, result=_result
    ),
)

_RULES = "reversi.rules"
BREAKS = (
    Break(_RULES, "position of e in ray of s at d > 1", "position of e in ray of s at d > 2"),
    Break(_RULES, "where no discs in it or any my discs in it", "where any my discs in it"),
    Break(
        _RULES, "    for each direction d where encloses of s at it: turn-over on s with d\n", ""
    ),
    Break(_RULES, "where position of it in ray of s at d < n", "where it <> e"),  # and beyond it
    Break(_RULES, "    if not can-play of other: end game", "    if 1 = 1: end game"),
    Break(_RULES, "place-disc on e4", "place-disc on d4"),
    Break(_RULES, "squares if fewest-wins", "squares if not fewest-wins"),
    Break("squares.toml", 'ray.east = ["b1", "c1", "d1", "e1", "f1", "g1", "h1"]\n', ""),
)

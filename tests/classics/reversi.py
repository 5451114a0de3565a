"""Our Reversi and OpenSpiel's `othello`."""

import random
from collections.abc import Sequence

from classics.lockstep import Break, ByAction, Difference, Ids, State, same_result
from classics.reference import ByReference
from classics.references.reversi import reversi
from rulesdsl import Game

_FILES = "abcdefgh"
_PASS = 64  # theirs; ours passes without a question
_EAGER = 0.8  # house: how often a steered game restricts the other player


def _action(path: Ids, _game: Game) -> int:
    """Return OpenSpiel's number for a square; squares are numbered rank by rank from a1."""
    square = path[0].removeprefix("square:")
    return 8 * (int(square[1]) - 1) + _FILES.index(square[0])


def _board(state: State) -> str:
    """Return OpenSpiel's 64 squares, read from its drawing."""
    ranks = str(state).splitlines()[2:10]
    return "".join(each for rank in ranks for each in rank[1:-1] if each != " ")[:64]


def _replies(state: State, action: int) -> int:
    """Return the number of possible replies to a move, or 0 at the end or after a pass."""
    after = state.child(action)
    legal = after.legal_actions()
    return 0 if after.is_terminal() or legal == [_PASS] else len(legal)


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Leave the other player few squares, which leads to passes and early ends."""
    if chance.random() > _EAGER:
        return None
    return min(actions, key=lambda each: (_replies(state, each), each))


def _result(game: Game, state: State) -> None:
    """Compare the discs of both players and the winner."""
    same_result(game, state)
    assert game.result is not None
    board = _board(state)
    if tuple(game.result.scores) != (board.count("x"), board.count("o")):
        raise Difference(f"discs: ours {game.result.scores}\n{state}")


MATCHES = (
    ByAction("Reversi", "reversi", "othello", _action, steer=_steer, result=_result),
    ByReference("Reversi, fewest discs win", "reversi", reversi, {"fewest-wins": True}),
    *(
        ByReference(f"Reversi, {corners} corners", "reversi", reversi, {"handicap": corners})
        for corners in (1, 2, 3, 4)
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

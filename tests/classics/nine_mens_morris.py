"""Our Nine Men's Morris and OpenSpiel's: positions are compared, with the men in each hand."""

import random
import re
from collections.abc import Hashable, Sequence

from classics.lockstep import Break, ByPosition, State
from classics.reference import ByReference
from classics.references.nine_mens_morris import morris
from rulesdsl import Game

_COORDINATES = (  # of the points in their drawing, in the order of our table too
    *((0, 0), (0, 7), (0, 14), (2, 2), (2, 7), (2, 12), (4, 4), (4, 7), (4, 10)),
    *((6, 0), (6, 2), (6, 4), (6, 10), (6, 12), (6, 14)),
    *((8, 4), (8, 7), (8, 10), (10, 2), (10, 7), (10, 12), (12, 0), (12, 7), (12, 14)),
)
_LINES = (
    *((0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20)),
    *((21, 22, 23), (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17)),
    *((5, 13, 20), (2, 14, 23)),
)
_SIGNS = {".": 0, "W": 1, "B": 2}
_POINTS = 24
_EAGER = 0.9  # house: how often a steered game goes for mills


def _ours(game: Game) -> Hashable:
    board = game.view(1)["board"]
    assert isinstance(board, dict)
    men = board["man"]
    assert isinstance(men, list)
    points = zip(men[: 2 * _POINTS : 2], men[1 : 2 * _POINTS : 2], strict=True)
    hands = men[2 * _POINTS : 2 * _POINTS + 2]
    return (*(first + 2 * second for first, second in points), *hands)


def _theirs(state: State) -> Hashable:
    return (*_points(state), *_numbers(state, "Men to deploy"))


def _points(state: State) -> tuple[int, ...]:
    """Return the owner of the man on each point, or 0."""
    rows = str(state).splitlines()
    return tuple(_SIGNS[rows[row][column]] for row, column in _COORDINATES)


def _numbers(state: State, label: str) -> tuple[int, ...]:
    found = re.search(rf"{label}: (.*)", str(state))
    assert found is not None
    return tuple(map(int, found[1].split()))


def _mills(points: Sequence[int], player: int) -> set[tuple[int, ...]]:
    return {line for line in _LINES if all(points[at] == player + 1 for at in line)}


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Close mills, or open one to close it again, or leave the other player few moves."""
    if chance.random() > _EAGER:
        return None
    player, mills = state.current_player(), _mills(_points(state), state.current_player())
    after = {each: _mills(_points(state.child(each)), player) for each in actions}
    closing = [each for each in actions if after[each] - mills]
    if closing:
        return max(closing, key=lambda each: len(after[each] - mills))
    opening = [each for each in actions if mills - after[each]]
    if opening:
        return chance.choice(opening)
    return min(actions, key=lambda each: (_replies(state, each), chance.random()))


def _replies(state: State, action: int) -> int:
    """Return the number of actions that the next player has."""
    return len(state.child(action).legal_actions())


_NAME = "nine_mens_morris"
MATCHES = (
    ByPosition("Nine Men's Morris", _NAME, _NAME, _ours, _theirs, steer=_steer),
    ByReference("Nine Men's Morris, no flying", _NAME, morris, {"flying": False}),
    ByReference("Nine Men's Morris, twenty turns", _NAME, morris, {"turn-limit": 20}),
)

_RULES = "morris.rules"
BREAKS = (
    Break(_RULES, "where no my men in it\n", "where no men in it\n"),
    Break(_RULES, "all-loose = 0 or loose of o at p", "1 = 1"),
    Break(_RULES, "all-loose = 0 or loose of o at p", "loose of o at p"),
    Break(_RULES, "flying and my men-left = flying-men", "1 = 2"),
    Break(_RULES, "turn-limit times", "90 times"),
    Break(_RULES, "a point in beside of p where", "a point where"),
    Break(_RULES, "    needs no my men in my hand and not my flies\n", "    needs not my flies\n"),
    Break(_RULES, 'places a man on {p}"\n    if in-mill of p: use-mill', 'places a man on {p}"'),
    Break(_RULES, 'to {q}"\n    if in-mill of q: use-mill\n\nverb use', 'to {q}"\n\nverb use'),
    Break(_RULES, "    if men-left of o < flying-men:", "    if men of o in points < flying-men:"),
    Break(_RULES, "    mark my lost\n", ""),
    Break("points.toml", 'beside = ["c5", "e5", "d6"]', 'beside = ["c5", "e5", "d6", "d3"]'),
    Break("lines.toml", '"d7", "d6", "d5"', '"d7", "d6", "d3"'),
)

"""Nine Men's Morris with any limit of turns, and with or without flying."""

from classics.reference import Rules
from rulesdsl import Game

_LINES = (
    *("a7d7g7", "b6d6f6", "c5d5e5", "a4b4c4", "e4f4g4", "c3d3e3", "b2d2f2", "a1d1g1"),
    *("a7a4a1", "b6b4b2", "c5c4c3", "d7d6d5", "d3d2d1", "e5e4e3", "f6f4f2", "g7g4g1"),
)
_ROWS = [(line[:2], line[2:4], line[4:]) for line in _LINES]
_POINTS = sorted({point for row in _ROWS for point in row})
_JOINED = [pair for row in _ROWS for pair in (row[:2], row[1:])]
_BESIDE = {at: {*sum((pair for pair in _JOINED if at in pair), ())} - {at} for at in _POINTS}


def morris(game: Game) -> Rules:
    """Play until somebody has two men or no move left, or the turns are over."""
    men: dict[str, int] = {}
    hands, left = {1: 9, 2: 9}, {1: 9, 2: 9}

    def in_mill(point: str) -> bool:
        rows = (row for row in _ROWS if point in row)
        return any(len({men.get(each) for each in row}) == 1 for row in rows)

    def targets(player: int, point: str) -> list[str]:
        flies = game.setting.options["flying"] and left[player] == 3
        return [each for each in (_POINTS if flies else _BESIDE[point]) if each not in men]

    def movable(player: int) -> list[str]:
        mine = (point for point in _POINTS if men.get(point) == player)
        return [point for point in mine if targets(player, point)]

    for turn in range(2 * int(game.setting.options["turn-limit"])):
        me, other = turn % 2 + 1, 2 - turn % 2
        if hands[me]:
            _, option = yield {me: _ids([each for each in _POINTS if each not in men])}
            hands[me] -= 1
        elif movable(me):
            _, option = yield {me: _ids(movable(me))}
            start = option.removeprefix("point:")
            _, option = yield {me: _ids(targets(me, start))}
            del men[start]
        else:
            return [int(me == 2), int(me == 1)], [int(me == 2), int(me == 1)]
        point = option.removeprefix("point:")
        men[point] = me
        if in_mill(point):
            theirs = [each for each in _POINTS if men.get(each) == other]
            _, option = yield {me: _ids([e for e in theirs if not in_mill(e)] or theirs)}
            del men[option.removeprefix("point:")]
            left[other] -= 1
            if left[other] < 3:
                return [int(me == 1), int(me == 2)], [int(me == 1), int(me == 2)]
    stuck = not hands[1] and not movable(1)
    return [int(not stuck), 1], [int(not stuck), 1]


def _ids(points: list[str]) -> list[str]:
    return [f"point:{point}" for point in points]

"""Quarter Turn in which five in a row win before a quarter is turned."""

from classics.reference import Rules
from rulesdsl import Game

_CELLS = [(column, row) for row in range(6) for column in range(6)]
_QUARTERS = {"upper-left": (0, 0), "upper-right": (3, 0), "lower-left": (0, 3)}
_QUARTERS["lower-right"] = (3, 3)
_TURNS = [f"{quarter}-{way}" for quarter in _QUARTERS for way in ("clockwise", "counterclockwise")]
_LINES = [
    [(x + step * right, y + step * down) for step in range(5)]
    for x, y in _CELLS
    for right, down in ((1, 0), (0, 1), (1, 1), (1, -1))
    if (x + 4 * right, y + 4 * down) in _CELLS
]


def at_once(_game: Game) -> Rules:
    """Play until somebody has five in a row or the board is full."""
    marbles: dict[tuple[int, int], int] = {}

    def winners() -> list[int]:
        return [
            int(any(all(marbles.get(cell) == player for cell in line) for line in _LINES))
            for player in (1, 2)
        ]

    while len(marbles) < len(_CELLS):
        mover = len(marbles) % 2 + 1
        free = [cell for cell in _CELLS if cell not in marbles]
        _, option = yield {mover: [f"cell:{'abcdef'[x]}{y + 1}" for x, y in free]}
        name = option.removeprefix("cell:")
        marbles["abcdef".index(name[0]), int(name[1]) - 1] = mover
        if winners()[mover - 1]:
            break
        _, option = yield {mover: [f"turn:{turn}" for turn in _TURNS]}
        quarter, _, way = option.removeprefix("turn:").rpartition("-")
        left, top = _QUARTERS[quarter]
        before = dict(marbles)
        for x, y in [(x, y) for x in range(3) for y in range(3)]:
            onto = (2 - y, x) if way == "clockwise" else (y, 2 - x)
            marbles.pop((left + onto[0], top + onto[1]), None)
            if (left + x, top + y) in before:
                marbles[left + onto[0], top + onto[1]] = before[left + x, top + y]
        if any(winners()):
            break
    return winners(), winners()

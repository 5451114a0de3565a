"""Our Dots and Boxes and OpenSpiel's, on sheets with two, three or four boxes on each side."""

import random
import re
from collections.abc import Sequence

from classics.lockstep import Break, ByAction, Ids, State
from rulesdsl import Game


def _match(size: int) -> ByAction:
    def action(path: Ids, _game: Game) -> int:
        """Number a line as OpenSpiel does: horizontal lines row by row, then vertical ones."""
        spot = path[0].removeprefix("spot:")
        column, row = "abcdefghi".index(spot[0]), int(spot[1]) - 1
        if row % 2 == 0:
            return row // 2 * size + column // 2
        return (size + 1) * size + row // 2 * (size + 1) + column // 2

    return ByAction(
        f"Dots and Boxes, {size} by {size}",
        "dots_and_boxes",
        f"dots_and_boxes(num_rows={size},num_cols={size})",
        action,
        options={"size": size},
        steer=_steer,
    )


def _closed(state: State) -> int:
    """Return the number of closed boxes, which are digits in OpenSpiel's drawing."""
    return len(re.findall(r"\d", str(state)))


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Close two boxes at once, or close none although one could be closed."""
    closed = _closed(state)
    closes = {each: _closed(state.child(each)) - closed for each in actions}
    double = [each for each in actions if closes[each] == 2]
    if double:
        return chance.choice(double)
    declining = [each for each in actions if not closes[each]]
    if declining and len(declining) < len(actions) and chance.random() < 0.5:
        return chance.choice(declining)
    return None


MATCHES = tuple(_match(size) for size in (2, 3, 4))

BREAKS = (
    Break("play.rules", "where closed: pass-on", "where not closed: pass-on"),
    Break("play.rules", "where closed: close b", "where not closed: close b"),
    Break(
        "play.rules",
        "no spots in sides of b where not drawn",
        "(all spots in sides of b where drawn) >= 3",
    ),
    Break("play.rules", "raise my boxes by 1", "nothing"),
    Break("play.rules", "small if size = 2", "medium if size = 2"),
    # The line between two boxes belongs to one of them only.
    Break("spots.toml", 'beside = ["b2", "b4"]', 'beside = ["b2"]'),
    Break("spots.toml", 'sides = ["b1", "a2", "c2", "b3"]', 'sides = ["b1", "a2", "b3"]'),
)

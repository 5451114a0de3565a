"""Dots and Boxes beside OpenSpiel's, on sheets of two, three and four boxes on each side."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence

from classics.lockstep import Break, ByAction, Ids, State
from rulesdsl import Game


def _match(size: int) -> ByAction:
    """Return the match on a sheet with that many boxes on each side."""

    def action(path: Ids, _game: Game) -> int:
        """Return the line of theirs: those across first, row by row, then those down."""
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
        events=_events,
    )


def _closed(state: State) -> int:
    """Return the number of closed boxes: the digits in their drawing."""
    return len(re.findall(r"\d", str(state)))


def _steer(state: State, actions: Sequence[int], chance: random.Random) -> int | None:
    """Close two boxes at once, or close none where one could be closed."""
    closed = _closed(state)
    closes = {each: _closed(state.child(each)) - closed for each in actions}
    double = [each for each in actions if closes[each] == 2]
    if double:
        return chance.choice(double)
    declining = [each for each in actions if not closes[each]]
    if declining and len(declining) < len(actions) and chance.random() < 0.5:
        return chance.choice(declining)
    return None


def _events(before: State, _action: int, after: State) -> Iterable[str]:
    was = _closed(before)
    closes = _closed(after) - was
    if closes:
        yield "two boxes with one line" if closes == 2 else "one box with one line"
    elif any(_closed(before.child(each)) > was for each in before.legal_actions()):
        yield "box left open"
    left = after.legal_actions()
    if len(left) == 1 and len(set(after.child(left[0]).returns())) == 1:
        yield "draw"


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

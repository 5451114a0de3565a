"""Points over a game that is over."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import attrs

from rulesdsl.interpreter.game import Game

Move = tuple[int, str | int]
"""Choice: the player, and the id or index of the option."""


@attrs.frozen
class PointHistory:
    """Points over a game: after `choices[i]` choices, `seats[j]` had `totals[j][i]` points.

    `parts[i]` is the heading of the outermost part of the game at that time, or empty.
    """

    seats: tuple[str, ...]
    choices: tuple[int, ...]
    totals: tuple[tuple[int, ...], ...]
    parts: tuple[str, ...]


def history(begun: Game, moves: Sequence[Move], most: int) -> PointHistory:
    """Replay a game and sample its scores at most `most` times, including start and end.

    The scores depend on hidden information, so the game must be over.
    """
    game = begun.clone()
    looks = min(len(moves) + 1, max(most, 2))
    choices = [round(at * len(moves) / (looks - 1)) for at in range(looks)] if moves else [0]
    scoring = game.scores(None)
    totals: list[list[int]] = [[] for _ in scoring]
    lengths: list[int] = []  # of the log
    replayed = 0
    for count in choices:
        for player, option in moves[replayed:count]:
            game.choose(option, player=player)
        replayed = count
        lengths.append(game.log_length)
        for row, score in zip(totals, scoring, strict=True):
            row.append(game.score(score.seat).total or 0)
    names = tuple(score.name for score in scoring)
    headings = [line for line in game.story(None) if line.level == "part" and not line.depth]
    starts = [line.first for line in headings]
    parts = (headings[at - 1].text if (at := bisect_left(starts, end)) else "" for end in lengths)
    return PointHistory(names, tuple(choices), tuple(map(tuple, totals)), tuple(parts))

"""Points over a game that is over."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulesdsl.interpreter.game import Game

Move = tuple[int, str | int]
"""Choice: the player, and the id or index of the option."""


@attrs.frozen
class PointHistory:
    """Points over a game: after `choices[i]` choices, `seats[j]` had `totals[j][i]` points."""

    seats: tuple[str, ...]
    choices: tuple[int, ...]
    totals: tuple[tuple[int, ...], ...]


def history(begun: Game, moves: Sequence[Move], most: int) -> PointHistory:
    """Replay a game and sample its scores at most `most` times, including start and end.

    The scores depend on hidden information, so the game must be over.
    """
    game = begun.clone()
    looks = min(len(moves) + 1, max(most, 2))
    choices = [round(at * len(moves) / (looks - 1)) for at in range(looks)] if moves else [0]
    scoring = game.scores(None)
    totals: list[list[int]] = [[] for _ in scoring]
    replayed = 0
    for count in choices:
        for player, option in moves[replayed:count]:
            game.choose(option, player=player)
        replayed = count
        for row, score in zip(totals, scoring, strict=True):
            row.append(game.score(score.seat).total or 0)
    names = tuple(score.name for score in scoring)
    return PointHistory(names, tuple(choices), tuple(map(tuple, totals)))

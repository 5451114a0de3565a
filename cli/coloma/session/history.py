"""The points of everybody over a game, found by playing it again."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulesdsl import Game

Move = tuple[int, str | int]
"""Whose choice it was, and the option: its id or its index."""


@attrs.frozen
class History:
    """What the seats that score had: after `choices[i]` choices, seat `j` had `totals[j][i]`."""

    seats: tuple[str, ...]
    choices: tuple[int, ...]
    totals: tuple[tuple[int, ...], ...]


def history(begun: Game, moves: Sequence[Move], most: int) -> History:
    """Play a game again, and look at it at most so many times, the beginning and end included.

    It tells what was secret: it is for when the game is over.
    """
    game = begun.clone()
    looks = min(len(moves) + 1, max(most, 2))
    choices = [round(at * len(moves) / (looks - 1)) for at in range(looks)] if moves else [0]
    scoring = game.scores(None)
    totals: list[list[int]] = [[] for _ in scoring]
    done = 0
    for wanted in choices:
        for player, option in moves[done:wanted]:
            game.choose(option, player=player)
        done = wanted
        for row, score in zip(totals, scoring, strict=True):
            row.append(game.score(score.seat).total or 0)
    names = tuple(each.name for each in scoring)
    return History(names, tuple(choices), tuple(map(tuple, totals)))

"""Points over a game that is over."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence

import attrs

from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.log import StoryLine

Move = tuple[int, str | int]
"""Choice: the player, and the id or index of the option."""
_TO_A_NUMBER = re.compile(r"\D*[0-9]+")


@attrs.frozen
class PointHistory:
    """Points over a game, as if it had ended then: `seats[j]` had `totals[j][i]` after `parts[i]`.

    The last part ends with the game.
    """

    seats: tuple[str, ...]
    parts: tuple[str, ...]
    totals: tuple[tuple[int, ...], ...]


def history(begun: Game, moves: Sequence[Move], most: int) -> PointHistory:
    """Replay a game, and note its scores after each part, or after `most` of these.

    The scores depend on hidden information, so the game must be over. They are those at the next
    question, so they include what happens at once when the next part begins.
    """
    game = begun.clone()
    scoring = game.scores(None)
    lengths: list[int] = []  # of the log
    totals: list[list[int]] = []
    for player, option in moves:
        game.choose(option, player=player)
        lengths.append(game.log_length)
        totals.append([game.score(score.seat).total or 0 for score in scoring])
    parts = _parts(game.story(None))
    ends = [bisect_right(lengths, first) for _, first in parts[1:]] + [len(moves) - 1]
    looks = min(len(parts), most)
    chosen = [(at + 1) * len(parts) // looks - 1 for at in range(looks)]
    return PointHistory(
        tuple(score.name for score in scoring),
        tuple(parts[at][0] for at in chosen),
        tuple(tuple(totals[ends[at]][seat] for at in chosen) for seat in range(len(scoring))),
    )


def _parts(story: Sequence[StoryLine]) -> list[tuple[str, int]]:
    """Return the outermost parts of a game, each with its first log line.

    Headings with the same words up to their first number are one part. Where none has a number,
    those with the most frequent words are counted.
    """
    headings = [line for line in story if line.level == "part" and not line.depth]
    numbered: dict[str, int] = {}
    for line in headings:
        if until := _TO_A_NUMBER.match(line.text):
            numbered.setdefault(until[0], line.first)
    if numbered or not headings:
        return [*numbered.items()]
    texts = [line.text for line in headings]
    text = max(texts, key=texts.count)
    firsts = [line.first for line in headings if line.text == text]
    return [(f"{text} {number}", first) for number, first in enumerate(firsts, start=1)]

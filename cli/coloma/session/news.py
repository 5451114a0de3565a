"""What has happened, told to one viewer, each line once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from coloma.session.screen import shown
from rulesdsl import Game, LogLine

EVERYBODY = 0
"""The viewer who sees only what is public."""


_RECALLED = 20


class News:
    """Remembers for every viewer how much of the log has been told.

    Of what had happened before the session began, as far as it was resumed, only the end is told.
    """

    def __init__(self, game: Game) -> None:
        self._told: dict[int, int] = {}
        self._old = max(0, game.log_length - _RECALLED)

    def fresh(self, game: Game, viewer: int) -> list[str]:
        """Return the lines that the viewer has not read, and count them as read."""
        lines = game.log_since(self._told.get(viewer, self._old))
        self._told[viewer] = game.log_length
        return list(readable(lines, game.seats, viewer))

    def go_back(self, game: Game) -> None:
        """Forget what has been taken back, so that what happens instead is told."""
        length = game.log_length
        self._old = min(self._old, length)
        self._told = {viewer: min(told, length) for viewer, told in self._told.items()}


def readable(lines: Sequence[LogLine], seats: Sequence[str], viewer: int) -> Iterator[str]:
    """Yield the lines as the viewer may read them; those that are wholly secret are left out."""
    for line in lines:
        text = shown(line.seen_text(viewer))
        if text:
            yield _told(line, text, seats)


def told_whole(lines: Sequence[LogLine], seats: Sequence[str]) -> Iterator[str]:
    """Yield the lines with everything that was secret, for when the game is over."""
    return (_told(line, shown(line.text), seats) for line in lines)


def folded(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with those that follow their like counted instead of repeated."""
    for line, alike in groupby(lines):
        count = sum(1 for _ in alike)
        yield line if count == 1 else f"{line} ({count} times)"


def _told(line: LogLine, text: str, seats: Sequence[str]) -> str:
    return f"{shown(seats[line.actor - 1])}: {text}" if line.actor else text

"""What has happened, told to one viewer, each line once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from coloma.session.screen import shown
from rulesdsl import Game, LogLine, StoryLine

EVERYBODY = 0
"""The viewer who sees only what is public."""


_RECALLED = 20


class News:
    """Remembers for every viewer how much of the log has been told.

    Of what had happened before the session began, as far as it was resumed, only the end is told.
    """

    def __init__(self, game: Game) -> None:
        self._told: dict[int, int] = {}
        recalled = max(0, game.log_length - _RECALLED)
        begun = (each.first for each in game.story(EVERYBODY) if each.first >= recalled)
        self._old = next(begun, game.log_length)  # not in the middle of an event

    def fresh(self, game: Game, viewer: int) -> list[str]:
        """Return what the viewer has not read, and count it as read."""
        return told(self.fresh_lines(game, viewer))

    def fresh_lines(self, game: Game, viewer: int) -> list[StoryLine]:
        """Return the lines that the viewer has not read, and count them as read.

        What whoever is asked is still doing is told once it is done: its cost is known then.
        """
        start = self.read_up_to(viewer)
        lines = list(game.story(viewer, start))
        self._told[viewer] = game.log_length
        doing = None if game.decision is None else game.decision.player
        going_on = [at for at, each in enumerate(lines) if each.goes_on and each.actor == doing]
        if going_on:
            first = going_on[0]
            while first and lines[first - 1].level == "part":  # its heading waits with it
                first -= 1
            self._told[viewer] = start + lines[first].first
            del lines[first:]
        return lines

    def read_up_to(self, viewer: int) -> int:
        """Return how many lines of the log the viewer has been told, or had been before."""
        return self._told.get(viewer, self._old)

    def go_back(self, game: Game) -> None:
        """Forget what has been taken back, so that what happens instead is told."""
        length = game.log_length
        self._old = min(self._old, length)
        self._told = {viewer: min(told, length) for viewer, told in self._told.items()}


def told(lines: Iterable[StoryLine]) -> list[str]:
    """Return lines of the story as text: headings end in a colon."""
    return [
        f"{shown(each.text)}:" if each.level == "part" else f"{shown(each.text)}."
        for each in lines
    ]


def readable(lines: Sequence[LogLine], viewer: int) -> Iterator[str]:
    """Yield each line of the log as the viewer may read it; what is wholly secret is left out."""
    for line in lines:
        if text := shown(line.seen_text(viewer)):
            yield f"{text}."


def folded(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines with those that follow their like counted instead of repeated."""
    for line, alike in groupby(lines):
        count = sum(1 for _ in alike)
        yield line if count == 1 else f"{line.removesuffix('.')} ({count} times)."

"""One small way to break the content, as a change of its text."""

from __future__ import annotations

from bisect import bisect_right

import attrs


@attrs.frozen
class Mutant:
    """A stretch of one file and what takes its place.

    `path` is relative to its pack, `line` and `column` count from 1. `about` are words of the
    content that tell what it belongs to.
    """

    path: str
    shown: str
    line: int
    column: int
    start: int
    end: int
    old: str
    new: str
    way: str
    about: tuple[str, ...] = ()

    def apply(self, text: str) -> str:
        """Return the text with the change."""
        return text[: self.start] + self.new + text[self.end :]

    def __str__(self) -> str:
        """Say where it is and what changes, on one line."""
        old, new = (" ".join(each.split()) or "nothing" for each in (self.old, self.new))
        return (
            f"{self.shown}:{self.line}:{self.column}: {self.way}: {_short(old)} -> {_short(new)}"
        )


class TextFile:
    """A text of a pack that is going to be broken."""

    def __init__(self, path: str, shown: str, text: str) -> None:
        self.path = path
        self.shown = shown
        self.text = text
        self._lines = [0]
        for at, sign in enumerate(text):
            if sign == "\n":
                self._lines.append(at + 1)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a place."""
        return self._lines[line - 1] + column - 1

    def place(self, offset: int) -> tuple[int, int]:
        """Return line and column of an offset."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def mutant(
        self, start: int, end: int, new: str, way: str, about: tuple[str, ...] = ()
    ) -> Mutant:
        """Return the change of a stretch."""
        line, column = self.place(start)
        old = self.text[start:end]
        return Mutant(self.path, self.shown, line, column, start, end, old, new, way, about)


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."

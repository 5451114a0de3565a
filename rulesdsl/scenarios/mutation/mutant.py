"""Where a text can be changed, and one such change."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


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
    """A text of a pack that is going to be changed."""

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


@attrs.frozen
class Mutation:
    """A stretch of a file, and all that may take its place in one way."""

    file: TextFile
    start: int
    end: int
    news: Sequence[str]
    way: str
    about: tuple[str, ...] = ()

    def mutants(self) -> Iterator[Mutant]:
        """Yield the changes, one for each thing that may be there."""
        return map(self.mutant, self.news)

    def mutant(self, new: str) -> Mutant:
        """Return the change that puts something there."""
        file = self.file
        line, column = file.place(self.start)
        old = file.text[self.start : self.end]
        at = self.start, self.end
        return Mutant(file.path, file.shown, line, column, *at, old, new, self.way, self.about)


def _short(text: str, most: int = 60) -> str:
    return text if len(text) <= most else f"{text[: most - 3]}..."

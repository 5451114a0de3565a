"""Where a position in parsed text stands in the file that a person edits."""

from __future__ import annotations

import attrs

from rulesdsl.source.span import Span


@attrs.frozen
class Places:
    """Maps positions of parsed text to a file.

    A block of a .rules file is shifted by whole lines; a string of a TOML file has a place for
    every character, because escapes and line joins move them one by one.
    """

    file: str
    first_line: int = 1
    characters: tuple[tuple[int, int], ...] = ()

    def span(self, line: int, column: int, end: tuple[int, int], offsets: tuple[int, int]) -> Span:
        """Return the span in the file of a stretch of parsed text."""
        if not self.characters:
            down = self.first_line - 1
            return Span(self.file, line + down, column, end[0] + down, end[1])
        start = self._character(offsets[0])
        last = self._character(max(offsets[0], offsets[1] - 1))
        return Span(self.file, start[0], start[1], last[0], last[1] + 1)

    def _character(self, offset: int) -> tuple[int, int]:
        return self.characters[min(max(offset, 0), len(self.characters) - 1)]

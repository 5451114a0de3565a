"""Where a position in parsed text is in the file that a person edits."""

from __future__ import annotations

import attrs

from rulesdsl.source.span import Span


@attrs.frozen
class Places:
    """Maps lines and columns of parsed text to a file.

    A block of a .rules file is shifted by whole lines; a string of a TOML file has a place for
    every character, because escapes and line joins move them one by one. `moved` says by how many
    columns a repair has moved a line to the left: what is read there is further right.
    """

    file: str
    first_line: int = 1
    characters: tuple[tuple[int, int], ...] = ()
    line_starts: tuple[int, ...] = (0,)
    moved: dict[int, int] = attrs.field(factory=dict, eq=False)

    @classmethod
    def of_string(cls, file: str, text: str, characters: tuple[tuple[int, int], ...]) -> Places:
        """Return the places of a string of a TOML file; `characters` has one for each of it."""
        starts = (at + 1 for at, sign in enumerate(text) if sign == "\n")
        return cls(file, 1, characters, (0, *starts))

    def span(self, line: int, column: int, end: tuple[int, int]) -> Span:
        """Return the span in the file of a stretch of parsed text, which stops before `end`."""
        column += self.moved.get(line, 0)
        end_line, end_column = end[0], end[1] + self.moved.get(end[0], 0)
        if not self.characters:
            down = self.first_line - 1
            return Span(self.file, line + down, column, end_line + down, end_column)
        first = self._offset(line, column)
        start = self._character(first)
        last = self._character(max(first, self._offset(end_line, end_column) - 1))
        return Span(self.file, start[0], start[1], last[0], last[1] + 1)

    def stretch(self, begin: tuple[int, int], end: tuple[int, int]) -> Span | None:
        """Return the stretch between two places of parsed text, exactly, also an empty one.

        None where the file has it in several pieces: strings of a list, or a string over lines.
        """
        (line, column), (end_line, end_column) = (
            (at, column + self.moved.get(at, 0)) for at, column in (begin, end)
        )
        if not self.characters:
            down = self.first_line - 1
            return Span(self.file, line + down, column, end_line + down, end_column)
        first, last = self._offset(line, column), self._offset(end_line, end_column)
        if line != end_line or last >= len(self.characters):
            return None
        return Span(self.file, *self.characters[first], *self.characters[last])

    def _offset(self, line: int, column: int) -> int:
        return self.line_starts[min(line, len(self.line_starts)) - 1] + column - 1

    def _character(self, offset: int) -> tuple[int, int]:
        return self.characters[min(max(offset, 0), len(self.characters) - 1)]

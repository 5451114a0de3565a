"""Source files and spans."""

from __future__ import annotations

from functools import cached_property

import attrs

from rulesdsl.source.language import NEWEST, Language


@attrs.frozen(slots=False)
class SourceFile:
    """The text of a file, and the path shown to users.

    The path has forward slashes, and is relative if possible. `language` is that of its pack.
    """

    path: str
    text: str = attrs.field(repr=False)
    language: Language = NEWEST

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends.

        Only LF and CRLF end a line, as in TOML; `str.splitlines` would also split at form feeds
        and Unicode separators, which would shift all later positions.
        """
        return tuple(line.removesuffix("\r") for line in self.text.split("\n"))

    def line(self, n: int) -> str:
        """Return line `n`, counted from 1, or an empty string if there is no such line."""
        return self.lines[n - 1] if 1 <= n <= len(self.lines) else ""

    def text_of(self, span: Span) -> str:
        """Return the text of a span, with its lines joined."""
        lines = [self.line(number) for number in range(span.line, span.end_line + 1)]
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return " ".join(line.strip() for line in lines)


@attrs.frozen(order=True)
class Span:
    """A range in a file: lines and columns from 1, columns in code points, exclusive end."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def to(self, other: Span) -> Span:
        """Return the shortest span that covers this one and another; `NOWHERE` is ignored."""
        if other == NOWHERE:
            return self
        if self == NOWHERE:
            return other
        start = min((self.line, self.column), (other.line, other.column))
        end = max((self.end_line, self.end_column), (other.end_line, other.end_column))
        return Span(self.file, *start, *end)

    def holds(self, other: Span) -> bool:
        """Return true if another span lies within this one."""
        begin, end = (other.line, other.column), (other.end_line, other.end_column)
        inside = (self.line, self.column) <= begin and end <= (self.end_line, self.end_column)
        return self.file == other.file and inside


NOWHERE = Span("", 0, 0, 0, 0)
"""The span of nodes that do not come from a file."""


def indent_of(line: str) -> int:
    """Return the indentation of a line."""
    return len(line) - len(line.lstrip())

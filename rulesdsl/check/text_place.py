"""Source text around a finding, and constructors for fixes to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import takewhile

import attrs

from rulesdsl.source.diagnostics import Diagnostic, Edit, Fix, stretch_of
from rulesdsl.source.span import SourceFile, Span, indent_of

STEP = 4  # indentation per level, as in the formatter


@attrs.frozen
class FindingPlace:
    """Finding with its source text, and constructors for fixes."""

    finding: Diagnostic
    source: SourceFile
    sources: Mapping[str, SourceFile]

    @property
    def span(self) -> Span:
        """The span of the finding."""
        return self.finding.span

    @property
    def in_rules(self) -> bool:
        """True in a rules file, false in a table."""
        return self.source.path.endswith(".rules")

    @property
    def text(self) -> str:
        """The text of the span, empty if the span is outside the file."""
        try:
            start, end = stretch_of(self.source.text, self.span)
        except ValueError:
            return ""
        return self.source.text[start:end]

    @property
    def line(self) -> str:
        """The first line of the span."""
        return self.source.line(self.span.line)

    @property
    def before(self) -> str:
        """The text before the span on its line."""
        return self.line[: self.span.column - 1]

    @property
    def indent(self) -> int:
        """The indentation of the first line of the span."""
        return indent_of(self.line)

    def replace(self, new: str, title: str = "", *, safe: bool = False) -> Fix:
        """Return a fix that replaces the text of the span."""
        said = title or f"Change `{' '.join(self.text.split())}` to `{new}`"
        return Fix(said, (Edit(self.span, new),), safe)

    def insert(self, new: str, title: str = "", *, safe: bool = False, line: int = 0) -> Fix:
        """Return a fix that inserts text before the span, or before another line."""
        at = (line, 1) if line else (self.span.line, self.span.column)
        edit = Edit(Span(self.source.path, *at, *at), new)
        return Fix(title or f"Insert `{new.strip()}`", (edit,), safe)

    def append(self, new: str) -> Fix:
        """Return a fix that inserts text after the span."""
        at = self.span.end_line, self.span.end_column
        edit = Edit(Span(self.source.path, *at, *at), new)
        return Fix(f"Put `{new.strip()}` at the end", (edit,))

    def change(
        self, start: int, end: int, new: str, title: str = "", *, safe: bool = False
    ) -> Fix:
        """Return a fix that replaces columns, counted from 0, in the first line of the span."""
        at, old = self.span.line, self.line[start:end].strip()
        span = Span(self.source.path, at, start + 1, at, end + 1)
        return Fix(title or f"Change `{old}` to `{new.strip()}`", (Edit(span, new),), safe)

    def remove_lines(self, first: int, last: int) -> Iterator[Fix]:
        """Yield a fix that removes lines, unless a body would become empty."""
        lines = self.source.lines
        above = next((each for each in reversed(lines[: first - 1]) if each.strip()), "")
        below = next((each for each in lines[last:] if each.strip()), "")
        indent = indent_of(lines[first - 1])
        if indent and above.rstrip().endswith(":") and indent_of(below) != indent:
            return
        end = (last + 1, 1) if last < len(lines) else (last, len(lines[-1]) + 1)
        yield Fix("Remove it", (Edit(Span(self.source.path, first, 1, *end), ""),))

    def last_line(self) -> int:
        """Return the number of the last line in the block that begins with the span."""
        inside = takewhile(
            lambda each: not each.strip() or indent_of(each) > self.indent,
            self.source.lines[self.span.line :],
        )
        below = [*inside]
        while below and not below[-1].strip():
            below.pop()
        return self.span.line + len(below)

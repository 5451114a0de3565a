"""A finding with the text around it, and the edits that fixes make there."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

import attrs

from rulesdsl.source.editing import stretch_of
from rulesdsl.source.fix import Edit, Fix
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.span import SourceFile

STEP = 4  # blanks that a line is indented below the one it belongs to: the formatter's


@attrs.frozen
class Place:
    """Where a finding is."""

    finding: Diagnostic
    source: SourceFile
    sources: Mapping[str, SourceFile]

    @property
    def span(self) -> Span:
        """The stretch that the finding is about."""
        return self.finding.span

    @property
    def in_rules(self) -> bool:
        """Whether it is in a file of rules, not in one of a table."""
        return self.source.path.endswith(".rules")

    @property
    def text(self) -> str:
        """What is written there; empty where the file has no such place."""
        try:
            start, end = stretch_of(self.source.text, self.span)
        except ValueError:
            return ""
        return self.source.text[start:end]

    @property
    def line(self) -> str:
        """The line on which it begins."""
        return self.source.line(self.span.line)

    @property
    def before(self) -> str:
        """What is before it on its line."""
        return self.line[: self.span.column - 1]

    @property
    def indent(self) -> int:
        """How far in its line is."""
        return indent_of(self.line)

    def replace(self, new: str, title: str = "", *, safe: bool = False) -> Fix:
        """Return the fix that puts a text in the place of what is there."""
        said = title or f"Change `{' '.join(self.text.split())}` to `{new}`"
        return Fix(said, (Edit(self.span, new),), safe)

    def insert(self, new: str, title: str = "", *, safe: bool = False, line: int = 0) -> Fix:
        """Return the fix that puts a text before it, or before another line."""
        at = (line, 1) if line else (self.span.line, self.span.column)
        edit = Edit(Span(self.source.path, *at, *at), new)
        return Fix(title or f"Insert `{new.strip()}`", (edit,), safe)

    def remove_lines(self, first: int, last: int, title: str) -> Fix | None:
        """Return the fix that removes lines; None where nothing would be left of a body."""
        lines = self.source.lines
        above = next((each for each in reversed(lines[: first - 1]) if each.strip()), "")
        below = next((each for each in lines[last:] if each.strip()), "")
        indent = indent_of(lines[first - 1])
        if indent and above.rstrip().endswith(":") and indent_of(below) != indent:
            return None
        end = (last + 1, 1) if last < len(lines) else (last, len(lines[-1]) + 1)
        return Fix(title, (Edit(Span(self.source.path, first, 1, *end), ""),))

    def last_line(self) -> int:
        """Return the last line of what begins on its line: those below it that are further in."""
        inside = takewhile(
            lambda each: not each.strip() or indent_of(each) > self.indent,
            self.source.lines[self.span.line :],
        )
        below = [*inside]
        while below and not below[-1].strip():
            below.pop()
        return self.span.line + len(below)


def indent_of(line: str) -> int:
    """Return how many blanks a line begins with."""
    return len(line) - len(line.lstrip())

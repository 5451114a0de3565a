"""Lines of rules as they were written: words and signs, and the comments after them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.syntax.lexemes import Sort, lexemes

if TYPE_CHECKING:
    from collections.abc import Iterator

TAB = "    "


@attrs.frozen
class SourceLine:
    """One line: its indentation, its words and signs, its comment and where that began.

    Columns are counted from 0, a tab as four spaces; `comment` is empty where there is none.
    """

    indent: int
    tokens: tuple[str, ...]
    comment: str
    column: int

    @property
    def is_blank(self) -> bool:
        """Whether nothing is in the line."""
        return not self.tokens and not self.comment


def source_lines(text: str) -> Iterator[SourceLine]:
    """Cut a text into its lines, without their ends."""
    for line in text.split("\n"):
        yield _cut(line.rstrip())


def comments(text: str) -> list[str]:
    """Return the comments of a text in order, each with one space after its sign."""
    return [line.comment for line in source_lines(text) if line.comment]


def _cut(line: str) -> SourceLine:
    tokens: list[str] = []
    comment, column = "", 0
    for each in lexemes(line):
        if each.is_code:
            tokens.append(each.text)
        elif each.sort is Sort.COMMENT:
            comment = _tidy(each.text)
            column = _width(line[: each.start])
    return SourceLine(_width(line) - _width(line.lstrip(" \t")), tuple(tokens), comment, column)


def _width(text: str) -> int:
    return len(text.replace("\t", TAB))


def _tidy(comment: str) -> str:
    """Put a space after the sign, unless a further sign makes it a rule or an emblem."""
    return f"# {comment[1:]}" if comment[1:2].isalnum() else comment

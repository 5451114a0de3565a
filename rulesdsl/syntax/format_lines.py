"""Lines of rules with canonical spacing and indentation, before their comments are aligned."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.syntax.comments import SourceLine, source_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

WIDTH = 120
INDENT = "    "

# Declarations whose `/` is between two forms of a name, and those whose colon opens no body.
NAMED = {"kind", "piece", "place", "stack", "track"}
WITHOUT_BODIES = {"kind", "piece", "place", "stack", "option", "panel"}


@attrs.frozen
class FormattedLine:
    """A line to print: its code with its margin, and the comment after it.

    `column` is where the comment would like to be. A comment on a line of its own is `code`.
    """

    depth: int
    code: str
    comment: str
    column: int
    empty_before: int

    @property
    def opens_body(self) -> bool:
        """Whether the lines below it are indented deeper."""
        return self.code.endswith(":") and not self.code.lstrip().startswith("#")


def formatted_lines(text: str) -> Iterator[FormattedLine]:
    """Return the lines of a text that can be read, except the empty ones."""
    return _Formatter().lines(list(source_lines(text)))


class _Formatter:
    """Walks down a text and knows the levels of indentation that are open."""

    def __init__(self) -> None:
        self._levels = [0]  # the indentations in the source, outermost first
        self._open = 0  # parentheses that earlier lines left open
        self._head = ""  # the word that the declaration begins with
        self._empty = 0  # empty lines since the last line
        self._comment_above: int | None = None  # where a comment after code is above

    def lines(self, source: Sequence[SourceLine]) -> Iterator[FormattedLine]:
        for number, line in enumerate(source):
            if line.is_blank:
                self._empty += 1
                self._comment_above = None
            elif line.tokens:
                yield from self._code(line)
            elif line.column == self._comment_above:
                yield self._line(len(self._levels) - 1, "", line.comment, line.column)
            else:
                depth = self._comment_depth(line, source[number + 1 :])
                yield self._line(depth, INDENT * depth + line.comment, "", 0)
                self._empty = 0
                self._comment_above = None

    def _line(self, depth: int, code: str, comment: str, column: int) -> FormattedLine:
        return FormattedLine(depth, code, comment, column, self._empty)

    # ---------------------------------------------------------------- code
    def _code(self, line: SourceLine) -> Iterator[FormattedLine]:
        if self._open:
            # never at the left margin, where the parser takes a line for a declaration
            depth = max(1, len(self._levels) - 1 + self._open - (line.tokens[0] == ")"))
            self._empty = 0
        else:
            depth = self._enter(line)
        alone = not self._open
        self._open += line.tokens.count("(") - line.tokens.count(")")
        parts = [line.tokens]
        if alone and not self._open and self._head not in WITHOUT_BODIES:
            parts = _broken(line.tokens, WIDTH - len(INDENT) * depth)
        column = line.column if len(parts) == 1 else 0
        for at, part in enumerate(parts, depth):
            code = INDENT * at + spaced(part, named=at == 0)
            yield self._line(at, code, line.comment if at == depth else "", column)
            self._empty = 0
        self._comment_above = line.column if line.comment and len(parts) == 1 else None

    def _enter(self, line: SourceLine) -> int:
        """Open or close levels as a line's indentation asks, and return its depth."""
        while len(self._levels) > 1 and line.indent < self._levels[-1]:
            self._levels.pop()
        if not self._head:
            self._levels = [line.indent]
        elif line.indent > self._levels[-1]:
            self._levels.append(line.indent)
        depth = len(self._levels) - 1
        if depth == 0:
            self._head = line.tokens[0]
        return depth

    # ---------------------------------------------------------------- comments
    def _comment_depth(self, line: SourceLine, below: Sequence[SourceLine]) -> int:
        """Return the level at which a comment on its own line is.

        It belongs to the code below it; at the end of a body it may be deeper than that.
        """
        deepest = len(self._levels) - 1
        if self._open:
            return deepest + self._open
        next_indent = next((each.indent for each in below if each.tokens), self._levels[0])
        if next_indent > self._levels[-1]:
            return deepest + 1 if self._head else 0
        at_least = sum(level < next_indent for level in self._levels)
        own = sum(level <= line.column for level in self._levels) - 1
        return max(at_least, own)


def _broken(tokens: tuple[str, ...], room: int) -> list[tuple[str, ...]]:
    """Break a line that is too long after its colons: each part is a level deeper."""
    if ":" not in tokens[:-1] or tokens[-1] == ":" or len(spaced(tokens, named=False)) <= room:
        return [tokens]
    cut = tokens.index(":") + 1
    return [tokens[:cut], *_broken(tokens[cut:], room - len(INDENT))]


def spaced(tokens: Sequence[str], *, named: bool) -> str:
    """Return words and signs with the spaces between them that belong there.

    `named` says that a declaration may begin here, with two forms of a name joined by `/`.
    """
    text = ""
    joined = named and tokens[0] in NAMED and tuple(tokens[2:3]) == ("/",)
    for index, token in enumerate(tokens):
        tight = (
            not text
            or token in {",", ":", ")", ".."}
            or tokens[index - 1] in {"(", ".."}
            or (joined and index in {2, 3})
        )
        text += token if tight else f" {token}"
    return text

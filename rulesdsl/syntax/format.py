"""Formatter of .rules files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import attrs

from rulesdsl.source.diagnostics import Findings, LintError
from rulesdsl.source.language import NEWEST, Language
from rulesdsl.source.span import SourceFile
from rulesdsl.syntax.declarations import File
from rulesdsl.syntax.lexer import LexedLine, comments, source_lines
from rulesdsl.syntax.parser import parse_file

WIDTH = 120
INDENT = "    "

# Declarations that may have `/` between two forms of a name, and those whose colon opens no body.
NAMED = {"kind", "piece", "place", "stack", "track"}
WITHOUT_BODIES = {"kind", "piece", "place", "stack", "option", "panel", "memory"}


@attrs.frozen
class FormattedLine:
    """Line of output: indented code, and the comment after it.

    `column` is the preferred column of the comment. A comment on its own line counts as `code`.
    """

    depth: int
    code: str
    comment: str
    column: int
    empty_before: int

    @property
    def opens_body(self) -> bool:
        """True if the lines below this one are indented deeper."""
        return self.code.endswith(":") and not self.code.lstrip().startswith("#")


def formatted_lines(text: str) -> Iterator[FormattedLine]:
    """Yield the formatted lines of parsable source text, except empty ones."""
    return _Formatter().lines(list(source_lines(text)))


class _Formatter:
    """State of one pass over source text: open levels of indentation and parentheses."""

    def __init__(self) -> None:
        self._levels = [0]  # source indentation of the open levels, outermost first
        self._open = 0  # parentheses left open by earlier lines
        self._head = ""  # first word of the current declaration
        self._empty = 0  # empty lines since the last line
        self._comment_above: int | None = None  # column of a trailing comment on the line above

    def lines(self, source: Sequence[LexedLine]) -> Iterator[FormattedLine]:
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
    def _code(self, line: LexedLine) -> Iterator[FormattedLine]:
        if self._open:
            # never at the left margin, where the parser expects a declaration
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

    def _enter(self, line: LexedLine) -> int:
        """Open or close levels to match a line's indentation, and return its depth."""
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
    def _comment_depth(self, line: LexedLine, below: Sequence[LexedLine]) -> int:
        """Return the depth of a comment on its own line.

        It belongs to the code below it, but at the end of a body it may be deeper.
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
    """Break a long line after its colons; each part is one level deeper than the previous one."""
    if ":" not in tokens[:-1] or tokens[-1] == ":" or len(spaced(tokens, named=False)) <= room:
        return [tokens]
    cut = tokens.index(":") + 1
    return [tokens[:cut], *_broken(tokens[cut:], room - len(INDENT))]


def spaced(tokens: Sequence[str], *, named: bool) -> str:
    """Join words and signs with canonical spacing.

    With `named`, a declaration may begin here, with `/` between two forms of a name.
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


# The formatter works on tokens of source lines, not on the syntax tree, so comments, blank lines
# and redundant parentheses survive. It verifies its result by parsing it: tree and comments must
# be equal to those of the input.


MOST_EMPTY_LINES, MOST_EMPTY_LINES_WITHIN = 2, 1


def format_rules(text: str, path: str, language: Language = NEWEST) -> str:
    """Return a .rules file in canonical form; raise `LintError` if it cannot be parsed.

    The result has the same tree and comments as `text`, and formatting is idempotent.
    """
    before = _parse(text, path, language)
    lines = _aligned(formatted_lines(text))
    result = "".join(f"{line}\n" for line in _with_empty_lines(lines))
    assert _parse(result, path, language) == before, f"formatting would change what {path} says"
    assert comments(result) == comments(text), f"formatting would lose a comment of {path}"
    return result


def _parse(text: str, path: str, language: Language) -> File:
    findings = Findings()
    parsed = parse_file(text, path, findings, language)
    if findings.has_errors:
        raise LintError(findings.sorted(), {path: SourceFile(path, text)})
    return parsed.file


def _with_empty_lines(lines: Iterable[tuple[FormattedLine, str]]) -> Iterator[str]:
    """Yield the lines, with no more empty lines between them than allowed."""
    may_stay = False
    for line, text in lines:
        if may_stay:
            most = MOST_EMPTY_LINES_WITHIN if line.depth else MOST_EMPTY_LINES
            yield from [""] * min(line.empty_before, most)
        may_stay = not line.opens_body
        yield text


# -------------------------------------------------------------------- comments after code
def _aligned(lines: Iterable[FormattedLine]) -> Iterator[tuple[FormattedLine, str]]:
    """Align the trailing comments of adjacent lines where they were aligned before."""
    run: list[FormattedLine] = []
    column = 0
    for line in lines:
        if line.comment and (line.empty_before or line.column != column):
            yield from _run(run, column)
            run, column = [], line.column
        run.append(line)
    yield from _run(run, column)


def _run(run: list[FormattedLine], column: int) -> Iterator[tuple[FormattedLine, str]]:
    """Align the comments of the given lines in one column, or further right for wide code."""
    widest = max((len(line.code) for line in run if line.comment), default=0)
    column = max(column, widest + 2)
    for line in run:
        gap = column - len(line.code) if line.comment else 0
        yield line, line.code + " " * gap + line.comment

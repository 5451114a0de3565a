"""The formatter: one spacing and one indentation for all rules, and nothing else changed.

It prints lines from their words and not from the syntax tree: so comments, empty lines and
parentheses that only help a reader stay, and what it must never change can be proved by reading
its own text again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.source.diagnostic import Findings, LintError
from rulesdsl.source.span import SourceFile
from rulesdsl.syntax.comments import comments
from rulesdsl.syntax.format_lines import FormattedLine, formatted_lines
from rulesdsl.syntax.parser import parse_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.syntax.declarations import File

MOST_EMPTY_LINES, MOST_EMPTY_LINES_WITHIN = 2, 1


def format_rules(text: str, path: str) -> str:
    """Return a .rules file in its canonical form; `LintError` if it cannot be read.

    The result says the same as `text`, with the same comments, and formatting it again
    changes nothing.
    """
    before = _parse(text, path)
    lines = _aligned(formatted_lines(text))
    result = "".join(f"{line}\n" for line in _with_empty_lines(lines))
    assert _parse(result, path) == before, f"formatting would change what {path} says"
    assert comments(result) == comments(text), f"formatting would lose a comment of {path}"
    return result


def _parse(text: str, path: str) -> File:
    findings = Findings()
    parsed = parse_file(text, path, findings)
    if findings.has_errors:
        raise LintError(findings.sorted(), {path: SourceFile(path, text)})
    return parsed.file


def _with_empty_lines(lines: Iterable[tuple[FormattedLine, str]]) -> Iterator[str]:
    """Yield the lines with the empty ones between them that may stay."""
    may_stay = False
    for line, text in lines:
        if may_stay:
            most = MOST_EMPTY_LINES_WITHIN if line.depth else MOST_EMPTY_LINES
            yield from [""] * min(line.empty_before, most)
        may_stay = not line.opens_body
        yield text


# -------------------------------------------------------------------- comments after code
def _aligned(lines: Iterable[FormattedLine]) -> Iterator[tuple[FormattedLine, str]]:
    """Yield the lines with their comments: those that were below each other still are."""
    run: list[FormattedLine] = []
    column = 0
    for line in lines:
        if line.comment and (line.empty_before or line.column != column):
            yield from _run(run, column)
            run, column = [], line.column
        run.append(line)
    yield from _run(run, column)


def _run(run: list[FormattedLine], column: int) -> Iterator[tuple[FormattedLine, str]]:
    """Yield the lines of a run, their comments in its column or as far right as they must."""
    widest = max((len(line.code) for line in run if line.comment), default=0)
    column = max(column, widest + 2)
    for line in run:
        gap = column - len(line.code) if line.comment else 0
        yield line, line.code + " " * gap + line.comment

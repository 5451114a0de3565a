"""A line of a file as a terminal shows it, with the columns that a span takes up there."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise

import attrs

from rulesdsl.source.span import SourceFile, Span

_TAB_STOP = 4
_LONGEST = 300  # house: of what is shown of a line or a text
_BEFORE = 60  # house: of a long line before the place that is meant
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# controls, line ends, marks that turn the writing round, halves of pairs
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@attrs.frozen
class Excerpt:
    """The line on which a span begins; `start` and `width` count terminal cells."""

    text: str
    start: int
    width: int


def excerpt(span: Span, source: SourceFile) -> Excerpt | None:
    """Return the first line of the span, `None` if the file has no such line.

    The mark is at least one cell wide, so that an empty span shows as well; it does not run
    past the line, except for that one cell.  Of a very long line only a part is returned.
    """
    if not 1 <= span.line <= len(source.lines):
        return None
    line = source.line(span.line)
    first = min(max(span.column, 1) - 1, len(line))
    last = len(line) if span.end_line > span.line else min(span.end_column - 1, len(line))
    if len(line) > _LONGEST:  # what is around the place
        begin = max(0, min(first - _BEFORE, len(line) - _LONGEST))
        before, after = "…" if begin else "", "…" if begin + _LONGEST < len(line) else ""
        line = f"{before}{line[begin : begin + _LONGEST]}{after}"
        first, last = (min(at - begin + len(before), len(line)) for at in (first, last))
    cells = _cells(line)
    width = max(cells[max(last, first)] - cells[first], 1)
    shown = "".join(
        " " * (end - start) if each == "\t" else each
        for each, (start, end) in zip(line, pairwise(cells), strict=True)
    )
    return Excerpt(visible(shown, keep=""), cells[first], width)


def in_short(text: str) -> str:
    """Return a text from any file as a part of a message: it steers nothing, and is not long."""
    return visible(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…", keep="")


def visible(text: str, keep: str = "\n") -> str:
    """Return the text without characters that steer a terminal or turn the writing round."""
    return _STEERING.sub(lambda found: found[0] if found[0] in keep else _REPLACEMENT, text)


def escaped(json_text: str) -> str:
    """Return JSON that says the same without a character that steers a terminal."""
    return _STEERING.sub(
        lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", json_text
    )


def _cells(line: str) -> list[int]:
    """Return where on the terminal every character begins, and last where the line ends."""
    cells = [0]
    for each in line:
        cells.append(cells[-1] + _width(each, cells[-1]))
    return cells


def _width(character: str, at: int) -> int:
    if character == "\t":
        return _TAB_STOP - at % _TAB_STOP
    if _STEERING.match(character):
        return 1  # of the replacement
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

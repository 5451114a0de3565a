"""A line of a file as a terminal shows it, with the columns that a span takes up there."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import attrs

from rulesdsl.source.span import SourceFile, Span

_TAB_STOP = 4
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_STEERING_CATEGORIES = {"Cc", "Cs", "Zl", "Zp"}  # controls, halves of pairs, line ends
_STEERING_DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@attrs.frozen
class Excerpt:
    """The line on which a span begins; `start` and `width` count terminal cells."""

    text: str
    start: int
    width: int


def excerpt(span: Span, source: SourceFile) -> Excerpt | None:
    """Return the first line of the span, `None` if the file has no such line.

    The mark is at least one cell wide, so that an empty span shows as well; it does not run
    past the line, except for that one cell.
    """
    if not 1 <= span.line <= len(source.lines):
        return None
    line = source.line(span.line)
    cells = _cells(line)
    first = min(max(span.column, 1) - 1, len(line))
    last = len(line) if span.end_line > span.line else min(span.end_column - 1, len(line))
    width = max(cells[max(last, first)] - cells[first], 1)
    shown = "".join(
        " " * (end - start) if each == "\t" else each
        for each, (start, end) in zip(line, pairwise(cells), strict=True)
    )
    return Excerpt(visible(shown, keep=""), cells[first], width)


def visible(text: str, keep: str = "\n") -> str:
    """Return the text without characters that steer a terminal or turn the writing round."""
    return "".join(_REPLACEMENT if _steers(each) and each not in keep else each for each in text)


def _steers(character: str) -> bool:
    return (
        unicodedata.category(character) in _STEERING_CATEGORIES
        or unicodedata.bidirectional(character) in _STEERING_DIRECTIONS
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
    if _steers(character):
        return 1  # of the replacement
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

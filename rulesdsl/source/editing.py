"""Carrying out edits: places of a text as offsets, and what the text is afterwards."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.source.fix import Edit
    from rulesdsl.source.span import Span


def stretch_of(text: str, span: Span) -> tuple[int, int]:
    """Return the offsets at which a span begins and ends; ValueError if the text lacks it."""
    starts = _starts(text)
    start, end = (
        _offset(starts, line, column)
        for line, column in ((span.line, span.column), (span.end_line, span.end_column))
    )
    if end < start:
        raise ValueError(f"{span} ends before it begins")
    return start, end


@lru_cache(maxsize=2)  # a file with many findings has as many fixes
def _starts(text: str) -> list[int]:
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Return a text after edits that do not overlap; ValueError if they do, or lie outside."""
    placed = sorted((*stretch_of(text, each.span), each.text) for each in edits)
    parts, done = [], 0
    for start, end, new in placed:
        if start < done:
            raise ValueError("two edits overlap")
        parts += [text[done:start], new]
        done = end
    return "".join([*parts, text[done:]])


def _offset(starts: list[int], line: int, column: int) -> int:
    if not 1 <= line < len(starts):
        raise ValueError(f"there is no line {line}")
    at = starts[line - 1] + column - 1
    if column < 1 or at >= starts[line]:
        raise ValueError(f"there is no column {column} in line {line}")
    return at

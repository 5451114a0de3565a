"""Texts with values in braces: where the words end and what is asked for begins."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

import attrs

from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from rulesdsl.source.diagnostic import Findings

_SLOT = re.compile(r"\{([^{}]*)\}")
_BRACE = re.compile(r"[{}]")

Positions: TypeAlias = tuple[tuple[int, int], ...]
"""Line and column of each character of a text, and last of its end."""


@attrs.frozen
class Slot:
    """A phrase in braces, and where each of its characters is."""

    words: str
    span: Span
    positions: Positions = attrs.field(repr=False)


Parts: TypeAlias = tuple[str | Slot, ...]


def positions_in(line: int, column: int, text: str) -> Positions:
    """Return the positions of a text that is in one line of a file."""
    return tuple((line, column + at) for at in range(len(text) + 1))


def cut(text: str, file: str, positions: Positions, findings: Findings) -> Parts:
    """Cut a text into words and slots; a brace without a partner is reported."""
    parts: list[str | Slot] = []
    done = 0
    for found in _SLOT.finditer(text):
        parts.append(text[done : found.start()])
        parts.append(slot_at(text, found.span(1), file, positions))
        done = found.end()
    parts.append(text[done:])
    for part, start in zip(parts, _starts(parts), strict=True):
        brace = _BRACE.search(part) if isinstance(part, str) else None
        if brace:
            line, column = positions[start + brace.start()]
            message = "This brace has no match."
            advice = "A value is in braces, on one line: {price of kite}."
            findings.report("E105", Span(file, line, column, line, column + 1), message, advice)
    return tuple(part for part in parts if part != "")


def slot_at(text: str, bounds: tuple[int, int], file: str, positions: Positions) -> Slot:
    """Return the slot between two offsets of a text; a line may end in it."""
    start, end = bounds
    span = Span(file, *positions[start], *positions[end])
    return Slot(text[start:end].replace("\n", " "), span, positions[start : end + 1])


def _starts(parts: list[str | Slot]) -> list[int]:
    """Return the offset at which each part begins, its braces left out."""
    starts, at = [], 0
    for part in parts:
        starts.append(at)
        at += len(part) if isinstance(part, str) else len(part.words) + 2
    return starts

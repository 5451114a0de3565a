"""Texts measured in terminal cells: some signs take two, some none."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator


def width(text: str) -> int:
    """Return how many cells a text takes up."""
    return sum(map(_cells, text))


def padded(text: str, cells: int) -> str:
    """Return the text with spaces up to a number of cells."""
    return text + " " * max(0, cells - width(text))


def wrapped(text: str, cells: int) -> list[str]:
    """Break a text at its spaces, and a word that is too long anywhere; at least one line."""
    lines = [""]
    for word in text.split(" "):
        for piece in _pieces(word, cells):
            joined = f"{lines[-1]} {piece}" if lines[-1] else piece
            if width(joined) <= cells:
                lines[-1] = joined
            else:
                lines.append(piece)
    return lines


def _pieces(word: str, cells: int) -> Iterator[str]:
    piece, used = "", 0
    for each in word:
        if piece and used + _cells(each) > cells:
            yield piece
            piece, used = "", 0
        piece += each
        used += _cells(each)
    yield piece


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1

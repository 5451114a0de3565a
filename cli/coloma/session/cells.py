"""Texts measured in terminal cells: some signs take two, some none."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, chop_cells


def width(text: str) -> int:
    """Return how many cells a text takes up."""
    return cell_len(text)


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
    yield from chop_cells(word, max(cells, 2)) or [word]  # it has no line for marks alone

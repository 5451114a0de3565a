"""Columns of texts side by side, fitted to a width without a loss of numbers or names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from coloma.session.screen import side_by_side

if TYPE_CHECKING:
    from rich.align import AlignMethod

Column = list[Text]
LEAST_NAME = 4  # house: cells of a shortened name on a grid, mark included; a legend explains it
_LEAST_HEADING = 6  # house: cells of a shortened heading that can be guessed, mark included
_MARK = "…"


def widest(column: Sequence[Text]) -> int:
    """Return the cells of the widest text."""
    return max((text.cell_len for text in column), default=0)


def total(columns: Sequence[Column], gap: int) -> int:
    """Return the cells of columns side by side."""
    return sum(map(widest, columns)) + gap * (len(columns) - 1)


def align(column: Column, method: AlignMethod) -> None:
    """Pad the texts of a column to the same width."""
    cells = widest(column)
    for text in column:
        text.align(method, cells)


def shorten_headings(columns: Sequence[Column], gap: int, width: int) -> bool:
    """Cut the first texts of columns, the widest first; return whether the columns then fit."""
    least = [max(widest(column[1:]), _LEAST_HEADING) for column in columns]
    while total(columns, gap) > width:
        spare = [widest(column) - cells for column, cells in zip(columns, least, strict=True)]
        if max(spare) <= 0:
            return False
        heading = columns[spare.index(max(spare))][0]
        cut = heading.plain.removesuffix(".")[:-1].rstrip()
        heading.truncate(len(cut))
        heading.append(".")
    return True


def shorten(columns: Sequence[Column], cells: int) -> dict[str, str]:
    """Cut all texts of columns to a number of cells; return the full text for each short one."""
    texts = dict.fromkeys(text.plain for column in columns for text in column)
    short = _short_names([text for text in texts if cell_len(text) > cells], cells)
    for text in (text for column in columns for text in column if text.plain in short):
        name, mark = short[text.plain]
        text.truncate(cell_len(name))
        text.append(mark)
    return {name + mark: text for text, (name, mark) in short.items()}


def _short_names(texts: Iterable[str], cells: int) -> dict[str, tuple[str, str]]:
    """Return a beginning and a mark for each text; equal beginnings get different marks."""
    short: dict[str, tuple[str, str]] = {}
    for text in texts:
        number, mark = 1, _MARK
        while (pair := (set_cell_size(text, cells - len(mark)).rstrip(), mark)) in short.values():
            number += 1
            mark = f"{_MARK}{number}"
        short[text] = pair
    return short


def fitting_cells(columns: Sequence[Column], gap: int, width: int) -> int:
    """Return the cells to which the texts after the first column are cut so that all fit."""
    first, *others = map(widest, columns)
    room = width - first - gap * len(others)
    cells = max(others)
    while sum(min(other, cells) for other in others) > room:
        cells -= 1
    return cells


def blocks(columns: Sequence[Column], widths: Sequence[int], gap: int, width: int) -> list[Text]:
    """Lay columns side by side; those without room follow below, again after the first column."""
    rest, lines = list(range(1, len(columns))), list[Text]()
    while rest:
        row = [0, rest.pop(0)]
        while rest and sum(widths[at] + gap for at in [*row, rest[0]]) - gap <= width:
            row.append(rest.pop(0))
        lines += side_by_side([columns[at] for at in row], gap, [widths[at] for at in row])
    return lines or list(columns[0])

"""What is new on the board since somebody looked at it last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias, assert_never

from rulesdsl import BoardPanel, Cell, Grid, Map, Rows, Table

Key: TypeAlias = tuple[str, ...]
"""A cell of the board: its panel, whose or what it is about, and its names in the panel."""


def changed(before: Sequence[BoardPanel], now: Sequence[BoardPanel]) -> frozenset[Key]:
    """Return the cells that hold something else than before; none where nothing was seen."""
    if not before:
        return frozenset()
    known = dict(_cells(before))
    return frozenset(key for key, cell in _cells(now) if key in known and known[key] != cell)


def cells_of(panel: BoardPanel) -> Iterator[Cell]:
    """Yield the cells of a panel."""
    return (cell for _, cell in _of_body(panel) if cell)


def _cells(panels: Sequence[BoardPanel]) -> Iterator[tuple[Key, Cell | None]]:
    for panel in panels:
        for names, cell in _of_body(panel):
            yield (panel.title, panel.of, *names), cell


def _of_body(panel: BoardPanel) -> Iterator[tuple[Key, Cell | None]]:
    match body := panel.body:
        case Rows():
            yield from (((row.label,), row.cell) for row in body.rows)
        case Table():
            for line in body.lines:
                for column, cell in zip(body.columns, line.cells, strict=True):
                    yield (line.label, column), cell
        case Grid():
            for name, cells in zip(body.rows, body.cells, strict=True):
                for column, each in zip(body.columns, cells, strict=True):
                    yield (name, column), each
        case Map():
            yield from (((spot.name,), spot.cell) for spot in body.spots)
            yield from (((row.label,), row.cell) for row in body.rest)
        case _:
            assert_never(body)

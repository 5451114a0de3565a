"""The board for whoever listens to it, or reads it by a program: a line for each thing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from coloma.session.changes import Key
from coloma.session.screen import shown
from rulesdsl import BoardPanel, Cell, Grid, Map, Row, Rows, Table, in_words

_NEW = " (new)"


def plain_board(
    panels: Sequence[BoardPanel], seats: Sequence[str], new: frozenset[Key] = frozenset()
) -> Iterator[str]:
    """Yield panels as lines: titles, and labels with what is after them."""
    for panel in panels:
        yield f"{_title(panel, seats)}:"
        yield from _Plain(panel, new).lines()


def _title(panel: BoardPanel, seats: Sequence[str]) -> str:
    """Return the heading, with the owner's name where it does not say it already."""
    owner = seats[panel.seat - 1] if panel.seat is not None else panel.of
    return shown(f"{owner}: {panel.title}" if owner not in panel.title else panel.title)


class _Plain:
    def __init__(self, panel: BoardPanel, new: frozenset[Key]) -> None:
        self.panel = panel
        self.new = new

    def lines(self) -> Iterator[str]:
        match body := self.panel.body:
            case Rows():
                yield from self._rows(body.rows)
            case Table():
                for line in body.lines:
                    yield self._across(line.label, body.columns, line.cells)
            case Grid():
                for name, cells in zip(body.rows, body.cells, strict=True):
                    yield self._across(name, body.columns, cells)
            case Map():
                yield from self._rows(
                    Row(each.name, each.cell) for each in body.spots if each.cell
                )
                yield from self._rows(body.rest)
                for way in body.ways:
                    yield f"Way: {', '.join(shown(body.spots[at].name) for at in way)}"
            case _:
                assert_never(body)

    def _rows(self, rows: Iterable[Row]) -> Iterator[str]:
        for row in rows:
            yield f"{shown(row.label)}: {self._said(row.cell, row.label)}"

    def _across(self, name: str, columns: Sequence[str], cells: Sequence[Cell | None]) -> str:
        """Return the cells of a line that have something in them, each with its column."""
        there = ((each, cell) for each, cell in zip(columns, cells, strict=True) if cell)
        said = (f"{shown(each)} {self._said(cell, name, each)}" for each, cell in there)
        return f"{shown(name)}: {', '.join(said) or '-'}"

    def _said(self, cell: Cell, *names: str) -> str:
        mark = _NEW if (self.panel.title, self.panel.of, *names) in self.new else ""
        return (shown(in_words(cell)) or "-") + mark

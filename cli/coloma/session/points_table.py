"""Points as a table: a column for every seat, a row for every source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from coloma.session.cells import padded, width, wrapped
from coloma.session.screen import WIDTH, Screen, shown

_NARROWEST_TITLE = 16
_NARROWEST_COLUMN = 5
_GAP = 2


@attrs.frozen
class Column:
    """A seat: its name, and what it has in short, for those who do not see the table."""

    name: str
    summary: str


@attrs.frozen
class Row:
    """What the table says about one thing of every seat."""

    title: str
    cells: tuple[str, ...]


def show_points(
    screen: Screen, columns: Sequence[Column], sources: Sequence[Row], sums: Sequence[Row]
) -> None:
    """Show a table; a few lines for each seat where it is read aloud or has no room."""
    names = [shown(each.name) for each in columns]
    widths = [max(width(each), _NARROWEST_COLUMN) + _GAP for each in names]
    room = WIDTH - sum(widths)
    if screen.plain or room < _NARROWEST_TITLE:
        lines = _linear(columns, sources)
    else:
        lines = _table([Row("", tuple(names)), *sources, *sums], widths, room)
    for line in lines:
        screen.line(line)


def _linear(columns: Sequence[Column], sources: Sequence[Row]) -> Iterator[str]:
    for at, column in enumerate(columns):
        yield f"{shown(column.name)}: {column.summary}"
        for row in sources:
            yield f"  {shown(row.title)}: {row.cells[at]}"


def _table(rows: Sequence[Row], widths: Sequence[int], room: int) -> Iterator[str]:
    first = min(room, max(width(shown(row.title)) for row in rows))
    for row in rows:
        *above, last = wrapped(shown(row.title), first)
        yield from above
        cells = zip(row.cells, widths, strict=True)
        yield padded(last, first) + "".join(" " * (wide - width(c)) + c for c, wide in cells)

"""Drawing of board panels as lines: rows, tables, grids and maps, with changed cells marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from io import StringIO
from typing import assert_never

import attrs
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table as Columns
from rich.text import Text

from coloma.session.board.columns import (
    LEAST_NAME,
    align,
    blocks,
    fitting_cells,
    shorten,
    shorten_headings,
    total,
    widest,
)
from coloma.session.board.maps import STOP, drawn_map
from coloma.session.board.parts import Key, cells_of, title_of
from coloma.session.screen import shown
from rulesdsl import BoardPanel, Form, Grid, Item, Map, Role, Row, Rows, Spot, Table, TableLine

_COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "red")


def seat_signs(seats: Sequence[str]) -> tuple[str, ...]:
    """Return a short label for each seat: its initials; if ambiguous, a letter and a number."""
    initials = [
        "".join(word[0] for word in name.split() if word[0].isalnum()).upper() for name in seats
    ]
    counts = Counter(initials)
    return tuple(
        sign if sign and counts[sign] == 1 else f"{sign[:1]}{number}"
        for number, sign in enumerate(initials, start=1)
    )


def seat_colour(seat: int | None) -> str:
    """Return a seat's colour (seat 1 is the first), or an empty string for no seat."""
    return "" if seat is None else _COLOURS[(seat - 1) % len(_COLOURS)]


TITLE, LABEL, NEW = "bold", "dim", "bold reverse"
_GAP = 2
_FACE_DOWN = "?"
CONTINUED = "  "
"""Margin of the lines on which a list goes on."""
_WIDE = 1_000  # wider than any table
_Cell = Sequence[Item]


@attrs.frozen
class Pen:
    """Drawing parameters: the width, the names and signs of seats, and the changed cells."""

    width: int
    seats: Sequence[str]
    signs: Sequence[str]
    new: frozenset[Key] = frozenset()
    colour: bool = False
    whole: bool = False
    """True if headings are never cut."""


def panel_lines(panel: BoardPanel, pen: Pen) -> list[Text]:
    """Return the lines of a panel, none wider than the pen allows."""
    return _Drawing(panel, pen).lines()


class _Drawing:
    def __init__(self, panel: BoardPanel, pen: Pen) -> None:
        self.panel = panel
        self.pen = pen
        self.title = Text(shown(title_of(panel)), style=TITLE)
        nouns = {each.noun for cell in cells_of(panel) for each in cell if each.seat}
        self.mixed = len(nouns) > 1  # then the owner does not identify the kind of piece

    def lines(self) -> list[Text]:
        match body := self.panel.body:
            case Rows(form=Form.LINE | Form.HEADER):
                return self._line(body)
            case Rows(form=Form.COLUMNS):
                return self._columns(body.rows)
            case Rows():
                return self._rows(body.rows)
            case Table():
                return self._table(body)
            case Grid():
                return self._grid(body)
            case Map():
                return self._map(body)
            case _:
                assert_never(body)

    # ---------------------------------------------------------------- cells
    def _cell(self, cell: _Cell, *names: str, brief: bool = False) -> Text:
        text = Text()
        where = ""
        for item in cell:
            if text:
                is_sign = brief and (item.seat is not None or item.sign or self._is_back(item))
                text.append("; " if item.where != where else " " if is_sign else ", ")
            if item.where and item.where != where:
                text.append(f"{shown(item.where)}: ", style=LABEL)
            where = item.where
            text.append_text(self._item(item, brief=brief))
        if (self.panel.title, self.panel.of, *names) in self.pen.new:
            text.stylize(NEW)
            if not self.pen.colour:
                text.append("*")
        return text or Text("-", style="dim")  # a new object, since columns modify it

    def _item(self, item: Item, *, brief: bool) -> Text:
        words = shown(item.sign or item.text) if brief else shown(item.text)
        if brief and self._is_back(item):
            words = _FACE_DOWN if item.count == 1 else f"{_FACE_DOWN}:{item.count}"
        elif brief and item.seat is not None:
            sign = self.pen.signs[item.seat - 1]
            words = sign if item.count in {None, 1} else f"{sign}:{item.count}"
            words += f" {shown(item.noun)}" if self.mixed else ""
        style = seat_colour(item.seat) or ("dim" if item.role is Role.HIDDEN else "")
        return Text(words, style=style)

    def _is_back(self, item: Item) -> bool:
        """Return whether an item is pieces face down on a grid, without backs of their own."""
        is_hidden = item.role is Role.HIDDEN and bool(item.noun) and "(" not in item.text
        return is_hidden and isinstance(self.panel.body, Grid)

    def _seat(self, label: str, seat: int | None) -> Text:
        text = shown(label)
        if seat is not None and label != self.pen.signs[seat - 1]:
            text = f"{self.pen.signs[seat - 1]} {text}"
        return Text(text, style=seat_colour(seat) or LABEL)

    # ---------------------------------------------------------------- labels and cells
    def _line(self, body: Rows, *, brief: bool = False) -> list[Text]:
        parts = [
            Text.assemble(self._before(row, body), self._cell(row.cell, row.label, brief=brief))
            for row in body.rows
            if row.cell
        ]
        line = Text(" · ", style=LABEL).join(parts)
        if body.form is Form.HEADER:
            return self._wrapped(line)
        return self._wrapped(Text.assemble(self.title, "  ", line)) if parts else []

    def _before(self, row: Row, body: Rows) -> Text:
        alone = len(body.rows) == 1 and body.form is not Form.HEADER
        return Text("" if alone else f"{shown(row.label)} ", LABEL)

    def _rows(self, rows: Sequence[Row]) -> list[Text]:
        table = _bare()
        table.add_column()
        table.add_column(overflow="fold")
        for row in rows:
            table.add_row(self._seat(row.label, row.seat), self._cell(row.cell, row.label))
        return [self.title, *_lines(table, self.pen.width)]

    def _columns(self, rows: Sequence[Row]) -> list[Text]:
        def drawn(*, brief: bool, gap: int) -> Columns:
            table = _bare(header=True, gap=gap)
            table.add_column(self.title)
            for row in rows:
                table.add_column(self._seat(row.label, row.seat), overflow="fold")
            table.add_row("", *(self._cell(row.cell, row.label, brief=brief) for row in rows))
            return table

        wide = _console(_WIDE)
        for brief, gap in ((False, _GAP), (True, _GAP), (True, 1)):
            table = drawn(brief=brief, gap=gap)
            if Measurement.get(wide, wide.options, table).maximum <= self.pen.width:
                return _lines(table, self.pen.width)
        return self._line(Rows(Form.LINE, tuple(rows)), brief=True)

    # ---------------------------------------------------------------- tables
    def _table(self, body: Table) -> list[Text]:
        """Draw a table; if it is too wide, its widest columns of words become lines below it."""
        beside, below = list(range(len(body.columns))), list[int]()
        words = [at for at in beside if not all(_is_number(line.cells[at]) for line in body.lines)]
        while (fitted := self._fitted_table(body, beside)) is None and words:
            words.sort(key=lambda at: widest(self._column(body, at, brief=True)))
            below.append(words.pop())
            beside.remove(below[-1])
        gap, columns = fitted or (1, self._columns_of(body, beside, tight=True))
        for at, column in zip(beside, columns[1:], strict=True):
            if at not in words:  # headings are cut before numbers are padded
                align(column, "right")
        widths = [*map(widest, columns)]
        lines = blocks(columns, widths, gap, self.pen.width) if beside else [self.title]
        return lines + [line for at in sorted(below) for line in self._below(body, at)]

    def _fitted_table(
        self, body: Table, beside: Sequence[int]
    ) -> tuple[int, list[list[Text]]] | None:
        """Return a gap and columns that fit, or None; names of players shrink, then headings."""
        for tight, gap in ((False, _GAP), (False, 1), (True, _GAP), (True, 1)):
            columns = self._columns_of(body, beside, tight=tight)
            if total(columns, gap) <= self.pen.width:
                return gap, columns
        shrunk = not self.pen.whole and shorten_headings(columns[1:], 1, self._room(columns))
        return (1, columns) if shrunk else None

    def _room(self, columns: Sequence[Sequence[Text]]) -> int:
        return self.pen.width - widest(columns[0]) - 1

    def _columns_of(self, body: Table, beside: Sequence[int], *, tight: bool) -> list[list[Text]]:
        names = [
            self._seat(self._short(line) if tight else line.label, line.seat)
            for line in body.lines
        ]
        first = [Text() if tight and all(line.seat for line in body.lines) else self.title, *names]
        return [first, *(self._column(body, at, brief=tight) for at in beside)]

    def _short(self, line: TableLine) -> str:
        return line.label if line.seat is None else self.pen.signs[line.seat - 1]

    def _column(self, body: Table, at: int, *, brief: bool) -> list[Text]:
        title = body.columns[at]
        cells = (self._cell(line.cells[at], line.label, title, brief=brief) for line in body.lines)
        return [Text(shown(title), LABEL), *cells]

    def _below(self, body: Table, at: int) -> list[Text]:
        """Return a column of a table as one line, without its empty cells."""
        heading, *cells = self._column(body, at, brief=True)
        parts = [
            Text.assemble(self._seat(self._short(line), line.seat), " ", cell)
            for line, cell in zip(body.lines, cells, strict=True)
            if line.cells[at]
        ]
        line = Text.assemble(heading, "  ", Text(" · ", style=LABEL).join(parts))
        return self._wrapped(line) if parts else []

    def _grid(self, body: Grid) -> list[Text]:
        """Draw a grid; if it is too wide, names are cut and explained, or columns go below."""
        columns = [[self.title, *(Text(shown(name), LABEL) for name in body.rows)]]
        for at, title in enumerate(body.columns):
            squares = [self._square(row[at]) for row in body.cells]
            columns.append([Text(shown(title), LABEL), *squares])
        gap = 1 if total(columns, _GAP) + _GAP > self.pen.width else _GAP
        cells = fitting_cells(columns, gap, self.pen.width - gap)
        if cells < LEAST_NAME:
            cells = self._room(columns) - gap
        legend = shorten(columns[1:], cells)
        widths = [*map(widest, columns)]
        for column in columns[1:]:
            align(column, "center")
        for across, column in zip(body.columns, columns[1:], strict=True):
            for down, square in zip(body.rows, column[1:], strict=True):
                if (self.panel.title, self.panel.of, down, across) in self.pen.new:
                    self._mark(square)
        lines = blocks(columns, widths, gap, self.pen.width - gap)
        return [*lines, *self._legend(legend)]

    def _mark(self, square: Text) -> None:
        """Mark a changed square; without colour, the mark is in the gap, to keep the alignment."""
        square.rstrip()
        square.stylize(NEW)
        if not self.pen.colour:
            square.append("*")

    def _legend(self, names: Mapping[str, str]) -> list[Text]:
        """Return what the signs of seats, of hidden pieces and of shortened names stand for."""
        items = [item for cell in cells_of(self.panel) for item in cell]
        seats = {item.seat for item in items if item.seat}
        hidden = {item.noun for item in items if self._is_back(item)}
        names = {item.sign: item.text for item in items if item.sign} | dict(names)
        parts = [
            *(self._seat(self.pen.seats[seat - 1], seat) for seat in sorted(seats)),
            *(Text(f"{_FACE_DOWN} {shown(noun)}, face down", LABEL) for noun in sorted(hidden)),
            *(Text(f"{shown(name)} {shown(text)}", LABEL) for name, text in names.items()),
        ]
        return self._wrapped(Text(" · ", LABEL).join(parts)) if parts else []

    def _square(self, cell: _Cell | None) -> Text:
        if cell is None:
            return Text(" ")
        return self._cell(cell, brief=True) if cell else Text("·", style=LABEL)

    def _map(self, body: Map) -> list[Text]:
        drawn = drawn_map(body, self.pen.width, self._spot)
        if drawn:
            lines = [*drawn, *self._stops(body)]
        else:
            ways = ([body.spots[at] for at in way] for way in body.ways)
            lines = [line for way in ways for line in self._way(way)]
        rest = (
            Text.assemble(self._seat(row.label, row.seat), "  ", self._cell(row.cell, row.label))
            for row in body.rest
            if row.cell
        )
        below = [part for line in rest for part in self._wrapped(line)]
        has_stops = any(STOP in line.plain for line in lines)
        legend = self._legend({STOP: "a stop on the way"} if has_stops else {})
        return [self.title, *lines, *below, *legend]

    def _stops(self, body: Map) -> list[Text]:
        """Return the names of stops at which something is, for which the map has no room."""
        stops = [stop for stop in body.spots if stop.at is None and stop.cell]
        parts = [Text.assemble(self._spot(stop), " at ", shown(stop.name)) for stop in stops]
        return self._wrapped(Text(" · ", LABEL).join(parts)) if parts else []

    def _spot(self, spot: Spot) -> Text:
        lies = self._cell(spot.cell, spot.name, brief=True) if spot.cell else Text()
        if spot.at is None:
            return lies
        return Text(" ").join(each for each in (Text(shown(spot.name)), lies) if each)

    def _way(self, spots: Sequence[Spot]) -> list[Text]:
        named = [self._spot(attrs.evolve(each, at=each.at or (0, 0))) for each in spots]
        return self._wrapped(Text(" ── ", style=LABEL).join(named))

    # ---------------------------------------------------------------- fitting
    def _wrapped(self, line: Text) -> list[Text]:
        console = _console(self.pen.width)
        first, *rest = line.wrap(console, self.pen.width)
        for part in rest:
            part.rstrip()
        more = Text(" ").join(rest).wrap(console, self.pen.width - len(CONTINUED)) if rest else ()
        lines = [first, *(Text(CONTINUED).append_text(part) for part in more)]
        for part in lines:
            part.rstrip()
        return lines


def _is_number(cell: _Cell) -> bool:
    return all(each.role is Role.NUMBER or each.text == "?" for each in cell)


def _bare(*, gap: int = _GAP, header: bool = False) -> Columns:
    return Columns(
        box=None, show_header=header, pad_edge=False, padding=(0, gap, 0, 0), header_style="none"
    )


def _console(width: int) -> Console:
    return Console(file=StringIO(), width=width, color_system=None, legacy_windows=False)


def _lines(drawn: RenderableType, width: int) -> list[Text]:
    lines = []
    for segments in _console(width).render_lines(drawn, pad=False):
        parts = ((each.text, each.style or "") for each in segments)
        line = Text.assemble(*parts, no_wrap=True)
        line.rstrip()
        lines.append(line)
    return lines

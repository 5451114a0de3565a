"""Drawing of board panels as lines: rows, tables, grids and maps, with changed cells marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING, assert_never

import attrs
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table as Columns
from rich.text import Text

from coloma.session.board.maps import drawn_map
from coloma.session.board.parts import Key, cells_of, title_of
from coloma.session.screen import shown, side_by_side
from rulesdsl import BoardPanel, Form, Grid, Item, Map, Role, Row, Rows, Spot, Table

if TYPE_CHECKING:
    from rich.align import AlignMethod

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
_CUT_TO = 12  # cells to which the widest column is cut before names of players are abbreviated
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
    brief: bool = False


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
                text.append("; " if item.where != where else " " if brief else ", ")
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
        words = shown(item.text)
        if brief and item.seat is not None:
            sign = self.pen.signs[item.seat - 1]
            words = sign if item.count in {None, 1} else f"{sign}:{item.count}"
            words += f" {shown(item.noun)}" if self.mixed else ""
        style = seat_colour(item.seat) or ("dim" if item.role is Role.HIDDEN else "")
        return Text(words, style=style)

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
        for brief, gap in ((False, _GAP), (True, _GAP), (True, 1))[self.pen.brief :]:
            table = drawn(brief=brief, gap=gap)
            if Measurement.get(wide, wide.options, table).maximum <= self.pen.width:
                return _lines(table, self.pen.width)
        return self._line(Rows(Form.LINE, tuple(rows)), brief=True)

    # ---------------------------------------------------------------- tables
    def _table(self, body: Table) -> list[Text]:
        ways = ((False, _GAP), (False, 1), (True, _GAP), (True, 1))
        for tight, gap in ways[2 * self.pen.brief :]:
            columns = [self._seats(body, tight=tight), *self._table_columns(body, brief=tight)]
            widths = sorted(map(_widest, columns))
            can_be_cut = max(widths[-1] - _CUT_TO, 0)
            if sum(widths) + gap * len(body.columns) - can_be_cut <= self.pen.width:
                break
        _narrow(columns, self.pen.width - gap * len(body.columns))
        for at, column in enumerate(columns[1:]):  # headings are cut before numbers are padded
            if all(_is_number(line.cells[at]) for line in body.lines):
                _align(column, "right")
        return side_by_side(columns, gap, [*map(_widest, columns)])

    def _seats(self, body: Table, *, tight: bool) -> list[Text]:
        return [
            self.title if not tight else Text(),
            *(
                self._seat(line.label if not tight or line.seat is None else sign, line.seat)
                for line in body.lines
                for sign in ["" if line.seat is None else self.pen.signs[line.seat - 1]]
            ),
        ]

    def _table_columns(self, body: Table, *, brief: bool) -> list[list[Text]]:
        columns = []
        for at, title in enumerate(body.columns):
            column = [Text(shown(title), LABEL)]
            column += [
                self._cell(each.cells[at], each.label, title, brief=brief) for each in body.lines
            ]
            columns.append(column)
        return columns

    def _grid(self, body: Grid) -> list[Text]:
        columns = [[self.title, *(Text(shown(each), LABEL) for each in body.rows)]]
        for at, title in enumerate(body.columns):
            columns.append(
                [Text(shown(title), LABEL), *(self._square(row[at]) for row in body.cells)]
            )
        gap = 1 if sum(map(_widest, columns)) + _GAP * len(columns) > self.pen.width else _GAP
        _narrow(columns, self.pen.width - gap * len(columns))
        widths = [*map(_widest, columns)]
        for column in columns[1:]:
            _align(column, "center")
        for across, column in zip(body.columns, columns[1:], strict=True):
            for down, square in zip(body.rows, column[1:], strict=True):
                if (self.panel.title, self.panel.of, down, across) in self.pen.new:
                    self._mark(square)
        return [*side_by_side(columns, gap, widths), *self._whose_signs()]

    def _mark(self, square: Text) -> None:
        """Mark a changed square; without colour, the mark is in the gap, to keep the alignment."""
        square.rstrip()
        square.stylize(NEW)
        if not self.pen.colour:
            square.append("*")

    def _whose_signs(self) -> list[Text]:
        seats = {each.seat: each for cell in cells_of(self.panel) for each in cell if each.seat}
        signs = [
            Text(
                f"{self.pen.signs[seat - 1]} {shown(self.pen.seats[seat - 1])}", seat_colour(seat)
            )
            for seat in sorted(seat for seat in seats if seat)
        ]
        return self._wrapped(Text(" · ", LABEL).join(signs)) if signs else []

    def _square(self, cell: _Cell | None) -> Text:
        if cell is None:
            return Text(" ")
        return self._cell(cell, brief=True) if cell else Text("·", style=LABEL)

    def _map(self, body: Map) -> list[Text]:
        drawn = drawn_map(body, self.pen.width, self._spot) or [
            line for way in body.ways for line in self._way([body.spots[at] for at in way])
        ]
        rest = [
            Text.assemble(self._seat(row.label, row.seat), "  ", self._cell(row.cell, row.label))
            for row in body.rest
            if row.cell
        ]
        return [self.title, *drawn, *(line for each in rest for line in self._wrapped(each))]

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
        more = Text(" ").join(rest).wrap(console, self.pen.width - _GAP) if rest else ()
        return [first, *(Text(" " * _GAP).append_text(each) for each in more)]


def _widest(column: Sequence[Text]) -> int:
    return max(each.cell_len for each in column)


def _narrow(columns: Sequence[list[Text]], cells: int) -> None:
    while sum(map(_widest, columns)) > cells and max(map(_widest, columns)) > 1:
        column = max(columns, key=_widest)
        less = max(_widest(column) - 1, 1)
        for each in column:
            each.truncate(less, overflow="ellipsis")


def _align(column: Sequence[Text], method: AlignMethod) -> None:
    cells = _widest(column)
    for text in column:
        text.align(method, cells)


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

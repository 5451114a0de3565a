"""Drawing of board panels as lines: rows, tables, grids and maps, with changed cells marked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from io import StringIO
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias, assert_never

import attrs
from rich.console import Console, RenderableType
from rich.measure import Measurement
from rich.table import Table as Columns
from rich.text import Text

from coloma.session.screen import shown, side_by_side
from rulesdsl import BoardPanel, Cell, Form, Grid, Item, Map, Role, Row, Rows, Spot, Table

if TYPE_CHECKING:
    from rich.align import AlignMethod

Key: TypeAlias = tuple[str, ...]
"""Key of a cell: the title of the panel, its owner or subject, and names within the panel."""


def changed(before: Sequence[BoardPanel], now: Sequence[BoardPanel]) -> frozenset[Key]:
    """Return the keys of the cells that have changed; if there is no earlier board, none have."""
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


_STOP = "○"
_SLOPES = "╲╱"  # noqa: RUF001 - these are lines
_LINE = "dim"
_LEAST = 3  # minimum gap in cells between two places on one line

SpotText = Callable[[Spot], Text]
"""Function that returns the text of a place, or the contents of a stop (empty for none)."""


def drawn_map(body: Map, cells: int, text_of: SpotText) -> list[Text] | None:
    """Draw a map at most `cells` wide; return None if it does not fit, or has no positions.

    Places without a position are stops on a path, drawn at equal distances.
    """
    placed = [spot for spot in body.spots if spot.at is not None]
    if not placed:
        return None
    canvas = _Canvas(placed, cells, text_of)
    if not canvas.has_room():
        return None
    for way in body.ways:
        canvas.draw_way([body.spots[at] for at in way])
    return canvas.lines()


@attrs.frozen
class _Label:
    """Text of a place on the canvas, with its line and first cell."""

    line: int
    start: int
    text: Text

    @property
    def end(self) -> int:
        return self.start + self.text.cell_len

    @property
    def middle(self) -> int:
        return (self.start + self.end) // 2


class _Canvas:
    def __init__(self, placed: Sequence[Spot], cells: int, text_of: SpotText) -> None:
        self._cells = cells
        self._text_of = text_of
        rows = sorted({spot.at[0] for spot in placed if spot.at})
        columns = sorted({spot.at[1] for spot in placed if spot.at})
        self._labels: dict[str, _Label] = {}
        for spot in placed:
            assert spot.at is not None
            text = text_of(spot)
            share = columns.index(spot.at[1]) / max(len(columns) - 1, 1)
            start = round(share * (cells - text.cell_len))
            self._labels[spot.name] = _Label(2 * rows.index(spot.at[0]), start, text)
        self._grid: dict[tuple[int, int], Text] = {}
        self._height = 2 * len(rows) - 1

    def has_room(self) -> bool:
        """Return True if all labels fit, with gaps between those on the same line."""
        labels = sorted(self._labels.values(), key=lambda each: (each.line, each.start))
        return all(
            one.line != other.line or one.end + _LEAST <= other.start
            for one, other in pairwise(labels)
        ) and all(each.text.cell_len <= self._cells for each in labels)

    def draw_way(self, way: Sequence[Spot]) -> None:
        """Draw a path through places that have positions, and its stops between them."""
        start: Spot | None = None
        stops: list[Spot] = []
        for spot in way:
            if spot.at is None:
                stops.append(spot)
                continue
            if start is not None:
                self._join(self._labels[start.name], self._labels[spot.name], stops)
            start, stops = spot, []

    def _join(self, one: _Label, other: _Label, stops: Sequence[Spot]) -> None:
        path = list(self._level(one, other) if one.line == other.line else _slope(one, other))
        for line, at, sign in path:
            self._grid.setdefault((line, at), Text(sign, _LINE))
        for number, stop in enumerate(stops, start=1):
            if path:
                line, at, _ = path[len(path) * number // (len(stops) + 1)]
                self._write(line, at, self._text_of(stop) if stop.cell else Text(_STOP))

    def _level(self, one: _Label, other: _Label) -> Iterator[tuple[int, int, str]]:
        left, right = (one, other) if one.start < other.start else (other, one)
        return ((one.line, at, "─") for at in range(left.end + 1, right.start - 1))

    def _write(self, line: int, at: int, text: Text) -> None:
        at -= text.cell_len // 2
        for each in text.divide(range(1, len(text))):
            self._grid[line, at] = each
            at += each.cell_len

    def lines(self) -> list[Text]:
        """Return the lines of the canvas; places are drawn over the paths between them."""
        found = []
        for line in range(self._height):
            labels = {each.start: each.text for each in self._labels.values() if each.line == line}
            text, at = Text(), 0
            while at < self._cells:
                if at in labels:
                    text.append_text(labels[at])
                    at += labels[at].cell_len
                else:
                    sign = self._grid.get((line, at), Text(" "))
                    text.append_text(sign)
                    at += max(sign.cell_len, 1)
            text.rstrip()
            found.append(text)
        return found


def _slope(one: _Label, other: _Label) -> Iterator[tuple[int, int, str]]:
    top, low = (one, other) if one.line < other.line else (other, one)
    steps = low.line - top.line
    for step in range(1, steps):
        at = top.middle + (low.middle - top.middle) * step // steps
        across = low.middle - top.middle
        sign = "│" if abs(across) < steps * 2 else _SLOPES[across < 0]
        yield top.line + step, at, sign


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
        title = panel.of if panel.of and panel.title in {"", "Player"} else panel.title
        if panel.of and panel.of not in title:
            title = f"{title}: {panel.of}"
        self.title = Text(shown(title), style=TITLE)
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

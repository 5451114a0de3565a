"""Layout of the board as lines of text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from rich.cells import cell_len
from rich.text import Text

from coloma.session.board.panels import CONTINUED, Pen, panel_lines
from coloma.session.board.parts import Key, title_of
from coloma.session.screen import shown, side_by_side
from rulesdsl import BoardPanel, Cell, Form, Grid, Map, Row, Rows, Table, When, in_words

COMPACT, WHOLE = 11, 22  # house: of 24 lines, enough for a question as well, or all but its prompt
_GAP = 3


def header_lines(panels: Sequence[BoardPanel], pen: Pen) -> list[Text]:
    """Return the header lines, if the game has any."""
    return [line for each in panels if _is_header(each) for line in panel_lines(each, pen)]


def compact_panels(panels: Sequence[BoardPanel]) -> list[BoardPanel]:
    """Return the panels that are shown with a question."""
    chosen = [each for each in panels if each.when is When.ALWAYS or _is_header(each)]
    if any(each.when is When.ALWAYS for each in panels):
        return chosen
    return [each for each in panels if each.when is not When.APART or _is_header(each)]


def compact_board(panels: Sequence[BoardPanel], pen: Pen, most: int = COMPACT) -> list[Text]:
    """Return the lines of the board that are shown with a question."""
    chosen = [each for each in compact_panels(panels) if not _is_header(each)]
    return _fitted(chosen, pen, most, header_lines(panels, pen))


def whole_board(panels: Sequence[BoardPanel], pen: Pen, most: int = WHOLE) -> list[Text]:
    """Return the lines of all panels except those shown only on request."""
    chosen = [each for each in panels if each.when is not When.APART and not _is_header(each)]
    return _fitted(chosen, pen, most, header_lines(panels, pen))


def _is_header(panel: BoardPanel) -> bool:
    return isinstance(panel.body, Rows) and panel.body.form is Form.HEADER


def _fitted(panels: Sequence[BoardPanel], pen: Pen, most: int, header: list[Text]) -> list[Text]:
    """Lay out panels within a number of lines.

    If there is not enough room, the longest lists lose lines; then the last panels are reduced to
    their titles. The first panel is always drawn in full, because it is the game itself.
    """
    drawn = [panel_lines(panel, pen) for panel in panels]
    lines = [*header, *_packed(drawn, pen.width)]
    while len(lines) > most and (
        lists := [pair for pair in zip(drawn, panels, strict=True) if _can_end_early(*pair)]
    ):
        longest, panel = max(lists, key=lambda pair: len(pair[0]))
        longest.pop()
        _end_early(longest[-1], f" … board {shown(title_of(panel).casefold())}", pen.width)
        lines = [*header, *_packed(drawn, pen.width)]
    for last in range(len(drawn) - 1, 0, -1):
        if len(lines) <= most:
            break
        names = ", ".join(dict.fromkeys(shown(panel.title) for panel in panels[last:]))
        more = Text(f"For more, type board NAME: {names}", style="dim")
        more.truncate(pen.width, overflow="ellipsis")
        lines = [*header, *_packed(drawn[:last], pen.width), more]
    return lines


def _end_early(line: Text, mark: str, width: int) -> None:
    """Cut a line after a whole thing, and say how to see the rest."""
    room = max(width - cell_len(mark), 0)
    for ending in (r"[,;] | · ", " "):
        ends = [match.start() for match in re.finditer(ending, line.plain)]
        if fitting := [end for end in ends if cell_len(line.plain[:end]) <= room]:
            line.truncate(cell_len(line.plain[: fitting[-1]]))
            break
    line.append(mark, style="dim")


def _can_end_early(block: Sequence[Text], panel: BoardPanel) -> bool:
    """Return whether the last line of a panel continues a list of things."""
    is_list = isinstance(panel.body, Rows) and panel.body.form is Form.LINE
    goes_on = len(block) > 1 and block[-1].plain.startswith(CONTINUED)
    return goes_on and (is_list or isinstance(panel.body, Table))


def _packed(blocks: Sequence[list[Text]], width: int) -> list[Text]:
    lines: list[Text] = []
    left = [each for each in blocks if each]
    while left:
        row = [left.pop(0)]
        while left and sum(map(_widest, [*row, left[0]])) + _GAP * len(row) <= width:
            row.append(left.pop(0))
        lines += side_by_side(row, _GAP, [*map(_widest, row)])
    return lines


def _widest(block: Sequence[Text]) -> int:
    return max(each.cell_len for each in block)


_NEW = " (new)"


def plain_board(
    panels: Sequence[BoardPanel], seats: Sequence[str], new: frozenset[Key] = frozenset()
) -> Iterator[str]:
    """Yield panels as plain lines: titles, then labels with their contents."""
    for panel in panels:
        owner = seats[panel.seat - 1] if panel.seat is not None else panel.of
        title = panel.title if owner in panel.title else f"{owner}: {panel.title}"
        yield f"{shown(title)}:"
        yield from _Plain(panel, new).lines()


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
                    Row(spot.name, spot.cell) for spot in body.spots if spot.cell
                )
                yield from self._rows(body.rest)
                for way in body.ways:
                    yield f"Path: {', '.join(shown(body.spots[at].name) for at in way)}"
            case _:
                assert_never(body)

    def _rows(self, rows: Iterable[Row]) -> Iterator[str]:
        for row in rows:
            yield f"{shown(row.label)}: {self._said(row.cell, row.label)}"

    def _across(self, name: str, columns: Sequence[str], cells: Sequence[Cell | None]) -> str:
        there = ((each, cell) for each, cell in zip(columns, cells, strict=True) if cell)
        said = (f"{shown(each)} {self._said(cell, name, each)}" for each, cell in there)
        return f"{shown(name)}: {', '.join(said) or '-'}"

    def _said(self, cell: Cell, *names: str) -> str:
        mark = _NEW if (self.panel.title, self.panel.of, *names) in self.new else ""
        return (shown(in_words(cell)) or "-") + mark

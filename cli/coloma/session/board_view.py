"""The board as text: boxes of at most 80 columns, or plain labelled lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, zip_longest
from typing import TypeAlias

import attrs

from coloma.session.cells import padded, width, wrapped
from coloma.session.screen import WIDTH, Ink, Screen, shown
from rulesdsl import BoardPanel

_HALF = WIDTH // 2
_FRAME = 4  # a border and a space on either side
_WIDEST_LABEL = 26
_GAP = 2

_Row: TypeAlias = tuple[str, str]


@attrs.frozen
class _Border:
    """The signs that boxes are drawn with."""

    across: str
    down: str
    corners: str


_LINES = _Border("─", "│", "┌┐└┘")
_ASCII = _Border("-", "|", "++++")


def show_board(screen: Screen, panels: Sequence[BoardPanel], seats: Sequence[str]) -> None:
    """Show panels in the order in which they come."""
    lines = _plain(screen, panels, seats) if screen.plain else _boxed(screen, panels, seats)
    for line in lines:
        screen.line(line)


def _plain(screen: Screen, panels: Sequence[BoardPanel], seats: Sequence[str]) -> Iterator[str]:
    for panel in panels:
        yield screen.paint(f"{_title(panel, seats)}:", Ink.TITLE)
        for label, text in panel.rows:
            yield f"{shown(label)}: {shown(text)}" if label else shown(text)


def _boxed(screen: Screen, panels: Sequence[BoardPanel], seats: Sequence[str]) -> Iterator[str]:
    """Yield the boxes, two beside each other where both are narrow."""
    left = list(panels)
    while left:
        panel = left.pop(0)
        if left and _go_together(panel, left[0], seats):
            yield from _beside(
                _box(screen, panel, seats, _HALF), _box(screen, left.pop(0), seats, _HALF)
            )
        else:
            yield from _box(screen, panel, seats, WIDTH)


def _go_together(one: BoardPanel, other: BoardPanel, seats: Sequence[str]) -> bool:
    """Tell whether two panels are of one kind, everybody's or somebody's, and both narrow."""
    alike = (one.seat is None) == (other.seat is None)
    return alike and _is_narrow(one, seats) and _is_narrow(other, seats)


def _is_narrow(panel: BoardPanel, seats: Sequence[str]) -> bool:
    inside, rows = _HALF - _FRAME, _cleaned(panel)
    lines = _column(rows, inside, _label_width(rows))
    return width(_title(panel, seats)) < inside and len(lines) <= len(rows)


def _beside(one: list[str], other: list[str]) -> Iterator[str]:
    for left, right in zip_longest(one, other, fillvalue=""):
        yield (left or " " * _HALF) + right


def _box(screen: Screen, panel: BoardPanel, seats: Sequence[str], cells: int) -> list[str]:
    border = _LINES if screen.box_drawing else _ASCII
    inside = cells - _FRAME
    title = wrapped(_title(panel, seats), inside - 2)[0]
    start, end = border.corners[0] + border.across, border.corners[1]
    rule = border.across * (inside - width(title) - 1)
    return [
        f"{start} {screen.paint(title, Ink.TITLE)} {rule}{end}",
        *(f"{border.down} {padded(line, inside)} {border.down}" for line in _rows(panel, inside)),
        f"{border.corners[2]}{border.across * (cells - 2)}{border.corners[3]}",
    ]


def _rows(panel: BoardPanel, inside: int) -> Iterator[str]:
    """Yield the lines of all rows; in a wide box, short rows stand in two columns."""
    half = (inside - _GAP) // 2 if inside > _HALF else 0
    rows = _cleaned(panel)
    labels = _label_width(rows)
    for short, together in groupby(rows, key=lambda row: labels + _GAP + width(row[1]) <= half):
        run = list(together)
        middle = (len(run) + 1) // 2
        left = _column(run[:middle], half, labels)
        right = _column(run[middle:], half, _label_width(run[middle:]))
        if not short or max(len(left), len(right)) > middle:
            yield from _column(run, inside, labels)
            continue
        for one, other in zip_longest(left, right, fillvalue=""):
            yield f"{padded(one, half + _GAP)}{other}".rstrip()


def _label_width(rows: Sequence[_Row]) -> int:
    return min(max((width(label) for label, _ in rows), default=0), _WIDEST_LABEL)


def _column(rows: Sequence[_Row], cells: int, labels: int) -> list[str]:
    """Return the lines of rows below each other: labels, and the texts in a column of theirs."""
    lines: list[str] = []
    for label, text in rows:
        if not labels:
            lines += wrapped(text, cells)
            continue
        beside = wrapped(label, labels), wrapped(text, max(cells - labels - _GAP, 1))
        lines += [
            f"{padded(name, labels + _GAP)}{value}".rstrip()
            for name, value in zip_longest(*beside, fillvalue="")
        ]
    return lines


def _cleaned(panel: BoardPanel) -> list[_Row]:
    return [(shown(label), shown(text)) for label, text in panel.rows]


def _title(panel: BoardPanel, seats: Sequence[str]) -> str:
    """Return the heading, with the owner's name where it does not say it already."""
    title = shown(panel.title)
    if panel.seat is None:
        return title
    owner = shown(seats[panel.seat - 1])
    return title if owner in title else f"{owner}: {title}"

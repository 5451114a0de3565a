"""Drawing of maps: places at their positions, and the paths between them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import attrs
from rich.text import Text

from rulesdsl import Map, Spot

STOP = "○"
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
                self._write(line, at, self._text_of(stop) if stop.cell else Text(STOP))

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

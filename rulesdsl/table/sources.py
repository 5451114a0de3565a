"""Scores by source: what brought the points, as a table of sources and seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import attrs

from rulesdsl.interpreter.display.views import Score
from rulesdsl.interpreter.log import Gain

SourceRow: TypeAlias = tuple[str, tuple[int | None, ...]]
"""A source, and the points of each seat from it; None if the viewer may not know them."""
AT_THE_END = ", at the end"  # of a line of the end whose title is a source as well
_REST = "Anything else"


@attrs.frozen
class ScoreTable:
    """Points by source: those `scored` so far, and those `final` lines that the end brings.

    A scoring line that is followed in the log is split by source. Sources without points for
    anybody are left out.
    """

    scored: tuple[SourceRow, ...]
    final: tuple[SourceRow, ...]

    @classmethod
    def of(cls, lines: Sequence[SourceRow], gains: Sequence[Gain]) -> ScoreTable:
        """Return the table for the lines of a score or result, and the gains in the log."""
        scored: list[SourceRow] = []
        final: list[SourceRow] = []
        for title, points in lines:
            brought = [gain for gain in gains if gain.title == title]
            rows = _split(points, brought)
            if len(lines) == 1 < len(rows) or (len(lines) > 1 and brought):
                scored += rows
            else:
                final.append((title, points))
        titles = {source for source, _ in scored}
        final = [
            (f"{title}{AT_THE_END}" if title in titles else title, row) for title, row in final
        ]
        return cls(_with_points(scored), _with_points(final))

    @classmethod
    def now(cls, scores: Sequence[Score], gains: Sequence[Gain]) -> ScoreTable:
        """Return the table as if the game ended now."""
        columns = zip(*(score.lines for score in scores), strict=True)
        lines = [(line[0].title, tuple(seat.points for seat in line)) for line in columns]
        return cls.of(lines, gains)

    @property
    def subtotals(self) -> tuple[int, ...]:
        """The points of each seat scored so far."""
        columns = zip(*(points for _, points in self.scored), strict=True)
        return tuple(sum(filter(None, points)) for points in columns)


def _split(points: tuple[int | None, ...], gains: Sequence[Gain]) -> list[SourceRow]:
    """Return the rows of one scoring line, with what the log does not explain as the last."""
    by_source: dict[str, list[int | None]] = {}
    rest = [value or 0 for value in points]
    for gain in gains:
        row = by_source.setdefault(gain.source or _REST, [0] * len(points))
        row[gain.column] = (row[gain.column] or 0) + gain.by
        rest[gain.column] -= gain.by
    if any(rest):
        row = by_source.pop(_REST, [0] * len(points))
        by_source[_REST] = [(value or 0) + more for value, more in zip(row, rest, strict=True)]
    return [(source, tuple(row)) for source, row in by_source.items()]


def _with_points(rows: Sequence[SourceRow]) -> tuple[SourceRow, ...]:
    return tuple(row for row in rows if any(value != 0 for value in row[1]))

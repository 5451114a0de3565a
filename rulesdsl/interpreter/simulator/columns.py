"""What is told of a game that is over: the columns of its row of results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower.flatten.values import STANDING, TOTAL, VERDICT, value_name

if TYPE_CHECKING:
    from rulesdsl.lower.layout import Layout

COUNTS = ("decisions", "rounds", "traces")
"""What is counted on the way; a trace is a number that differs where others were asked."""


@attrs.frozen
class Columns:
    """A part of a row: functions of the flat form, each of a seat, and the shape they have."""

    shape: tuple[int, ...]
    cells: tuple[tuple[str, int], ...] = ()


def columns(layout: Layout) -> dict[str, Columns]:
    """Return the columns: counts, then scores, places, points by source, verdicts by player."""
    seats = layout.scoring_seats()
    lines = [value_name(*each.value) for each in layout.schema.scores]
    players = tuple(range(layout.players))
    found = {name: Columns(()) for name in COUNTS}
    found["scores"] = _of_seats((len(seats),), [TOTAL], seats)
    found["places"] = _of_seats((len(seats),), [STANDING], seats)
    found["points"] = _of_seats((len(lines), len(seats)), lines, seats)
    found["verdicts"] = _of_seats((len(players),), [VERDICT], players)
    return found


def _of_seats(shape: tuple[int, ...], functions: list[str], seats: tuple[int, ...]) -> Columns:
    return Columns(shape, tuple((name, seat) for name in functions for seat in seats))

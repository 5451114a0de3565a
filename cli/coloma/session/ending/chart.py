"""Chart of the points over the parts of a game."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size

from coloma.session.screen import WIDTH, Ink, Screen, shown
from rulesdsl.table.points import PointHistory

COLUMNS = 6  # house: parts in the chart, so that the bars fit beside them
_CELL = 5
_LONGEST_NAME = 20
_SHORTEST_BAR = 8
_END = "end"


def show_chart(screen: Screen, past: PointHistory) -> None:
    """Show the points after each part; nothing if there are no parts, or nobody had any points."""
    if len(past.parts) < 2 or not any(map(any, past.totals)):  # noqa: PLR2004 - one is the end
        return
    screen.line()
    screen.line(
        "If the game had ended after" if not screen.plain else "Points over the game", Ink.TITLE
    )
    width = min(screen.width, WIDTH) if screen.is_terminal else WIDTH
    for line in _sentences(past) if screen.plain else _chart(past, width):
        screen.line(line)


def _sentences(past: PointHistory) -> Iterator[str]:
    for at, part in enumerate(past.parts):
        points = (f"{shown(n)} {row[at]}" for n, row in zip(past.seats, past.totals, strict=True))
        moment = "At the end" if at == len(past.parts) - 1 else f"After {shown(part)}"
        yield f"{moment}: {', '.join(points)}"


def _chart(past: PointHistory, width: int) -> Iterator[str]:
    words, _, _ = shown(past.parts[0]).rpartition(" ")
    names = [shown(name) for name in past.seats]
    first = min(max(map(cell_len, [*names, words])), _LONGEST_NAME)
    numbers = [*(part.rpartition(" ")[2] for part in past.parts[:-1]), _END]
    yield set_cell_size(words, first) + "".join(f"{number:>{_CELL}}" for number in numbers)
    room = max(width - first - _CELL * len(numbers) - 2, _SHORTEST_BAR)
    most = max(max(row) for row in past.totals)
    order = sorted(range(len(names)), key=lambda seat: -past.totals[seat][-1])
    for seat in order:
        points = past.totals[seat]
        bar = "#" * (max(points[-1], 0) * room // max(most, 1))
        cells = "".join(f"{value:>{_CELL}}" for value in points)
        yield f"{set_cell_size(names[seat], first)}{cells}  {bar}".rstrip()

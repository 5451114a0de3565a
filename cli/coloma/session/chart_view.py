"""Points over time, drawn in characters, or as numbers where a drawing is of no use."""

from __future__ import annotations

from collections.abc import Iterator

from coloma.session.cells import wrapped
from coloma.session.history import History
from coloma.session.screen import WIDTH, Ink, Screen, shown

_ROWS = 9
_MARGIN = 8  # the figures at the left, and the line beside them
_NARROWEST = 24
_SAMPLES = 8
"""So many positions are told where the chart is read aloud."""
_MARKS = "123456789abcdefghijklmnopqrstuvwxyz"
_SEVERAL = "*"


def chart_columns(screen: Screen) -> int:
    """Return how many positions the chart has room for."""
    if screen.plain:
        return _SAMPLES
    return max(_NARROWEST, _width(screen) - _MARGIN)


def show_chart(screen: Screen, past: History) -> None:
    """Show how the points grew; nothing for a game in which nobody ever had any."""
    low, high = _range(past)
    if low == high:
        return
    screen.line()
    screen.line("Points over the game", Ink.TITLE)
    drawn = _numbers(past) if screen.plain else _chart(past, low, high, _width(screen))
    for line in drawn:
        screen.line(line)


def _width(screen: Screen) -> int:
    return screen.width if screen.is_terminal else WIDTH


def _range(past: History) -> tuple[int, int]:
    values = [0, *(value for row in past.totals for value in row)]
    return min(values), max(values)


def _numbers(past: History) -> Iterator[str]:
    for at, choices in enumerate(past.choices):
        told = (f"{shown(n)} {row[at]}" for n, row in zip(past.seats, past.totals, strict=True))
        yield f"After {_counted(choices)}: {', '.join(told)}"


def _chart(past: History, low: int, high: int, width: int) -> Iterator[str]:
    """Yield the rows from the top, with the figures of top, bottom and 0."""
    signs = [[" "] * len(past.choices) for _ in range(_ROWS)]
    for seat, row in enumerate(past.totals):
        for column, value in enumerate(row):
            at = _row(value, low, high)
            taken = signs[at][column] != " "
            signs[at][column] = _SEVERAL if taken else _MARKS[seat % len(_MARKS)]
    figures = {_row(value, low, high): str(value) for value in (low, high, 0)}
    for at, cells in enumerate(signs):
        yield f"{figures.get(at, ''):>{_MARGIN - 2}} |{''.join(cells)}".rstrip()
    end = _counted(past.choices[-1])
    yield " " * (_MARGIN - 1) + "+" + "-" * len(past.choices)
    yield " " * _MARGIN + "start" + f"{end:>{max(len(past.choices) - 5, len(end) + 1)}}"
    names = [f"{_MARKS[at % len(_MARKS)]} {shown(name)}" for at, name in enumerate(past.seats)]
    several = [f"{_SEVERAL} several"] if any(_SEVERAL in cells for cells in signs) else []
    yield from wrapped(", ".join([*names, *several]), width)


def _row(value: int, low: int, high: int) -> int:
    """Return the row of a value; the first one is at the top."""
    return _ROWS - 1 - round((value - low) * (_ROWS - 1) / (high - low))


def _counted(choices: int) -> str:
    return "1 choice" if choices == 1 else f"{choices} choices"

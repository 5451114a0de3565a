"""Tables and charts of points, during a game and at its end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from coloma.session.screen import WIDTH, Ink, Screen, shown, wrapped
from rulesdsl import Result, Score
from rulesdsl.interpreter.display.results import outcome_lines
from rulesdsl.source.english import and_list, so_many
from rulesdsl.table.points import PointHistory

_NARROWEST_TITLE = 16
_NARROWEST_COLUMN = 5
_GAP = 2

Line = tuple[str, Sequence[str]]
"""Row of the table: a title, and a value for each seat."""


def show_points(
    screen: Screen, seats: Sequence[tuple[str, str]], sources: Sequence[Line], sums: Sequence[Line]
) -> None:
    """Show a table with a column for each seat, or lists if it is too wide or `screen` is plain.

    `seats` are names with summaries, in the order of the table. The line of a list for a seat is
    its summary and the sources.
    """
    names = [shown(name) for name, _ in seats]
    widths = [max(cell_len(each), _NARROWEST_COLUMN) + _GAP for each in names]
    room = WIDTH - sum(widths)
    if not screen.plain and room >= _NARROWEST_TITLE:
        for line in _table([("", names), *sources, *sums], widths, room):
            screen.line(line)
        return
    for at, (name, (_, summary)) in enumerate(zip(names, seats, strict=True)):
        parts = ", ".join(f"{shown(title)} {cells[at]}" for title, cells in sources)
        screen.line(f"{name}: {summary} ({parts})" if parts else f"{name}: {summary}")


def _table(rows: Sequence[Line], widths: Sequence[int], room: int) -> Iterator[str]:
    first = min(room, max(cell_len(shown(title)) for title, _ in rows))
    for title, cells in rows:
        *above, last = wrapped(shown(title), first)
        yield from above
        aligned = (" " * (wide - cell_len(c)) + c for c, wide in zip(cells, widths, strict=True))
        yield set_cell_size(last, first) + "".join(aligned)


_ROWS = 9
_MARGIN = 8  # for the numbers and the axis on the left
_NARROWEST = 24
_SAMPLES = 8
"""Number of samples listed in the plain layout."""
_MARKS = "123456789abcdefghijklmnopqrstuvwxyz"
_SEVERAL = "*"


def chart_columns(screen: Screen) -> int:
    """Return the number of samples that fit in the chart."""
    if screen.plain:
        return _SAMPLES
    return max(_NARROWEST, _width(screen) - _MARGIN)


def show_chart(screen: Screen, past: PointHistory) -> None:
    """Show a chart of the points, unless nobody ever had any."""
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


def _range(past: PointHistory) -> tuple[int, int]:
    values = [0, *(value for row in past.totals for value in row)]
    return min(values), max(values)


def _numbers(past: PointHistory) -> Iterator[str]:
    for at, (choices, part) in enumerate(zip(past.choices, past.parts, strict=True)):
        points = (f"{shown(n)} {row[at]}" for n, row in zip(past.seats, past.totals, strict=True))
        moment = f"After {so_many(choices, 'choice', 'choices')}"
        if any(past.parts):
            is_last = at == len(past.choices) - 1
            moment = "At the end" if is_last else shown(part) if at else "At the start"
        yield f"{moment}: {', '.join(points)}"


def _chart(past: PointHistory, low: int, high: int, width: int) -> Iterator[str]:
    signs = [[" "] * len(past.choices) for _ in range(_ROWS)]
    for seat, row in enumerate(past.totals):
        for column, value in enumerate(row):
            at = _row(value, low, high)
            taken = signs[at][column] != " "
            signs[at][column] = _SEVERAL if taken else _MARKS[seat % len(_MARKS)]
    figures = {_row(value, low, high): str(value) for value in (low, high, 0)}
    for at, cells in enumerate(signs):
        yield f"{figures.get(at, ''):>{_MARGIN - 2}} |{''.join(cells)}".rstrip()
    columns = len(past.choices)
    middle = shown(past.parts[columns // 2])
    end = "end" if middle else so_many(past.choices[-1], "choice", "choices")
    room = columns - len("start") - len(end)
    middle = f"{middle:^{room}}" if cell_len(middle) < room else " " * max(room, 1)
    yield " " * (_MARGIN - 1) + "+" + "-" * columns
    yield f"{' ' * _MARGIN}start{middle}{end}"
    names = [f"{_MARKS[at % len(_MARKS)]} {shown(name)}" for at, name in enumerate(past.seats)]
    several = [f"{_SEVERAL} more than one"] if any(_SEVERAL in cells for cells in signs) else []
    yield from wrapped(", ".join([*names, *several]), width)


def _row(value: int, low: int, high: int) -> int:
    return _ROWS - 1 - round((value - low) * (_ROWS - 1) / (high - low))


UNKNOWN = "?"


def show_scores(screen: Screen, scores: Sequence[Score]) -> None:
    """Show the leader, and the scores as if the game ended now, with a column for each seat."""
    if not scores or not scores[0].lines:
        screen.line("Nobody scores points in this game.")
        return
    screen.line("If the game ended now", Ink.TITLE)
    sources = [
        (line.title, [_said(score.lines[at].points) for score in scores])
        for at, line in enumerate(scores[0].lines)
    ]
    totals = [_said(score.total) for score in scores]
    seats = [
        (score.name, f"{total} {'point' if total == '1' else 'points'}")
        for score, total in zip(scores, totals, strict=True)
    ]
    show_points(screen, seats, sources, [("Total", totals)])
    if len(scores) > 1:
        screen.line(leader_line(scores), Ink.PROMPT)
    if any(score.total is None for score in scores):
        screen.line(f"{UNKNOWN}: depends on hidden information.")


def leader_line(scores: Sequence[Score]) -> str:
    """Return a sentence about the leader; ties are broken as at the end of the game."""
    first = [shown(each.name) for each in scores if each.place == 1]
    if not first:
        return "Nobody can tell yet who is leading."
    if len(first) == len(scores):
        return "All are level."
    best = {each.total for each in scores if each.place == 1}
    totals = sorted({each.total for each in scores if each.total is not None})
    how = ""
    if any(each.place != 1 and each.total in best for each in scores):
        how = " by the tie-break"
    elif len(totals) > 1 and all(each.total is not None for each in scores):
        how = f" by {totals[-1] - totals[-2]}"
    return f"{and_list(first)} {'leads' if len(first) == 1 else 'lead together'}{how}."


def _said(points: int | None) -> str:
    return UNKNOWN if points is None else str(points)


def show_result(screen: Screen, result: Result) -> None:
    """Show the final scoring with a column for each seat, the tie-breaks, and the outcome."""
    screen.line("Final scoring", Ink.TITLE)
    ranked = sorted(range(len(result.seats)), key=lambda seat: result.places[seat])
    places = [result.places[seat] for seat in ranked]
    scores = [result.scores[seat] for seat in ranked]
    seats = [
        (result.seats[seat], f"place {place}, {so_many(score, 'point', 'points')}")
        for seat, place, score in zip(ranked, places, scores, strict=True)
    ]
    sources = [
        (title, [str(points[seat]) for seat in ranked]) for title, points in result.breakdown
    ]
    signs = ["* 1" if place == 1 else str(place) for place in places]
    show_points(screen, seats, sources, [("Total", [*map(str, scores)]), ("Place", signs)])
    for told in [*deciding_lines(result, ranked), *tie_lines(result)]:
        for line in [told] if screen.plain else wrapped(told, WIDTH):
            screen.line(line)
    for line in outcome_lines(result):
        screen.line(line, Ink.PROMPT)


def deciding_lines(result: Result, ranked: Sequence[int]) -> Iterator[str]:
    """Yield what the winner gained most in, compared with the second."""
    if result.places.count(1) != 1 or len(ranked) < 2 or len(result.breakdown) < 2:  # noqa: PLR2004
        return
    winner, second = ranked[:2]
    title, points = max(result.breakdown, key=lambda line: line[1][winner] - line[1][second])
    if points[winner] > points[second]:
        names = shown(result.seats[winner]), shown(result.seats[second])
        figures = f"{points[winner]} against {points[second]}"
        yield f"{names[0]} was ahead of {names[1]} mostly in {shown(title)}: {figures}."


def tie_lines(result: Result) -> list[str]:
    """Explain the tie-breaks that were needed, one line for each."""
    return list(_ties(result, tuple(range(len(result.seats))), 0))


def _ties(result: Result, level: tuple[int, ...], at: int) -> Iterator[str]:
    if len(level) == 1 or at == len(result.ranking):
        return
    rank = result.ranking[at]
    if at:
        names = and_list([shown(result.seats[seat]) for seat in level])
        told = ", ".join(f"{shown(result.seats[seat])} {rank.values[seat]}" for seat in level)
        most = "most" if rank.most else "least"
        yield f"{names} are level. Next: {most} {shown(rank.text)} ({told})."
    for value in sorted({rank.values[seat] for seat in level}, reverse=rank.most):
        yield from _ties(
            result, tuple(each for each in level if rank.values[each] == value), at + 1
        )

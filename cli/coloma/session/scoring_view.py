"""The end of a game: who came where, and where every point comes from."""

from __future__ import annotations

from collections.abc import Iterator

from coloma.session.cells import padded, width, wrapped
from coloma.session.screen import WIDTH, Ink, Screen, shown
from rulesdsl import Result

_NARROWEST_TITLE = 16


def show_result(screen: Screen, result: Result) -> None:
    """Show the final scoring."""
    screen.line("Final scoring", Ink.TITLE)
    fits = WIDTH - sum(_columns(result)) >= _NARROWEST_TITLE
    for line in _table(result) if fits and not screen.plain else _linear(result):
        screen.line(line)
    for line in verdict_lines(result) or [winners_line(result)]:
        screen.line(line, Ink.PROMPT)


def verdict_lines(result: Result) -> list[str]:
    """Return what the end means for each player: one line where it means the same for all."""
    said = [
        (f"{shown(seat)} has ", verdict)
        for seat, verdict in zip(result.seats, result.verdicts, strict=False)
        if verdict
    ]
    told = [(who, f"{verdict.word}: {shown(verdict.text)}.") for who, verdict in said]
    if len({line for _, line in told}) == 1 and len(told) == len(result.verdicts):
        line = told[0][1]
        return [line[0].upper() + line[1:]]
    return [who + line for who, line in told]


def winners_line(result: Result) -> str:
    """Return who has won."""
    first = [
        shown(seat) for seat, place in zip(result.seats, result.places, strict=True) if place == 1
    ]
    if not first:
        return "Nobody wins."
    if len(first) == 1:
        return f"{first[0]} wins."
    return f"{', '.join(first[:-1])} and {first[-1]} share the victory."


def _linear(result: Result) -> Iterator[str]:
    """Yield a line for every seat, in the order of their places, and one for each source."""
    order = sorted(range(len(result.seats)), key=lambda seat: result.places[seat])
    for seat in order:
        name = shown(result.seats[seat])
        yield f"{name}: place {result.places[seat]}, {result.scores[seat]} points"
        for title, points in result.breakdown:
            yield f"  {shown(title)}: {points[seat]}"


def _table(result: Result) -> Iterator[str]:
    """Yield a column for every seat and a row for every source."""
    columns = _columns(result)
    room = WIDTH - sum(columns)
    titles = [shown(title) for title, _ in result.breakdown]
    first = min(room, max(map(width, [*titles, "Total"])))

    def row(title: str, values: tuple[object, ...]) -> Iterator[str]:
        *above, last = wrapped(title, first)
        yield from above
        cells = (f"{value!s:>{column}}" for value, column in zip(values, columns, strict=True))
        yield padded(last, first) + "".join(cells)

    yield from row("", tuple(map(shown, result.seats)))
    for title, (_, points) in zip(titles, result.breakdown, strict=True):
        yield from row(title, tuple(points))
    yield from row("Total", tuple(result.scores))
    yield from row("Place", tuple(result.places))


def _columns(result: Result) -> list[int]:
    """Return the width of every seat's column, the gap before it included."""
    return [max(width(shown(seat)), 5) + 2 for seat in result.seats]

"""Tables of points, during a game and at its end."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rich.cells import cell_len, set_cell_size

from coloma.session.answers import or_list
from coloma.session.screen import WIDTH, Ink, Screen, hanging, shown, wrapped
from rulesdsl import Result, Score
from rulesdsl.interpreter.display.results import outcome_lines
from rulesdsl.interpreter.log import Gain
from rulesdsl.source.english import and_list, so_many
from rulesdsl.table.sources import AT_THE_END, ScoreTable

_NARROWEST_TITLE = 16
_NARROWEST_COLUMN = 5
_GAP = 2
UNKNOWN = "?"
_NONE = "."  # no points, in a table

_SO_FAR = "Scored so far"  # a sum in a table; lists of single points do without it
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
    widths = [max(cell_len(name), _NARROWEST_COLUMN) + _GAP for name in names]
    room = WIDTH - sum(widths)
    if not screen.plain and room >= _NARROWEST_TITLE:
        for line in _table([("", names), *sources, *sums], widths, room):
            screen.line(line)
        return
    for at, (name, (_, summary)) in enumerate(zip(names, seats, strict=True)):
        values = (
            (title, "0" if cells[at] == _NONE else cells[at])
            for title, cells in sources
            if title != _SO_FAR
        )
        parts = ", ".join(f"{shown(title)} {cell}" for title, cell in values)
        screen.line(f"{name}: {summary} ({parts})" if parts else f"{name}: {summary}")


def _table(rows: Sequence[Line], widths: Sequence[int], room: int) -> Iterator[str]:
    first = min(room, max(cell_len(shown(title)) for title, _ in rows))
    for title, cells in rows:
        *above, last = wrapped(shown(title), first)
        yield from above
        aligned = (" " * (wide - cell_len(c)) + c for c, wide in zip(cells, widths, strict=True))
        yield set_cell_size(last, first) + "".join(aligned)


def show_scores(screen: Screen, scores: Sequence[Score], gains: Sequence[Gain] = ()) -> None:
    """Show points by source as if the game ended now, with a column for each seat, and the leader.

    Points that a viewer may not know are left out of the totals.
    """
    if not scores or not scores[0].lines:
        screen.line("Nobody scores points in this game.")
        return
    screen.line("If the game ended now", Ink.TITLE)
    rows = _rows(ScoreTable.now(scores, gains), range(len(scores)))
    totals = [_total(score) for score in scores]
    seats = [
        (score.name, f"{total} {'point' if total == '1' else 'points'}")
        for score, total in zip(scores, totals, strict=True)
    ]
    show_points(screen, seats, rows, [("Total", totals)])
    if len(scores) > 1:
        screen.line(leader_line(scores), Ink.PROMPT)
    if any(score.total is None for score in scores):
        screen.line(f"{UNKNOWN}: depends on hidden information, so it is not in the total.")


def _total(score: Score) -> str:
    if score.total is not None:
        return str(score.total)
    open_points = sum(line.points for line in score.lines if line.points is not None)
    return f"{open_points}+{UNKNOWN}"


def _rows(table: ScoreTable, order: Sequence[int]) -> list[Line]:
    """Return the sources for seats in an order, with the sum of those scored so far."""

    def cells(points: Sequence[int | None]) -> list[str]:
        return [_NONE if points[seat] == 0 else _said(points[seat]) for seat in order]

    rows: list[Line] = [(title, cells(points)) for title, points in table.scored]
    if table.scored and table.final:
        rows.append((_SO_FAR, [str(table.subtotals[seat]) for seat in order]))
    return rows + [(title, cells(points)) for title, points in table.final]


def show_gains(screen: Screen, scores: Sequence[Score], name: str, gains: Sequence[Gain]) -> None:
    """Show what brought the points of the seat with a name or number, one by one."""
    column = _column_of(scores, name)
    if column is None:
        names = or_list([shown(score.name) for score in scores])
        screen.line(f"`score` alone shows all; `score NAME` one of {names}.", Ink.WRONG)
        return
    score = scores[column]
    screen.line(f"{shown(score.name)}, if the game ended now", Ink.TITLE)
    brought = [gain for gain in gains if gain.column == column]
    lines = [(f"{gain.by:+d}", _told(gain)) for gain in brought]
    for line in score.lines:
        followed = sum(gain.by for gain in brought if gain.title == line.title)
        if line.points is None:
            lines.append((UNKNOWN, shown(line.title)))
        elif line.points != followed:
            lines.append((f"{line.points - followed:+d}", shown(line.title)))
    for points, text in [*lines, (_total(score), "Total")]:
        for row in (
            [f"{points} {text}"] if screen.plain else hanging(f"{points:>5}  {text}", WIDTH)
        ):
            screen.line(row)


def _column_of(scores: Sequence[Score], name: str) -> int | None:
    """Return the seat with a number or name, of which the beginning is enough."""
    wanted = name.casefold()
    matches = [
        at
        for at, score in enumerate(scores)
        if wanted == str(score.seat) or score.name.casefold().startswith(wanted)
    ]
    return matches[0] if len(matches) == 1 else None


def _told(gain: Gain) -> str:
    when = f" ({gain.moment})" if gain.moment not in {"", gain.words} else ""
    return shown((gain.words or gain.title) + when)


def leader_line(scores: Sequence[Score]) -> str:
    """Return a sentence about the leader; ties are broken as at the end of the game."""
    first = [shown(score.name) for score in scores if score.place == 1]
    if not first:
        return "Nobody can tell yet who is leading."
    if len(first) == len(scores):
        return "All are level."
    best = {score.total for score in scores if score.place == 1}
    totals = sorted({score.total for score in scores if score.total is not None})
    how = ""
    if any(score.place != 1 and score.total in best for score in scores):
        how = " by the tie-break"
    elif len(totals) > 1 and all(score.total is not None for score in scores):
        how = f" by {totals[-1] - totals[-2]}"
    return f"{and_list(first)} {'leads' if len(first) == 1 else 'lead together'}{how}."


def _said(points: int | None) -> str:
    return UNKNOWN if points is None else str(points)


def show_result(
    screen: Screen, result: Result, gains: Sequence[Gain] = (), people: Collection[int] = ()
) -> None:
    """Show the final scoring with a column for each seat, the tie-breaks, and the outcome.

    The winner is compared with the second, and with `people` (players from 1).
    """
    screen.line("Final scoring", Ink.TITLE)
    ranked = sorted(range(len(result.seats)), key=lambda seat: result.places[seat])
    places = [result.places[seat] for seat in ranked]
    scores = [result.scores[seat] for seat in ranked]
    seats = [
        (result.seats[seat], f"place {place}, {so_many(score, 'point', 'points')}")
        for seat, place, score in zip(ranked, places, scores, strict=True)
    ]
    table = ScoreTable.of(result.breakdown, gains)
    signs = ["* 1" if place == 1 else str(place) for place in places]
    sums = [("Total", [*map(str, scores)]), ("Place", signs)]
    show_points(screen, seats, _rows(table, ranked), sums)
    for text in [*deciding_lines(result, table, ranked, people), *tie_lines(result)]:
        for line in [text] if screen.plain else wrapped(text, WIDTH):
            screen.line(line)
    for line in outcome_lines(result):
        screen.line(line, Ink.PROMPT)


def deciding_lines(
    result: Result, table: ScoreTable, ranked: Sequence[int], people: Collection[int] = ()
) -> Iterator[str]:
    """Yield what the winner gained most in, compared with the second and with people."""
    sums: dict[str, list[int]] = {}
    for title, cells in (*table.scored, *table.final):
        subject = title.removesuffix(AT_THE_END)
        before = sums.get(subject, [0] * len(cells))
        sums[subject] = [sum_ + (cell or 0) for sum_, cell in zip(before, cells, strict=True)]
    rows = [*sums.items()]
    if result.places.count(1) != 1 or len(ranked) < 2 or len(rows) < 2:  # noqa: PLR2004
        return
    winner, second, *others = ranked
    for rival in (second, *(seat for seat in others if seat + 1 in people)):
        leads = {title: points[winner] - points[rival] for title, points in rows}
        title, points = max(rows, key=lambda row: leads[row[0]])
        if leads[title] > 0:
            names = shown(result.seats[winner]), shown(result.seats[rival])
            figures = f"{points[winner]} against {points[rival]}"
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
        values = ", ".join(f"{shown(result.seats[seat])} {rank.values[seat]}" for seat in level)
        most = "most" if rank.most else "least"
        yield f"{names} are level. Next: {most} {shown(rank.text)} ({values})."
    for value in sorted({rank.values[seat] for seat in level}, reverse=rank.most):
        yield from _ties(
            result, tuple(seat for seat in level if rank.values[seat] == value), at + 1
        )

"""The end of a game: who came where, and where every point comes from."""

from __future__ import annotations

from collections.abc import Iterator

from coloma.session.cells import wrapped
from coloma.session.points_table import Column, Row, show_points
from coloma.session.screen import WIDTH, Ink, Screen, shown
from rulesdsl import Result
from rulesdsl.source.english import and_list, so_many


def show_result(screen: Screen, result: Result) -> None:
    """Show the final scoring: a column for every seat, who is first with a mark."""
    screen.line("Final scoring", Ink.TITLE)
    columns = [
        Column(seat, f"place {place}, {so_many(score, 'point', 'points')}")
        for seat, place, score in zip(result.seats, result.places, result.scores, strict=True)
    ]
    sources = [Row(title, tuple(map(str, points))) for title, points in result.breakdown]
    sums = [
        Row("Total", tuple(map(str, result.scores))),
        Row("Place", tuple("* 1" if each == 1 else str(each) for each in result.places)),
    ]
    show_points(screen, columns, sources, sums)
    for told in tie_lines(result):
        for line in [told] if screen.plain else wrapped(told, WIDTH):
            screen.line(line)
    for line in outcome_lines(result):
        screen.line(line, Ink.PROMPT)


def tie_lines(result: Result) -> list[str]:
    """Return how those who are level were told apart, as far as the ranking goes."""
    return list(_ties(result, tuple(range(len(result.seats))), 0))


def _ties(result: Result, level: tuple[int, ...], at: int) -> Iterator[str]:
    """Yield the lines for seats that are level before a step of the ranking."""
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


def outcome_lines(result: Result) -> list[str]:
    """Return how the game ended, in words."""
    return verdict_lines(result) or [winners_line(result)]


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
    return f"{and_list(first)} {'wins' if len(first) == 1 else 'share the victory'}."

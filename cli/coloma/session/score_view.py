"""What everybody would have if the game ended now, as one viewer may know it."""

from __future__ import annotations

from collections.abc import Sequence

from coloma.session.points_table import Column, Row, show_points
from coloma.session.screen import Ink, Screen, shown
from rulesdsl import Score
from rulesdsl.source.english import and_list

UNKNOWN = "?"


def show_scores(screen: Screen, scores: Sequence[Score]) -> None:
    """Show a column for every seat that scores, and who leads."""
    if not scores or not scores[0].lines:
        screen.line("Nobody scores points in this game.")
        return
    screen.line("If the game ended now", Ink.TITLE)
    sources = [
        Row(line.title, tuple(_said(score.lines[at].points) for score in scores))
        for at, line in enumerate(scores[0].lines)
    ]
    totals = tuple(_said(score.total) for score in scores)
    columns = [
        Column(score.name, f"{total} {'point' if total == '1' else 'points'}")
        for score, total in zip(scores, totals, strict=True)
    ]
    show_points(screen, columns, sources, [Row("Total", totals)])
    if len(scores) > 1:
        screen.line(leader_line(scores), Ink.PROMPT)
    if any(score.total is None for score in scores):
        screen.line(f"{UNKNOWN}: it depends on something that you may not see.")


def leader_line(scores: Sequence[Score]) -> str:
    """Return who leads; ties are broken as they are at the end."""
    first = [shown(each.name) for each in scores if each.place == 1]
    if not first:
        return "Nobody can tell yet who leads."
    if len(first) == len(scores):
        return "All are level."
    best = {each.total for each in scores if each.place == 1}
    level = any(each.place != 1 and each.total in best for each in scores)
    how = " by the tie-break" if level else _by_how_many(scores)
    return f"{and_list(first)} {'leads' if len(first) == 1 else 'lead together'}{how}."


def _by_how_many(scores: Sequence[Score]) -> str:
    """Return how far ahead the first are; nothing where somebody's points are not known."""
    totals = sorted({each.total for each in scores if each.total is not None})
    known = all(each.total is not None for each in scores)
    return f" by {totals[-1] - totals[-2]}" if known and len(totals) > 1 else ""


def _said(points: int | None) -> str:
    return UNKNOWN if points is None else str(points)

"""Figures in words: what a designer reads in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from coloma.session.screen import shown
from coloma.simulation.numbers import about, columns, per_cent, plus_minus
from rulesdsl.figures.sequences import Confidence
from rulesdsl.figures.uses import PLACE, POINTS, WIN

if TYPE_CHECKING:
    from rulesdsl.figures.games import Figures
    from rulesdsl.figures.groups import Groups
    from rulesdsl.figures.sequences import Interval
    from rulesdsl.figures.tally import Tally
    from rulesdsl.figures.uses import Item, Uses

PERCENT = 100


def seat_lines(figures: Figures, confidence: Confidence, *, alike: bool) -> Iterator[str]:
    """Yield what seats came to, and how long the games were.

    Where all bots are `alike`, who wins more often does so because of the seat.
    """
    games = figures.games
    rows = [("", "points", "least", "most", "wins", "of games")]
    for seat in figures.seats:
        wins = confidence.share(seat.wins, games).scaled(PERCENT)
        tally = seat.points
        rows.append(
            (
                shown(seat.name),
                about(tally.interval(confidence), places=2),
                str(tally.least),
                str(tally.most),
                str(seat.wins),
                about(wins, " %"),
            )
        )
    yield from columns(rows)
    for seat in figures.seats:  # where the rules say such things
        if seat.verdicts:
            said = (f"{each} {seat.verdicts[each]}" for each in ("won", "drawn", "lost"))
            yield f"{shown(seat.name)}: {', '.join(said)}"
    if figures.ties:
        yield f"won by several: {figures.ties} games"
    if alike:
        yield from _seat_advantage(figures, confidence)
    yield from _sources(figures)
    if figures.rounds.most:  # not every game has any
        yield f"rounds a game: {_length(figures.rounds)}"
    yield f"decisions a game: {_length(figures.decisions)}"


def _length(tally: Tally) -> str:
    return f"mean {tally.mean:.1f}, least {tally.least}, most {tally.most}"


def _seat_advantage(figures: Figures, confidence: Confidence) -> Iterator[str]:
    """Yield which seats win more often, or less often, than the others do on average."""
    if len(figures.seats) == 1:
        return
    total = sum(each.wins for each in figures.seats)
    even = total / len(figures.seats) / figures.games if figures.games else 0
    for seat in figures.seats:
        found = confidence.shared(len(figures.seats)).share(seat.wins, figures.games)
        if found.low > even or found.high < even:
            more = "more" if found.mean > even else "less"
            said = f"{100 * found.mean:.1f} % of games, against {100 * even:.1f} % for all seats"
            yield f"{shown(seat.name)} wins {more} often than others: {said}"


def _sources(figures: Figures) -> Iterator[str]:
    """Yield what the points are scored for, where there is more than one source."""
    if len(figures.sources) < 2:  # noqa: PLR2004 - then it is all of them
        return
    yield "points by source:"
    rows = [("", *(shown(each.name) for each in figures.seats))]
    for at, source in enumerate(figures.sources):
        means = [each.sources[at].mean for each in figures.seats]
        if any(means):
            rows.append((f"  {shown(source)}", *(f"{mean:.2f}" for mean in means)))
    yield from columns(rows)


def item_lines(
    figures: Figures, groups: Groups, group: str, confidence: Confidence
) -> Iterator[str]:
    """Yield a table of the items of a group, those that go with most points first."""
    uses = figures.uses
    items = [each for each in groups.titles if each[0] == group]
    used = [each for each in items if each in uses.items and uses.items[each].chosen]
    yield f"by {group}: of those who chose it in a game, against those who did not"
    head = ("", "seen by", "chosen by", "times a game", "points", "place", "wins", "")
    rows: list[tuple[str, ...]] = [head]
    rows += [
        _row(uses, groups.titles[each], each, confidence)
        for each in _ranked(uses, used, confidence)
    ]
    yield from columns(rows)
    for said, chosen in (("offered, never chosen", True), ("never offered", False)):
        rest = [each for each in items if each not in used and (each in uses.items) == chosen]
        if rest:
            names = sorted({shown(groups.titles[each]) for each in rest})
            yield f"{said}: {', '.join(names)}"


def _ranked(uses: Uses, items: list[Item], confidence: Confidence) -> list[Item]:
    """Return items, those with the greatest advantage first, those with too few games last."""

    def key(item: Item) -> tuple[bool, float, Item]:
        found = uses.advantage(item, POINTS, confidence)
        return not found.known, -found.mean, item

    return sorted(items, key=key)


def _row(uses: Uses, title: str, item: Item, confidence: Confidence) -> tuple[str, ...]:
    use, all_ = uses.items[item], uses.everybody
    seats = all_.games * all_.players
    points = uses.advantage(item, POINTS, confidence)
    return (
        shown(title),
        per_cent(use.seen, seats),
        per_cent(use.takers, seats),
        f"{use.chosen / all_.games:.2f}",
        plus_minus(points),
        plus_minus(uses.advantage(item, PLACE, confidence), places=2),
        plus_minus(uses.advantage(item, WIN, confidence).scaled(PERCENT), " %", places=0),
        _word(points),
    )


def _word(points: Interval) -> str:
    """Say what an interval of points says."""
    if not points.known:
        return ""
    return {1: "more points", 0: "not clear", -1: "fewer points"}[points.sign]


INTERVALS = "± is a 95 % interval; it counts games, and holds however often you look"

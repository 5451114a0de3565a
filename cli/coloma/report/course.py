"""How games go: seats, points over time, where points come from, length."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import TYPE_CHECKING

from coloma.report.charts import columns, intervals, lines, stacked
from coloma.report.sections import Section, Table
from coloma.simulation.numbers import about
from rulesdsl.source.english import so_many

if TYPE_CHECKING:
    from array import array

    from rulesdsl.figures.curve import Curve
    from rulesdsl.figures.games import Figures
    from rulesdsl.figures.sequences import Confidence

KEPT = (
    "They were scored again and again as if they ended there; a game that has ended keeps its last"
    " points."
)
MOMENTS = 6  # house: columns of the table of points over time
BINS = 20  # house: columns of the histogram of lengths
ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def seats(figures: Figures, bots: tuple[str, ...], confidence: Confidence) -> Section:
    """Return what each seat came to, and whether one of them has an advantage."""
    many, games = len(figures.seats), figures.games
    shared = confidence.shared(many)
    wins = [shared.share(each.wins, games).scaled(100) for each in figures.seats]
    even = sum(each.mean for each in wins) / many
    rows = [
        {
            "name": seat.name,
            "mean": won.mean,
            "low": max(won.low, 0.0),
            "high": min(won.high, 100.0),
            "sign": (won.low > even) - (won.high < even),
        }
        for seat, won in zip(figures.seats, wins, strict=True)
        if won.known
    ]
    cells = [
        (
            seat.name,
            bot,
            about(seat.points.interval(shared), places=2),
            str(seat.points.least),
            str(seat.points.most),
            about(won, " %"),
            *(str(each) for each in seat.places),
        )
        for seat, bot, won in zip(
            figures.seats, (*bots, *[""] * (many - len(bots))), wins, strict=False
        )
    ]
    places = [f"place {at}" for at in range(1, many + 1)]
    return Section(
        "seats",
        "Seats",
        tuple(_advantage(figures, rows, even, alike=len(set(bots)) == 1)),
        intervals(rows, "games won, in %", middle=even) if many > 1 and rows else None,
        f"Games that each seat wins, in per cent, with 95 % intervals; {even:.1f} % is even.",
        (
            Table(
                "Points and places of each seat",
                ("", "bot", "points", "least", "most", "wins", *places),
                tuple(cells),
                is_open=True,
            ),
        ),
    )


def _advantage(
    figures: Figures, rows: list[dict[str, object]], even: float, *, alike: bool
) -> Iterator[str]:
    if len(figures.seats) == 1:
        return
    told = [each for each in rows if each["sign"]]
    why = "all bots are of one kind, so that is the seat" if alike else "bots differ by seat"
    for each in told:
        often = "more" if each["sign"] == 1 else "less"
        yield f"{each['name']} wins {often} often than {even:.1f} %: {why}."
    if rows and not told:
        yield "No seat wins provably more or less often than the others."
    if figures.ties:
        share = 100 * figures.ties / figures.games
        yield f"{so_many(figures.ties, 'game', 'games')} ({share:.1f} %) were won by several."


def over_time(found: Curve, games: int) -> Section:
    """Return how points grow, by the place in the end."""
    rows = [
        {"along": moment, "up": tally.mean, "series": _place(at)}
        for at, line in enumerate(found.places)
        for moment, tally in zip(found.decisions, line, strict=True)
    ]
    step = ceil((len(found.decisions) - 1) / MOMENTS) or 1
    chosen = sorted({*range(0, len(found.decisions), step), len(found.decisions) - 1})
    table = [
        (_place(at), *(f"{line[each].mean:.1f}" for each in chosen))
        for at, line in enumerate(found.places)
    ]
    head = ("in the end", *(f"after {found.decisions[each]}" for each in chosen))
    return Section(
        "over-time",
        "Points over time",
        (f"Mean points of players by their place in the end, in {games} games. {KEPT}",),
        lines(rows, "decisions of all players", "points", "in the end"),
        "Points grow from the left to the right, with a line for each place.",
        (Table("Points after so many decisions", head, tuple(table)),),
    )


def _place(at: int) -> str:
    return f"{at + 1}{ENDINGS.get(at + 1, 'th')}"


def by_source(figures: Figures) -> Section | None:
    """Return where the points come from; None where there is one source."""
    if len(figures.sources) <= 1:
        return None
    rows = [
        {"name": seat.name, "series": source, "value": tally.mean}
        for seat in figures.seats
        for source, tally in zip(figures.sources, seat.sources, strict=True)
        if tally.total
    ]
    table = [
        (source, *(f"{seat.sources[at].mean:.2f}" for seat in figures.seats))
        for at, source in enumerate(figures.sources)
    ]
    idle = [
        source
        for at, source in enumerate(figures.sources)
        if not any(seat.sources[at].squares for seat in figures.seats)
    ]
    return Section(
        "sources",
        "Where points come from",
        (f"Nobody ever scored for: {', '.join(idle)}.",) if idle else (),
        stacked(rows, "points a game") if rows else None,
        "Mean points of each seat, by what they are scored for; what is lost goes to the left.",
        (Table("Points by source", ("", *(e.name for e in figures.seats)), tuple(table)),),
    )


def length(figures: Figures, decisions: array[int] | None) -> Section:
    """Return how long games are; `decisions` are those of some games, one by one."""
    rounds = figures.rounds
    tallies = [("decisions", figures.decisions), *([("rounds", rounds)] * bool(rounds.most))]
    rows = [(name, f"{e.mean:.1f}", str(e.least), str(e.most)) for name, e in tallies]
    return Section(
        "length",
        "Length",
        (),
        columns(_bins(decisions), "decisions of all players", "games") if decisions else None,
        "How many games had so many decisions.",
        (Table("Length of a game", ("", "mean", "least", "most"), tuple(rows), is_open=True),),
    )


def _bins(numbers: array[int]) -> list[dict[str, float]]:
    low, high = min(numbers), max(numbers)
    wide = max(ceil((high - low + 1) / BINS), 1)
    counts = [0] * (1 + (high - low) // wide)
    for each in numbers:
        counts[(each - low) // wide] += 1
    return [
        {"low": low + at * wide, "high": low + (at + 1) * wide, "count": count}
        for at, count in enumerate(counts)
    ]

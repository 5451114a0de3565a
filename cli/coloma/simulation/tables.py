"""Figures as tables for the terminal, as JSON, and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

import attrs
from rich.cells import cell_len, set_cell_size

from coloma.loading import LoadedSelection
from coloma.session.screen import shown
from coloma.simulation.games import GamePlan
from rulesdsl.figures.games import Figures, Seat, Tally
from rulesdsl.figures.intervals import Confidence, Interval
from rulesdsl.figures.uses import PLACE, POINTS, WIN, Groups, Item, ItemUse, Uses
from rulesdsl.interpreter.display.results import DRAWN, LOST, WON
from rulesdsl.source.english import so_many

UNKNOWN = "too few"


def plus_minus(found: Interval, unit: str = "", places: int = 1) -> str:
    """Format a difference with its sign and interval: `+3.6 ±1.2`."""
    if not found.known:
        return UNKNOWN
    return f"{_rounded(found.mean, places):+.{places}f} ±{found.radius:.{places}f}{unit}"


def about(found: Interval, unit: str = "", places: int = 1) -> str:
    """Format a number with its interval, if there is one: `3.6 ±1.2`."""
    mean = f"{_rounded(found.mean, places):.{places}f}"
    return f"{mean} ±{found.radius:.{places}f}{unit}" if found.known else f"{mean}{unit}"


def per_cent(part: float, whole: float) -> str:
    """Format a proportion as a percentage."""
    return f"{100 * part / whole:.0f} %" if whole else "0 %"


def _rounded(number: float, places: int) -> float:
    return round(number, places) + 0.0  # avoids `-0.0`


def columns(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table: the first column is aligned left, the others right."""
    table = [*rows]
    widths = [max(map(cell_len, column)) for column in zip(*table, strict=True)]
    for first, *others in table:
        cells = [
            " " * (wide - cell_len(each)) + each
            for each, wide in zip(others, widths[1:], strict=True)
        ]
        yield "  ".join([set_cell_size(first, widths[0]), *cells]).rstrip()


PERCENT = 100


def team_line(figures: Figures, confidence: Confidence) -> str:
    """Return how often the players of a cooperative game win."""
    won = confidence.share(figures.seats[0].wins, figures.games).scaled(PERCENT)
    return f"The players win together in {about(won, ' %')} of games."


def seat_lines(
    figures: Figures, confidence: Confidence, *, alike: bool, together: bool
) -> Iterator[str]:
    """Yield the results for the seats, and the lengths of games.

    If all bots are `alike`, a seat that wins more often has an advantage, which is reported. Seats
    are not compared if their players win or lose `together`.
    """
    games = figures.games
    rows = [("", "points", "minimum", "maximum", "wins", "of games")]
    for seat in figures.seats:
        tally, wins = seat.points, confidence.share(seat.wins, games).scaled(PERCENT)
        points = about(tally.interval(confidence), places=2), str(tally.least), str(tally.most)
        won = (str(seat.wins), about(wins, " %")) if seat in figures.compared else ("-", "-")
        rows.append((shown(seat.name), *points, *won))
    yield from columns(rows)
    for seat in figures.seats:
        if seat.stated:
            said = (f"{each} {seat.stated[each]}" for each in (WON, DRAWN, LOST))
            yield f"{shown(seat.name)}: {', '.join(said)}"
    if together:
        yield team_line(figures, confidence)
    elif figures.ties:
        yield f"games with more than one winner: {figures.ties}"
    if alike and not together:
        yield from _seat_advantage(figures, confidence)
    yield from _sources(figures)
    if figures.rounds.most:  # not every game has rounds
        yield f"rounds a game: {_length(figures.rounds)}"
    yield f"decisions a game: {_length(figures.decisions)}"


def _length(tally: Tally) -> str:
    return f"mean {tally.mean:.1f}, minimum {tally.least}, maximum {tally.most}"


def _seat_advantage(figures: Figures, confidence: Confidence) -> Iterator[str]:
    seats = figures.compared
    if len(seats) == 1:
        return
    total = sum(each.wins for each in seats)
    even = total / len(seats) / figures.games if figures.games else 0
    for seat in seats:
        found = confidence.shared(len(seats)).share(seat.wins, figures.games)
        if found.low > even or found.high < even:
            more = "more" if found.mean > even else "less"
            said = (
                f"{100 * found.mean:.1f} % of games; the mean of all seats is {100 * even:.1f} %"
            )
            yield f"{shown(seat.name)} wins {more} often than others: {said}"


def _sources(figures: Figures) -> Iterator[str]:
    if len(figures.sources) < 2:  # noqa: PLR2004 - a single source is the total
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
    """Yield the lines of a table of a group's items, by decreasing advantage."""
    uses = figures.uses
    items = [each for each in groups.titles if each[0] == group]
    used = [each for each in items if each in uses.items and uses.items[each].chosen]
    yield f"by {group}: players who chose it in a game, compared with those who did not"
    rows: list[tuple[str, ...]] = [(*USE_HEAD, "")]
    for each in ranked(uses, used, confidence):
        word = _word(uses.advantage(each, POINTS, confidence))
        rows.append((shown(groups.titles[each]), *use_cells(uses, each, confidence), word))
    yield from columns(rows)
    for said, chosen in (("offered, never chosen", True), ("never offered", False)):
        rest = [each for each in items if each not in used and (each in uses.items) == chosen]
        if rest:
            names = sorted({shown(groups.titles[each]) for each in rest})
            yield f"{said}: {', '.join(names)}"


def ranked(uses: Uses, items: Iterable[Item], confidence: Confidence) -> list[Item]:
    """Sort items by decreasing advantage, those with too few games last."""

    def key(item: Item) -> tuple[bool, float, Item]:
        found = uses.advantage(item, POINTS, confidence)
        return not found.known, -found.mean, item

    return sorted(items, key=key)


USE_HEAD = ("", "seen by", "chosen by", "times a game", "points", "place", "wins")


def use_cells(uses: Uses, item: Item, confidence: Confidence) -> tuple[str, ...]:
    """Return an item's row in a table headed by `USE_HEAD`, without the item's title."""
    use, all_ = uses.items[item], uses.everybody
    seats = all_.games * all_.players
    return (
        per_cent(use.seen, seats),
        per_cent(use.takers, seats),
        f"{use.chosen / all_.games:.2f}",
        plus_minus(uses.advantage(item, POINTS, confidence)),
        plus_minus(uses.advantage(item, PLACE, confidence), places=2),
        plus_minus(uses.advantage(item, WIN, confidence).scaled(PERCENT), " %", places=0),
    )


def _word(points: Interval) -> str:
    if not points.known:
        return ""
    return {1: "more points", 0: "not clear", -1: "fewer points"}[points.sign]


INTERVALS = "± is a 95 % interval over games, valid however often you look"


@attrs.frozen
class Simulated:
    """Results of a plan's games; `figures` is None if no game was finished."""

    plan: GamePlan
    chosen: LoadedSelection
    groups: Groups
    figures: Figures | None

    @property
    def played(self) -> int:
        """Number of games played."""
        return self.figures.games if self.figures else 0

    @property
    def confidence(self) -> Confidence:
        """Confidence sequence for the intervals."""
        return Confidence(planned=self.plan.games)

    def text(self) -> str:
        """Return the tables as text."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        plan, pack = self.plan, self.chosen.pack
        ids = ", ".join(pack.mods)
        with_mods = f" with {shown(ids)}" if ids else ""
        if self.played < plan.games:
            yield f"partial: {self.played} of {plan.games} games were played"
        yield (
            f"{shown(pack.name)}{with_mods}: {so_many(self.played, 'game', 'games')} with"
            f" {so_many(plan.players, 'player', 'players')}, seed {plan.seed}"
        )
        if plan.bots:
            yield f"bots: {', '.join(plan.bots)}"
        if self.figures is None:
            return
        alike = len(set(plan.bots)) <= 1
        together = self.chosen.setting.cooperative
        yield from seat_lines(self.figures, self.confidence, alike=alike, together=together)
        for group in self.groups.names:
            yield ""
            yield from item_lines(self.figures, self.groups, group, self.confidence)
        yield INTERVALS

    def data(self) -> Row:
        """Return the object printed by `--json`."""
        plan, confidence = self.plan, self.confidence
        figures = self.figures or Figures()
        bots = plan.bots or ("random",) * plan.players
        return {
            "game": self.chosen.pack.id,
            **content_data(self.chosen),
            "players": plan.players,
            "iterations": plan.iterations,
            "seed": plan.seed,
            "games": self.played,
            "complete": self.played == plan.games,
            "confidence": 1 - confidence.alpha,
            **figures_data(figures, bots, confidence),
            "items": list(item_rows(figures.uses, self.groups, confidence)),
        }

    def json(self) -> str:
        """Return the JSON text of `data`."""
        return json.dumps(self.data(), ensure_ascii=False, indent=2) + "\n"

    def csv(self) -> str:
        """Return the items as CSV if any are counted, otherwise the seats."""
        return as_csv(self.data()["items" if self.groups.names else "seats"])


Row = dict[str, Any]
_OUTCOMES = {"points": POINTS, "places": PLACE, "wins": WIN}


def schema_text() -> str:
    """Return the JSON Schema for the output of `simulate` and `compare`."""
    return (files("coloma") / "simulation" / "figures.schema.json").read_text(encoding="utf-8")


def content_data(chosen: LoadedSelection) -> Row:
    """Return the version and digest of the content, with its mods and options."""
    pack, options = chosen.pack, chosen.setting.options
    found: Row = {"version": pack.version, "digest": pack.digest}
    return found | {"mods": list(pack.mods), "options": options}


def interval_data(found: Interval) -> Row:
    """Return an interval as JSON; its bounds are null if there were too few games."""
    low, high = (found.low, found.high) if found.known else (None, None)
    return {"mean": found.mean, "low": low, "high": high}


def length_data(tally: Tally) -> Row:
    """Return the mean, minimum and maximum of a tally."""
    return {"mean": tally.mean, "least": tally.least, "most": tally.most}


def figures_data(figures: Figures, bots: Sequence[str], confidence: Confidence) -> Row:
    """Return the figures for the seats, and the lengths of games; the bot of a rival is None."""
    named = [*bots, *[None] * (len(figures.seats) - len(bots))]
    return {
        "seats": [
            _seat_data(seat, bot, figures, confidence)
            for seat, bot in zip(figures.seats, named, strict=False)
        ],
        "ties": figures.ties,
        "rounds": length_data(figures.rounds),
        "decisions": length_data(figures.decisions),
    }


def _seat_data(seat: Seat, bot: str | None, figures: Figures, confidence: Confidence) -> Row:
    return {
        "name": seat.name,
        "bot": bot,
        "wins": seat.wins,
        "shared": seat.shared,
        "win_share": interval_data(confidence.share(seat.wins, figures.games)),
        "places": list(seat.places),
        "points": seat.points.mean,
        "points_interval": interval_data(seat.points.interval(confidence)),
        "least": seat.points.least,
        "most": seat.points.most,
        "sources": {
            name: each.mean for name, each in zip(figures.sources, seat.sources, strict=True)
        },
        "verdicts": dict(sorted(seat.stated.items())),
    }


def item_rows(uses: Uses, groups: Groups, confidence: Confidence) -> Iterator[Row]:
    """Yield the figures for each item, group by group."""
    for item, title in sorted(groups.titles.items()):
        use = uses.items.get(item, ItemUse())
        yield {
            "group": item[0],
            "id": item[1],
            "title": title,
            "seen": use.seen,
            "offered": use.offered,
            "takers": use.takers,
            "chosen": use.chosen,
            "questions": dict(sorted(use.questions.items())),
            **{name: _outcome(uses, item, at, confidence) for name, at in _OUTCOMES.items()},
        }


def _outcome(uses: Uses, item: Item, outcome: int, confidence: Confidence) -> Row:
    chose, others = uses.means(item, outcome)
    found = uses.advantage(item, outcome, confidence)
    return {
        "takers": chose,
        "others": others,
        "difference": interval_data(found) if found.known else None,
    }


def as_csv(rows: Sequence[Row]) -> str:
    """Return rows as CSV; the fields of nested objects become columns, such as `points.mean`."""
    flat = [dict(_flat(each)) for each in rows]
    names = list(dict.fromkeys(name for each in flat for name in each))
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return text.getvalue()


def _flat(row: Row, before: str = "") -> Iterator[tuple[str, object]]:
    for name, each in row.items():
        match each:
            case dict():
                yield from _flat(each, f"{before}{name}.")
            case list():
                yield f"{before}{name}", " ".join(map(str, each))
            case _:
                yield f"{before}{name}", each

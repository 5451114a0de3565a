"""Pages of reports and comparisons, made from the figures of games."""

from __future__ import annotations

import shlex
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from math import ceil

import attrs

from coloma.loading import LoadedSelection
from coloma.output import abridged
from coloma.report.page import (
    ABOVE,
    BELOW,
    ReportPage,
    ReportSection,
    ReportTable,
    columns,
    heat,
    interval_row,
    intervals,
    lines,
    stacked,
)
from coloma.simulation.comparing import ComparedVersion
from coloma.simulation.conclusion import LEGEND, Compared
from coloma.simulation.games import GamePlan
from coloma.simulation.tables import USE_HEAD, about, plus_minus, ranked, team_line, use_cells
from rulesdsl.figures.games import Curve, Figures
from rulesdsl.figures.intervals import FEWEST, Confidence, Interval
from rulesdsl.figures.pairs import advantage, chosen
from rulesdsl.figures.uses import OPTION, POINTS, VERB, WIN, Groups, Item, Pair
from rulesdsl.interpreter.display.results import DRAWN, LOST, WON
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.packs import ENGINE_VERSION
from rulesdsl.source.english import opening, option_word, ordinal, so_many

KEPT = (
    "Scores are computed as if the game ended at that moment; for finished games, the final"
    " score is used."
)
MOMENTS = 6  # house: columns of the table of points over time
BINS = 20  # house: bins of the histogram of lengths


def seats(
    figures: Figures, bots: tuple[str, ...], confidence: Confidence, *, together: bool
) -> ReportSection:
    """Return the section on seats: their results and advantages.

    Seats are not compared if their players win or lose `together`.
    """
    compared, games = figures.compared, figures.games
    shared = confidence.shared(len(compared))
    wins = [shared.share(seat.wins, games).scaled(100) for seat in compared]
    even = sum(won.mean for won in wins) / len(compared)
    rows = [
        {
            "name": seat.name,
            "mean": won.mean,
            "low": max(won.low, 0.0),
            "high": min(won.high, 100.0),
            "sign": (won.low > even) - (won.high < even),
        }
        for seat, won in zip(compared, wins, strict=True)
        if won.known
    ]
    words = (WON, DRAWN, LOST) if any(seat.stated for seat in compared) else ()
    places = [f"place {at + 1}" for at in range(len(figures.seats))]
    won = dict(zip((seat.name for seat in compared), wins, strict=True))
    cells = [
        (
            seat.name,
            bot,
            about(seat.points.interval(shared), places=2),
            str(seat.points.least),
            str(seat.points.most),
            about(won[seat.name], " %") if seat.name in won else "-",
            *(str(seat.stated[word]) if seat.stated else "-" for word in words),
            *(str(count) for count in seat.places),
        )
        for seat, bot in zip(figures.seats, (*bots, *[""] * len(figures.seats)), strict=False)
    ]
    sentences = [team_line(figures, confidence)] if together else []
    if apart := len(compared) > 1 and not together:
        sentences += _advantage(figures, rows, even, alike=len(set(bots)) == 1)
    return ReportSection(
        "seats",
        "Seats",
        tuple(sentences),
        intervals(rows, "games won, in %", middle=even) if apart and rows else None,
        f"Games that each seat wins, with 95 % intervals; an equal share is {even:.1f} %.",
        (
            ReportTable(
                "Points and places of each seat",
                ("", "bot", "points", "minimum", "maximum", "wins", *words, *places),
                tuple(cells),
                is_open=True,
            ),
        ),
    )


def _advantage(
    figures: Figures, rows: list[dict[str, object]], even: float, *, alike: bool
) -> Iterator[str]:
    unequal = [row for row in rows if row["sign"]]
    why = "all bots are of one kind, so the seat is the cause" if alike else "bots differ by seat"
    for row in unequal:
        more = "more" if row["sign"] == 1 else "less"
        yield f"{row['name']} wins significantly {more} than {even:.1f} % of games: {why}."
    if rows and not unequal:
        yield "No seat wins significantly more or less often than the others."
    if figures.ties:
        share = 100 * figures.ties / figures.games
        yield f"{so_many(figures.ties, 'game', 'games')} ({share:.1f} %) had more than one winner."


def over_time(found: Curve, games: int) -> ReportSection:
    """Return the section on the growth of points, by final place."""
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
    head = ("final place", *(f"after {found.decisions[each]}" for each in chosen))
    return ReportSection(
        "over-time",
        "Points over time",
        (f"Mean points of players by final place, in {so_many(games, 'game', 'games')}. {KEPT}",),
        lines(rows, "decisions of all players", "points", "final place"),
        "Points over the course of a game, with a line for each final place.",
        (ReportTable("Points by number of decisions", head, tuple(table)),),
    )


def _place(at: int) -> str:
    return ordinal(at + 1)


def by_source(figures: Figures) -> ReportSection | None:
    """Return the section on points by source; None if there is only one source."""
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
    return ReportSection(
        "sources",
        "Sources of points",
        (f"Nobody ever scored for: {', '.join(idle)}.",) if idle else (),
        stacked(rows, "points a game") if rows else None,
        "Mean points of each seat by source; losses go to the left.",
        (ReportTable("Points by source", ("", *(e.name for e in figures.seats)), tuple(table)),),
    )


def length(figures: Figures, decisions: array[int] | None) -> ReportSection:
    """Return the section on the length of games; `decisions` has the numbers for the chart."""
    rounds = figures.rounds
    tallies = [("decisions", figures.decisions), *([("rounds", rounds)] * bool(rounds.most))]
    rows = [(name, f"{e.mean:.1f}", str(e.least), str(e.most)) for name, e in tallies]
    return ReportSection(
        "length",
        "Length",
        (),
        columns(_bins(decisions), "decisions of all players", "games") if decisions else None,
        "Number of games by number of decisions.",
        (
            ReportTable(
                "Length of a game", ("", "mean", "minimum", "maximum"), tuple(rows), is_open=True
            ),
        ),
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


LARGEST = 40  # house: items in the largest legible heat map
MEANING = (
    "Players who chose something in a game are compared with all players who did not. That shows"
    " a correlation, not a cause: players who are ahead can afford more. `coloma compare` measures"
    " the effect of a change. ± is a 95 % interval; the intervals in one chart hold"
    " jointly, however often you look."
)


@attrs.frozen
class Extra:
    """Additional data for a report: points over time, and the lengths of some games."""

    curve: Curve | None = None
    games: int = 0
    decisions: array[int] | None = None


@attrs.frozen
class Reported:
    """Report on those games of a plan that were played."""

    plan: GamePlan
    chosen: LoadedSelection
    groups: Groups
    figures: Figures
    extra: Extra
    command: tuple[str, ...]
    complete: bool = True
    """True if the run was not interrupted."""

    @property
    def page(self) -> ReportPage:
        """Page of the report."""
        pack = self.chosen.pack
        mods = f" with {', '.join(pack.mods)}" if pack.mods else ""
        return ReportPage(
            f"{pack.name}{mods}: statistics of {so_many(self.figures.games, 'game', 'games')}",
            tuple(self._summary()),
            tuple(self._sections()),
            tuple(self._made()),
            shlex.join(self.command),
            ""
            if self.complete
            else f"This report is partial: interrupted after {self.figures.games} of"
            f" {self.plan.games} games.",
        )

    def _strengths(self) -> list[Strength]:
        confidence = Confidence(planned=self.plan.games)
        return [
            Strength(
                each, heading_of(self.chosen.setting, each), self.figures, self.groups, confidence
            )
            for each in self.groups.names
        ]

    def _summary(self) -> Iterator[str]:
        plan = self.plan
        kinds = ", ".join(dict.fromkeys(plan.bots))
        yield (
            f"{so_many(self.figures.games, 'game', 'games')} of"
            f" {so_many(plan.players, 'player', 'players')}, all bots ({kinds})."
        )
        for each in self._strengths():
            if each.group == plan.together:
                yield from each.verdicts()
        yield MEANING

    def _sections(self) -> Iterator[ReportSection]:
        confidence = Confidence(planned=self.plan.games)
        together = self.chosen.setting.cooperative
        yield seats(self.figures, self.plan.bots, confidence, together=together)
        if self.extra.curve is not None:
            yield over_time(self.extra.curve, self.extra.games)
        found = [by_source(self.figures), *(each.section() for each in self._strengths())]
        yield from (each for each in found if each is not None)
        if self.plan.together is not None:
            heading = heading_of(self.chosen.setting, self.plan.together)
            yield company(self.figures, self.groups, self.plan.together, heading)
        yield length(self.figures, self.extra.decisions)

    def _made(self) -> Iterator[tuple[str, str]]:
        pack, plan = self.chosen.pack, self.plan
        yield "Game", f"{pack.name} ({pack.id}) {pack.version}"
        yield "Content", f"SHA-256 {pack.digest}"
        yield "Mods", ", ".join(pack.mods) or "none"
        options = self.chosen.setting.options
        yield "Options", ", ".join(f"{e}={option_word(v)}" for e, v in options.items()) or "none"
        yield "coloma", ENGINE_VERSION
        yield "Bots", ", ".join(plan.bots)
        yield "Seed", str(plan.seed)
        yield "Games", f"{self.figures.games} of {plan.games}"


def heading_of(setting: CompiledSetting, group: str) -> str:
    """Return the title of a group in the plural, as the pack names it."""
    words = setting.labels.world.nouns_in_words.get(group)
    return opening(words[1] if words else f"{group}s")


def kinds_to_count(setting: CompiledSetting, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the groups to count: kinds of entries (pieces first, then by size), and options."""
    kinds = setting.labels.world.kinds
    entries = [each for each in names if each not in {OPTION, VERB}]
    entries.sort(key=lambda e: (kinds[e].role != "piece", -len(kinds[e].entries), e))
    return (*entries, OPTION)


def kind_of_pairs(setting: CompiledSetting, counted: tuple[str, ...]) -> str | None:
    """Return the first kind of entry whose pairs fit in a heat map."""
    kinds = setting.labels.world.kinds
    fits = (e for e in counted if e != OPTION and 1 < len(kinds[e].entries) <= LARGEST)
    return next(fits, None)


GAMES = ("", "before", "after", "difference")


def differences(found: Compared, command: tuple[str, ...]) -> ReportPage:
    """Return the page that reports a comparison."""
    name, played = found.after.chosen.pack.name, bool(found.pairs.pairs)
    told = (f"{found.played()}.", f"{LEGEND}.") if not found.conclusion.alike else ()
    interrupted = "This comparison is partial: interrupted before it was decided."
    return ReportPage(
        f"{name}: effect of a change",
        (*found.conclusion.sentences(), *told),
        tuple(_sections(found)) if played else (),
        tuple(_made(found)),
        shlex.join(command),
        "" if found.complete else interrupted,
    )


def _sections(found: Compared) -> Iterator[ReportSection]:
    pairs = found.pairs
    rows = [
        interval_row(name, pairs.difference(measure))
        for name, measure, unit, _ in found.measures()
        if unit == 1 and "points" in name and pairs.difference(measure).known
    ]
    head, *cells = found.whole()
    yield ReportSection(
        "games",
        "Points, places and length",
        (),
        intervals(rows, "points, after minus before") if rows else None,
        "Change in players' points, with 95 % intervals.",
        (ReportTable("All measures", head, tuple(cells), is_open=True),),
    )
    items = found.named()
    head, *cells = found.items()
    use = [(found.conclusion.titles[e], pairs.of_item(e, chosen(e))) for e in items]
    yield ReportSection(
        "uses",
        "How often each is chosen",
        _too_few(use),
        _of_items(use, "choices per game, after minus before"),
        "Change in the number of choices per game.",
        (ReportTable("All entries", head, tuple(cells)),),
    )
    ahead = [(found.conclusion.titles[e], pairs.of_item(e, advantage(e, POINTS))) for e in items]
    yield ReportSection(
        "strength",
        "Advantage of players who choose it",
        _too_few(ahead),
        _of_items(ahead, "points ahead, after minus before"),
        "Change in the points advantage of players who choose it.",
    )


def _too_few(named: list[tuple[str, Interval]]) -> tuple[str, ...]:
    few = sum(not found.known for _, found in named)
    if not few:
        return ()
    which = "any entry" if few == len(named) else so_many(few, "entry", "entries")
    return (f"There were too few games for {which}.",)


def _of_items(named: list[tuple[str, Interval]], title: str) -> dict[str, object] | None:
    known = [each for each in named if each[1].known]
    known.sort(key=lambda each: (-abs(each[1].mean), each[0]))
    rows = [interval_row(*each) for each in known[:MOST]]
    return intervals(rows, title) if rows else None


def _made(found: Compared) -> Iterator[tuple[str, str]]:
    plan = found.match.before
    yield from _content("Before", found.before)
    yield from _content("After", found.after)
    yield "coloma", ENGINE_VERSION
    yield "Bots", ", ".join(plan.bots)
    yield "Seed", str(plan.seed)
    yield "Games", f"{found.pairs.games} of each version, in {len(found.pairs.pairs)} pairs"


def _content(name: str, told: ComparedVersion) -> Iterator[tuple[str, str]]:
    pack = told.chosen.pack
    yield name, f"{told.name} ({pack.id}) {pack.version}, SHA-256 {pack.digest}"
    options = told.chosen.setting.options
    said = ", ".join(f"{each}={option_word(value)}" for each, value in options.items())
    yield f"{name}: mods and options", "; ".join(filter(None, (", ".join(pack.mods), said)))


MOST = 40  # house: rows of a chart; if there are more items, only the extremes are shown
EXTREMES = 3  # house: strongest and weakest items named in a sentence


@attrs.frozen(slots=False)
class Strength:
    """Section on the strength of the items in one group."""

    group: str
    heading: str
    figures: Figures
    groups: Groups
    confidence: Confidence

    @property
    def items(self) -> list[Item]:
        """All items of the group."""
        return [each for each in self.groups.titles if each[0] == self.group]

    @property
    def used(self) -> list[Item]:
        """Items chosen at least once, the strongest first, and those with too few games last."""
        uses = self.figures.uses.items
        found = (each for each in self.items if each in uses and uses[each].chosen)
        return ranked(self.figures.uses, found, self._shared)

    @property
    def told(self) -> list[Item]:
        """Items chosen in enough games for an interval."""
        return [each for each in self.used if self.points(each).known]

    def points(self, item: Item) -> Interval:
        """Return the advantage, in points, of players who chose an item."""
        return self.figures.uses.advantage(item, POINTS, self._shared)

    @property
    def _shared(self) -> Confidence:
        return self.confidence.shared(len(self.items))  # so the intervals hold jointly

    def title(self, item: Item) -> str:
        """Return the title of an item, or its id if the title is ambiguous."""
        title = self.groups.titles[item]
        return item[1] if self._titles[title] > 1 else title

    @cached_property
    def _titles(self) -> Counter[str]:
        return Counter(self.groups.titles[each] for each in self.items)

    # ---------------------------------------------------------------- the section
    def section(self) -> ReportSection | None:
        """Return the section; None if no item of the group was ever offered."""
        uses, shared = self.figures.uses, self._shared
        if not any(each in uses.items for each in self.items):
            return None
        told = self.told
        shown = told if len(told) <= MOST else [*told[: MOST // 2], *told[-MOST // 2 :]]
        rows = [interval_row(self.title(each), self.points(each)) for each in shown]
        cells = tuple((self.title(e), *use_cells(uses, e, shared)) for e in self.used)
        return ReportSection(
            f"by-{self.group}",
            self.heading,
            (*self.verdicts(), *self._unused()),
            intervals(rows, "points ahead") if rows else None,
            "Points by which players who chose each of them came out ahead of players who did not,"
            " with 95 % intervals that hold jointly.",
            (ReportTable(f"All {self.heading}", USE_HEAD, cells),),
        )

    def verdicts(self) -> Iterator[str]:
        """Yield which items are the strongest and the weakest, as far as the intervals tell."""
        compared = self.told
        if not compared:
            yield f"{self.heading}: too few games to compare them."
            return
        first, last = self._level(compared), self._level(compared[::-1])
        if len(first) == len(compared):
            yield f"{self.heading}: no clear difference."
            return
        for which, where, level in (("strongest", "top", first), ("weakest", "bottom", last)):
            if len(level) == 1:
                yield f"{self.heading}: the {which} is {self._named(level)}."
            else:
                few = self._named(level[:EXTREMES])
                more = f" and {len(level) - EXTREMES} more" if len(level) > EXTREMES else ""
                yield f"{self.heading}: no clear difference at the {where}: {few}{more}."

    def _level(self, ranked_items: Sequence[Item]) -> list[Item]:
        """Return the first item, and those whose intervals overlap with that of the first."""
        first = self.points(ranked_items[0])
        intervals_of = ((item, self.points(item)) for item in ranked_items)
        return [
            item for item, own in intervals_of if own.low <= first.high and own.high >= first.low
        ]

    def _named(self, items: Sequence[Item]) -> str:
        return ", ".join(f"{self.title(e)} ({plus_minus(self.points(e))})" for e in items)

    def _unused(self) -> Iterator[str]:
        uses = self.figures.uses.items
        used = set(self.used)
        rest = [each for each in self.items if each not in used]
        if self.group == OPTION:  # most options that the rules allow never come up
            rest = [each for each in rest if each in uses]
        for said, offered in (("Offered, never chosen", True), ("Never offered", False)):
            names = sorted({self.title(each) for each in rest if (each in uses) == offered})
            if names:
                yield f"{said}: {abridged(names, 60)}."


LISTED = 10  # house: best and worst pairs in the tables
ENOUGH = 2 * FEWEST  # house: players who chose both, for a pair to be reported
READING = (
    "Each square shows how much more often players who chose both items in a game win, in"
    " percentage points; squares on the diagonal are for players who chose that one item. Pairs"
    f" chosen by fewer than {ENOUGH} players are left out. Do not rely on a single square: with so"
    " many squares, some are far off by chance."
)
PAIRS_HEAD = ("", "players", "won", "compared with all")


@attrs.frozen
class Won:
    """Pair of items: the number of players who chose both in a game, and how many of them won."""

    pair: Pair
    takers: int
    share: float
    lift: float
    """Excess of their win rate over that of all players, in percentage points."""


def company(figures: Figures, groups: Groups, group: str, title_of_group: str) -> ReportSection:
    """Return the section on pairs; it has no chart if no pair was chosen often enough."""
    all_ = figures.uses.everybody
    even = all_.totals[WIN] / max(all_.games * all_.players, 1)
    found = [
        Won(pair, each.takers, each.wins / each.takers, 100 * (each.wins / each.takers - even))
        for pair, each in sorted(figures.together.pairs.items())
        if each.takers >= ENOUGH
    ]
    pairs = sorted((e for e in found if e.pair[0] != e.pair[1]), key=lambda e: (-e.lift, e.pair))
    heading = f"{title_of_group} that win together"
    if not pairs:
        none = f"No pair was chosen by at least {ENOUGH} players."
        return ReportSection("together", heading, (none,))

    def title(item: str) -> str:
        return groups.titles[group, item]

    def row(won: Won) -> tuple[str, ...]:
        name = " and ".join(map(title, won.pair))
        return name, str(won.takers), f"{100 * won.share:.1f} %", f"{won.lift:+.1f}"

    best, worst = pairs[:LISTED], pairs[: max(LISTED - 1, len(pairs) - LISTED - 1) : -1]
    return ReportSection(
        "together",
        heading,
        (f"All players win {100 * even:.1f} % of their games. {READING}",),
        heat([*_squares(found, title)], "wins, compared with all players"),
        "The tables below list the best and the worst of these pairs.",
        tuple(
            ReportTable(f"The pairs that win {often} often", PAIRS_HEAD, tuple(map(row, some)))
            for often, some in (("most", best), ("least", worst))
            if some
        ),
    )


def _squares(found: list[Won], title: Callable[[str], str]) -> Iterator[dict[str, object]]:
    for won in found:
        one, two = map(title, won.pair)
        value = round(won.lift) + 0.0  # avoids `-0`
        says = ABOVE if value >= 0 else BELOW
        for first, second in dict.fromkeys(((one, two), (two, one))):
            yield {"one": first, "two": second, "value": value, "says": says}

"""Strength of entries and options, alone and in pairs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from coloma.report.charts import ABOVE, BELOW, heat, interval_row, intervals
from coloma.report.page import ReportSection, ReportTable, listed
from coloma.simulation.tables import USE_HEAD, plus_minus, ranked, use_cells
from rulesdsl.figures.intervals import FEWEST
from rulesdsl.figures.uses import OPTION, POINTS, WIN

if TYPE_CHECKING:
    from rulesdsl.figures.games import Figures
    from rulesdsl.figures.intervals import Confidence, Interval
    from rulesdsl.figures.uses import Groups, Item, Pair


MOST = 40  # house: lines of a chart; of more items, the strongest and the weakest
EXTREMES = 3  # house: strongest and weakest items named in a sentence


@attrs.frozen(slots=False)
class Strength:
    """Strength of the items of one group."""

    group: str
    figures: Figures
    groups: Groups
    confidence: Confidence

    @property
    def items(self) -> list[Item]:
        """All items of the group."""
        return [each for each in self.groups.titles if each[0] == self.group]

    @property
    def used(self) -> list[Item]:
        """Items chosen at least once, strongest first, those with too few games last."""
        uses = self.figures.uses.items
        found = (each for each in self.items if each in uses and uses[each].chosen)
        return ranked(self.figures.uses, found, self._shared)

    @property
    def told(self) -> list[Item]:
        """Items with enough games for an interval."""
        return [each for each in self.used if self.points(each).known]

    def points(self, item: Item) -> Interval:
        """Return the advantage in points of players who chose an item."""
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
        """Return the section; None if none of the items was ever offered."""
        uses, shared = self.figures.uses, self._shared
        if not any(each in uses.items for each in self.items):
            return None
        title = "Options" if self.group == OPTION else f"Strength by {self.group}"
        rows = [interval_row(self.title(each), self.points(each)) for each in self._shown()]
        cells = tuple((self.title(e), *use_cells(uses, e, shared)) for e in self.used)
        return ReportSection(
            f"by-{self.group}",
            title,
            (*self._sentences(), *self._unused()),
            intervals(rows, "points ahead") if rows else None,
            f"Points by which players who chose each {self.group} in a game came out ahead of"
            " players who did not, with 95 % intervals that hold jointly.",
            (ReportTable(f"All entries by {self.group}", USE_HEAD, cells),),
        )

    def _shown(self) -> list[Item]:
        told = self.told
        if len(told) <= MOST:
            return told
        return [*told[: MOST // 2], *told[-MOST // 2 :]]

    def _sentences(self) -> Iterator[str]:
        told = self.told
        if not told:
            yield "There were too few games."
            return
        yield f"Greatest advantage: {self._named(told[:EXTREMES])}."
        if len(told) > EXTREMES:
            last = told[: EXTREMES - 1 if len(told) < 2 * EXTREMES else -EXTREMES - 1 : -1]
            yield f"Least advantage: {self._named(last[:EXTREMES])}."

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
                yield f"{said}: {listed(names)}."


LISTED = 10  # house: best and worst pairs in the tables
ENOUGH = 2 * FEWEST  # house: players who chose both, for a pair to be reported
READING = (
    "Each square shows how much more often players who chose both in a game win, in percentage"
    " points; on the diagonal, players who chose the one item. Pairs that fewer than"
    f" {ENOUGH} players chose are left out. A single square is not certain: with so many squares,"
    " some are far off by chance."
)
PAIRS_HEAD = ("", "players", "won", "more than all")


@attrs.frozen
class Won:
    """A pair of items: the players who chose both in a game, and the share of them that won."""

    pair: Pair
    takers: int
    share: float
    lift: float
    """Excess of their win rate over that of all players, in percentage points."""


def company(figures: Figures, groups: Groups, group: str) -> ReportSection:
    """Return the section of pairs; without a chart if no pair was chosen often enough."""
    all_ = figures.uses.everybody
    even = all_.totals[WIN] / max(all_.games * all_.players, 1)
    found = [
        Won(pair, each.takers, each.wins / each.takers, 100 * (each.wins / each.takers - even))
        for pair, each in sorted(figures.together.pairs.items())
        if each.takers >= ENOUGH
    ]
    pairs = sorted((e for e in found if e.pair[0] != e.pair[1]), key=lambda e: (-e.lift, e.pair))
    heading = f"Pairs that win together, by {group}"
    if not pairs:
        return ReportSection("together", heading, (f"No pair was chosen by {ENOUGH} players.",))

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
        heat([*_squares(found, title)], "wins, against all players"),
        "The tables below list the best and the worst of these pairs.",
        (
            ReportTable("The pairs that win most often", PAIRS_HEAD, tuple(map(row, best))),
            *(
                [ReportTable("The pairs that win least often", PAIRS_HEAD, tuple(map(row, worst)))]
                * bool(worst)
            ),
        ),
    )


def _squares(found: list[Won], title: Callable[[str], str]) -> Iterator[dict[str, object]]:
    for won in found:
        one, two = map(title, won.pair)
        value = round(won.lift) + 0.0  # avoids `-0`
        says = ABOVE if value >= 0 else BELOW
        for first, second in dict.fromkeys(((one, two), (two, one))):
            yield {"one": first, "two": second, "value": value, "says": says}

"""How strong each entry and option is: what those who chose it came out ahead by."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from coloma.report.charts import intervals
from coloma.report.sections import Section, Table, listed
from coloma.simulation.numbers import per_cent, plus_minus
from rulesdsl.figures.groups import OPTION
from rulesdsl.figures.uses import PLACE, POINTS, WIN

if TYPE_CHECKING:
    from rulesdsl.figures.games import Figures
    from rulesdsl.figures.groups import Groups
    from rulesdsl.figures.sequences import Confidence, Interval
    from rulesdsl.figures.uses import Item

MOST = 40  # house: lines that a chart can have; of more, the strongest and the weakest
EXTREMES = 3  # house: how many of the strongest and weakest are named
HEAD = ("", "seen by", "chosen by", "times a game", "points", "place", "wins")


@attrs.frozen(slots=False)
class Strength:
    """The items of one group."""

    group: str
    figures: Figures
    groups: Groups
    confidence: Confidence

    @property
    def items(self) -> list[Item]:
        """All items that options name."""
        return [each for each in self.groups.titles if each[0] == self.group]

    @property
    def used(self) -> list[Item]:
        """Those that anybody chose, the strongest first, those with too few games last."""
        uses = self.figures.uses.items
        found = [each for each in self.items if each in uses and uses[each].chosen]
        return sorted(found, key=self._rank)

    def _rank(self, item: Item) -> tuple[bool, float, Item]:
        found = self.points(item)
        return not found.known, -found.mean, item

    @property
    def told(self) -> list[Item]:
        """Those of which there were enough games to tell."""
        return [each for each in self.used if self.points(each).known]

    def points(self, item: Item, outcome: int = POINTS) -> Interval:
        """Return what those who chose an item came out ahead by.

        All intervals of points of the group hold together.
        """
        shared = self.confidence.shared(len(self.items))
        return self.figures.uses.advantage(item, outcome, shared)

    def title(self, item: Item) -> str:
        """Return what an item is called: by its id, where another is called the same."""
        title = self.groups.titles[item]
        return item[1] if self._titles[title] > 1 else title

    @cached_property
    def _titles(self) -> Counter[str]:
        return Counter(self.groups.titles[each] for each in self.items)

    # ---------------------------------------------------------------- the section
    def section(self) -> Section | None:
        """Return the section; None where nobody was ever offered any of them."""
        uses = self.figures.uses.items
        if not any(each in uses for each in self.items):
            return None
        title = "Options" if self.group == OPTION else f"Strength by {self.group}"
        shown = self._shown()
        return Section(
            f"by-{self.group}",
            title,
            (*self._sentences(), *self._unused()),
            intervals([self._row(each) for each in shown], "points ahead") if shown else None,
            f"Points by which players who chose each {self.group} in a game came out ahead of"
            " players who did not, with 95 % intervals that hold together.",
            (Table(f"All of them by {self.group}", HEAD, tuple(map(self._cells, self.used))),),
        )

    def _shown(self) -> list[Item]:
        told = self.told
        if len(told) <= MOST:
            return told
        return [*told[: MOST // 2], *told[-MOST // 2 :]]

    def _row(self, item: Item) -> dict[str, object]:
        found = self.points(item)
        said = {"mean": found.mean, "low": found.low, "high": found.high, "sign": found.sign}
        return {"name": self.title(item), **said}

    def _sentences(self) -> Iterator[str]:
        told = self.told
        if not told:
            yield "There were too few games to tell."
            return
        yield f"Those who chose it came out ahead by most: {self._named(told[:EXTREMES])}."
        if len(told) > EXTREMES:
            last = told[: EXTREMES - 1 if len(told) < 2 * EXTREMES else -EXTREMES - 1 : -1]
            yield f"By least: {self._named(last[:EXTREMES])}."

    def _named(self, items: Sequence[Item]) -> str:
        return ", ".join(f"{self.title(e)} ({plus_minus(self.points(e))})" for e in items)

    def _unused(self) -> Iterator[str]:
        uses = self.figures.uses.items
        used = set(self.used)
        rest = [each for each in self.items if each not in used]
        if self.group == OPTION:  # most of what the rules could name never comes up
            rest = [each for each in rest if each in uses]
        for said, offered in (("Offered, never chosen", True), ("Never offered", False)):
            names = sorted({self.title(each) for each in rest if (each in uses) == offered})
            if names:
                yield f"{said}: {listed(names)}."

    def _cells(self, item: Item) -> tuple[str, ...]:
        use, all_ = self.figures.uses.items[item], self.figures.uses.everybody
        seats = all_.games * all_.players
        return (
            self.title(item),
            per_cent(use.seen, seats),
            per_cent(use.takers, seats),
            f"{use.chosen / all_.games:.2f}",
            plus_minus(self.points(item)),
            plus_minus(self.points(item, PLACE), places=2),
            plus_minus(self.points(item, WIN).scaled(100), " %", places=0),
        )

"""What `coloma compare` shows: the verdict in words first, then tables; or an object."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from coloma.session.screen import shown
from coloma.simulation.numbers import columns, plus_minus
from coloma.simulation.verdict import Verdict
from coloma.simulation.written import Row, interval_data
from rulesdsl.figures.pairs import (
    Pairs,
    advantage,
    chosen,
    decisions,
    mean_points,
    place_of,
    points_of,
    rounds,
    ties,
    wins_of,
)
from rulesdsl.figures.sequences import USUAL
from rulesdsl.figures.uses import POINTS, WIN

if TYPE_CHECKING:
    from coloma.simulation.comparing import Match
    from coloma.simulation.versions import Version
    from rulesdsl.figures.pairs import Measure
    from rulesdsl.figures.uses import Item

LEGEND = (
    "± is a 95 % interval; it counts pairs of trainings, and holds however often you look."
    " Those of the points and of what is chosen hold together; each of the others by itself"
)


@attrs.frozen
class Compared:
    """Two contents, the games that were played of them, and what these say."""

    before: Version
    after: Version
    match: Match
    verdict: Verdict
    complete: bool
    """Whether nobody interrupted it."""

    @property
    def pairs(self) -> Pairs:
        """All pairs that were played."""
        return self.verdict.pairs

    def text(self) -> str:
        """Return sentences and tables."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        if not self.complete:
            yield "not all: it was interrupted, and this is what was known by then"
        yield from self.verdict.sentences()
        yield ""
        yield f"before: {shown(self.before.name)}"
        yield f"after: {shown(self.after.name)}"
        if self.verdict.alike:
            return
        plan = self.match.before
        yield f"{self.played()}, {plan.players} players, seed {plan.seed}"
        if not self.pairs.pairs:
            return
        yield ""
        yield from columns(self.whole())
        yield ""
        yield from columns(self.items())
        if self.verdict.changed:
            yield "* its text is another one"
        yield LEGEND

    def played(self) -> str:
        """Say what was played."""
        plan, many = self.match.before, len(self.pairs.pairs)
        kinds = ", ".join(plan.bots)
        learned = f", which learn again for each in {self.match.training} games"
        if set(plan.bots) <= {"random"}:
            learned = ""
        return f"{many} pairs of {plan.games} games, bots {kinds}{learned}"

    # ---------------------------------------------------------------- tables
    def measures(self) -> Iterator[tuple[str, Measure, float, int]]:
        """Yield what is compared of games as a whole: name, measure, unit, places."""
        yield "points", mean_points, 1, 2
        yield "rounds", rounds, 1, 2
        yield "decisions", decisions, 1, 1
        yield "games won by several (%)", ties, 100, 1
        seats = self.pairs.pairs[0].before.seats
        for at, seat in enumerate(seats):
            yield f"points of {seat.name}", points_of(at), 1, 2
            yield f"place of {seat.name}", place_of(at), 1, 2
            yield f"wins of {seat.name} (%)", wins_of(at), 100, 1

    def whole(self) -> Iterator[tuple[str, ...]]:
        """Yield what is compared of games as a whole, under a heading."""
        yield "", "before", "after", "difference"
        for name, measure, unit, places in self.measures():
            before, after = self.pairs.mean(measure)
            found = self.pairs.difference(measure, USUAL / 2 if name == "points" else USUAL)
            yield (
                shown(name),
                f"{unit * before:.{places}f}",
                f"{unit * after:.{places}f}",
                plus_minus(found.scaled(unit), places=places),
            )

    def items(self) -> Iterator[tuple[str, ...]]:
        """Yield what is compared of each item, under a heading."""
        yield "", "a game", "after", "difference", "ahead by", "after", "points", "wins (%)"
        for item in sorted(self.named(), key=self._use_after, reverse=True):
            use, points, wins = chosen(item), advantage(item, POINTS), advantage(item, WIN)
            (few, many), (one, two) = (self.pairs.mean(each) for each in (use, points))
            yield (
                shown(self.verdict.titles[item]) + ("*" if item in self.verdict.changed else ""),
                f"{few:.2f}",
                f"{many:.2f}",
                plus_minus(self.pairs.of_item(item, use), places=2),
                f"{one:+.1f}",
                f"{two:+.1f}",
                plus_minus(self.pairs.of_item(item, points)),
                plus_minus(self.pairs.of_item(item, wins).scaled(100), places=0),
            )

    def named(self) -> list[Item]:
        """Return the items that have a title."""
        return [each for each in self.pairs.items() if each in self.verdict.titles]

    def _use_after(self, item: Item) -> float:
        return self.pairs.mean(chosen(item))[1]

    # ---------------------------------------------------------------- data
    def json(self) -> str:
        """Return the object of `--json` as text."""
        return json.dumps(self.data(), ensure_ascii=False, indent=2) + "\n"

    def data(self) -> Row:
        """Return the object of `--json`."""
        plan, told = self.match.before, bool(self.pairs.pairs)
        return {
            "game": self.before.chosen.pack.id,
            "before": _version_data(self.before),
            "after": _version_data(self.after),
            "players": plan.players,
            "bots": list(plan.bots),
            "iterations": plan.iterations,
            "seed": plan.seed,
            "training": self.match.training,
            "pairs": len(self.pairs.pairs),
            "games": self.pairs.games,
            "complete": self.complete,
            "confidence": 1 - USUAL,
            "until": self.verdict.until,
            "decided": self.verdict.decided,
            "verdict": [*self.verdict.sentences()],
            "measures": [
                self._measure_data(name, measure) for name, measure, _, _ in self.measures()
            ]
            if told
            else [],
            "items": [self._item_data(item) for item in self.named()],
        }

    def _measure_data(self, name: str, measure: Measure) -> Row:
        before, after = self.pairs.mean(measure)
        alpha = USUAL / 2 if measure is mean_points else USUAL
        found = interval_data(self.pairs.difference(measure, alpha))
        return {"name": name, "before": before, "after": after, "difference": found}

    def _item_data(self, item: Item) -> Row:
        measures = {
            "chosen": chosen(item),
            "points": advantage(item, POINTS),
            "wins": advantage(item, WIN),
        }
        found: Row = {"group": item[0], "id": item[1], "title": self.verdict.titles[item]}
        found["changes"] = self.verdict.changed.get(item, [])
        for name, measure in measures.items():
            before, after = self.pairs.mean(measure)
            told = interval_data(self.pairs.of_item(item, measure))
            found[name] = {"before": before, "after": after, "difference": told}
        return found


def _version_data(version: Version) -> Row:
    pack = version.chosen.pack
    return {
        "name": version.name,
        "version": pack.version,
        "digest": pack.digest,
        "mods": list(pack.mods),
        "options": version.chosen.setting.options,
    }

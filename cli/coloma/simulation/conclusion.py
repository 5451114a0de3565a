"""Conclusion of a comparison, as sentences, tables and JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import attrs

from coloma.session.screen import shown
from coloma.simulation.comparing import ComparedVersion, Match
from coloma.simulation.tables import Row, columns, content_data, interval_data, plus_minus
from rulesdsl.figures.intervals import USUAL, Interval
from rulesdsl.figures.pairs import (
    Measure,
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
from rulesdsl.figures.uses import POINTS, WIN, Item
from rulesdsl.source.english import so_many

OTHERS = 5  # house: sentences about entries whose text has not changed
_TWICE = 0.05  # tolerance of "twice" and "half"
_FEW_TIMES = 0.005  # uses per game that round to none


@attrs.frozen
class Conclusion:
    """Result of a comparison; `changed` maps entries to descriptions of their differences."""

    pairs: Pairs
    margin: float
    titles: Mapping[Item, str]
    changed: Mapping[Item, list[str]]
    asked: str | None = None
    alike: str = ""
    """Reason why there is no difference, found without playing pairs; else empty."""

    @property
    def decided(self) -> bool:
        """True if the effect of the change on points is settled."""
        return bool(self.alike) or self.pairs.decided(self.margin)

    @property
    def same_points(self) -> bool:
        """True if any difference in points is provably smaller than `margin`."""
        found = self.pairs.points
        return -self.margin < found.low <= found.high < self.margin

    def sentences(self) -> Iterator[str]:
        """Yield the result as sentences: points first, then entries, then the length of games."""
        if self.alike:
            yield f"The change makes no difference: {self.alike}"
        if not self.pairs.pairs:
            return
        yield self._points()
        for item, said in self.changed.items():
            if item in self.titles:
                yield f"{self._item(item)} ({'; '.join(map(shown, said))})"
            else:
                title = item[1].partition(":")[2]
                yield f"{shown(title)}: no option refers to it ({'; '.join(map(shown, said))})"
        others = [
            each
            for each in self.pairs.items()
            if each not in self.changed and each in self.titles and self._use(each).sign
        ]
        others.sort(key=lambda each: abs(self._use(each).mean), reverse=True)
        yield from map(self._item, others[:OTHERS])
        if (more := len(others) - OTHERS) > 0:
            yield f"Chosen more or less often: {more} more; see the table."
        yield from self._length()

    # ---------------------------------------------------------------- the question
    def _points(self) -> str:
        found, (before, after) = self.pairs.points, self.pairs.mean(mean_points)
        means = f"{before:.1f} before, {after:.1f} after"
        if found.sign:
            more = "more" if found.sign > 0 else "fewer"
            return f"Players score {_size(found)} points {more}: {means}."
        if self.same_points:
            return (
                f"Any difference in points is under {self.margin:g}:"
                f" {found.mean:+.2f} ±{found.radius:.2f} ({means})."
            )
        if not found.known:
            return f"Not decided: too few pairs of games ({means})."
        return (
            f"Not decided: players score between {_signed(found.low)} and"
            f" {_signed(found.high)} points ({means})."
        )

    # ---------------------------------------------------------------- entries
    def _use(self, item: Item) -> Interval:
        return self.pairs.of_item(item, chosen(item))

    def _item(self, item: Item) -> str:
        place = f" in {self.asked}" if self.asked else ""
        title, (before, after) = shown(self.titles[item]), self.pairs.mean(chosen(item))
        if self._use(item).sign:
            said = f"{title} is {_chosen(place, before, after)}"
        elif self.pairs.use_decided(item):
            said = f"{title} is chosen{place} as often as before"
        else:
            said = f"{title}: no clear change in how often it is chosen{place}"
        said += f": {before:.2f} times a game before, {after:.2f} after"
        return "; ".join([said, *self._advantages(item)]) + "."

    def _advantages(self, item: Item) -> Iterator[str]:
        points = self.pairs.of_item(item, advantage(item, POINTS))
        if points.sign:
            way = "better" if points.sign > 0 else "worse"
            yield f"those who choose it fare {_size(points)} points {way} against others"
        wins = self.pairs.of_item(item, advantage(item, WIN)).scaled(100)
        if wins.sign:
            way = "grown" if wins.sign > 0 else "shrunk"
            by = f"{abs(wins.mean):.0f} ±{wins.radius:.0f} percentage points"
            yield f"their advantage in wins has {way} by {by}"

    # ---------------------------------------------------------------- length
    def _length(self) -> Iterator[str]:
        for measure, what in ((rounds, "rounds"), (decisions, "decisions")):
            found = self.pairs.difference(measure, USUAL)
            if found.sign:
                way = "longer" if found.sign > 0 else "shorter"
                before, after = self.pairs.mean(measure)
                yield (
                    f"Games are {_size(found)} {what} {way}:"
                    f" {before:.1f} before, {after:.1f} after."
                )


def _size(found: Interval) -> str:
    places = next((each for each in (1, 2) if found.radius >= 0.5 / 10**each), 3)
    return f"{abs(found.mean):.{places}f} ±{found.radius:.{places}f}"


def _signed(points: float) -> str:
    return f"{abs(points):.1f} {'more' if points > 0 else 'fewer'}"


def _chosen(place: str, before: float, after: float) -> str:
    if before < _FEW_TIMES:
        return f"chosen{place} now, but was not before"
    if after < _FEW_TIMES:
        return f"no longer chosen{place}"
    ratio = after / before
    for factor, word in ((2, "twice as often"), (0.5, "half as often")):
        if abs(ratio / factor - 1) <= _TWICE:
            return f"chosen{place} {word}"
    if ratio > 2:  # noqa: PLR2004 - twice
        return f"chosen{place} {ratio:.1f} times as often"
    return f"chosen{place} {abs(100 * (ratio - 1)):.0f} % {'more' if ratio > 1 else 'less'} often"


LEGEND = (
    "± is a 95 % interval over pairs of training runs, valid however often you look."
    " The intervals for points and choices hold jointly; every other one holds only on its own"
)


@attrs.frozen
class Compared:
    """Comparison with its two versions, its games and its conclusion."""

    before: ComparedVersion
    after: ComparedVersion
    match: Match
    conclusion: Conclusion
    complete: bool
    """True if the run was not interrupted."""

    @property
    def pairs(self) -> Pairs:
        """All pairs played."""
        return self.conclusion.pairs

    def text(self) -> str:
        """Return the sentences and tables as text."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        if not self.complete:
            yield "partial: interrupted before it was decided"
        yield from self.conclusion.sentences()
        yield ""
        yield f"before: {shown(self.before.name)}"
        yield f"after: {shown(self.after.name)}"
        if self.conclusion.alike:
            return
        plan = self.match.before
        yield f"{self.played()}, {so_many(plan.players, 'player', 'players')}, seed {plan.seed}"
        if not self.pairs.pairs:
            return
        yield ""
        yield from columns(self.whole())
        yield ""
        yield from columns(self.items())
        if self.conclusion.changed:
            yield "* its text has changed"
        yield LEGEND

    def played(self) -> str:
        """Describe the games that were played."""
        plan, many = self.match.before, len(self.pairs.pairs)
        is_random = set(plan.bots) <= {"random"}
        training = "" if is_random else f", training games for each pair: {self.match.training}"
        pairs = so_many(many, "pair", "pairs")
        return f"{pairs} of {plan.games} games, bots {', '.join(plan.bots)}{training}"

    # ---------------------------------------------------------------- tables
    def measures(self) -> Iterator[tuple[str, Measure, float, int]]:
        """Yield the measures of whole games, each with name, factor of its unit, and decimals."""
        yield "points", mean_points, 1, 2
        yield "rounds", rounds, 1, 2
        yield "decisions", decisions, 1, 1
        yield "games with more than one winner (%)", ties, 100, 1
        seats = self.pairs.pairs[0].before.seats
        for at, seat in enumerate(seats):
            yield f"points of {seat.name}", points_of(at), 1, 2
            yield f"place of {seat.name}", place_of(at), 1, 2
            yield f"wins of {seat.name} (%)", wins_of(at), 100, 1

    def whole(self) -> Iterator[tuple[str, ...]]:
        """Yield the rows of the table for whole games, column headings first."""
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
        """Yield the rows of the table for items, column headings first."""
        yield "", "chosen", "after", "difference", "ahead by", "after", "difference", "wins (%)"
        for item in sorted(
            self.named(), key=lambda each: self.pairs.mean(chosen(each))[1], reverse=True
        ):
            use, points, wins = chosen(item), advantage(item, POINTS), advantage(item, WIN)
            (few, many), (one, two) = (self.pairs.mean(each) for each in (use, points))
            yield (
                shown(self.conclusion.titles[item])
                + ("*" if item in self.conclusion.changed else ""),
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
        return [each for each in self.pairs.items() if each in self.conclusion.titles]

    # ---------------------------------------------------------------- data
    def json(self) -> str:
        """Return the JSON text of `data`."""
        return json.dumps(self.data(), ensure_ascii=False, indent=2) + "\n"

    def data(self) -> Row:
        """Return the object printed by `--json`."""
        plan = self.match.before
        measures = self.measures() if self.pairs.pairs else ()
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
            "until": self.conclusion.margin,
            "decided": self.conclusion.decided,
            "verdict": [*self.conclusion.sentences()],
            "measures": [self._measure_data(name, measure) for name, measure, _, _ in measures],
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
        found: Row = {"group": item[0], "id": item[1], "title": self.conclusion.titles[item]}
        found["changes"] = self.conclusion.changed.get(item, [])
        for name, measure in measures.items():
            before, after = self.pairs.mean(measure)
            told = interval_data(self.pairs.of_item(item, measure))
            found[name] = {"before": before, "after": after, "difference": told}
        return found


def _version_data(version: ComparedVersion) -> Row:
    return {"name": version.name, **content_data(version.chosen)}

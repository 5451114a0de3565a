"""What a comparison says, in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import attrs

from coloma.session.screen import shown
from rulesdsl.figures.pairs import Pairs, advantage, chosen, decisions, mean_points, rounds
from rulesdsl.figures.sequences import USUAL, Interval
from rulesdsl.figures.uses import POINTS, WIN

if TYPE_CHECKING:
    from rulesdsl.figures.uses import Item

OTHERS = 5  # house: sentences about entries whose text is the same
_TWICE = 0.05  # what counts as twice, or half
_FEW_TIMES = 0.005  # what rounds to no use at all


@attrs.frozen
class Verdict:
    """What is known of two contents; `changed` are entries with what is another in words."""

    pairs: Pairs
    until: float
    titles: Mapping[Item, str]
    changed: Mapping[Item, list[str]]
    asked: str | None = None
    alike: str = ""
    """The reason why there can be no difference; empty where pairs have to tell."""

    @property
    def decided(self) -> bool:
        """Whether the question of points is decided."""
        return bool(self.alike) or self.pairs.decided(self.until)

    @property
    def same_points(self) -> bool:
        """Whether players score as many points as before, as far as it matters."""
        found = self.pairs.points
        return -self.until < found.low <= found.high < self.until

    def sentences(self) -> Iterator[str]:
        """Yield sentences, the answer to the question first; none where nothing is known."""
        if self.alike:
            yield f"It makes no difference: {self.alike}"
        if not self.pairs.pairs:
            return
        yield self._points()
        for item, said in self.changed.items():
            if item in self.titles:
                yield f"{self._item(item)} ({'; '.join(map(shown, said))})"
            else:
                title = item[1].partition(":")[2]
                yield f"{shown(title)}: no option names it ({'; '.join(map(shown, said))})"
        others = sorted(self._others(), key=self._strength, reverse=True)
        yield from map(self._item, others[:OTHERS])
        if len(others) > OTHERS:
            yield f"{len(others) - OTHERS} more are chosen more or less often: see the table."
        yield from self._length()

    # ---------------------------------------------------------------- the question
    def _points(self) -> str:
        found, (before, after) = self.pairs.points, self.pairs.mean(mean_points)
        means = f"{before:.1f} before, {after:.1f} after"
        if found.sign:
            size = Interval(abs(found.mean), found.radius)
            more = "more" if found.sign > 0 else "fewer"
            return f"Players score {_size(size)} points {more}: {means}."
        if self.same_points:
            return (
                f"It makes no difference of {self.until:g} points:"
                f" {found.mean:+.2f} ±{found.radius:.2f} ({means})."
            )
        if not found.known:
            return f"It is not decided: there are too few pairs of games to tell ({means})."
        return (
            f"It is not decided: players score between {_signed(found.low)} and"
            f" {_signed(found.high)} points ({means})."
        )

    # ---------------------------------------------------------------- entries
    def _others(self) -> Iterator[Item]:
        """Yield the entries with the same text that are used otherwise, as far as is known."""
        for item in self.pairs.items():
            if item not in self.changed and item in self.titles and self._use(item).sign:
                yield item

    def _use(self, item: Item) -> Interval:
        return self.pairs.of_item(item, chosen(item))

    def _strength(self, item: Item) -> float:
        return abs(self._use(item).mean)

    def _item(self, item: Item) -> str:
        place = f" in {self.asked}" if self.asked else ""
        title, (before, after) = shown(self.titles[item]), self.pairs.mean(chosen(item))
        if self._use(item).sign:
            said = f"{title} is chosen{place} {_times(before, after)}"
        elif self.pairs.use_decided(item):
            said = f"{title} is chosen{place} as often as before"
        else:
            said = f"{title}: whether it is chosen{place} more or less often is not clear"
        said += f": {before:.2f} times a game before, {after:.2f} after"
        return "; ".join([said, *self._advantages(item)]) + "."

    def _advantages(self, item: Item) -> Iterator[str]:
        points = self.pairs.of_item(item, advantage(item, POINTS))
        if points.sign:
            size = Interval(abs(points.mean), points.radius)
            way = "further ahead of" if points.sign > 0 else "less far ahead of"
            yield f"who chooses it comes out {_size(size)} points {way} the others than before"
        wins = self.pairs.of_item(item, advantage(item, WIN)).scaled(100)
        if wins.sign:
            size = Interval(abs(wins.mean), wins.radius)
            way = "more" if wins.sign > 0 else "less"
            yield f"and wins {size.mean:.0f} ±{size.radius:.0f} % {way} often, against the others"

    # ---------------------------------------------------------------- length
    def _length(self) -> Iterator[str]:
        for measure, what in ((rounds, "rounds"), (decisions, "decisions")):
            found = self.pairs.difference(measure, USUAL)
            if found.sign:
                size = Interval(abs(found.mean), found.radius)
                way = "longer" if found.sign > 0 else "shorter"
                before, after = self.pairs.mean(measure)
                yield (
                    f"Games are {_size(size)} {what} {way}:"
                    f" {before:.1f} before, {after:.1f} after."
                )


def _size(found: Interval) -> str:
    """Say how much it is, with as many places as tell the interval from 0."""
    places = next((each for each in (1, 2) if found.radius >= 0.5 / 10**each), 3)
    return f"{found.mean:.{places}f} ±{found.radius:.{places}f}"


def _signed(points: float) -> str:
    return f"{abs(points):.1f} {'more' if points > 0 else 'fewer'}"


def _times(before: float, after: float) -> str:
    """Say how much more often something happens: `twice as often`."""
    if before < _FEW_TIMES:
        return "now, and was not before"
    if after < _FEW_TIMES:
        return "no more"
    ratio = after / before
    for factor, word in ((2, "twice as often"), (0.5, "half as often")):
        if abs(ratio / factor - 1) <= _TWICE:
            return word
    if ratio > 2:  # noqa: PLR2004 - twice
        return f"{ratio:.1f} times as often"
    return f"{abs(100 * (ratio - 1)):.0f} % {'more' if ratio > 1 else 'less'} often"

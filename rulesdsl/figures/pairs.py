"""Differences between paired games played with two versions of the content."""

# A pair consists of two sets of games with equal seeds and seats, one set for each version, played
# by bots trained on that version with the same seed. Its observation is a difference of means.
# Pairs are independent; the games and trainings within a pair are not, so intervals are over pairs
# (`of_few`).
#
# The error rate is split: half for the difference in points, a quarter for entries whose text has
# changed, and a quarter for all others, so that all statements of a comparison hold jointly.

from __future__ import annotations

from collections.abc import Callable

import attrs

from rulesdsl.figures.games import Figures
from rulesdsl.figures.intervals import USUAL, Interval, of_few
from rulesdsl.figures.uses import Item, ItemUse

ENOUGH = 20  # takers of an item in a pair before its advantage is computed
FEW_CHANGED = 3  # if more items have changed, only points decide when to stop
SAME = 0.1  # smaller relative differences count as equal
LEAST = 0.1  # choices per game; the reference frequency for rarer items
_QUESTIONS = 3  # for each item: frequency, points and wins of its takers

Measure = Callable[[Figures], float | None]  # None if there are too few games


def mean_points(figures: Figures) -> float:
    """Return a seat's mean points."""
    return sum(each.points.mean for each in figures.seats) / len(figures.seats)


def decisions(figures: Figures) -> float:
    """Return the mean number of decisions."""
    return figures.decisions.mean


def rounds(figures: Figures) -> float:
    """Return the mean number of rounds."""
    return figures.rounds.mean


def ties(figures: Figures) -> float:
    """Return the share of games with several winners."""
    return figures.ties / figures.games


def points_of(seat: int) -> Measure:
    """Return a measure: a seat's mean points."""
    return lambda figures: figures.seats[seat].points.mean


def place_of(seat: int) -> Measure:
    """Return a measure: a seat's mean place."""

    def place(figures: Figures) -> float:
        places = figures.seats[seat].places
        return sum(at * each for at, each in enumerate(places, 1)) / figures.games

    return place


def wins_of(seat: int) -> Measure:
    """Return a measure: the share of games that a seat wins."""
    return lambda figures: figures.seats[seat].wins / figures.games


def chosen(item: Item) -> Measure:
    """Return a measure: the mean number of times per game that an item is chosen."""
    return lambda figures: figures.uses.items.get(item, ItemUse()).chosen / figures.games


def advantage(item: Item, outcome: int) -> Measure:
    """Return a measure: the lead of players who chose an item over those who did not."""

    def ahead(figures: Figures) -> float | None:
        all_, takers = figures.uses.everybody, figures.uses.items.get(item, ItemUse()).takers
        if min(takers, all_.games * all_.players - takers) < ENOUGH:
            return None
        chose, others = figures.uses.means(item, outcome)
        return chose - others

    return ahead


@attrs.frozen
class Pair:
    """Figures of paired games: those before and those after a change of the content."""

    before: Figures
    after: Figures


@attrs.frozen
class Pairs:
    """All pairs in order; `changed` are the items whose text differs."""

    pairs: tuple[Pair, ...] = ()
    changed: frozenset[Item] = frozenset()

    def with_more(self, pair: Pair) -> Pairs:
        """Return a copy with one more pair."""
        return attrs.evolve(self, pairs=(*self.pairs, pair))

    @property
    def games(self) -> int:
        """The number of games with each version."""
        return sum(each.before.games for each in self.pairs)

    def mean(self, measure: Measure) -> tuple[float, float]:
        """Return the mean of a measure before and after; 0 if no pair defines both."""
        found = self._both(measure)
        many = max(len(found), 1)
        return sum(one for one, _ in found) / many, sum(two for _, two in found) / many

    def difference(self, measure: Measure, alpha: float = USUAL) -> Interval:
        """Return the change in a measure, with its interval."""
        return of_few([two - one for one, two in self._both(measure)], alpha)

    def _both(self, measure: Measure) -> list[tuple[float, float]]:
        both = ((measure(each.before), measure(each.after)) for each in self.pairs)
        return [(one, two) for one, two in both if one is not None and two is not None]

    @property
    def points(self) -> Interval:
        """The change in mean points, which is the primary outcome."""
        return self.difference(mean_points, USUAL / 2)

    def items(self) -> list[Item]:
        """Return all items offered in either version."""
        sides = (side for each in self.pairs for side in (each.before, each.after))
        return sorted({item for side in sides for item in side.uses.items})

    def of_item(self, item: Item, measure: Measure) -> Interval:
        """Return the change in a measure for one item, at that item's share of the error rate."""
        alike = self.changed if item in self.changed else {*self.items()} - self.changed
        many = _QUESTIONS * max(len(alike), 1)
        return self.difference(measure, USUAL / 4 / many)

    def decided(self, margin: float) -> bool:
        """Return true if the comparison is conclusive.

        Points must be known to differ, or to be equal within `margin`; if few items have changed,
        each item's frequency must be known to differ or to be about equal.
        """
        items = {*self.items()} & self.changed
        found = self.points
        known = bool(found.sign) or -margin < found.low <= found.high < margin
        return known and (len(items) > FEW_CHANGED or all(map(self.use_decided, items)))

    def use_decided(self, item: Item) -> bool:
        """Return true if the change in an item's frequency is known, or known to be small."""
        use = chosen(item)
        found = self.of_item(item, use)
        return bool(found.sign) or found.radius < SAME * max(*self.mean(use), LEAST)

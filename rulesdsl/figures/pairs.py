"""The same games of two contents, and what differs.

A pair is made of two sets of games with the same seeds and seats, one of each content, by bots
that have learned each content with the same seed.  What is told of a pair is one number: a mean
after the change less the mean before it.  Pairs are independent of each other, games and
trainings of one pair are not; so intervals count pairs (`few`).

The verdict is shared out: half of the error that is allowed goes to the question of points, a
quarter to those entries whose text has changed, and a quarter to all the others.  So all that a
comparison says holds together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import attrs

from rulesdsl.figures.few import of_few
from rulesdsl.figures.games import Figures
from rulesdsl.figures.sequences import USUAL, Interval
from rulesdsl.figures.uses import Item, Use

ENOUGH = 20  # house: players of a pair who chose an item, before its advantage is looked at
FEW_CHANGED = 3  # house: with more changes than that, only points are waited for
SAME = 0.1  # house: what differs by less than a tenth is as often as before
LEAST = 0.1  # house: times a game; what is rarer than that is measured like this
_QUESTIONS = 3  # of each item: how often it is chosen; points and wins of those who chose it

Measure = Callable[[Figures], float | None]
"""A number that figures tell, or nothing where there is too little to tell."""


def mean_points(figures: Figures) -> float:
    """Return the points of a seat on average."""
    return sum(each.points.mean for each in figures.seats) / len(figures.seats)


def decisions(figures: Figures) -> float:
    """Return how many decisions a game has on average."""
    return figures.decisions.mean


def rounds(figures: Figures) -> float:
    """Return how many rounds a game has on average."""
    return figures.rounds.mean


def ties(figures: Figures) -> float:
    """Return the share of games that several won."""
    return figures.ties / figures.games


def points_of(seat: int) -> Measure:
    """Return the measure of the points of a seat."""
    return lambda figures: figures.seats[seat].points.mean


def place_of(seat: int) -> Measure:
    """Return the measure of the place of a seat."""

    def place(figures: Figures) -> float:
        places = figures.seats[seat].places
        return sum(at * each for at, each in enumerate(places, 1)) / figures.games

    return place


def wins_of(seat: int) -> Measure:
    """Return the measure of the share of games that a seat wins."""
    return lambda figures: figures.seats[seat].wins / figures.games


def chosen(item: Item) -> Measure:
    """Return the measure of how often an item is chosen in a game."""
    return lambda figures: figures.uses.items.get(item, Use()).chosen / figures.games


def advantage(item: Item, outcome: int) -> Measure:
    """Return the measure of how far ahead those come out who chose an item."""

    def ahead(figures: Figures) -> float | None:
        all_, takers = figures.uses.everybody, figures.uses.items.get(item, Use()).takers
        if min(takers, all_.games * all_.players - takers) < ENOUGH:
            return None
        chose, others = figures.uses.means(item, outcome)
        return chose - others

    return ahead


@attrs.frozen
class Pair:
    """What the games of a pair came to."""

    before: Figures
    after: Figures

    def difference(self, measure: Measure) -> float | None:
        """Return how much more it is after the change."""
        one, two = measure(self.before), measure(self.after)
        return None if one is None or two is None else two - one


@attrs.frozen
class Pairs:
    """All pairs that were played, in their order; `changed` are items whose text is another."""

    pairs: tuple[Pair, ...] = ()
    changed: frozenset[Item] = frozenset()

    def with_more(self, pair: Pair) -> Pairs:
        """Return these and one more."""
        return attrs.evolve(self, pairs=(*self.pairs, pair))

    @property
    def games(self) -> int:
        """How many games of each content were played."""
        return sum(each.before.games for each in self.pairs)

    def mean(self, measure: Measure) -> tuple[float, float]:
        """Return what a measure is on average, before and after; 0 where no pair tells both."""
        told = [
            (one, two)
            for each in self.pairs
            if (one := measure(each.before)) is not None
            and (two := measure(each.after)) is not None
        ]
        befores, afters = zip(*told, strict=True) if told else ((), ())
        many = max(len(told), 1)
        return sum(befores) / many, sum(afters) / many

    def difference(self, measure: Measure, alpha: float = USUAL) -> Interval:
        """Return how much more it is after the change."""
        found = (each.difference(measure) for each in self.pairs)
        return of_few([each for each in found if each is not None], alpha)

    @property
    def points(self) -> Interval:
        """How many points more players have after the change: the question that is decided."""
        return self.difference(mean_points, USUAL / 2)

    def items(self) -> list[Item]:
        """Return the items that anybody was offered."""
        sides = (side for each in self.pairs for side in (each.before, each.after))
        return sorted({item for side in sides for item in side.uses.items})

    def of_item(self, item: Item, measure: Measure) -> Interval:
        """Return the difference of a measure of an item, with its part of the error."""
        alike: Iterable[Item] = (
            self.changed if item in self.changed else set(self.items()) - self.changed
        )
        many = _QUESTIONS * max(len([*alike]), 1)
        return self.difference(measure, USUAL / 4 / many)

    def decided(self, until: float) -> bool:
        """Whether all is known that is asked for.

        That is whether points are more, fewer, or do not differ by so many; and where few items
        have changed, whether each is chosen more often, less often, or as often as before.
        """
        items = set(self.items()) & self.changed
        if len(items) > FEW_CHANGED:
            items = set()
        found = self.points
        known = bool(found.sign) or -until < found.low <= found.high < until
        return known and all(self.use_decided(each) for each in items)

    def use_decided(self, item: Item) -> bool:
        """Whether it is known of an item that it is chosen more often, less often or as often."""
        use = chosen(item)
        found = self.of_item(item, use)
        return bool(found.sign) or found.radius < SAME * max(*self.mean(use), LEAST)

"""Mergeable statistics over many games."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

import attrs

from rulesdsl.figures.intervals import Confidence, Interval
from rulesdsl.figures.uses import Together, Uses, fields_added, winners
from rulesdsl.interpreter.display.results import Playouts, playout_outcomes

if TYPE_CHECKING:
    from rulesdsl.figures.uses import Groups
    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.interpreter.simulator.action_space import Weights
    from rulesdsl.interpreter.simulator.simulator import Played, Simulator


@attrs.frozen
class Tally:
    """Sufficient statistics for a number observed once in each game."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int = 0
    most: int = 0

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Tally:
        """Return the tally of the given numbers."""
        if not numbers:
            return cls()
        squares = sum(each * each for each in numbers)
        return cls(len(numbers), sum(numbers), squares, min(numbers), max(numbers))

    def with_more(self, other: Tally) -> Tally:
        """Return the sum of this tally and another."""
        if not self.count or not other.count:
            return self if self.count else other
        return Tally(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            min(self.least, other.least),
            max(self.most, other.most),
        )

    @property
    def mean(self) -> float:
        """The mean; 0 if empty."""
        return self.total / self.count if self.count else 0.0

    @property
    def variance(self) -> float:
        """The population variance."""
        if not self.count:
            return 0.0
        return (self.squares * self.count - self.total * self.total) / self.count**2

    def interval(self, confidence: Confidence) -> Interval:
        """Return the mean with its confidence interval."""
        return confidence.around(self.mean, self.variance, self.count)


@attrs.frozen
class Seat:
    """The results of one seat; a shared victory counts as a win for each winner."""

    name: str
    points: Tally
    places: tuple[int, ...]  # games in each place, first place first
    wins: int
    shared: int  # wins shared with others
    sources: tuple[Tally, ...]  # points from each source
    stated: Counter[str]  # outcomes stated by the rules


@attrs.frozen
class Figures:
    """Statistics over a set of games, without the games themselves."""

    seats: tuple[Seat, ...] = ()
    sources: tuple[str, ...] = ()  # titles of the scoring lines
    decisions: Tally = attrs.Factory(Tally)
    rounds: Tally = attrs.Factory(Tally)
    ties: int = 0  # games with several winners
    uses: Uses = attrs.Factory(Uses)  # empty unless items are counted
    together: Together = attrs.Factory(Together)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.decisions.count

    @property
    def compared(self) -> list[Seat]:
        """The seats whose wins can be compared: those with verdicts if any, otherwise all."""
        return [seat for seat in self.seats if seat.stated] or [*self.seats]

    @classmethod
    def of(cls, found: Playouts) -> Figures:
        """Return the figures for a simulator's playouts; there must be at least one."""
        many = len(found.seats)
        scores, places = (found.numbers[each].tolist() for each in ("scores", "places"))
        points = found.numbers["points"].tolist()
        outcomes, won = playout_outcomes(found), winners(found)
        ties = [each for each in won if sum(each) > 1]
        row = many * len(found.lines)
        seats = [
            Seat(
                name,
                Tally.of(scores[seat::many]),
                tuple(places[seat::many].count(place + 1) for place in range(many)),
                sum(each[seat] for each in won),
                sum(each[seat] for each in ties),
                tuple(Tally.of(points[at * many + seat :: row]) for at in range(len(found.lines))),
                Counter(game[seat].word for game in outcomes if game[seat].text is not None),
            )
            for seat, name in enumerate(found.seats)
        ]
        decisions, rounds = (found.numbers[each].tolist() for each in ("decisions", "rounds"))
        return cls(tuple(seats), found.lines, Tally.of(decisions), Tally.of(rounds), len(ties))

    @classmethod
    def watched(
        cls,
        games: Iterable[Played],
        setting: CompiledSetting,
        groups: Groups,
        together: str | None = None,
    ) -> Figures:
        """Return the figures for watched games; there must be at least one.

        Items of `groups` are counted; those of the group `together` are also counted in pairs.
        """
        players = players_among(setting)
        uses, pairs = Uses(), Together()
        last: Played | None = None
        numbers: dict[str, array[int]] = {}
        for last in games:
            uses.add(last, players, groups)
            if together is not None:
                pairs.add(last, players, groups, together)
            for name, each in last.results.numbers.items():
                numbers.setdefault(name, array("q")).extend(each)
        assert last is not None, "there is at least one game"
        every = attrs.evolve(last.results, games=uses.everybody.games, numbers=numbers)
        return attrs.evolve(cls.of(every), uses=uses, together=pairs)

    def with_more(self, other: Figures) -> Figures:
        """Return the sum of these figures and others."""
        found: Figures = fields_added(self, other)
        return found


def players_among(setting: CompiledSetting) -> list[int]:
    """Return the indexes of players among the scoring seats."""
    players = setting.layout.players
    return [at for at, seat in enumerate(setting.layout.scoring_seats()) if seat < players]


SAMPLES = 24  # intervals on the time axis of a chart


@attrs.frozen
class Curve:
    """Players' points over the course of a game, for each final place."""

    decisions: tuple[int, ...]
    places: tuple[tuple[Tally, ...], ...]  # points after each of those numbers of decisions


def curve(
    simulator: Simulator,
    games: int,
    seed: int = 0,
    *,
    weights: Weights | Sequence[Weights] | None = None,
    samples: int = SAMPLES,
) -> Curve:
    """Play `games` games (at least one) and return the players' points over time.

    The same games are replayed several times. Each time they are stopped a little later and scored
    as if they had ended there; a finished game keeps its final points.
    """
    many = len(simulator.playouts(0).seats)
    players = players_among(simulator.setting)
    ready = None if weights is None else simulator.weighing(weights)
    full = simulator.playouts(games, seed, weights=ready)
    longest = max(full.numbers["decisions"])
    moments = sorted({longest * at // samples for at in range(samples + 1)})
    places = full.numbers["places"]
    found: list[list[list[int]]] = [[[] for _ in moments] for _ in repeat(None, many)]
    for at, moment in enumerate(moments):
        scores = simulator.playouts(games, seed, weights=ready, most=moment).numbers["scores"]
        for game in range(games):
            for seat in players:
                cell = game * many + seat
                found[places[cell] - 1][at].append(scores[cell])
    lines = (tuple(map(Tally.of, each)) for each in found if any(each))
    return Curve(tuple(moments), tuple(lines))

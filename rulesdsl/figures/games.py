"""All that some games came to."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from rulesdsl.figures.tally import Tally
from rulesdsl.figures.together import Together
from rulesdsl.figures.uses import Uses, winners

if TYPE_CHECKING:
    from rulesdsl.figures.groups import Groups
    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.interpreter.simulator.playouts import Played, Playouts


@attrs.frozen
class Seat:
    """What one seat came to; a victory that is shared counts for each who shares it."""

    name: str
    points: Tally
    places: tuple[int, ...]
    """How often it was first, second and so on."""
    wins: int
    """Games that it won: as the rules say, or else by being first."""
    shared: int
    """Games that it won together with others."""
    sources: tuple[Tally, ...]
    """Where the points come from, source by source."""
    verdicts: Counter[str]

    def with_more(self, other: Seat) -> Seat:
        """Return both together."""
        return Seat(
            self.name,
            self.points.with_more(other.points),
            tuple(one + two for one, two in zip(self.places, other.places, strict=True)),
            self.wins + other.wins,
            self.shared + other.shared,
            tuple(
                one.with_more(two) for one, two in zip(self.sources, other.sources, strict=True)
            ),
            self.verdicts + other.verdicts,
        )


@attrs.frozen
class Figures:
    """What games came to; none of them is kept, however many there are."""

    seats: tuple[Seat, ...] = ()
    sources: tuple[str, ...] = ()
    """What points are scored for."""
    decisions: Tally = attrs.Factory(Tally)
    rounds: Tally = attrs.Factory(Tally)
    ties: int = 0
    """How many games were won by several."""
    uses: Uses = attrs.Factory(Uses)
    """Empty where nothing is counted by items."""
    together: Together = attrs.Factory(Together)

    @property
    def games(self) -> int:
        """How many games there were."""
        return self.decisions.count

    @classmethod
    def of(cls, found: Playouts) -> Figures:
        """Return what games of a simulator came to, of which there is at least one."""
        many = len(found.seats)
        scores, places = (found.numbers[each].tolist() for each in ("scores", "places"))
        points = found.numbers["points"].tolist()
        words = ["", *found.words]
        verdicts = [words[each + 1] for each in found.numbers["verdicts"]]
        players = len(verdicts) // found.games
        won = [*winners(found)]
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
                Counter(filter(None, verdicts[seat::players])) if seat < players else Counter(),
            )
            for seat, name in enumerate(found.seats)
        ]
        decisions, rounds = (found.numbers[each].tolist() for each in ("decisions", "rounds"))
        return cls(tuple(seats), found.lines, Tally.of(decisions), Tally.of(rounds), len(ties))

    @classmethod
    def watched(
        cls, games: Iterable[Played], setting: Setting, groups: Groups, together: str | None = None
    ) -> Figures:
        """Return what games came to that were watched, of which there is at least one.

        Items of `groups` are counted; of the group `together`, if one is named, also in pairs.
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
        """Return both together; the order makes no difference."""
        seats = zip(self.seats, other.seats, strict=True)
        return Figures(
            tuple(one.with_more(two) for one, two in seats),
            self.sources,
            self.decisions.with_more(other.decisions),
            self.rounds.with_more(other.rounds),
            self.ties + other.ties,
            self.uses.with_more(other.uses),
            self.together.with_more(other.together),
        )


def players_among(setting: Setting) -> list[int]:
    """Return which of the seats that score are players: those that choose."""
    players = setting.layout.players
    return [at for at, seat in enumerate(setting.layout.scoring_seats()) if seat < players]

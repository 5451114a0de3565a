"""Scores and wins by seat, and how long the games were: what some games came to, and all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from coloma.session.cells import padded, width
from coloma.session.screen import shown

if TYPE_CHECKING:
    from rulesdsl import Playouts


@attrs.frozen
class Range:
    """Numbers, added up."""

    count: int
    total: int
    least: int
    most: int

    @classmethod
    def of(cls, numbers: Sequence[int]) -> Range:
        """Add numbers up, of which there is at least one."""
        return cls(len(numbers), sum(numbers), min(numbers), max(numbers))

    def with_more(self, other: Range) -> Range:
        """Return both together."""
        return Range(
            self.count + other.count,
            self.total + other.total,
            min(self.least, other.least),
            max(self.most, other.most),
        )

    @property
    def mean(self) -> float:
        """What they are on average."""
        return self.total / self.count

    def __str__(self) -> str:
        return f"mean {self.mean:.1f}, least {self.least}, most {self.most}"


@attrs.frozen
class Seat:
    """What one seat came to; a victory that is shared counts for each who shares it."""

    name: str
    scores: Range
    wins: int
    shared: int
    verdicts: Counter[str]

    def with_more(self, other: Seat) -> Seat:
        """Return both together."""
        return Seat(
            self.name,
            self.scores.with_more(other.scores),
            self.wins + other.wins,
            self.shared + other.shared,
            self.verdicts + other.verdicts,
        )


@attrs.frozen
class Summary:
    """What games have come to; none of them is kept, however many there are."""

    seats: tuple[Seat, ...]
    decisions: Range
    rounds: Range

    @classmethod
    def of_playouts(cls, found: Playouts) -> Summary:
        """Return what games of a simulator came to, of which there is at least one."""
        many = len(found.seats)
        scores, places = (found.numbers[each].tolist() for each in ("scores", "places"))
        words = ["", *found.words]
        verdicts = [words[each + 1] for each in found.numbers["verdicts"]]
        players = len(verdicts) // found.games
        ranked = [places[at : at + many] for at in range(0, len(places), many)]
        ties = [each for each in ranked if each.count(1) > 1]
        seats = [
            Seat(
                shown(name),
                Range.of(scores[seat::many]),
                places[seat::many].count(1),
                sum(each[seat] == 1 for each in ties),
                Counter(filter(None, verdicts[seat::players])) if seat < players else Counter(),
            )
            for seat, name in enumerate(found.seats)
        ]
        decisions, rounds = (found.numbers[each].tolist() for each in ("decisions", "rounds"))
        return cls(tuple(seats), Range.of(decisions), Range.of(rounds))

    def with_more(self, other: Summary) -> Summary:
        """Return both together; the order makes no difference."""
        seats = zip(self.seats, other.seats, strict=True)
        return Summary(
            tuple(one.with_more(two) for one, two in seats),
            self.decisions.with_more(other.decisions),
            self.rounds.with_more(other.rounds),
        )

    def lines(self) -> Iterator[str]:
        """Yield the lines of the summary."""
        widest = max((width(each.name) for each in self.seats), default=0)
        yield f"{'':<{widest}}  {'mean':>8} {'least':>6} {'most':>6}  {'wins':>6} {'of games':>9}"
        for seat in self.seats:
            scores = seat.scores
            shared = f"  ({seat.shared} shared)" if seat.shared else ""
            yield (
                f"{padded(seat.name, widest)}  {scores.mean:>8.2f} {scores.least:>6}"
                f" {scores.most:>6}  {seat.wins:>6} {seat.wins / scores.count:>9.1%}{shared}"
            )
        for seat in self.seats:  # where the rules say such things
            if seat.verdicts:
                said = (f"{each} {seat.verdicts[each]}" for each in ("won", "drawn", "lost"))
                yield f"{seat.name}: {', '.join(said)}"
        if self.rounds.most:  # not every game has any
            yield f"rounds a game: {self.rounds}"
        yield f"decisions a game: {self.decisions}"

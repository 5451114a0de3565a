"""Scores and wins by seat, and how long the games were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import attrs

from coloma.session.cells import padded, width
from coloma.session.screen import shown
from coloma.simulation.games import Outcome


@attrs.define
class _Range:
    """Numbers that were added up one by one."""

    count: int = 0
    total: int = 0
    least: int = 0
    most: int = 0

    def add(self, number: int) -> None:
        """Take a number in."""
        self.least = min(self.least, number) if self.count else number
        self.most = max(self.most, number) if self.count else number
        self.count += 1
        self.total += number

    @property
    def mean(self) -> float:
        """What they are on average."""
        return self.total / self.count


@attrs.define
class _Seat:
    """What one seat has come to in all games."""

    name: str
    scores: _Range = attrs.field(factory=_Range)
    wins: int = 0
    shared: int = 0


@attrs.define
class Summary:
    """What games have come to; none of them is kept, however many there are."""

    _seats: dict[str, _Seat] = attrs.field(factory=dict, init=False)
    _players: tuple[str, ...] = attrs.field(default=(), init=False)
    _verdicts: dict[int, Counter[str]] = attrs.field(factory=dict, init=False)
    _decisions: _Range = attrs.field(factory=_Range, init=False)

    def add(self, outcome: Outcome) -> None:
        """Take a game in; a victory that is shared counts for each who shares it."""
        self._decisions.add(outcome.decisions)
        self._players = self._players or outcome.seats
        is_shared = outcome.places.count(1) > 1
        for name, score, place in zip(outcome.seats, outcome.scores, outcome.places, strict=True):
            seat = self._seats.setdefault(name, _Seat(shown(name)))
            seat.scores.add(score)
            seat.wins += place == 1
            seat.shared += place == 1 and is_shared
        for player, word in enumerate(outcome.verdicts):
            self._verdicts.setdefault(player, Counter())[word] += bool(word)

    def lines(self) -> Iterator[str]:
        """Yield the lines of the summary; they depend on the outcomes and their order only."""
        widest = max((width(each.name) for each in self._seats.values()), default=0)
        yield f"{'':<{widest}}  {'mean':>8} {'least':>6} {'most':>6}  {'wins':>6} {'of games':>9}"
        for seat in self._seats.values():
            scores = seat.scores
            shared = f"  ({seat.shared} shared)" if seat.shared else ""
            yield (
                f"{padded(seat.name, widest)}  {scores.mean:>8.2f} {scores.least:>6}"
                f" {scores.most:>6}  {seat.wins:>6} {seat.wins / scores.count:>9.1%}{shared}"
            )
        for player, words in self._verdicts.items():  # where the rules say such things
            if words.total():
                said = ", ".join(f"{word} {words[word]}" for word in ("won", "drawn", "lost"))
                yield f"{shown(self._players[player])}: {said}"
        decisions = self._decisions
        yield (
            f"decisions a game: mean {decisions.mean:.1f},"
            f" least {decisions.least}, most {decisions.most}"
        )

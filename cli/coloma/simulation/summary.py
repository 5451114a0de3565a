"""Scores and wins by seat, and how long the games were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import attrs

from coloma.session.cells import padded, width
from coloma.session.screen import shown
from coloma.simulation.games import Outcome


@attrs.define
class _Seat:
    """What one seat has come to in all games."""

    name: str
    scores: list[int] = attrs.field(factory=list)
    wins: int = 0
    shared: int = 0


def summary(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the summary; they depend on the outcomes and their order only."""
    seats = _by_seat(outcomes)
    widest = max((width(each.name) for each in seats), default=0)
    yield f"{'':<{widest}}  {'mean':>8} {'least':>6} {'most':>6}  {'wins':>6} {'of games':>9}"
    for seat in seats:
        least, most = min(seat.scores), max(seat.scores)
        mean = sum(seat.scores) / len(seat.scores)
        share = seat.wins / len(seat.scores)
        shared = f"  ({seat.shared} shared)" if seat.shared else ""
        yield (
            f"{padded(seat.name, widest)}  {mean:>8.2f} {least:>6} {most:>6}"
            f"  {seat.wins:>6} {share:>9.1%}{shared}"
        )
    yield from _verdicts(outcomes)
    decisions = [each.decisions for each in outcomes]
    yield (
        f"decisions a game: mean {sum(decisions) / len(decisions):.1f},"
        f" least {min(decisions)}, most {max(decisions)}"
    )


def _by_seat(outcomes: Sequence[Outcome]) -> list[_Seat]:
    """Collect by the seats' names; a victory that is shared counts for each who shares it."""
    seats: dict[str, _Seat] = {}
    for outcome in outcomes:
        is_shared = outcome.places.count(1) > 1
        for name, score, place in zip(outcome.seats, outcome.scores, outcome.places, strict=True):
            seat = seats.setdefault(name, _Seat(shown(name)))
            seat.scores.append(score)
            seat.wins += place == 1
            seat.shared += place == 1 and is_shared
    return list(seats.values())


def _verdicts(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield how often each player has won, drawn and lost, where the rules say such things."""
    counts: dict[int, Counter[str]] = {}
    for outcome in outcomes:
        for player, word in enumerate(outcome.verdicts):
            counts.setdefault(player, Counter())[word] += bool(word)
    for player, words in counts.items():
        if words.total():
            said = ", ".join(f"{word} {words[word]}" for word in ("won", "drawn", "lost"))
            yield f"{shown(outcomes[0].seats[player])}: {said}"

"""What has come by chance in a game, how much of it a player knows, and how it may be dealt.

A shuffle or a draw may have come out otherwise, as far as the player has not seen what came.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.knowledge.hidden_tracks import Unlike
from rulesdsl.interpreter.log import CHOICE
from rulesdsl.interpreter.state import cells_of
from rulesdsl.interpreter.unseen import shown_now

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.knowledge.hidden_tracks import Swaps
    from rulesdsl.interpreter.log.reader import Entry
    from rulesdsl.lower.flat import Event

SEEN, LAST, MIXED = range(3)
"""What becomes of a thing that came by chance."""


@attrs.frozen
class Chance:
    """How a shuffle or a draw came out, and when: at which entry of the log."""

    kind: str
    when: int
    things: tuple[int, ...]


class History:
    """What came by chance in a game, as one player (from 0) knows it."""

    def __init__(self, game: Game, player: int) -> None:
        self._game, self._player = game, player
        self._kinds = game.setting.views.printed
        self._log: Sequence[Entry] = game.state.log
        self._last_seen = self._seen()
        self.shuffles = [*self._chances("shuffle")]
        self.draws = [*self._chances("draw")]
        self._last_mixed = {each: [-1] * len(seen) for each, seen in self._last_seen.items()}
        for mixed in self.shuffles:
            for each in mixed.things:
                self._last_mixed[mixed.kind][each] = mixed.when

    def rank(self, real: Chance, thing: int) -> int:
        """Return what becomes of a thing that came by chance.

        The player has seen since then which one it was, or it has not been mixed again, or it has.
        """
        if real.kind not in self._kinds or self._last_seen[real.kind][thing] >= real.when:
            return SEEN
        return LAST if self.is_last(real.kind, thing, real.when) else MIXED

    def is_last(self, kind: str, piece: int, when: int) -> bool:
        """Return whether a piece has not been mixed since an entry of the log."""
        return self._last_mixed[kind][piece] <= when

    def _events(self, kind: str) -> Iterator[tuple[int, Event, int, list[Any]]]:
        events = self._game.setting.engine.events
        for at, (number, _, actor, *values) in enumerate(self._log):
            if number != CHOICE and events[number].kind == kind:
                yield at, events[number], actor, values

    def _chances(self, kind: str) -> Iterator[Chance]:
        for at, event, _, values in self._events(kind):
            things = values[1] if kind == "shuffle" else values
            yield Chance(event.subject, at, (*things,))

    def _seen(self) -> dict[str, list[int]]:
        """Return when the player has seen each piece for the last time: the entry of the log."""
        box, eyes = self._game.setting.box, self._game.setting.views.eyes
        found = {each: [-1] * len(cells_of(box, f"w:{each}")) for each in self._kinds}
        mine = {None, self._player + 1}
        for at, event, _, (piece, *cells) in self._events("piece"):
            if mine.intersection(eyes[event.subject][each] for each in cells):
                found[event.subject][piece] = at
        for at, kind, piece in self._looks():
            found[kind][piece] = max(at, found[kind][piece])
        return found

    def _looks(self) -> Iterator[tuple[int, str, int]]:
        """Yield when the player has looked at pieces: they did, or a question showed them."""
        for at, event, actor, (pieces,) in self._events("peek"):
            yield from ((at, event.subject, e) for e in pieces if actor == self._player)
        for at, entry in enumerate(self._log):
            if entry[0] == CHOICE and entry[2] == self._player:
                yield from ((at, *each) for each in entry[-1])
        yield from ((len(self._log), *each) for each in shown_now(self._game, self._player))


@attrs.define
class Dealer:
    """Lets shuffles and draws come out as a world needs it."""

    _history: History
    _swaps: Swaps
    _shuffles: Iterator[Chance]
    _draws: Iterator[Chance]

    @classmethod
    def of(cls, history: History, swaps: Swaps) -> Dealer:
        """Return one for a game from its beginning."""
        return cls(history, swaps, iter(history.shuffles), iter(history.draws))

    def shuffled(self, pile: list[int]) -> None:
        """Put a pile that has been shuffled into the order that it needs to have."""
        real = self._next(self._shuffles)
        if len(real.things) != len(pile):
            raise Unlike("another pile is shuffled")
        there, order = set(pile), dict[int, int]()
        ranked = sorted(enumerate(real.things), key=lambda each: self._rank(real, each[1]))
        for at, each in ranked:
            want = self._wanted(real, each)
            if want in there:
                there.remove(want)
                order[at] = want
            elif self._rank(real, each) == SEEN:
                raise Unlike("a piece is not there that was seen")
        left = iter([each for each in pile if each in there])
        pile[:] = [order[at] if at in order else next(left) for at in range(len(pile))]

    def drawn(self, things: Sequence[int], thing: int) -> int:
        """Return what is drawn from some things; by chance it would be `thing`."""
        real = self._next(self._draws)
        (each,) = real.things
        want = self._wanted(real, each)
        if want in things or want == thing:
            return want
        if self._rank(real, each) == SEEN:
            raise Unlike("something else is drawn")
        return thing

    def _rank(self, real: Chance, thing: int) -> int:
        return self._history.rank(real, thing)

    def _wanted(self, real: Chance, thing: int) -> int:
        """Return what has to come where a thing came."""
        if self._rank(real, thing) != LAST:
            return thing
        return self._swaps.get(real.kind, {}).get(thing, thing)

    def _next(self, some: Iterator[Chance]) -> Chance:
        found = next(some, None)
        if found is None:
            raise Unlike("chance decides more often")
        return found

"""Parts shared by both runners: random numbers, open questions, and rounds."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rulesdsl.interpreter.decision_points import Offer
from rulesdsl.interpreter.python.runtime import MASK, STEP, mixed
from rulesdsl.interpreter.simulator.state_transfer import MemoryMap

TRACE = STEP
HALF = (1 << 32) - 1
NEVER = (1 << 63) - 1
"""A number of decisions that no game reaches, as no limit."""


def seeds(run: int, number: int) -> tuple[int, int]:
    """Return the seeds for a game: for its own randomness, and for random choices.

    They are numbers 2n and 2n + 1 of the run's SplitMix64 stream. Modules compute the same seeds.
    """
    first = run + STEP * (2 * number + 1)
    return mixed(first & MASK), mixed((first + STEP) & MASK)


@attrs.define
class Dice:
    """Source of random choices; `trace` is a hash of the questions asked."""

    state: int
    decisions: int = 0
    trace: int = 0

    def below(self, count: int) -> int:
        """Return a uniform random number from 0 to count - 1 (Lemire's method with 32 bits)."""
        while True:
            self.state = (self.state + STEP) & MASK
            if count > HALF:  # a sum of weights: the bias is negligible
                return mixed(self.state) % count
            product = (mixed(self.state) >> 32) * count
            rest = product & HALF
            if rest >= count or rest >= (HALF + 1 - count) % count:
                return product >> 32

    def bits(self) -> int:
        """Return 64 random bits, as a seed for another policy."""
        self.state = (self.state + STEP) & MASK
        return mixed(self.state)

    def asked(self, count: int, player: int) -> None:
        """Record a decision by a player with `count` options; players are numbered from 0."""
        self.decisions += 1
        self.trace = (self.trace ^ (count | player << 32)) * TRACE & MASK


@attrs.frozen
class OpenQuestion:
    """An open decision: the player and the options."""

    player: int
    """The choosing player, from 1; for a sealed decision, the first who has not answered."""
    sealed: bool
    """True if all players choose simultaneously, in secret."""
    options: list[int]
    """The numbers of the options among all options of the game."""


@attrs.frozen
class _Place:
    """A decision at which a module may stop: its chooser, and its option numbers."""

    sealed: bool
    slot: int | None  # index of the 8-byte memory item with the chooser, if variable
    seat: int
    offer: Offer


class QuestionReader:
    """Reader of the open question in a module's memory."""

    def __init__(self, memory: memoryview, known: MemoryMap, offers: Sequence[Offer]) -> None:
        self._words, self._items = memory.cast("i"), memory.cast("q")
        self._over, self._stack = known.over.address // 4, known.stack.address // 4
        self._answers = slice(known.answers.address // 4, known.answers.end // 4)
        self._offered = known.offered.address // 4
        self._options = [known.options_of(at).address // 8 for at in range(known.offered.size)]
        self._places: dict[tuple[int, int], _Place] = {}
        for machine, waiting in enumerate(known.machines.values()):
            for at, number in enumerate(waiting.places):
                if number < 0:
                    decision, offer = known.decisions[-1 - number], offers[-1 - number]
                    who = decision.who
                    slot = waiting.slots[who].address // 8 if isinstance(who, str) else None
                    seat = 0 if isinstance(who, str) else who or 0
                    self._places[machine, at] = _Place(decision.sealed, slot, seat, offer)

    def read(self) -> OpenQuestion | None:
        """Return the open question; None if the game is over."""
        words = self._words
        if words[self._over]:
            return None
        place = self._places[words[self._stack], words[self._stack + 1]]
        at = 0
        if place.sealed:
            at = seat = words[self._answers].tolist().index(-1)
        else:
            seat = place.seat if place.slot is None else self._items[place.slot]
        first = self._options[at]
        many = words[self._offered + at]
        options = [place.offer.number(each) for each in self._items[first : first + many]]
        return OpenQuestion(seat + 1, place.sealed, options)

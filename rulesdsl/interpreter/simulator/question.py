"""What is asked at the position of a simulator, read as fast as searches need it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.simulator.map import Map
    from rulesdsl.interpreter.simulator.offers import Offer


@attrs.frozen
class Question:
    """An open decision: who chooses, among what."""

    player: int
    """Who chooses, from 1; the first of several who choose in secret."""
    sealed: bool
    """Whether all choose in secret."""
    options: list[int]
    """The options by their numbers among all of the game: `Setting.option_names`."""


@attrs.frozen
class _Place:
    """A place where a module may stop: who chooses there, and the numbers of the options."""

    sealed: bool
    slot: int | None  # which item of 8 bytes of the memory says who, if any does
    seat: int
    offer: Offer


class Reader:
    """Reads what a module asks off its memory."""

    def __init__(self, memory: memoryview, known: Map, offers: Sequence[Offer]) -> None:
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

    def read(self) -> Question | None:
        """Return what is asked; None where the game is over."""
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
        return Question(seat + 1, place.sealed, options)

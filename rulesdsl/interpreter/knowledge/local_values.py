"""Values in a sampled position of the locals that a player does not know."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.types import YES_NO
from rulesdsl.check.typed.origins import Origin
from rulesdsl.interpreter.evaluator import Evaluator
from rulesdsl.interpreter.knowledge.dealing import Dealt
from rulesdsl.interpreter.knowledge.frames import HeldSlot, HiddenSlot, Slots
from rulesdsl.interpreter.knowledge.observing import SPOT
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.interpreter.state import cells_of


@attrs.frozen
class World:
    """A position that is being sampled, and what was dealt in it."""

    st: Any
    dealt: Dealt
    chance: random.Random

    def piece(self, kind: str, reference: int) -> int:
        """Return the piece to which an observation refers."""
        return reference if reference < SPOT else self.dealt[kind][reference - SPOT]


@attrs.frozen
class Holder:
    """A local with a piece, in one of the frames, and the piece's source."""

    looks: Evaluator
    slots: Slots
    number: int
    name: str
    origin: Origin
    rest: HeldSlot | None = None  # the list, if the piece is that of a loop

    @property
    def local(self) -> ty.Local:
        """The local, which is not empty."""
        assert self.origin.domain is not None
        return ty.Local(self.name, type=attrs.evolve(self.origin.domain.element, maybe=False))

    def value(self, world: World, piece: int, value: ty.Value) -> int:
        """Return a value in a world, if the local had a piece."""
        frame = list(world.st.frames[self.number])
        frame[self.slots.places[self.name]] = piece
        return self.looks.number(self.slots.machine, value, world.st, frame)

    def members(self, world: World) -> list[int]:
        """Return the pieces of the domain as they lie, in the order of a loop."""
        assert self.origin.domain is not None
        test = ty.MemberOf(self.local, self.origin.domain, type=YES_NO)
        cells = cells_of(world.st, f"l:{self.local.type.of}")
        return [piece for piece in chain.from_iterable(cells) if self.value(world, piece, test)]

    def fitting(self, world: World, possible: Sequence[int]) -> list[int]:
        """Return the possible pieces that fit: those of the domain, or else wherever they lie."""
        guard, test = self.origin.guard, self.origin.test(self.local)
        lying = [piece for piece in self.members(world) if piece in possible]
        fitting = [piece for piece in lying if self.value(world, piece, guard)]
        return fitting or [piece for piece in possible if self.value(world, piece, test)]

    def pick(self, world: World, possible: Sequence[int]) -> int:
        """Return the piece, one of those that are possible, or -1 if the local is empty."""
        pieces = possible if self.origin.domain is None else self.fitting(world, possible)
        if not pieces:
            return -1
        if self.origin.in_turn:
            return pieces[self.turn(world, len(pieces) - 1)]
        if not self.origin.ranking:
            return world.chance.choice(pieces)
        ranks = self.origin.ranks(self.local)
        ranked = {piece: [self.value(world, piece, rank) for rank in ranks] for piece in pieces}
        best = max(ranked.values())
        first = [piece for piece in pieces if ranked[piece] == best]
        return first[0] if len(first) == 1 else -1

    def turn(self, world: World, others: int) -> int:
        """Return how many of the other pieces in a loop's domain have had their turn."""
        frame = world.st.frames[self.number]
        if self.rest is None:  # the last round: the list is no longer needed
            return others
        earlier: int = frame[self.rest.turn] - 1
        later = len(frame[self.rest.at]) - earlier - 1 if self.rest.sized else 0
        return max(min(earlier, others - later), 0)


class LocalValues:
    """Writer of the blanks in the frames of one observation.

    Blanks are filled in the order in which the rules bind them: pieces drawn by chance or chosen
    by others are drawn among those that fit, the best pieces and the lists of loops are computed,
    and so are numbers with a definition. If no piece fits where it lies, since the position has
    changed, one is drawn among those that the player considers possible and that meet all other
    conditions.
    """

    def __init__(self, setting: CompiledSetting, data: dict[str, Any]) -> None:
        self._setting, self._data = setting, data
        self._slots = [setting.slots[frame[0]] for frame in data["frames"]]
        self._fills = [fill for *_, fill in sorted(self._unknown(), key=itemgetter(0, 1))]

    def fill(self, world: World) -> bool:
        """Fill all blanks in a world, or return False if that is impossible there."""
        world.st.frames = [
            slots.replaced(frame, world.piece)
            for frame, slots in zip(self._data["frames"], self._slots, strict=True)
        ]
        return all(fill(world) for fill in self._fills)

    def _unknown(self) -> Iterator[tuple[int, int, Callable[[World], bool]]]:
        """Yield functions that fill the blanks, with the frame and the place of the local."""
        for number, slots in enumerate(self._slots):
            frame = self._data["frames"][number]
            for blank in (slot for slot in slots.hidden if frame[slot.at] is None):
                yield number, blank.at, partial(self._number, number, blank)
        for machine, name, kind, backs, places in self._data["held"]:
            running = (n for n, slots in enumerate(self._slots) if slots.machine == machine)
            holder = self._holder(next(running, places[0][0]), name)
            fill = partial(self._piece, holder, kind, backs, places)
            yield holder.number, holder.slots.places.get(name, 0), fill
        for number, slots in enumerate(self._slots):
            frame = self._data["frames"][number]
            for slot in (slot for slot in slots.held if slot.turn and None in frame[slot.at]):
                write = self._answers if slot.me else self._list
                holder = self._holder(number, slot.name)
                yield number, slots.places[slot.name], partial(write, slot, holder)

    def _holder(self, number: int, name: str) -> Holder:
        slots = self._slots[number]
        origin = self._setting.layout.program.procs[slots.machine].held.get(name, Origin(None))
        rest = next((slot for slot in slots.held if slot.turn and slot.name == name), None)
        return Holder(self._setting.looks, slots, number, name, origin, rest)

    # ---------------------------------------------------------------- pieces
    def _piece(
        self,
        holder: Holder,
        kind: str,
        backs: Sequence[int],
        places: Sequence[tuple[int, int]],
        world: World,
    ) -> bool:
        piece = holder.pick(world, [world.piece(kind, back) for back in backs])
        for frame, at in places:
            world.st.frames[frame][at] = piece
        return piece >= 0 or holder.name not in holder.slots.sure

    def _list(self, slot: HeldSlot, holder: Holder, world: World) -> bool:
        """Compute the rest of a loop's list; the part before it is no longer read."""
        frame = world.st.frames[holder.number]
        piece, turn = frame[holder.slots.places[slot.name]], frame[slot.turn]
        others = [member for member in holder.members(world) if member != piece]
        later = others[holder.turn(world, len(others)) :]
        later = later[: len(frame[slot.at]) - turn] if slot.sized else later
        frame[slot.at] = [piece] * turn + later
        return True

    def _answers(self, slot: HeldSlot, holder: Holder, world: World) -> bool:
        """Draw the secret answers of others that have yet to be carried out."""
        frame = world.st.frames[holder.number]
        me, answers = frame[slot.me], [answer or 0 for answer in frame[slot.at]]
        for player in range(frame[slot.turn], len(answers)):
            if frame[slot.at][player] is None:
                frame[slot.me] = player
                answers[player] = world.chance.choice(holder.members(world) or [0])
        frame[slot.me], frame[slot.at] = me, answers
        return True

    # ---------------------------------------------------------------- numbers
    def _number(self, number: int, slot: HiddenSlot, world: World) -> bool:
        """Compute a number from its definition, or draw it if there is none."""
        defined = self._defined(world.st, number, slot.name, slot.part)
        drawn = world.chance.randint(0, slot.most) if defined is None else defined
        world.st.frames[number][slot.at] = drawn
        return True

    def _defined(self, st: Any, number: int, name: str, part: int) -> int | None:  # noqa: ANN401
        """Return a local's value, computed from its definition or from the caller's argument."""
        procs, slots = self._setting.layout.program.procs, self._slots[number]
        value = slots.defined.get(name)
        params = [param.name for param in procs[slots.machine].params]
        if value is None and name in params and number:
            number -= 1
            for step in ty.walk(procs[self._slots[number].machine].body):
                if isinstance(step, ty.Run) and step.proc == slots.machine and value is None:
                    value = step.arguments[params.index(name)]
        if value is None:
            return None
        words = ty.MessageText(("", ""), (value,), ("",))
        machine = self._slots[number].machine
        return self._setting.looks.numbers(machine, words, st, st.frames[number])[part]

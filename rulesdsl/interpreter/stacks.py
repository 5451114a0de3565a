"""Frame stacks that a program can have: a saved game is held against them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

import attrs

from rulesdsl.interpreter.saved import SaveError, listed, number, numbers
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import bound_by, ends_in
from rulesdsl.lower.fold import MAX_NUMBER, MIN_NUMBER
from rulesdsl.lower.schema import MAX_REPEATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.interpreter.compile import Engine
    from rulesdsl.lower.layout import Layout
    from rulesdsl.lower.schema import Type


@attrs.frozen
class SlotRange:
    """The range of a slot of a frame: a number within bounds, or a list of such."""

    low: int
    high: int
    many: bool = False
    length: int | None = None
    rows: frozenset[int] | None = None  # of the pool of lists, where it holds one

    def read(self, path: str, value: object, *, bound: bool) -> object:
        """Return a value of the slot, also none (0) while it is not `bound` on every way there.

        Raises SaveError for anything else.
        """
        if not bound and isinstance(value, int) and value == 0:
            return value  # a no is none too
        if self.many:
            return numbers(path, value, self.low, self.high, self.length)
        found = number(path, int(value) if isinstance(value, bool) else value, self.low, self.high)
        if self.rows is not None and found not in self.rows:
            raise SaveError(path, "is not a list of what it should contain")
        return value


_OF_LOOPS: dict[fl.Role, SlotRange] = {
    "countdown": SlotRange(MIN_NUMBER, MAX_REPEATS),  # below 0: no rounds
    "position": SlotRange(0, MAX_NUMBER),  # after the last one: no rounds
}


class Stacks:
    """The stacks that a program can have in one setting."""

    def __init__(self, engine: Engine) -> None:
        self._flat = engine.flat
        self._asks = engine.asks
        self._numbers = engine.block_numbers
        stopping = {key: made for key, made in self._flat.machines.items() if made.holds}
        self._slots = {
            key: [(name, _slot(held, engine)) for name, held in _holds(made)]
            for key, made in stopping.items()
        }
        self._bound = {
            f"{key}/{at}": names
            for key, made in stopping.items()
            for at, names in bound_before(self._flat, made).items()
        }
        self._first = self._entered({"game"})
        self._called = {
            f"{key}/{then}": self._entered(callees)
            for key, machine in self._flat.machines.items()
            for then, callees in self._calls(machine).items()
        }

    def read(self, value: object) -> list[list[Any]]:
        """Return the frames of a saved game; SaveError for a stack that cannot be."""
        found: list[list[Any]] = []
        allowed = self._first
        frames = listed("state.frames", value)
        for at, frame in enumerate(frames):
            path = f"state.frames[{at}]"
            name, *rest = listed(path, frame) or [None]
            number = self._numbers.get(name, -1) if isinstance(name, str) else -1
            key = name.rsplit("/", 1)[0] if number >= 0 else ""
            if key not in allowed or name not in self._bound:
                raise SaveError(
                    f"{path}[0]", "is not a part of the rules that can be running there"
                )
            if frame is frames[-1]:
                if number not in self._asks:
                    raise SaveError(
                        f"{path}[0]", "is not a part of the rules in which somebody chooses"
                    )
            else:
                allowed = self._called.get(name, set())
            found.append([number, *self._locals(path, key, name, rest)])
        return found

    def _locals(self, path: str, key: str, block: str, values: list[object]) -> list[object]:
        slots, bound = self._slots[key], self._bound[block]
        found = zip(slots, listed(path, values, len(slots)), strict=True)
        return [
            slot.read(f"{path}[{at}]", each, bound=name in bound)
            for at, ((name, slot), each) in enumerate(found, 1)
        ]

    def _calls(self, machine: fl.Machine) -> dict[int, set[str]]:
        """Return for each block that a call comes back to what may have been called."""
        found: dict[int, set[str]] = {}
        for end in (each for block in machine.blocks for each in ends_in(block)):
            if isinstance(end, fl.Enter):
                called = self._flat.called(end.machine, end.index)
                found.setdefault(end.then, set()).update(called)
        return found

    def _entered(self, keys: set[str]) -> set[str]:
        """Return machines, and those that take their place: what they call last."""
        found: set[str] = set()
        left = [*keys]
        while left:
            key = left.pop()
            if key in found or key not in self._slots:  # what asks nobody is never under way
                continue
            found.add(key)
            machine = self._flat.machines[key]
            for then, callees in self._calls(machine).items():
                if machine.blocks[then] == (fl.Leave(),):
                    left += callees
        return found


def _holds(machine: fl.Machine) -> Iterator[tuple[str, fl.FrameSlot]]:
    return zip(machine.slots, machine.holds, strict=True)


def _slot(held: fl.FrameSlot, engine: Engine) -> SlotRange:
    layout, kind = engine.layout, held.kind
    if held.role is not None:
        return _OF_LOOPS[held.role]
    match kind.family:
        case "list":
            size = layout.size(kind.of)
            rows = frozenset(
                at
                for at, row in enumerate(engine.flat.lists)
                if all(0 <= each < size for each in row)
            )
            return SlotRange(0, len(engine.flat.lists) - 1, rows=rows)
        case "text":
            return SlotRange(-1, len(engine.texts) - 1)
        case _:
            return SlotRange(*_bounds(kind, layout), held.many, held.length)


def bound_before(flat: fl.Flat, machine: fl.Machine) -> dict[int, frozenset[str]]:
    """Return for each block that can be reached the slots that every way there has bound."""
    found = {0: frozenset(machine.params)}
    left = [0]
    while left:
        at = left.pop()
        ways: list[tuple[int, frozenset[str]]] = []
        _bind(flat, machine.blocks[at], found[at], ways)
        for then, names in ways:
            bound = names.intersection(machine.slots)
            known = found.get(then)
            found[then] = bound if known is None else known & bound
            if found[then] != known:
                left.append(then)
    return found


def _bind(
    flat: fl.Flat, body: fl.Body, bound: frozenset[str], ways: list[tuple[int, frozenset[str]]]
) -> frozenset[str] | None:
    """Return what is bound after a body, None where it always ends; add the ways on to others."""
    for stmt in body:
        match stmt:
            case fl.If(yes=yes, no=no):
                behind = [_bind(flat, each, bound, ways) for each in (yes, no)]
                going = [each for each in behind if each is not None]
                if not going:
                    return None
                bound = frozenset.intersection(*going)
            case fl.For(body=inner):  # it may go round not once
                _bind(flat, inner, bound, ways)
            case fl.Clear(buffer=buffer):
                bound |= {buffer.name}
            case fl.Goto(block=then) | fl.Enter(then=then):
                ways.append((then, bound))
                return None
            case fl.Ask(decision=number):
                asked = flat.decisions[number]
                taken = {asked.slot} if asked.plain and asked.slot is not None else set()
                ways.append((asked.block, bound))  # a test before it may ask in its place
                ways.extend((each, bound | taken) for each in asked.targets)
                return None
            case fl.Leave() | fl.Finish():
                return None
            case _:
                bound |= bound_by(stmt)
    return bound


def ways_on(flat: fl.Flat, body: fl.Body) -> Iterator[int]:
    """Yield the blocks in which a machine may go on after one."""
    for end in ends_in(body):
        match end:
            case fl.Goto(block=then) | fl.Enter(then=then):
                yield then
            case fl.Ask(decision=number):
                asked = flat.decisions[number]
                yield from (asked.block, *asked.targets)
            case fl.Leave():
                pass
            case _:
                assert_never(end)


def _bounds(kind: Type, layout: Layout) -> tuple[int, int]:
    low = -1 if kind.maybe else 0
    match kind.family:
        case "yes-no":
            return low, 1
        case "entry" | "piece" | "seat":
            return low, layout.size(kind.of) - 1
        case "player":
            return low, layout.players - 1
        case _:
            return MIN_NUMBER, MAX_NUMBER

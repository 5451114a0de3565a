"""Which frame stacks a program can have: what a saved game is held against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

import attrs

from rulesdsl.check.intervals import MAX_REPEATS
from rulesdsl.interpreter.saved import SaveError, listed, number, numbers
from rulesdsl.lower import flat as fl
from rulesdsl.lower import form as fm
from rulesdsl.lower.flat_walk import ends_in
from rulesdsl.lower.fold import MAX_NUMBER, MIN_NUMBER

if TYPE_CHECKING:
    from rulesdsl.check.types import Type
    from rulesdsl.interpreter.compile import Engine
    from rulesdsl.lower.layout import Layout


@attrs.frozen
class Slot:
    """What a slot of a frame may hold: a number within bounds, or a list of such."""

    low: int
    high: int
    many: bool = False
    length: int | None = None
    rows: frozenset[int] | None = None  # of the pool of lists, where it holds one
    parted: bool = False  # a price, of which each part has a slot

    def joined(self, other: Slot) -> Slot:
        """Return what either may hold."""
        low, high = min(self.low, other.low), max(self.high, other.high)
        rows = None if self.rows is None or other.rows is None else self.rows | other.rows
        return attrs.evolve(self, low=low, high=high, rows=rows)

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


_OF_LOOPS = {
    fm.COUNTDOWN: Slot(MIN_NUMBER, MAX_REPEATS),  # below 0: no rounds
    fm.POSITION: Slot(0, MAX_NUMBER),  # after the last one: no rounds
}


class Stacks:
    """The stacks that a program can have in one setting."""

    def __init__(self, engine: Engine) -> None:
        self._flat = engine.flat
        self._asks = engine.asks
        self._seats = engine.layout.seats
        self._numbers = engine.block_numbers
        lowered = engine.form.machines
        self._slots = {key: _slots(made, engine) for key, made in lowered.items()}
        self._bound = {
            f"{key}/{at}": names
            for key, made in lowered.items()
            for at, names in bound_before(made).items()
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
        slots = [("me", Slot(-1, self._seats - 1)), *self._slots[key].values()]
        bound = self._bound[block]
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


def _slots(machine: fm.Machine, engine: Engine) -> dict[str, tuple[str, Slot]]:
    """Return each slot of a machine in the order of the frame: whose part it is, what it holds."""
    found: dict[str, Slot] = {}
    layout = engine.layout
    params = layout.program.procs[machine.key].params
    bound = [(param.name, param.type, False) for param in params]
    blocks = (each for block in machine.blocks for each in block.bound)
    for name, kind, many in (*bound, *blocks):
        slot = _slot(kind, many, engine)
        found[name] = found[name].joined(slot) if name in found else slot
        word, is_ours, _ = name.partition("%")
        if is_ours and word in _OF_LOOPS:
            found[name] = _OF_LOOPS[word]
    for block in machine.blocks:
        if isinstance(block.end, fm.AskSecret):  # it is gone through along the players
            answers = block.end.answers
            found[answers] = attrs.evolve(found[answers], length=layout.players)
    return {
        part: (name, found[name])
        for name in machine.slots
        for part in (layout.parts(name) if found[name].parted else [name])
    }


def _slot(kind: Type, many: bool, engine: Engine) -> Slot:  # noqa: FBT001 - as it is bound
    layout = engine.layout
    match kind.family:
        case "list":
            size = layout.size(kind.of)
            rows = frozenset(
                at
                for at, row in enumerate(engine.flat.lists)
                if all(0 <= each < size for each in row)
            )
            return Slot(0, len(engine.flat.lists) - 1, rows=rows)
        case "text":
            return Slot(-1, len(engine.texts) - 1)
        case "bundle":
            return Slot(MIN_NUMBER, MAX_NUMBER, parted=True)
        case _:
            return Slot(*_bounds(kind, layout), many)


def bound_before(machine: fm.Machine) -> dict[int, frozenset[str]]:
    """Return for each block that can be reached the slots that every way there has bound."""
    found = {0: frozenset(("me", *machine.params))}
    left = [0]
    while left:
        block = machine.blocks[at := left.pop()]
        optional = isinstance(block.end, fm.Ask) and block.end.choice is None  # by line
        steps = attrs.evolve(block, end=fm.Return()) if optional else block
        after = found[at].union(name for name, _, _ in steps.bound)
        chosen: dict[int, list[str]] = {}
        if isinstance(block.end, fm.Ask) and optional:  # a line binds what it is about
            for then, line in zip(block.end.targets, block.end.lines, strict=False):
                chosen[then] = [] if line.variable is None else [line.variable]
        for then in ways_on(block.end):
            known, bound = found.get(then), after.union(chosen.get(then, ()))
            found[then] = bound if known is None else known & bound
            if found[then] != known:
                left.append(then)
    return found


def ways_on(end: fm.End) -> tuple[int, ...]:
    """Return the blocks in which a machine may go on after the end of one."""
    match end:
        case fm.Goto(target=target):
            return (target,)
        case fm.Test(yes=yes, no=no):
            return yes, no
        case fm.Call(then=then) | fm.CallField(then=then) | fm.AskSecret(then=then):
            return (then,)
        case fm.Ask(targets=targets):
            return targets
        case fm.Return():
            return ()
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

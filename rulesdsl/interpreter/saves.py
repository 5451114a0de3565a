"""Saved games: plain data, validated against the frame stacks that are possible."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, ClassVar, NoReturn, Self, assert_never

import attrs
import cattrs

from rulesdsl.interpreter.engine import Engine
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.interpreter.python.runtime import MASK
from rulesdsl.interpreter.state import CellField, Piles
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.walk import MAX_NUMBER, MIN_NUMBER, bound_by, ends_in
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.schema import MAX_REPEATS, Type
from rulesdsl.source.english import so_many
from rulesdsl.source.render import in_short


class SaveError(ValueError):
    """A value that a saved game cannot have, located by `path`."""

    def __init__(self, path: str, why: str) -> None:
        self.path = path
        said = f"`{in_short(path)}` {in_short(why)}" if path else f"it {in_short(why)}"
        super().__init__(f"this is not a saved game of this pack: {said}")


def number(path: str, value: object, low: int, high: int) -> int:
    """Return an integer within bounds; raise SaveError for anything else."""
    if type(value) is not int:
        raise SaveError(path, "is not a whole number")
    if not low <= value <= high:
        raise SaveError(path, f"is not between {low} and {high}")
    return value


def numbers(path: str, value: object, low: int, high: int, length: int | None = None) -> list[int]:
    """Return a list of integers within bounds; raise SaveError for anything else."""
    found = listed(path, value, length)
    if (
        not {*map(type, found)} <= {int}
        or not low <= min(found, default=low) <= max(found, default=high) <= high
    ):
        for at, each in enumerate(found):
            number(f"{path}[{at}]", each, low, high)
    return found


def listed(path: str, value: object, length: int | None = None) -> list[Any]:
    """Return a list; raise SaveError for other types or another length."""
    if not isinstance(value, list | tuple):
        raise SaveError(path, "is not a list")
    if length is not None and len(value) != length:
        raise SaveError(path, f"has {so_many(len(value), 'item', 'items')} instead of {length}")
    return list(value)


def of_type(path: str, value: object, said: str, *kinds: type) -> Any:  # noqa: ANN401
    """Return a value of one of these types; raise SaveError for others, even subclasses."""
    if type(value) not in kinds:
        raise SaveError(path, f"is not {said}")
    return value


def table(path: str, value: object, keys: Iterable[str]) -> dict[str, Any]:
    """Return a dict with exactly these keys; raise SaveError for anything else."""
    if not isinstance(value, dict):
        raise SaveError(path, "is not a table")
    for key in keys:
        if key not in value:
            raise SaveError(f"{path}.{key}".lstrip("."), "is missing")
    for key in value.keys() - {*keys}:
        raise SaveError(f"{path}.{key}".lstrip("."), "is unknown")
    return value


@attrs.frozen
class SlotRange:
    """The range of a frame slot: a number within bounds, or a list of such numbers."""

    low: int
    high: int
    many: bool = False
    length: int | None = None
    partial: bool = False  # items of the list may be EXCLUDED
    rows: frozenset[int] | None = None  # valid rows of the pool of lists, for a list value

    def read(self, path: str, value: object, *, bound: bool) -> object:
        """Return a valid value; raise SaveError for anything else.

        0 is also valid unless the slot is definitely assigned (`bound`).
        """
        if not bound and isinstance(value, int) and value == 0:
            return value  # also accepts False
        if self.partial:
            items = [each for each in listed(path, value, self.length) if each != fl.EXCLUDED]
            numbers(path, items, self.low, self.high)
            return value
        if self.many:
            return numbers(path, value, self.low, self.high, self.length)
        found = number(path, int(value) if isinstance(value, bool) else value, self.low, self.high)
        if self.rows is not None and found not in self.rows:
            raise SaveError(path, "is not a list of the right type")
        return value


_OF_LOOPS: dict[fl.Role, SlotRange] = {
    "countdown": SlotRange(MIN_NUMBER, MAX_REPEATS),  # below 0: no iterations
    "position": SlotRange(0, MAX_NUMBER),  # beyond the end: no iterations left
}


class Stacks:
    """Validator of frame stacks: it accepts the stacks reachable in one setting.

    A frame may be above another only if the lower frame's block is the one to which a call to the
    upper frame's machine returns; the call may be followed by tail calls. A slot holds a value in
    the range of its type, or 0 if it is not definitely assigned.
    """

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
        """Return the frames of a saved game; raise SaveError for an impossible stack."""
        found: list[list[Any]] = []
        allowed = self._first
        frames = listed("state.frames", value)
        for at, frame in enumerate(frames):
            path = f"state.frames[{at}]"
            name, *rest = listed(path, frame) or [None]
            number = self._numbers.get(name, -1) if isinstance(name, str) else -1
            key = name.rsplit("/", 1)[0] if number >= 0 else ""
            if key not in allowed or name not in self._bound:
                raise SaveError(f"{path}[0]", "is not a part of the rules that can run there")
            if at == len(frames) - 1:  # data may hold one list several times
                if number not in self._asks:
                    raise SaveError(f"{path}[0]", "is not a part of the rules with a decision")
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
        """Return the possible callees of a machine, by the block to which they return."""
        found: dict[int, set[str]] = {}
        for end in (each for block in machine.blocks for each in ends_in(block)):
            if isinstance(end, fl.Enter):
                called = self._flat.called(end.machine, end.index)
                found.setdefault(end.then, set()).update(called)
        return found

    def _entered(self, keys: set[str]) -> set[str]:
        """Return the given machines, and those reached from them by tail calls."""
        found: set[str] = set()
        left = [*keys]
        while left:
            key = left.pop()
            if key in found or key not in self._slots:  # without decisions, it has no frames
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
            return SlotRange(*_bounds(kind, layout), held.many, held.length, held.partial)


def bound_before(flat: fl.Flat, machine: fl.Machine) -> dict[int, frozenset[str]]:
    """Return, for each reachable block, the slots that are bound on every path to it."""
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
    """Return the names definitely assigned after a body, or None if it never completes.

    The jumps in the body are added to `ways`, with the names assigned before them.
    """
    for stmt in body:
        match stmt:
            case fl.Conditional(yes=yes, no=no):
                behind = [_bind(flat, each, bound, ways) for each in (yes, no)]
                going = [each for each in behind if each is not None]
                if not going:
                    return None
                bound = frozenset.intersection(*going)
            case fl.For(body=inner):  # there may be no iterations
                _bind(flat, inner, bound, ways)
            case fl.Clear(buffer=buffer):
                bound |= {buffer.name}
            case fl.Goto(block=then) | fl.Enter(then=then):
                ways.append((then, bound))
                return None
            case fl.Ask(decision=number):
                asked = flat.decisions[number]
                taken = (asked.slot,) if asked.plain else (*asked.variables, None)  # None: stop
                ways.append((asked.block, bound))  # a saved game resumes in this block
                for then, name in zip(asked.targets, taken, strict=False):
                    ways.append((then, bound if name is None else bound | {name}))
                return None
            case fl.Leave() | fl.FinishGame():
                return None
            case _:
                bound |= bound_by(stmt)
    return bound


def ways_on(flat: fl.Flat, body: fl.Body) -> Iterator[int]:
    """Yield the possible successors of a block."""
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


TRANSIENT = ("options", "log")


class Saver:
    """Converter of one setting's states to plain data and back."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._converter = cattrs.Converter(forbid_extra_keys=True, detailed_validation=False)
        cls = engine.states.cls
        left_out = {name: cattrs.gen.override(omit=True) for name in TRANSIENT}
        self._write: Callable[[Any], dict[str, Any]] = cattrs.gen.make_dict_unstructure_fn(
            cls,
            self._converter,
            **left_out,  # type: ignore[arg-type]
        )
        self._stacks = Stacks(engine)
        self._fields = [each.name for each in attrs.fields(cls) if each.name not in TRANSIENT]
        self._printed = [
            (field_name(f"l:{each.name}"), field_name(f"w:{each.name}"))
            for each in engine.layout.schema.pieces.values()
            if each.style == "printed"
        ]

    def data(self, st: Any) -> dict[str, Any]:  # noqa: ANN401 - the class is generated
        """Return a state as plain data, in which blocks appear by name."""
        found = self._write(st)
        found["frames"] = [
            [self.engine.block_names[frame[0]], *map(_plain, frame[1:])] for frame in st.frames
        ]
        return dict(found)

    def state(self, value: object) -> Any:  # noqa: ANN401
        """Return the state that plain data describes; raise SaveError for an impossible state.

        Each piece must be in one cell, counts must be within bounds, and rerunning the top block
        of the stack must reproduce the open decision without changing the state.
        """
        data = table("state", value, self._fields)
        checked: dict[str, Any] = {
            cell.name: _cell(cell, data[cell.name]) for cell in self.engine.states.fields
        }
        for piles, places in self._printed:
            _check_printed(checked, piles, places)
        checked["rng"] = number("state.rng", data["rng"], 0, MASK)
        checked["learned"] = number("state.learned", data["learned"], 0, MAX_NUMBER)
        checked["frames"] = self._stacks.read(data["frames"])
        checked["over"] = not checked["frames"]
        if data["over"] is not checked["over"]:
            raise SaveError("state.over", "must be true exactly when no procedure is running")
        st = self.engine.states.cls(**checked)
        self._open(st, data)
        return st

    def _open(self, st: Any, data: Mapping[str, Any]) -> None:  # noqa: ANN401
        """Reopen the decision of a state, and restore the secret answers given so far."""
        if not st.over:
            frames = [*map(list, st.frames)]
            try:
                self.engine.run(st)
            except (LookupError, TypeError, ValueError, OverflowError) as error:
                raise SaveError("state", f"does not lead to a decision ({error})") from None
            changed = (each for each in self._fields if getattr(st, each) != data[each])
            for name in changed:
                if name not in {"frames", "answers"} or (name == "frames" and st.frames != frames):
                    raise SaveError(
                        f"state.{name}", "does not belong to a game that waits for a choice"
                    )
        ask = None if st.over else self.engine.asks[st.frames[-1][0]]
        secret = ask is not None and ask.sealed
        offered = st.options if secret else [st.options] if ask else []
        if not all(offered):
            raise SaveError("state.frames", "leaves a player without options")
        answers = listed("state.answers", data["answers"])
        if answers:
            counts = [len(each) for each in offered] if secret else []
            listed("state.answers", answers, len(counts))
            for at, (answer, count) in enumerate(zip(answers, counts, strict=True)):
                number(f"state.answers[{at}]", answer, -1, count - 1)
            if -1 not in answers:
                raise SaveError(
                    "state.answers", "has the answers of all players, so no decision is open"
                )
        st.answers = answers


def _plain(value: object) -> object:
    return [*map(_plain, value)] if isinstance(value, list | tuple) else value


def _cell(cell: CellField, value: object) -> object:
    path, begun = f"state.{cell.name}", cell.start
    if not isinstance(begun, list):
        return number(path, value, cell.low, cell.high)
    found = listed(path, value, len(begun))
    if cell.type is Piles:
        if {*map(type, found)} <= {list}:  # fast path
            every = [cell.low, *chain.from_iterable(found)]
            if {*map(type, every)} <= {int} and cell.low <= min(every) <= max(every) <= cell.high:
                return [*map(list, found)]
        return [
            numbers(f"{path}[{at}]", each, cell.low, cell.high) for at, each in enumerate(found)
        ]
    absent = cell.absent
    there = [each for at, each in enumerate(found) if at not in absent] if absent else found
    numbers(path, there, cell.low, cell.high)
    if [found[at] for at in absent] != [begun[at] for at in absent]:
        raise SaveError(path, "has pieces for seats that own none")
    for heap in cell.heaps:
        count = sum([found[at] for at in heap])
        if count != sum([begun[at] for at in heap]):
            in_the_box = sum(begun[at] for at in heap)
            raise SaveError(path, f"has a total of {count}; the box has {in_the_box}")
    return found


def _check_printed(data: Mapping[str, Any], piles: str, where: str) -> None:
    """Raise SaveError unless piles and positions of printed pieces agree."""
    found = [-1] * len(data[where])
    for code, pile in enumerate(data[piles]):
        for piece in pile:
            if found[piece] >= 0:
                raise SaveError(f"state.{piles}", f"has piece {piece} twice")
            found[piece] = code
    if found != data[where]:
        raise SaveError(f"state.{where}", f"disagrees with `state.{piles}`")


class InProcess:
    """Object that cannot be pickled; the error says what to send instead."""

    __slots__ = ()
    _sent_instead: ClassVar[str]
    """Instructions for sending an object to another process."""

    def __reduce_ex__(self, _: object) -> NoReturn:
        """Raise TypeError, with what to do."""
        raise TypeError(
            f"{type(self).__name__} objects cannot be pickled: {self._sent_instead}"
            " (see `coloma explain processes`)"
        )


class Uncopied:
    """Object without a state of its own: a copy is the object itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        """Return the object."""
        return self

    def __deepcopy__(self, _: object) -> Self:
        """Return the object."""
        return self

"""Locals of suspended procedures: the pieces in them, and the players who know their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.interpreter.decision_points import LINE_MASK
from rulesdsl.interpreter.saves import bound_before, ways_on
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat import EXCLUDED, LINE_BITS
from rulesdsl.source.tree import rewrite, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulesdsl.check.symbols.types import Type
    from rulesdsl.check.typed.program import Eyes
    from rulesdsl.interpreter.display.views import Views
    from rulesdsl.interpreter.engine import Engine
    from rulesdsl.lower.layout import Layout

    OfPiece = Callable[[str, int], int]
    """Function that replaces a piece, given its kind."""
    Kinds = str | tuple[str, ...]
    """The kind of the pieces in a slot; for a slot of options, the kind for each line."""

SPREAD = 10  # assumed range of a number about which nothing is known


@attrs.frozen
class HiddenSlot:
    """Slot in a frame whose value only the players `eyes` know."""

    # `at` is its index in the frame; `name` and `part` identify the local and the part of it;
    # `most` is the assumed upper bound. If it holds the list of a loop, `turn` is the index of the
    # slot with the position in the list, else 0.

    at: int
    eyes: Eyes
    name: str
    part: int
    most: int
    turn: int


@attrs.frozen
class HeldSlot:
    """Slot with a piece that its local, `name`, holds in secret, or with a list of such pieces.

    `turn` is the slot with the position in a list, else 0. A list of a loop has its `size`, unless
    that is secret too; the list of all players' secret answers belongs to the chooser in `me`.
    """

    at: int
    name: str
    turn: int = 0
    sized: bool = False
    me: int = 0


@attrs.frozen
class Slots:
    """Slots in a frame that is suspended in a block."""

    # `pieces` are the slots that hold pieces, with their kinds, `held` those of them whose pieces
    # are secret, `hidden` other slots that some players do not know, and `idle` those that are
    # dead from here on. `defined` has the defining expressions of locals, `sure` those that
    # always hold a piece here, and `places` the index of each slot, in the order of their
    # assignment. `sealed` lists the simultaneous questions whose answers are being processed: the
    # block, and the slots of the answers and of the number of players processed.

    machine: str
    pieces: tuple[tuple[int, Kinds], ...]
    held: tuple[HeldSlot, ...]
    hidden: tuple[HiddenSlot, ...]
    defined: dict[str, ty.Value]
    sure: frozenset[str]
    idle: tuple[int, ...]
    places: dict[str, int]
    sealed: tuple[tuple[int, int, int], ...]

    @classmethod
    def of(cls, views: Views, block: int) -> Slots:
        """Return the slots in a frame that is suspended in a block."""
        engine, layout = views.labels.engine, views.labels.layout
        key, number = engine.block_names[block].rsplit("/", 1)
        machine, proc = engine.flat.machines[key], layout.program.procs[key]
        places = {name: at for at, name in enumerate(machine.slots, start=1)}
        live = bound_before(engine.flat, machine)[int(number)] & places.keys()
        pieces = {name: kinds for name, kinds in _pieces(views, machine) if name in live}
        steps = (step for step in ty.walk(proc.body) if isinstance(step, ty.SetLocal))
        kinds = dict(zip(machine.slots, machine.holds, strict=True))
        secrets = {e: slot.eyes for e, slot in kinds.items() if slot.eyes is not None} | proc.eyes
        lists = [reading for _, *reading in _readings(machine) if live.issuperset(reading[1:])]
        turns = {name: turn for _, name, turn in lists}
        hidden = (
            HiddenSlot(places[part], eyes, name, at, _most(layout, kinds[part].kind), turn)
            for name, eyes in secrets.items()
            for at, part in enumerate([name] if name in places else layout.parts(name))
            for turn in [places[turns[name]] if name in turns else 0]
            if part in live and name not in pieces
        )
        held = [HeldSlot(places[name], name) for name in proc.held if name in pieces]
        sealed = (step for step in ty.walk(proc.body) if isinstance(step, ty.Secretly))
        choosers = {step.variable: places[step.me] for step in sealed}
        for local, name, turn in lists:
            if local in proc.held:
                sized, chooser = kinds[name].eyes is None, choosers.get(local, 0)
                held.append(HeldSlot(places[name], local, places[turn], sized, chooser))
        return cls(
            key,
            tuple((places[name], kinds) for name, kinds in pieces.items()),
            tuple(held),
            tuple(hidden),
            {step.name: step.value for step in reversed([*steps])},
            frozenset(e.name for e in held if _is_sure(engine.flat, machine, number, e.name)),
            tuple(at for name, at in places.items() if name not in live),
            places,
            tuple(_sealed(engine, machine, int(number), places)),
        )

    def blanked(self, frame: list[Any], player: int) -> list[Any]:
        """Return a frame with values unknown to a player replaced by None or cut from lists.

        This leaves out pieces, since the knowledge of them changes from move to move.
        """
        found = list(frame)
        for slot in self.hidden:
            seats = (self.places[each] for each in slot.eyes or () if each in self.places)
            if player not in {frame[each] for each in seats}:
                found[slot.at] = found[slot.at][: frame[slot.turn]] if slot.turn else None
        return found

    def replaced(self, frame: list[Any], of: OfPiece) -> list[Any]:
        """Return a frame with its pieces replaced."""
        found = list(frame)
        for at in self.idle:
            found[at] = 0
        for at, kinds in self.pieces:
            value = found[at]
            if not isinstance(kinds, str):
                found[at] = [option_replaced(kinds, each, of) for each in value]
            elif isinstance(value, list):
                found[at] = [e if e is None or e == EXCLUDED else of(kinds, e) for e in value]
            elif value not in {-1, None}:
                found[at] = of(kinds, value)
        return found


def _is_sure(flat: fl.Flat, machine: fl.Machine, block: str, name: str) -> bool:
    """Return whether a block is only reached after a test that a local is not empty."""

    def skip(node: Any) -> Any:  # noqa: ANN401 - any node of the flat form
        tests = isinstance(node, fl.Conditional) and _tests(node.condition, name)
        return attrs.evolve(node, yes=()) if tests else node

    if not machine.holds[machine.slots.index(name)].kind.maybe:
        return True
    reached, ahead = {0}, [0]
    while ahead:
        body = tuple(rewrite(stmt, skip) for stmt in machine.blocks[ahead.pop()])
        new = {*ways_on(flat, body)} - reached
        reached |= new
        ahead += new
    return int(block) not in reached


def _tests(condition: fl.Expr, name: str) -> bool:
    """Return whether a condition implies that a local is not empty."""
    if isinstance(condition, fl.Op) and condition.op == "and":
        return _tests(condition.left, name) or _tests(condition.right, name)
    local = fl.LocalVar(name)
    tests = fl.Op(">=", local, fl.Literal(0)), fl.Op("<>", local, fl.Literal(-1))
    return condition in tests


def _readings(machine: fl.Machine) -> Iterator[tuple[int, str, str, str]]:
    """Yield the blocks that read a list: block, local of the item (or ""), list, and position."""
    for number, body in enumerate(machine.blocks):
        bound = {stmt.value: stmt.local for stmt in body if isinstance(stmt, fl.Set)}
        for item in (node for node in walk(body) if isinstance(node, fl.ListItem)):
            if isinstance(item.of, fl.Buffer) and isinstance(item.index, fl.LocalVar):
                yield number, bound.get(item, ""), item.of.name, item.index.name


def _sealed(
    engine: Engine, machine: fl.Machine, waits: int, places: dict[str, int]
) -> Iterator[tuple[int, int, int]]:
    """Yield the simultaneous questions whose answers are being processed at a block."""
    for asked, ask in engine.asks.items():
        number = int(engine.block_names[asked].rsplit("/", 1)[1])
        if ask.proc != machine.name or not isinstance(ask.end, ty.Secretly):
            continue
        if ask.end.secret or number == waits:
            continue
        ahead, left = {waits}, [waits]  # blocks on a path before the question is repeated
        while left:
            new = {*ways_on(engine.flat, machine.blocks[left.pop()])} - ahead - {number}
            ahead |= new
            left += new
        for at, _, name, turn in _readings(machine):
            if at in ahead and name == machine.slots[ask.slot - 1]:
                yield asked, ask.slot, places[turn]


@attrs.frozen
class SlotTable:
    """The slots in the frames of one setting, by block; computed on first use."""

    views: Views
    _found: dict[int, Slots] = attrs.Factory(dict)

    def __getitem__(self, block: int) -> Slots:
        """Return the slots in a frame that is suspended in a block."""
        if block not in self._found:
            self._found[block] = Slots.of(self.views, block)
        return self._found[block]

    def answers(self, st: Any) -> dict[int, str]:  # noqa: ANN401
        """Return the ids of secret choices that have yet to be carried out, by player number.

        Except for choices of hidden pieces, everybody knows them once all players have answered.
        """
        ids, labels = dict[int, str](), self.views.labels
        for frame in st.frames:
            for block, answers, turn in self[frame[0]].sealed:
                ask = labels.engine.asks[block]
                for player in range(frame[turn] - 1, labels.layout.players):
                    if frame[answers][player] != EXCLUDED:
                        ids[player + 1] = labels.option(ask, frame[answers][player], None)[0]
        return ids


def _pieces(views: Views, machine: fl.Machine) -> Iterator[tuple[str, Kinds]]:
    """Yield the slots that may hold printed pieces, with their kinds."""
    printed = views.printed
    for ask in views.labels.engine.asks.values():
        if ask.proc == machine.name and isinstance(ask.end, ty.Decide) and any(ask.once):
            kinds = kinds_of(ask.end.lines)
            yield machine.slots[ask.slot - 1], tuple(e if e in printed else "" for e in kinds)
    for name, held in zip(machine.slots, machine.holds, strict=True):
        if held.kind.family == "piece" and held.kind.of in printed:
            yield name, held.kind.of


def kinds_of(lines: Iterable[ty.OptionLine]) -> list[str]:
    """Return the kind of piece among each line's options, or an empty string."""
    of = [line.domain.element if line.domain is not None else None for line in lines]
    return [each.of if each is not None and each.family == "piece" else "" for each in of]


def _most(layout: Layout, kind: Type) -> int:
    """Return the assumed upper bound of a local whose value does not follow from a definition."""
    if kind.family in {"entry", "seat", "piece"}:
        return layout.size(kind.of) - 1
    return {"yes-no": 1, "player": layout.players - 1}.get(kind.family, SPREAD)


def option_replaced(kinds: Sequence[str], option: int, of: OfPiece) -> int:
    """Return an option in which the piece that it concerns is replaced."""
    kind, thing = kinds[option >> LINE_BITS] if option >= 0 else "", (option & LINE_MASK) - 1
    if not kind or thing < 0:
        return option
    return (option >> LINE_BITS << LINE_BITS) + 1 + of(kind, thing)


def ask_again(engine: Engine, st: Any) -> bool:  # noqa: ANN401
    """Ask the open question again; return False if that fails or leaves somebody no option."""
    frame, depth = st.frames[-1], len(st.frames)
    number = frame[0]
    asked = engine.blocks[number](st, frame)
    if not asked or len(st.frames) != depth or frame[0] != number:
        return False
    return all(st.options) if engine.asks[number].sealed else bool(st.options)

"""Locals of suspended procedures: the pieces in them, and who knows their values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.interpreter.decision_points import LINE_MASK
from rulesdsl.interpreter.saves import bound_before, ways_on
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat import LINE_BITS
from rulesdsl.source.tree import walk

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from rulesdsl.check.program import Eyes
    from rulesdsl.check.symbols.types import Type
    from rulesdsl.interpreter.display.views import Views
    from rulesdsl.interpreter.engine import Engine
    from rulesdsl.lower.layout import Layout

    OfPiece = Callable[[str, Any], Any]
    """Replacement of a piece of a kind."""
    Change = Callable[[Any, OfPiece], Any]
    """Replacement of the pieces in the value of a slot."""

SPREAD = 10  # house: assumed range of a number about which nothing is known


@attrs.frozen
class Slots:
    """Slots of a frame suspended in a block: those with pieces, and those hidden from players."""

    machine: str
    pieces: tuple[tuple[int, Change], ...]
    hidden: tuple[tuple[int, Eyes, str, int, int], ...]
    """Index in the frame, players who know the value, local, part, and upper bound."""
    lists: tuple[tuple[int, Eyes, int], ...]
    """Lists of loops: index, players who know the length, and index of the position."""
    defined: dict[str, ty.Value]
    """Defining expressions of locals."""
    idle: tuple[int, ...]
    """Slots that are dead from here on."""
    places: dict[str, int]
    """Index of each local in the frame."""
    sealed: tuple[tuple[int, int, int], ...]
    """Simultaneous questions with answers being processed.

    Block, index of the answers, and index of the number of players processed.
    """

    @classmethod
    def of(cls, views: Views, block: int) -> Slots:
        """Return the slots of a frame suspended in a block."""
        engine, layout = views.labels.engine, views.labels.layout
        key, number = engine.block_names[block].rsplit("/", 1)
        machine, proc = engine.flat.machines[key], layout.program.procs[key]
        places = {name: at for at, name in enumerate(machine.slots, start=1)}
        live = bound_before(engine.flat, machine)[int(number)] & places.keys()
        held = {name: change for name, change in _held(views, machine) if name in live}
        defined: dict[str, ty.Value] = {}
        for step in ty.walk(proc.body):
            if isinstance(step, ty.SetLocal):
                defined.setdefault(step.name, step.value)
        kinds = dict(zip(machine.slots, machine.holds, strict=True))
        ours = {e: slot.eyes for e, slot in kinds.items() if e not in proc.eyes}
        secrets = proc.eyes | {e: eyes for e, eyes in ours.items() if eyes is not None}
        items = (each for body in machine.blocks for each in walk(body))
        turns = {
            e.of.name: e.index.name
            for e in items
            if isinstance(e, fl.ListItem) and isinstance(e.of, fl.Buffer)
            if isinstance(e.index, fl.LocalVar) and e.of.name in places
        }
        hidden = [
            (places[part], eyes, name, at, _most(layout, kinds[part].kind))
            for name, eyes in secrets.items()
            if name not in held and name not in turns
            for at, part in enumerate(layout.parts(name) if name not in places else [name])
            if part in live
        ]
        return cls(
            key,
            tuple((places[name], change) for name, change in held.items()),
            tuple(hidden),
            tuple(
                (places[name], eyes, places[turns[name]])
                for name, eyes in secrets.items()
                if name in turns and name in live and turns[name] in live
            ),
            defined,
            tuple(at for name, at in places.items() if name not in live),
            places,
            tuple(_sealed(engine, machine, int(number), places)),
        )

    def unknown(self, frame: list[Any], player: int) -> Iterator[int]:
        """Yield the slots whose values a player (from 0) does not know."""
        for at, eyes, *_ in self.hidden:
            if not self._sees(eyes, frame, player):
                yield at

    def _sees(self, eyes: Eyes, frame: list[Any], player: int) -> bool:
        seats = (self.places[each] for each in eyes or () if each in self.places)
        return player in {frame[each] for each in seats}

    def shortened(self, frame: list[Any], player: int) -> list[Any]:
        """Return a frame with lists cut at the current position if their length is hidden."""
        found = list(frame)
        for at, eyes, turn in self.lists:
            if not self._sees(eyes, frame, player):
                found[at] = found[at][: frame[turn]]
        return found

    def replaced(self, frame: list[Any], of: OfPiece) -> list[Any]:
        """Return a frame with its pieces replaced."""
        found = list(frame)
        for at in self.idle:
            found[at] = 0
        for at, change in self.pieces:
            found[at] = change(found[at], of)
        return found


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
        answers = fl.Buffer(machine.slots[ask.slot - 1])
        for item in (each for at in ahead for each in walk(machine.blocks[at])):
            if isinstance(item, fl.ListItem) and item.of == answers:
                assert isinstance(item.index, fl.LocalVar)
                yield asked, ask.slot, places[item.index.name]


@attrs.frozen
class SlotTable:
    """The slots of the frames of one setting, by block; computed on first use."""

    views: Views
    _found: dict[int, Slots] = attrs.Factory(dict)

    def __getitem__(self, block: int) -> Slots:
        """Return the slots of a frame suspended in a block."""
        if block not in self._found:
            self._found[block] = Slots.of(self.views, block)
        return self._found[block]

    def answers(self, st: Any) -> dict[int, str]:  # noqa: ANN401
        """Return what players (from 1) chose in secret, by its id, until it is carried out.

        All know it as soon as all have answered, except pieces that others do not see.
        """
        found, labels = dict[int, str](), self.views.labels
        for frame in st.frames:
            for block, answers, turn in self[frame[0]].sealed:
                ask = labels.engine.asks[block]
                for player in range(frame[turn] - 1, labels.layout.players):
                    found[player + 1] = labels.option(ask, frame[answers][player], None)[0]
        return found


def _held(views: Views, machine: fl.Machine) -> Iterator[tuple[str, Change]]:
    """Yield the slots that may hold printed pieces, with their replacements."""
    printed, asks = views.printed, views.labels.engine.asks.values()
    for ask in asks:
        if ask.proc == machine.name and isinstance(ask.end, ty.Decide) and any(ask.once):
            yield machine.slots[ask.slot - 1], _of_options(ask.end.lines, printed)
    for name, held in zip(machine.slots, machine.holds, strict=True):
        if held.kind.family == "piece" and held.kind.of in printed:
            yield name, _of_pieces(held.kind.of)


def _most(layout: Layout, kind: Type) -> int:
    """Return the assumed upper bound of a local whose definition does not give its value."""
    if kind.family in {"entry", "seat", "piece"}:
        return layout.size(kind.of) - 1
    return {"yes-no": 1, "player": layout.players - 1}.get(kind.family, SPREAD)


def _of_pieces(kind: str) -> Change:
    def change(value: Any, of: OfPiece) -> Any:  # noqa: ANN401 - a piece or a list of pieces
        if isinstance(value, list):
            return [of(kind, each) for each in value]
        return value if value == -1 else of(kind, value)

    return change


def _of_options(lines: tuple[ty.OptionLine, ...], printed: Collection[str]) -> Change:
    def change(value: Any, of: OfPiece) -> Any:  # noqa: ANN401 - a list of options
        return [
            option_replaced(lines, each, lambda kind, e: of(kind, e) if kind in printed else e)
            for each in value
        ]

    return change


def option_replaced(lines: tuple[ty.OptionLine, ...], option: int, of: OfPiece) -> int:
    """Return an option of a line with the piece that it is about replaced."""
    domain = lines[option >> LINE_BITS].domain if option >= 0 else None
    thing = (option & LINE_MASK) - 1
    if domain is None or domain.element.family != "piece" or thing < 0:
        return option
    return (option >> LINE_BITS << LINE_BITS) + 1 + int(of(domain.element.of, thing))


def ask_again(engine: Engine, st: Any) -> bool:  # noqa: ANN401
    """Ask the open question again; return False if nothing is asked or nothing can be answered."""
    frame, depth = st.frames[-1], len(st.frames)
    number = frame[0]
    asked = engine.blocks[number](st, frame)
    if not asked or len(st.frames) != depth or frame[0] != number:
        return False
    return all(st.options) if engine.asks[number].sealed else bool(st.options)

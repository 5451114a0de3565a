"""State classes: an attrs class for each setting, generated from the setting's declarations."""

from __future__ import annotations

import ast
from typing import Any

import attrs

from rulesdsl.interpreter.python import nodes as py
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.lower.flat import EXCLUDED
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.schema import FlagInfo, TrackInfo


def answers_of(st: Any) -> list[int]:  # noqa: ANN401 - the state class is generated
    """Return the secret answers so far, -1 for none; those who take no part have answered."""
    return st.answers or [0 if each == [EXCLUDED] else -1 for each in st.options]


CHOICE = -1
"""In place of the number of an event, in the log entry of a choice."""
Entry = tuple[Any, ...]
"""A raw log entry: the number of its event, the revelations so far, the actor, and values."""
Numbers = list[int]
Piles = list[list[int]]


@attrs.frozen
class CellField:
    """A field in the state: name, type, initial value, bounds."""

    name: str
    type: type
    start: object
    low: int
    high: int
    heaps: tuple[tuple[int, ...], ...] = ()  # groups of cells with a constant total
    absent: frozenset[int] = attrs.field(init=False)  # indexes of seats that have no such piece

    @absent.default
    def _absent(self) -> frozenset[int]:
        if self.type is not Numbers or not isinstance(self.start, list):
            return frozenset()
        return frozenset(at for at, each in enumerate(self.start) if each < self.low)


def cells_of(st: Any, array: str) -> Any:  # noqa: ANN401 - the class is generated
    """Return the value of a state's array or piles, given its flat name: `n:coin`."""
    return getattr(st, field_name(array))


class StateFactory:
    """Generator of a layout's state class, new states, and the clone function."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.fields = [*self._pieces(), *self._tracks()]
        names: dict[str, Any] = {field.name: attrs.field(type=field.type) for field in self.fields}
        names |= {
            "rng": attrs.field(type=int),
            "learned": attrs.field(type=int, default=0),
            "frames": attrs.field(type=list[list[Any]], factory=list),
            "answers": attrs.field(type=list[int], factory=list),
            "over": attrs.field(type=bool, default=False),
            "options": attrs.field(type=list[Any], factory=list, eq=False),
            "log": attrs.field(type=list[Any], factory=list, eq=False),
        }
        self.cls: type = attrs.make_class("State", names, slots=True)

    def new(self, rng: int) -> Any:  # noqa: ANN401 - the class is generated
        """Return the state before the game: all pieces at their homes."""
        started = {field.name: _copied(field.start) for field in self.fields}
        return self.cls(rng=rng, **started)

    # ---------------------------------------------------------------- pieces
    def _pieces(self) -> list[CellField]:
        found: list[CellField] = []
        for info in self.layout.schema.pieces.values():
            match info.style:
                case "counted":
                    found.append(self._counted(info.name))
                case "single":
                    found.append(self._single(info.name))
                case _:
                    piles, where = self._printed(info.name)
                    lying, at = field_name(f"l:{info.name}"), field_name(f"w:{info.name}")
                    found.append(CellField(lying, Piles, piles, 0, len(where) - 1))
                    found.append(CellField(at, Numbers, where, 0, len(piles) - 1))
        return found

    def home(self, piece: str, owner: int) -> int:
        """Return the initial cell of a piece, given its owner."""
        home = self.layout.schema.homes[piece]
        indexes = [owner if each is None else each for each in home.dims]
        sizes = self.layout.cell_dims(piece, home.place)
        if len(indexes) < len(sizes):
            indexes.append(owner)
        strides = self.layout.strides(sizes)
        offset = sum(at * stride for at, stride in zip(indexes, strides, strict=True))
        return self.layout.base(piece, home.place) + offset

    def _counted(self, piece: str) -> CellField:
        info = self.layout.schema.pieces[piece]
        cells = [0] * self.layout.cells(piece)
        for owner in range(self.layout.owners(info)):
            cells[self.home(piece, owner)] += info.count
        heaps: dict[int, list[int]] = {}
        for code, owner in enumerate(self.layout.owners_of_cells(piece)):
            heaps.setdefault(owner if info.owned else 0, []).append(code)
        together = tuple(map(tuple, heaps.values()))
        return CellField(field_name(f"n:{piece}"), Numbers, cells, 0, sum(cells), together)

    def _single(self, piece: str) -> CellField:
        info = self.layout.schema.pieces[piece]
        name = field_name(f"s:{piece}")
        last = self.layout.cells(piece) - 1
        if not info.owned:
            return CellField(name, int, self.home(piece, 0), 0, last)
        homes = [self.home(piece, owner) for owner in range(self.layout.owners(info))]
        homes += [-1] * (self.layout.seats - len(homes))
        return CellField(name, Numbers, homes, 0, last)

    def _printed(self, piece: str) -> tuple[Piles, Numbers]:
        piles: Piles = [[] for _ in range(self.layout.cells(piece))]
        where: Numbers = []
        for at, (_, owner) in enumerate(self.layout.instances(piece)):
            code = self.home(piece, owner)
            piles[code].append(at)
            where.append(code)
        return piles, where

    # ---------------------------------------------------------------- tracks and flags
    def _tracks(self) -> list[CellField]:
        schema = self.layout.schema
        tracks = [
            self._cells(f"t:{each.name}", each, each.low, each.high)
            for each in (*schema.tracks.values(), *schema.shown.values())
        ]
        flags = [self._cells(f"f:{each.name}", each, 0, 1) for each in schema.flags.values()]
        return [*tracks, *flags]

    def _cells(self, array: str, info: TrackInfo | FlagInfo, low: int, high: int) -> CellField:
        name = field_name(array)
        if not info.dims:
            return CellField(name, int, low, low, high)
        return CellField(name, Numbers, [low] * self.layout.track_size(info), low, high)

    # ---------------------------------------------------------------- copies
    def clone_function(self) -> ast.FunctionDef:
        """Return the definition of the function that copies a state."""
        new = py.name("new")
        body: list[ast.stmt] = [
            py.assign(
                new, ast.Call(py.attribute(py.name("State"), "__new__"), [py.name("State")], [])
            )
        ]
        for field in attrs.fields(self.cls):
            value: ast.expr = py.field(field.name)
            if field.name in {"options", "log"}:
                if field.name == "log":
                    value = py.item(value, ast.Slice(None, None, None))
            elif field.type in {Piles, list[list[Any]]}:
                copy = py.item(py.name("each"), ast.Slice(None, None, None))
                value = ast.ListComp(copy, [py.generator("each", value, [])])
            elif field.type not in {int, bool}:
                value = py.item(value, ast.Slice(None, None, None))
            body.append(py.assign(py.attribute(new, field.name), value))
        body.append(ast.Return(new))
        return py.function("clone_state", ["st"], body)


def _copied(value: object) -> object:
    if isinstance(value, list):
        return [_copied(each) for each in value]
    return value

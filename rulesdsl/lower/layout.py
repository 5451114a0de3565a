"""Memory layout of one setting, and buffer capacities."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import product
from math import prod
from typing import assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.intervals import MAX_REPEATS
from rulesdsl.check.analysis.secrecy.visibility import ALL, OPEN, Sights, Visibility
from rulesdsl.check.symbols.symbol_table import FlagInfo, PieceInfo, PlaceInfo, TrackInfo
from rulesdsl.check.symbols.types import NUMBER, SEAT
from rulesdsl.check.typed.conditions import fixed
from rulesdsl.check.typed.program import Eyes, Program
from rulesdsl.lower import flat as fl
from rulesdsl.lower.schema import Schema, schema_of

SEATS = {"seat", "player"}
Viewers = frozenset[int] | None
"""The players, from 1, who see something; None: everybody, spectators included."""


class Layout:
    """Memory layout of a program for one setting.

    Players and options are fixed before a game begins, so every size and cell is a constant. All
    indexes are row-major over the dimensions of a declaration (`strides`). The cells of a kind of
    piece are numbered consecutively across all places that can hold it (`base`, `cells`,
    `place_of`): a counted piece has an array of amounts indexed by cell; a single or printed piece
    stores the cell in which it lies. A counted piece with owners gets an extra dimension, the
    owner, in places that belong to nobody. Printed pieces are numbered by owner, entry and copy
    (`instances`). Seats are the players, then the rivals whose condition holds in this setting.
    Sizes grow with the product of the dimensions; the checker bounds it (`MAX_GAME`).
    """

    def __init__(self, program: Program, players: int, settings: Mapping[str, int]) -> None:
        self.program = program
        self.world = program.world
        self.players = players
        self.settings = dict(settings)
        self.rivals = [
            rival.name for rival in self.world.rivals.values() if self._present(rival.name)
        ]
        self.seats = players + len(self.rivals)
        self._indexes: dict[tuple[str, ...], list[tuple[tuple[str, int], ...]]] = {}
        self._cells_of_each: dict[tuple[tuple[str, ...], str], tuple[tuple[int, ...], ...]] = {}

    def _present(self, rival: str) -> bool:
        condition = self.program.rival_conditions.get(rival, ty.YES)
        return bool(fixed(condition, self.players, self.settings))

    @cached_property
    def schema(self) -> Schema:
        """The schema of the state."""
        return schema_of(self.program)

    # ---------------------------------------------------------------- visibility
    @cached_property
    def _visibility(self) -> Visibility:
        return Visibility(self.program)

    def value_eyes(self, name: str, layer: int) -> tuple[Eyes, str]:
        """Return the viewers of a named value, and the name of its seat parameter."""
        return self._visibility.value_eyes(name, layer)

    @cached_property
    def places_are_open(self) -> bool:
        """True if everybody can infer all standings; a standing compares all seats."""
        standing = ty.StandingOf(ty.Local("me", type=SEAT), type=NUMBER)
        return self._visibility.face(standing, Sights({"me": OPEN})) is ALL

    # ---------------------------------------------------------------- sizes
    def size(self, dim: str) -> int:
        """Return the size of a dimension."""
        if dim in SEATS:
            return self.seats
        if dim in self.world.pieces:
            if self.world.pieces[dim].style == "printed":
                return len(self.instances(dim))
            return self.seats if self.world.pieces[dim].owned else 1
        return len(self.world.kinds[dim].entries)

    def many(self, kind: str) -> int:
        """Return the number of entries of a kind, of players or of seats."""
        return self.players if kind == "player" else self.size(kind)

    def owners(self, piece: PieceInfo) -> int:
        """Return the number of seats that own pieces of a kind; 1 for pieces without owners."""
        if not piece.owned:
            return 1
        return self.players if piece.per == "player" else self.seats

    def instances(self, piece: str) -> list[tuple[int, int]]:
        """Return the entry and owner of every printed piece of a kind."""
        return self._instances[piece]

    @cached_property
    def _instances(self) -> dict[str, list[tuple[int, int]]]:
        found: dict[str, list[tuple[int, int]]] = {}
        for info in self.world.pieces.values():
            if info.style == "printed":
                entries = self.world.kinds[info.name].entries
                found[info.name] = [
                    (at, owner)
                    for owner in range(self.owners(info))
                    for at, entry in enumerate(entries)
                    for _ in range(entry.copies * info.count)
                ]
        return found

    def strides(self, dims: tuple[int, ...]) -> tuple[int, ...]:
        """Return the row-major strides of dimensions."""
        return tuple(prod(dims[at + 1 :]) for at in range(len(dims)))

    def parts(self, name: str) -> list[str]:
        """Return the names of the parts of a price, one for each noun."""
        return [f"{name}.{at}" for at in range(len(self.world.bundle_nouns))]

    # ---------------------------------------------------------------- cells of pieces
    def place_dims(self, place: PlaceInfo) -> tuple[int, ...]:
        """Return the sizes of a place's dimensions."""
        return tuple(self.size(dim) for dim in place.dims)

    def cell_dims(self, piece: str, place: str) -> tuple[int, ...]:
        """Return the sizes of the dimensions of a place's cells for a kind of piece."""
        info, where = self.world.pieces[piece], self.world.places[place]
        dims = self.place_dims(where)
        if info.style == "counted" and info.owned and where.owner_dim is None:
            dims = (*dims, self.seats)
        return dims

    def base(self, piece: str, place: str) -> int:
        """Return the first cell for a kind of piece in a place."""
        return self._bases[piece][place]

    @property
    def _bases(self) -> dict[str, dict[str, int]]:
        return self._ranges[0]

    def cells(self, piece: str) -> int:
        """Return the number of cells for a kind of piece."""
        return self._ranges[1][piece]

    @cached_property
    def _ranges(self) -> tuple[dict[str, dict[str, int]], dict[str, int]]:
        bases: dict[str, dict[str, int]] = {}
        totals: dict[str, int] = {}
        for info in self.world.pieces.values():
            running = 0
            bases[info.name] = {}
            for place in self.world.places.values():
                if info.name in place.holds:
                    bases[info.name][place.name] = running
                    running += prod(self.cell_dims(info.name, place.name))
            totals[info.name] = running
        return bases, totals

    def place_of(self, piece: str, code: int) -> tuple[PlaceInfo, tuple[int, ...]]:
        """Return the place that a cell for a kind of piece belongs to, and the cell's indexes."""
        return self._places[piece][code]

    @cached_property
    def _places(self) -> dict[str, list[tuple[PlaceInfo, tuple[int, ...]]]]:
        return {
            piece: [
                (self.world.places[name], dims)
                for name in bases
                for dims in product(*map(range, self.cell_dims(piece, name)))
            ]
            for piece, bases in self._bases.items()
        }

    def owners_of_cells(self, piece: str) -> list[int]:
        """Return the owning seat of each cell for a kind of piece; -1 if none."""
        found: list[int] = []
        for code in range(self.cells(piece)):
            place, dims = self.place_of(piece, code)
            at = place.owner_dim
            own = len(dims) > len(place.dims)  # pieces with owners in a place without an owner
            found.append(dims[at] if at is not None else dims[-1] if own else -1)
        return found

    def track_size(self, track: TrackInfo | FlagInfo) -> int:
        """Return the number of cells of a track or flag."""
        return prod(self.size(dim) for dim in track.dims)

    def indexes(self, dims: tuple[str, ...], at: int) -> tuple[tuple[str, int], ...]:
        """Return a track's or flag's cell as an index along each dimension."""
        if dims not in self._indexes:
            along = ([(dim, index) for index in range(self.size(dim))] for dim in dims)
            self._indexes[dims] = [*product(*along)]
        return self._indexes[dims][at]

    def cells_of_each(self, dims: tuple[str, ...], piece: str) -> tuple[tuple[int, ...], ...]:
        """Return the cells of a flag or track that belong to each printed piece of a kind."""
        key = dims, piece
        if key not in self._cells_of_each:
            self._cells_of_each[key] = self._found_cells(dims, piece)
        return self._cells_of_each[key]

    def _found_cells(self, dims: tuple[str, ...], piece: str) -> tuple[tuple[int, ...], ...]:
        sizes = tuple(self.size(dim) for dim in dims)
        at = dims.index(piece)
        stride = self.strides(sizes)[at]
        found: list[list[int]] = [[] for _ in range(sizes[at])]
        for cell in range(prod(sizes)):
            found[cell // stride % sizes[at]].append(cell)
        return tuple(map(tuple, found))

    def owner_of(self, dims: tuple[str, ...], at: int) -> int:
        """Return the seat that owns a cell of a track or flag; -1 if none."""
        return next((index for dim, index in self.indexes(dims, at) if dim in SEATS), -1)

    def viewers(self, info: PlaceInfo | TrackInfo | FlagInfo, owner: int) -> Viewers:
        """Return the viewers of what a seat owns in a place, or on a track or flag; -1: nobody."""
        match info.seen_by:
            case None:
                return None
            case "owner":
                return frozenset({owner + 1} - {0})
            case "others":
                return frozenset(range(1, self.players + 1)) - {owner + 1}
            case "nobody":
                return frozenset()
            case _:
                assert_never(info.seen_by)

    def watchers(self, piece: str) -> list[Viewers]:
        """Return the viewers of each cell for a kind of piece."""
        return self._watchers[piece]

    def counters(self, piece: str) -> list[Viewers]:
        """Return the players who know how many pieces lie in each cell for a kind of piece."""
        cells = enumerate(self.watchers(piece))
        return [those if self.place_of(piece, at)[0].only else None for at, those in cells]

    @cached_property
    def _watchers(self) -> dict[str, list[Viewers]]:
        return {
            name: [
                self.viewers(self.place_of(name, code)[0], owner)
                for code, owner in enumerate(self.owners_of_cells(name))
            ]
            for name in self.world.pieces
        }

    def seat_names(self) -> tuple[str, ...]:
        """Return the names of players and rivals in seat order."""
        rivals = tuple(self.world.rivals[name].title for name in self.rivals)
        return (*(f"Player {number + 1}" for number in range(self.players)), *rivals)

    def scoring_seats(self) -> tuple[int, ...]:
        """Return the seats that take part in the final scoring."""
        seats = list(range(self.players))
        for at, name in enumerate(self.rivals):
            if self.world.rivals[name].scores:
                seats.append(self.players + at)
        return tuple(seats)


_Counts = dict[str, int]


def known_rounds(flat: fl.Flat, source: fl.Source) -> int | None:
    """Return an upper bound on a loop's iterations if its source alone gives one, or None."""
    match source:
        case fl.IntRange(low=fl.Literal(value=low), high=fl.Literal(value=high)):
            return max(high - low, 0)
        case fl.ConstRow(number=fl.Literal(value=number)):
            return len(flat.lists[number])
        case fl.ConstRow(number=fl.TableCell(table=table)):
            rows = {each for each in flat.tables[table] if each >= 0}
            return max((len(flat.lists[each]) for each in rows), default=0)
        case fl.Bits():
            return fl.MAX_BITS
        case fl.IntRange() | fl.ConstRow() | fl.Buffer() | fl.Pile():
            return None
        case _:
            assert_never(source)


@attrs.define
class Sizes:
    """Capacities of the buffers in one function or machine.

    After a buffer is cleared, each push adds one item. A loop multiplies the items pushed in it by
    its number of iterations, at most `MAX_REPEATS` if its end is only known at run time.
    """

    flat: fl.Flat
    layout: Layout
    most: dict[str, int]

    def body(self, body: fl.Body, now: _Counts) -> _Counts:
        """Update the sizes of buffers across a body, and return their maxima within it."""
        peak = dict(now)
        for stmt in body:
            match stmt:
                case fl.Conditional(yes=yes, no=no):
                    other = dict(now)
                    peak = _larger(_larger(peak, self.body(yes, now)), self.body(no, other))
                    now.update(_larger(now, other))
                case fl.For(source=source, body=inner):
                    rounds = self.source(source)
                    for name, each in self.body(inner, {}).items():
                        now[name] = now.get(name, 0) + rounds * each
                case fl.Push(buffer=buffer):
                    now[buffer.name] = now.get(buffer.name, 0) + 1
                case fl.Clear(buffer=buffer):
                    now[buffer.name] = 0
                case _:
                    pass
            peak = _larger(peak, now)
            self.most = _larger(self.most, peak)
        return peak

    def source(self, source: fl.Source) -> int:
        """Return the maximum number of items of a source."""
        known = known_rounds(self.flat, source)
        if known is not None:
            return known
        match source:
            case fl.IntRange(low=low, high=high):
                most = self.number(high) if low == fl.Literal(0) else None
                return MAX_REPEATS if most is None else max(most, 0)
            case fl.Buffer(name=name):
                return self.most.get(name, 0)
            case fl.Pile(piece=piece):
                return len(self.layout.instances(piece))
            case fl.ConstRow() | fl.Bits():
                return max(map(len, self.flat.lists), default=0)
            case _:
                assert_never(source)

    def number(self, expr: fl.Expr) -> int | None:
        """Return an upper bound on a number if it is syntactically evident, or None."""
        match expr:
            case fl.Literal(value=value):
                return value
            case fl.Length(of=of):
                return self.source(of)
            case fl.Op(op="min", left=left, right=right):
                known = [each for each in map(self.number, (left, right)) if each is not None]
                return min(known, default=None)
            case _:
                return None


def _larger(one: Mapping[str, int], other: Mapping[str, int]) -> _Counts:
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in {**one, **other}}


def most_items(flat: fl.Flat, layout: Layout) -> dict[tuple[str, str], int]:
    """Return the capacity of every buffer, keyed by function or machine, and by buffer."""
    found: dict[tuple[str, str], int] = {}
    for name, function in flat.functions.items():
        sizes = Sizes(flat, layout, {})
        sizes.body(function.body, {})
        found |= {(name, buffer): most for buffer, most in sizes.most.items()}
    for name, machine in flat.machines.items():
        sizes = Sizes(flat, layout, dict(machine.buffers))
        for block in machine.blocks:
            sizes.body(block, {})
        found |= {(name, buffer): most for buffer, most in sizes.most.items()}
    return found

"""Memory layout of one setting of a game: seats, sizes, and the place of each cell.

The number of players and the options are fixed before a game begins, so everything here is a
constant for the code that is generated.
"""

from __future__ import annotations

from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.constants import fixed
from rulesdsl.check.types import NUMBER, SEAT
from rulesdsl.check.visibility import ALL, OPEN, Sights, Visibility
from rulesdsl.lower.schema import Schema, schema_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.check.program import Eyes, Program
    from rulesdsl.check.world import FlagInfo, PieceInfo, PlaceInfo, TrackInfo

SEATS = {"seat", "player"}


class Layout:
    """The memory layout of a program for so many players and given options."""

    def __init__(self, program: Program, players: int, settings: Mapping[str, int]) -> None:
        self.program = program
        self.world = program.world
        self.players = players
        self.settings = dict(settings)
        self.rivals = [
            rival.name for rival in self.world.rivals.values() if self._present(rival.name)
        ]
        self.seats = players + len(self.rivals)
        self._cells_of_each: dict[tuple[tuple[str, ...], str], tuple[tuple[int, ...], ...]] = {}

    def _present(self, rival: str) -> bool:
        condition = self.program.rival_conditions.get(rival, ty.YES)
        return bool(fixed(condition, self.players, self.settings))

    @cached_property
    def schema(self) -> Schema:
        """The parts of the state, and what things are called."""
        return schema_of(self.program)

    # ---------------------------------------------------------------- who sees what
    @cached_property
    def _visibility(self) -> Visibility:
        return Visibility(self.program)

    def value_eyes(self, name: str, layer: int) -> tuple[Eyes, str]:
        """Return who sees a named value, and how its body calls the seat that it is of."""
        return self._visibility.value_eyes(name, layer)

    @cached_property
    def places_are_open(self) -> bool:
        """Whether everybody can tell who is in which place: a place compares all seats."""
        standing = ty.StandingOf(ty.Local("me", type=SEAT), type=NUMBER)
        return self._visibility.face(standing, Sights({"me": OPEN})) is ALL

    # ---------------------------------------------------------------- sizes
    def size(self, dim: str) -> int:
        """Return how many things a dimension has."""
        if dim in SEATS:
            return self.seats
        if dim in self.world.pieces:
            if self.world.pieces[dim].style == "printed":
                return len(self.instances(dim))
            return self.seats if self.world.pieces[dim].owned else 1
        return len(self.world.kinds[dim].entries)

    def owners(self, piece: PieceInfo) -> int:
        """Return how many seats own pieces of a kind; 1 for pieces that are nobody's."""
        if not piece.owned:
            return 1
        return self.players if piece.per == "player" else self.seats

    def instances(self, piece: str) -> list[tuple[int, int]]:
        """Return entry and owner of every printed piece of a kind."""
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
        """Return by how much the flat index grows along each dimension."""
        return tuple(prod(dims[at + 1 :]) for at in range(len(dims)))

    def parts(self, name: str) -> list[str]:
        """Return what is kept of a price under a name: one part for each noun."""
        return [f"{name}.{at}" for at in range(len(self.world.bundle_nouns))]

    # ---------------------------------------------------------------- cells of pieces
    def place_dims(self, place: PlaceInfo) -> tuple[int, ...]:
        """Return the sizes of a kind of places."""
        return tuple(self.size(dim) for dim in place.dims)

    def cell_dims(self, piece: str, place: str) -> tuple[int, ...]:
        """Return the sizes of the cells that a kind of pieces has in a kind of places."""
        info, where = self.world.pieces[piece], self.world.places[place]
        dims = self.place_dims(where)
        if info.style == "counted" and info.owned and where.owner_dim is None:
            dims = (*dims, self.seats)
        return dims

    def base(self, piece: str, place: str) -> int:
        """Return the first cell of a kind of pieces in a kind of places."""
        return self._bases[piece][place]

    @property
    def _bases(self) -> dict[str, dict[str, int]]:
        return self._ranges[0]

    def cells(self, piece: str) -> int:
        """Return how many cells a kind of pieces has."""
        return self._ranges[1][piece]

    @cached_property
    def _ranges(self) -> tuple[dict[str, dict[str, int]], dict[str, int]]:
        """The first cell of every kind of pieces in every kind of places, and their number."""
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
        """Return the place, and its indexes, of a cell of a kind of pieces."""
        places = [
            self.world.places[name] for name, base in self._bases[piece].items() if base <= code
        ]
        place = places[-1]
        rest = code - self._bases[piece][place.name]
        found: list[int] = []
        for stride in self.strides(self.cell_dims(piece, place.name)):
            found.append(rest // stride)
            rest %= stride
        return place, tuple(found)

    def owners_of_cells(self, piece: str) -> list[int]:
        """Return for each cell of a kind of pieces the seat whose it is, -1 for nobody's."""
        found: list[int] = []
        for code in range(self.cells(piece)):
            place, dims = self.place_of(piece, code)
            at = place.owner_dim
            own = len(dims) > len(place.dims)  # pieces of each seat, in a place that is nobody's
            found.append(dims[at] if at is not None else dims[-1] if own else -1)
        return found

    def track_size(self, track: TrackInfo | FlagInfo) -> int:
        """Return how many cells a track or flag has."""
        return prod(self.size(dim) for dim in track.dims)

    def indexes(self, dims: tuple[str, ...], at: int) -> list[tuple[str, int]]:
        """Return along each dimension of a track or flag where a cell of it is."""
        found: list[tuple[str, int]] = []
        for dim, stride in zip(dims, self.strides(tuple(map(self.size, dims))), strict=True):
            found.append((dim, at // stride))
            at %= stride
        return found

    def cells_of_each(self, dims: tuple[str, ...], piece: str) -> tuple[tuple[int, ...], ...]:
        """Return for every printed piece of a kind its cells of a flag or track."""
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

    def owner_of(self, dims: tuple[str, ...], at: int) -> int | None:
        """Return the seat that a cell of a track or flag belongs to, None where it is nobody's."""
        return next((index for dim, index in self.indexes(dims, at) if dim in SEATS), None)

    def watchers(self, piece: str) -> list[int | None]:
        """Return who sees each cell of a kind of pieces: a player from 1, 0 nobody, None all."""
        places = (self.place_of(piece, code)[0] for code in range(self.cells(piece)))
        owned = zip(places, self.owners_of_cells(piece), strict=True)
        own = ((place, owner + 1 if place.seen_by == "owner" else 0) for place, owner in owned)
        return [None if place.seen_by is None else player for place, player in own]

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

"""Layout of a module's linear memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import attrs

from rulesdsl.interpreter.decision_points import Offer
from rulesdsl.interpreter.display.results import columns
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.interpreter.simulator.action_space import MANY_LEVELS, MOST_CELLS, MOST_HOLDINGS
from rulesdsl.interpreter.simulator.state_transfer import (
    COUNT,
    ITEM,
    LINK,
    MAX_ROWS,
    WIDTHS,
    ArrayRegion,
    BitWords,
    MemoryMap,
    Piles,
    ResultSection,
    Waiting,
    WeightFactors,
    core_of,
)
from rulesdsl.interpreter.state import StateFactory
from rulesdsl.lower import flat as fl
from rulesdsl.lower.layout import most_items


def width_of(low: int, high: int) -> int:
    """Return the number of bytes needed to hold all integers from low to high."""
    return next((w for w in WIDTHS if -(1 << 8 * w - 1) <= low and high < 1 << 8 * w - 1), 8)


PAGE = 16  # alignment of regions
PAGE_BYTES = 1 << 16  # WebAssembly page
MAX_CHOICES = 4096  # maximum number of choices passed by the host in one call
GIVEN = ("run", "first", "count", "bytes", "pending", "most", "counting")  # parameters of `play`


@attrs.define
class _Room:
    """Bump allocator for addresses."""

    at: int

    def cells(self, size: int, width: int) -> ArrayRegion:
        self.page(width)
        found = ArrayRegion(self.at, size, width)
        self.at = found.end
        return found

    def page(self, width: int = PAGE) -> int:
        self.at = -(-self.at // width) * width
        return self.at


class Memory:
    """Memory layout of one program.

        constants    tables and rows of lists, read-only
        box          initial contents of the core
        core         arrays and piles, copied from the box when a game begins
        open         random generator, stack, frames with their lists, options, answers
        scratch      buffers of functions, dead once they return
        results      arguments from the host, and rows of results

    A position consists of the parts core and open; `save` and `restore` copy that range.
    """

    def __init__(
        self,
        flat: fl.Flat,
        states: StateFactory,
        offers: Sequence[Offer] | None = None,
    ) -> None:
        self.flat = flat
        self.states = states
        self.players = states.layout.players
        self.most = most_items(flat, states.layout)
        self.data: list[tuple[int, bytes]] = []
        room = _Room(PAGE)
        self.tables = {name: self._table(room, cells) for name, cells in flat.tables.items()}
        self._rows(room)
        self.offers = (
            None if offers is None else [(each, self._lines(room, each)) for each in offers]
        )
        self.sets: dict[str, BitWords] = {}
        self.arrays, self.piles, size = self._core()
        self.box = room.page()
        self.core = (self.box + size, self.box + 2 * size)
        self._place_core(room)
        self.open = (room.page(), self._open(room))
        self.buffers = self._buffers(room)
        self.aside = room.cells(self.stack.size, 4)
        self.one_pile = room.cells(max(map(self._pieces, self.piles), default=0), LINK)
        self._host(room)

    # ---------------------------------------------------------------- constants
    def _table(self, room: _Room, cells: tuple[int, ...]) -> ArrayRegion:
        found = room.cells(len(cells), width_of(min(cells, default=0), max(cells, default=0)))
        self.data.append((found.address, found.pack(cells)))
        return found

    def _rows(self, room: _Room) -> None:
        """Lay out the pool of lists and their pointers, beginning with an empty row, number -1."""
        rows = [(), *self.flat.lists]
        every = [each for row in rows for each in row]
        self.row_width = width_of(min(every, default=0), max(every, default=0))
        pointers = room.cells(len(rows), 4)
        self.pointers = pointers.address + pointers.width
        addresses: list[int] = []
        for row in rows:
            room.page(8)
            count = room.cells(2, COUNT)  # two cells, so that the items are aligned
            items = room.cells(len(row), self.row_width)
            addresses.append(count.address)
            self.data.append((count.address, count.pack((len(row), 0)) + items.pack(row)))
        self.rows = addresses[1:]
        self.data.append((pointers.address, pointers.pack(addresses)))

    def _lines(self, room: _Room, offer: Offer) -> int:
        """Lay out a decision's line starts; return their address, or 0 if options are entities."""
        if not offer.lines:
            return 0
        cells = room.cells(len(offer.lines), 4)
        self.data.append((cells.address, cells.pack(offer.lines)))
        return cells.address

    # ---------------------------------------------------------------- the state
    def _pieces(self, piece: str) -> int:
        return len(self.states.layout.instances(piece))

    def _core(self) -> tuple[dict[str, ArrayRegion], dict[str, Piles], int]:
        """Lay out arrays and piles from address 0; return them and their total size."""
        room = _Room(0)
        fields = {each.name: each for each in self.states.fields}
        arrays: dict[str, ArrayRegion] = {}
        for array in self.flat.arrays.values():
            width = LINK if array.name.startswith("w:") else 8
            if array.sets is not None:
                tables = self.flat.tables[array.sets.words], self.flat.tables[array.sets.bits]
                self.sets[array.name] = BitWords(array.sets.of, *tables)
            field = fields.get(field_name(array.name))
            if field is not None and width > LINK:
                width = width_of(2 * min(field.low, -1), 2 * max(field.high, 1))
            arrays[array.name] = room.cells(array.size, width)
        layout = self.states.layout
        piles: dict[str, Piles] = {}
        for info in layout.schema.pieces.values():
            if info.style == "printed":
                links = [room.cells(self._pieces(info.name), LINK) for _ in range(2)]
                ends = [room.cells(layout.cells(info.name), LINK) for _ in range(3)]
                piles[info.name] = Piles(*links, *ends)
        return arrays, piles, room.page()

    def _place_core(self, room: _Room) -> None:
        start, end = self.core
        self.arrays = {name: each.moved(start) for name, each in self.arrays.items()}
        self.piles = {
            name: Piles(*(cells.moved(start) for cells in attrs.astuple(each, recurse=False)))
            for name, each in self.piles.items()
        }
        box = bytearray(end - start)
        for cells, numbers in core_of(self.arrays, self.sets, self.piles, self.states.new(0)):
            box[cells.address - start : cells.end - start] = cells.pack(numbers)
        self.data.append((self.box, bytes(box)))
        room.at = end

    # ---------------------------------------------------------------- the open part
    def _open(self, room: _Room) -> int:
        flat = self.flat
        self.rng, self.over, self.depth = room.cells(1, 8), room.cells(1, 4), room.cells(1, 4)
        self.stack = room.cells(2 * len(flat.machines), 4)  # machine and resume point
        self.answers = room.cells(self.players, 4)
        self.frames: dict[str, dict[str, ArrayRegion]] = {}
        self.lists: dict[tuple[str, str], ArrayRegion] = {}
        for name, machine in flat.machines.items():
            self.frames[name] = {each: room.cells(1, ITEM) for each in machine.slots}
            for each, _ in machine.buffers:
                if each in self.frames[name]:
                    self.lists[name, each] = room.cells(self.most[name, each], ITEM)
        many = [each for each in flat.decisions if each.sealed]
        offered = max((n for (_, name), n in self.most.items() if name == fl.OPTIONS), default=0)
        self.offered = room.cells(max(self.players if many else 1, 1), 4)
        self.options = room.cells(offered * self.offered.size, ITEM)
        self.options_each = offered * ITEM  # bytes of one player's options
        return room.page()

    def _host(self, room: _Room) -> None:
        """Lay out the regions shared with the host; results come last."""
        self.position = ArrayRegion(self.core[0], self.open[1] - self.core[0], 1)
        room.page()
        self.root = room.cells(self.position.size, 1)
        self.given = room.cells(len(GIVEN), ITEM)
        self.choices = room.cells(MAX_CHOICES, 4)
        seats = self.states.layout.seats
        self.offered_in_all = many = sum(offer.many for offer, _ in self.offers or ())
        self.weights = room.cells(many * seats, 4)
        rows = MOST_HOLDINGS * MANY_LEVELS
        self.looks = WeightFactors(
            room.cells(rows * many, 4),
            room.cells(MOST_HOLDINGS, 4),
            room.cells(seats, 4),
            room.cells(MOST_HOLDINGS * seats * MOST_CELLS, 4),
            room.cells(MOST_HOLDINGS, 4),
        )
        cells = (1 + rows) * many * seats
        self.offered_so_far, self.chosen_so_far = (room.cells(cells, 8) for _ in range(2))
        self.noted, self.many_noted = room.cells(cells, 4), room.cells(1, 4)
        room.page()
        self.sections = tuple(
            ResultSection(name, room.cells(MAX_ROWS * prod(each.shape), 8), each.shape)
            for name, each in columns(self.states.layout).items()
        )
        self.pages = -(-room.at // PAGE_BYTES)

    def map(self, places: Mapping[str, list[int]]) -> MemoryMap:
        """Return the memory map for the host; `places` are the resume points of machines."""
        lists: dict[str, dict[str, ArrayRegion]] = {name: {} for name in self.frames}
        for (name, slot), cells in self.lists.items():
            lists[name][slot] = cells
        named = dict[str, Any]()
        for each in attrs.fields(MemoryMap):
            named[each.name] = getattr(self, each.name, None)
        named["machines"] = {
            n: Waiting(f, lists[n], tuple(places[n])) for n, f in self.frames.items()
        }
        named["decisions"] = tuple(self.flat.decisions)
        return MemoryMap(**named)

    @property
    def addresses(self) -> dict[str, int]:
        """The addresses of all regions, by their names in the `.wat` files."""
        regions = {**vars(self), **attrs.asdict(self.looks, recurse=False)}
        return {n: e.address for n, e in regions.items() if isinstance(e, ArrayRegion)}

    def _buffers(self, room: _Room) -> dict[tuple[str, str], ArrayRegion]:
        """Lay out the buffers that live only during a call of a function or a block."""
        found: dict[tuple[str, str], ArrayRegion] = {}
        for (owner, name), most in self.most.items():
            if (owner, name) not in self.lists and name != fl.OPTIONS:
                found[owner, name] = room.cells(most, ITEM)
        return found

"""Where everything lies in the linear memory of a module.

    constants    tables, rows of lists: never written
    box          the core as it is before a game
    core         arrays and piles: copied from the box when a game begins
    open         random numbers, the stack, frames with their lists, options, answers
    scratch      buffers of functions: of no use once a function has returned
    results      what the host hands in, and rows of results

A position is the core and what is open: `clone`, `save` and `restore` copy that.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.emit_values import field_name
from rulesdsl.interpreter.simulator.columns import columns
from rulesdsl.interpreter.simulator.crossing import core_of
from rulesdsl.interpreter.simulator.holdings import MANY_LEVELS, MOST_CELLS, MOST_HOLDINGS
from rulesdsl.interpreter.simulator.map import (
    COUNT,
    ITEM,
    LINK,
    MAX_ROWS,
    WIDTHS,
    Cells,
    Looks,
    Map,
    Piles,
    Section,
    Waiting,
    Words,
)
from rulesdsl.lower import flat as fl
from rulesdsl.lower.sizes import most_items

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulesdsl.interpreter.simulator.offers import Offer
    from rulesdsl.interpreter.state import StateFactory


def width_of(low: int, high: int) -> int:
    """Return how many bytes hold all numbers from one to another."""
    return next((w for w in WIDTHS if -(1 << 8 * w - 1) <= low and high < 1 << 8 * w - 1), 8)


PAGE = 16  # what regions are aligned to
PAGE_BYTES = 1 << 16  # of a page of WebAssembly
MAX_CHOICES = 4096  # of the host at once
GIVEN = ("run", "first", "count", "bytes", "told", "most", "counting")  # what `play` is asked for


@attrs.define
class _Room:
    """Addresses that are given out one after the other."""

    at: int

    def cells(self, size: int, width: int) -> Cells:
        self.page(width)
        found = Cells(self.at, size, width)
        self.at = found.end
        return found

    def page(self, width: int = PAGE) -> int:
        self.at = -(-self.at // width) * width
        return self.at


class Memory:
    """The memory of one program; regions are pairs of addresses, the end left out."""

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
        self.sets: dict[str, Words] = {}
        self.arrays, self.piles, size = self._core()
        self.box = room.page()
        self.core = (self.box + size, self.box + 2 * size)
        self._place_core(room)
        self.open = (room.page(), self._open(room))
        self.buffers = self._buffers(room)
        self.aside = room.cells(self.stack.size, 4)
        self.shuffled = room.cells(max(map(self._pieces, self.piles), default=0), LINK)
        self._host(room)

    # ---------------------------------------------------------------- constants
    def _table(self, room: _Room, cells: tuple[int, ...]) -> Cells:
        found = room.cells(len(cells), width_of(min(cells, default=0), max(cells, default=0)))
        self.data.append((found.address, found.pack(cells)))
        return found

    def _rows(self, room: _Room) -> None:
        """Lay out the pool of lists: a pointer to each, that of row -1 first, to an empty one."""
        rows = [(), *self.flat.lists]
        every = [each for row in rows for each in row]
        self.row_width = width_of(min(every, default=0), max(every, default=0))
        pointers = room.cells(len(rows), 4)
        self.pointers = pointers.address + pointers.width
        addresses: list[int] = []
        for row in rows:
            room.page(8)
            count = room.cells(2, COUNT)  # the second one: what follows is aligned
            items = room.cells(len(row), self.row_width)
            addresses.append(count.address)
            self.data.append((count.address, count.pack((len(row), 0)) + items.pack(row)))
        self.rows = addresses[1:]
        self.data.append((pointers.address, pointers.pack(addresses)))

    def _lines(self, room: _Room, offer: Offer) -> int:
        """Lay out where the lines of a decision begin; 0 where it is among things."""
        if not offer.lines:
            return 0
        cells = room.cells(len(offer.lines), 4)
        self.data.append((cells.address, cells.pack(offer.lines)))
        return cells.address

    # ---------------------------------------------------------------- the state
    def _pieces(self, piece: str) -> int:
        return len(self.states.layout.instances(piece))

    def _core(self) -> tuple[dict[str, Cells], dict[str, Piles], int]:
        """Lay out arrays and piles, from address 0; return its size with them."""
        room = _Room(0)
        fields = {each.name: each for each in self.states.fields}
        arrays: dict[str, Cells] = {}
        for array in self.flat.arrays.values():
            width = LINK if array.name.startswith("w:") else 8
            if array.sets is not None:
                tables = self.flat.tables[array.sets.words], self.flat.tables[array.sets.bits]
                self.sets[array.name] = Words(array.sets.of, *tables)
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

    # ---------------------------------------------------------------- what is open
    def _open(self, room: _Room) -> int:
        flat = self.flat
        self.rng, self.over, self.depth = room.cells(1, 8), room.cells(1, 4), room.cells(1, 4)
        self.stack = room.cells(2 * len(flat.machines), 4)  # machine, and where it goes on
        self.answers = room.cells(self.players, 4)
        self.frames: dict[str, dict[str, Cells]] = {}
        self.lists: dict[tuple[str, str], Cells] = {}
        for name, machine in flat.machines.items():
            self.frames[name] = {each: room.cells(1, ITEM) for each in machine.slots}
            for each, _ in machine.buffers:
                if each in self.frames[name]:
                    self.lists[name, each] = room.cells(self.most[name, each], ITEM)
        many = [each for each in flat.decisions if each.sealed]
        offered = max((n for (_, name), n in self.most.items() if name == fl.OPTIONS), default=0)
        self.offered = room.cells(max(self.players if many else 1, 1), 4)
        self.options = room.cells(offered * self.offered.size, ITEM)
        self.options_each = offered * ITEM  # bytes of those of one player
        return room.page()

    def _host(self, room: _Room) -> None:
        """Lay out what the host reads and writes; the results come last."""
        self.position = Cells(self.core[0], self.open[1] - self.core[0], 1)
        room.page()
        self.root = room.cells(self.position.size, 1)
        self.given = room.cells(len(GIVEN), ITEM)
        self.choices = room.cells(MAX_CHOICES, 4)
        seats = self.states.layout.seats
        self.offered_in_all = many = sum(offer.many for offer, _ in self.offers or ())
        self.weights = room.cells(many * seats, 4)
        rows = MOST_HOLDINGS * MANY_LEVELS
        self.looks = Looks(
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
            Section(name, room.cells(MAX_ROWS * prod(each.shape), 8), each.shape)
            for name, each in columns(self.states.layout).items()
        )
        self.pages = -(-room.at // PAGE_BYTES)

    def map(self, places: Mapping[str, list[int]]) -> Map:
        """Return what the host has to know."""
        lists: dict[str, dict[str, Cells]] = {name: {} for name in self.frames}
        for (name, slot), cells in self.lists.items():
            lists[name][slot] = cells
        return Map(
            self.position,
            self.arrays,
            self.sets,
            self.piles,
            {n: Waiting(f, lists[n], tuple(places[n])) for n, f in self.frames.items()},
            tuple(self.flat.decisions),
            self.rng,
            self.over,
            self.depth,
            self.stack,
            self.answers,
            self.offered,
            self.options,
            self.root,
            self.given,
            self.choices,
            self.weights,
            self.looks,
            self.offered_so_far,
            self.chosen_so_far,
            self.noted,
            self.many_noted,
            self.sections,
            self.pages,
        )

    def _buffers(self, room: _Room) -> dict[tuple[str, str], Cells]:
        """Lay out the buffers that last no longer than a function or a block."""
        found: dict[tuple[str, str], Cells] = {}
        for (owner, name), most in self.most.items():
            if (owner, name) not in self.lists and name != fl.OPTIONS:
                found[owner, name] = room.cells(most, ITEM)
        return found

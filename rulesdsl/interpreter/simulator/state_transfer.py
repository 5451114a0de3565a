"""Transfer of states between sessions and a module's memory."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from typing import Any

import attrs

from rulesdsl.interpreter.engine import Engine
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.interpreter.python.runtime import MASK
from rulesdsl.interpreter.state import answers_of, cells_of
from rulesdsl.lower.flat import DecisionTargets
from rulesdsl.lower.flat.walk import signed

WIDTHS = {1: "b", 2: "h", 4: "i", 8: "q"}  # cell width in bytes: `struct` format
COUNT = 4  # bytes of the count before a row
ITEM = 8  # bytes of an item of a buffer, and of a slot
LINK = 4  # bytes of a link between pieces
NO_LINK = -1
MAX_ROWS = 1024  # games whose results are kept before the host fetches them


def number(cell: memoryview) -> int:
    """Return the number stored in a cell."""
    return int.from_bytes(cell, "little", signed=True)


@attrs.frozen
class ArrayRegion:
    """An array in memory: its address, number of cells, and bytes per cell."""

    address: int
    size: int
    width: int

    @property
    def end(self) -> int:
        """The address of the first byte after the array."""
        return self.address + self.size * self.width

    def pack(self, numbers: Sequence[int]) -> bytes:
        """Return numbers as bytes, as stored in memory."""
        return struct.pack(f"<{len(numbers)}{WIDTHS[self.width]}", *numbers)

    def unpack(self, memory: memoryview, count: int | None = None) -> list[int]:
        """Return the numbers stored in memory, or only the first `count`."""
        many = self.size if count is None else count
        return [*struct.unpack_from(f"<{many}{WIDTHS[self.width]}", memory, self.address)]

    def put(self, memory: memoryview, numbers: Sequence[int]) -> None:
        """Write numbers into memory, from the first cell on."""
        struct.pack_into(f"<{len(numbers)}{WIDTHS[self.width]}", memory, self.address, *numbers)

    def read(self, memory: memoryview, at: int = 0) -> int:
        """Return one number from memory."""
        return number(memory[self.slice(at)])

    def slice(self, at: int) -> slice:
        """Return the byte range of a cell."""
        where = self.address + at * self.width
        return slice(where, where + self.width)

    def moved(self, by: int) -> ArrayRegion:
        """Return the same cells at another address."""
        return attrs.evolve(self, address=self.address + by)


@attrs.frozen
class Piles:
    """The piles for a kind of piece: doubly linked lists with their ends and lengths."""

    next: ArrayRegion
    previous: ArrayRegion
    bottom: ArrayRegion
    top: ArrayRegion
    count: ArrayRegion


@attrs.frozen
class BitWords:
    """Word and bit of each array cell in the bitmap of nonzero cells."""

    of: str
    words: tuple[int, ...]
    bits: tuple[int, ...]

    def computed(self, size: int, cells: Sequence[int]) -> list[int]:
        """Return the words for the cells of the array."""
        found = [0] * size
        for cell, word, bit in zip(cells, self.words, self.bits, strict=True):
            found[word] |= bit if cell else 0
        return found


@attrs.frozen
class WeightFactors:
    """Inputs for holding-dependent weights: addresses of amounts, and factors by level."""

    factors: ArrayRegion  # by holding, level and option
    rows: ArrayRegion  # current row of factors for each holding
    looking: ArrayRegion  # number of holdings that count, for each seat
    addresses: ArrayRegion  # by holding and seat, zero-padded
    widths: ArrayRegion  # bytes of a cell, for each holding


@attrs.frozen
class ResultSection:
    """A section of the results: a fixed number of cells for each game, game by game."""

    name: str
    cells: ArrayRegion
    shape: tuple[int, ...]  # for one game

    @property
    def width(self) -> int:
        """The number of cells for each game."""
        return prod(self.shape)


@attrs.frozen
class Waiting:
    """A machine's frame, and its resume points.

    `places` are blocks, and decisions, which are numbered downwards from -1.
    """

    slots: dict[str, ArrayRegion]  # in frame order
    lists: dict[str, ArrayRegion]  # items of list slots; the slot itself holds the count
    places: tuple[int, ...]


@attrs.frozen
class MemoryMap:
    """Addresses of everything exchanged with the host."""

    position: ArrayRegion  # core and open parts, as bytes
    arrays: dict[str, ArrayRegion]
    sets: dict[str, BitWords]  # arrays that are bit sets of others
    piles: dict[str, Piles]
    machines: dict[str, Waiting]
    decisions: tuple[DecisionTargets, ...]
    rng: ArrayRegion
    over: ArrayRegion
    depth: ArrayRegion
    stack: ArrayRegion
    answers: ArrayRegion
    offered: ArrayRegion  # numbers of options, one for each player of a sealed decision
    options: ArrayRegion
    root: ArrayRegion  # starting position of playouts
    given: ArrayRegion  # arguments and results of calls
    choices: ArrayRegion  # choices passed by the host
    weights: ArrayRegion  # weights by option number and seat; empty in plain modules
    looks: WeightFactors
    offered_so_far: ArrayRegion  # counts by option and seat
    chosen_so_far: ArrayRegion
    noted: ArrayRegion  # indexes of nonzero counts
    many_noted: ArrayRegion  # number of these indexes
    sections: tuple[ResultSection, ...]
    pages: int

    def options_of(self, at: int) -> ArrayRegion:
        """Return the region of the chooser's options, or, if sealed, of player `at`'s options."""
        return self.options.moved(at * self.options.size // self.offered.size * ITEM)


def core_of(
    arrays: Mapping[str, ArrayRegion],
    sets: Mapping[str, BitWords],
    piles: Mapping[str, Piles],
    st: object,
    base: object = None,
) -> Iterator[tuple[ArrayRegion, Sequence[int]]]:
    """Yield regions of the core with the numbers that represent a session's state.

    A session keeps piles and frames as lists; a module has links, and one frame for each machine.
    Bitmaps (`sets`) are derived from their arrays. Parts equal to those of `base` are omitted.
    """
    for name, cells in arrays.items():
        words = sets.get(name)
        of = name if words is None else words.of
        value = cells_of(st, of)
        if base is not None and value == cells_of(base, of):
            continue
        numbers = [value] if isinstance(value, int) else value
        yield cells, numbers if words is None else words.computed(cells.size, numbers)
    for piece, links in piles.items():
        lying = cells_of(st, f"l:{piece}")
        if base is None or lying != cells_of(base, f"l:{piece}"):
            yield from _linked(links, lying)


def _linked(piles: Piles, lying: list[list[int]]) -> Iterator[tuple[ArrayRegion, list[int]]]:
    following, before = [NO_LINK] * piles.next.size, [NO_LINK] * piles.previous.size
    for pile in lying:
        for below, above in pairwise(pile):
            following[below], before[above] = above, below
    yield piles.next, following
    yield piles.previous, before
    yield piles.bottom, [pile[0] if pile else NO_LINK for pile in lying]
    yield piles.top, [pile[-1] if pile else NO_LINK for pile in lying]
    yield piles.count, [len(pile) for pile in lying]


def _lying(piles: Piles, memory: memoryview) -> list[list[int]]:
    """Return the piles for a kind of piece, bottom first."""
    following = piles.next.unpack(memory)
    found: list[list[int]] = []
    for first in piles.bottom.unpack(memory):
        pile: list[int] = []
        at = first
        while at != NO_LINK:
            pile.append(at)
            at = following[at]
        found.append(pile)
    return found


# -------------------------------------------------------------------- write
def write_state(
    memory: memoryview,
    known: MemoryMap,
    engine: Engine,
    st: Any,  # noqa: ANN401
    base: Any = None,  # noqa: ANN401
) -> None:
    """Write a session's state into memory, which may already hold `base`."""
    for cells, numbers in core_of(known.arrays, known.sets, known.piles, st, base):
        cells.put(memory, numbers)
    known.rng.put(memory, [signed(st.rng)])
    known.over.put(memory, [int(st.over)])
    sealed = bool(st.options) and isinstance(st.options[0], list)
    known.answers.put(memory, answers_of(st) if sealed else [-1] * known.answers.size)
    if base is not None and st.frames == base.frames and st.options == base.options:
        return
    machines = {name: number for number, name in enumerate(known.machines)}
    nodes = {(each.machine, each.block): -1 - at for at, each in enumerate(known.decisions)}
    stack: list[int] = []
    for at, frame in enumerate(reversed(st.frames)):
        name, _, told = engine.block_names[frame[0]].rpartition("/")
        waiting, block = known.machines[name], int(told)
        node = nodes[name, block] if at == 0 else block
        if node not in waiting.places:
            continue  # a machine that would only return; a module has no frame for it
        stack += [machines[name], waiting.places.index(node)]
        for (slot, cells), value in zip(waiting.slots.items(), frame[1:], strict=True):
            if slot in waiting.lists:
                items = value if isinstance(value, list) else []
                waiting.lists[slot].put(memory, items)
                attrs.evolve(cells, width=COUNT).put(memory, [len(items)])
            else:
                cells.put(memory, [int(value)])
    known.stack.put(memory, stack)
    known.depth.put(memory, [len(stack) // 2])
    if not st.over:
        lists = st.options if st.options and isinstance(st.options[0], list) else [st.options]
        known.offered.put(memory, [len(each) for each in lists])
        for at, each in enumerate(lists):
            known.options_of(at).put(memory, each)


# -------------------------------------------------------------------- read
def read_state(memory: memoryview, known: MemoryMap, engine: Engine) -> Any:  # noqa: ANN401
    """Return the session state held in memory, without a log."""
    st = engine.states.new(known.rng.read(memory) & MASK)
    for name, cells in known.arrays.items():
        if name in known.sets:
            continue
        numbers = cells.unpack(memory)
        single = isinstance(cells_of(st, name), int)
        setattr(st, field_name(name), numbers[0] if single else numbers)
    for piece, piles in known.piles.items():
        setattr(st, field_name(f"l:{piece}"), _lying(piles, memory))
    st.over = bool(known.over.read(memory))
    if st.over:
        return st
    sealed = False
    for at in range(known.depth.read(memory)):
        name, waiting, block = _frame(memory, known, at)
        if block < 0:
            decision = known.decisions[-1 - block]
            block, sealed = decision.block, decision.sealed
        number = engine.block_numbers[f"{name}/{block}"]
        st.frames.insert(0, [number, *(_slot(memory, waiting, each) for each in waiting.slots)])
    counts = enumerate(known.offered.unpack(memory))
    found = [known.options_of(at).unpack(memory, count) for at, count in counts]
    st.options = found if sealed else found[0]
    answers = known.answers.unpack(memory)
    st.answers = answers if sealed and answers != answers_of(st) else []
    return st


def _frame(memory: memoryview, known: MemoryMap, at: int) -> tuple[str, Waiting, int]:
    """Return a frame's machine, region, and block or decision; 0 is the topmost frame."""
    name = [*known.machines][known.stack.read(memory, 2 * at)]
    waiting = known.machines[name]
    return name, waiting, waiting.places[known.stack.read(memory, 2 * at + 1)]


def _slot(memory: memoryview, waiting: Waiting, slot: str) -> object:
    cells = waiting.slots[slot]
    if slot not in waiting.lists:
        return cells.read(memory)
    return waiting.lists[slot].unpack(memory, attrs.evolve(cells, width=COUNT).read(memory))

"""The map of a module's memory: what the host has to know of it, and keeps beside the module."""

from __future__ import annotations

import struct
from math import prod
from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower.flat import Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTHS = {1: "b", 2: "h", 4: "i", 8: "q"}  # bytes of a cell, and how `struct` calls them
COUNT = 4  # bytes of the count in front of a row
ITEM = 8  # bytes of an item of a buffer, and of a slot
LINK = 4  # bytes of a link from piece to piece
NO_LINK = -1
MAX_ROWS = 1024  # games whose results are kept before the host takes them


def number(cell: memoryview) -> int:
    """Return the number in the bytes of a cell."""
    return int.from_bytes(cell, "little", signed=True)


@attrs.frozen
class Cells:
    """An array in memory: where it begins, how many cells, and bytes of one."""

    address: int
    size: int
    width: int

    @property
    def end(self) -> int:
        """The first byte after it."""
        return self.address + self.size * self.width

    def pack(self, numbers: Sequence[int]) -> bytes:
        """Return numbers as they lie in memory."""
        return struct.pack(f"<{len(numbers)}{WIDTHS[self.width]}", *numbers)

    def unpack(self, memory: memoryview, count: int | None = None) -> list[int]:
        """Return the numbers that lie in a memory, or the first ones."""
        many = self.size if count is None else count
        return [*struct.unpack_from(f"<{many}{WIDTHS[self.width]}", memory, self.address)]

    def put(self, memory: memoryview, numbers: Sequence[int]) -> None:
        """Write numbers into a memory, from the first cell on."""
        struct.pack_into(f"<{len(numbers)}{WIDTHS[self.width]}", memory, self.address, *numbers)

    def read(self, memory: memoryview, at: int = 0) -> int:
        """Return one number of a memory."""
        return number(memory[self.slice(at)])

    def slice(self, at: int) -> slice:
        """Return which bytes one cell takes."""
        where = self.address + at * self.width
        return slice(where, where + self.width)

    def moved(self, by: int) -> Cells:
        """Return the same cells so many bytes on."""
        return attrs.evolve(self, address=self.address + by)


@attrs.frozen
class Piles:
    """The piles of a kind of pieces: links along each pile, its ends and its count."""

    next: Cells
    previous: Cells
    bottom: Cells
    top: Cells
    count: Cells


@attrs.frozen
class Words:
    """Which cells of an array are not 0: in which word, as which bit each of them is."""

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
class Looks:
    """What weights depend on: where a player's things are counted, and factors for how many."""

    factors: Cells  # by holding, level and option
    rows: Cells  # of each holding, the row of factors that counts
    looking: Cells  # of each seat, how many holdings count
    addresses: Cells  # by holding and seat, so many of them; 0 for none
    widths: Cells  # of each holding, the bytes of a cell


@attrs.frozen
class Section:
    """A part of the results: for each game so many numbers, one game after the other."""

    name: str
    cells: Cells
    shape: tuple[int, ...]  # of one game

    @property
    def width(self) -> int:
        """How many numbers there are of each game."""
        return prod(self.shape)


@attrs.frozen
class Waiting:
    """A machine: its number on the stack, its frame, and where it can be taken up again.

    `places` are blocks, and decisions as numbers below 0: -1 is the first.
    """

    slots: dict[str, Cells]  # in the order of the frame
    lists: dict[str, Cells]  # items of those slots that are lists; the slot holds the count
    places: tuple[int, ...]


@attrs.frozen
class Map:
    """Where everything lies that goes in and out."""

    position: Cells  # core and what is open, byte by byte
    arrays: dict[str, Cells]
    sets: dict[str, Words]  # those arrays that are words of bits of others
    piles: dict[str, Piles]
    machines: dict[str, Waiting]
    decisions: tuple[Decision, ...]
    rng: Cells
    over: Cells
    depth: Cells
    stack: Cells
    answers: Cells
    offered: Cells  # how many options there are: for all players where all choose at once
    options: Cells
    root: Cells  # a position that games begin from
    given: Cells  # what the host asks for; what it is answered
    choices: Cells  # what the host chooses
    weights: Cells  # how often an option comes, by number and seat; none where nobody asks
    looks: Looks
    offered_so_far: Cells  # how often it was offered, and chosen, by each seat
    chosen_so_far: Cells
    noted: Cells  # which of those cells are not 0, and how many there are
    many_noted: Cells
    sections: tuple[Section, ...]
    pages: int

    def options_of(self, at: int) -> Cells:
        """Return where the options begin of the one who chooses, or of one of several."""
        return self.options.moved(at * self.options.size // self.offered.size * ITEM)

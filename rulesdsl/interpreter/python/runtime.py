"""Runtime library for generated code: random numbers, piles, duplicates, end of the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from rulesdsl.lower.flat.walk import MAX_NUMBER, MIN_NUMBER

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15  # the increment of SplitMix64


def saturated(number: int) -> int:
    """Return a number clamped to signed 64 bits."""
    return min(max(number, MIN_NUMBER), MAX_NUMBER)


class Finished(Exception):  # noqa: N818 - not an error: `end game` unwinds all procedures at once
    """The game has been ended by its rules."""


class Chancy(Protocol):
    """A state with a random generator and a counter of revelations."""

    rng: int
    learned: int


def next_random(st: Chancy) -> int:
    """Return 64 random bits and step the generator (SplitMix64)."""
    st.rng = (st.rng + STEP) & MASK
    return mixed(st.rng)


def mixed(bits: int) -> int:
    """Return the output of SplitMix64 for a state."""
    bits = ((bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    bits = ((bits ^ (bits >> 27)) * 0x94D049BB133111EB) & MASK
    return bits ^ (bits >> 31)


def below(st: Chancy, count: int) -> int:
    """Return a uniform random number from 0 to count - 1."""
    limit = MASK + 1 - (MASK + 1) % count
    while True:
        bits = next_random(st)
        if bits < limit:
            return bits % count


def draw(st: Chancy, things: list[int]) -> int:
    """Return a random item, which counts as revealed information; -1 if the list is empty."""
    drawn = -1
    if things:
        st.learned += 1
        drawn = things[below(st, len(things))] if len(things) > 1 else things[0]
    return drawn


def shuffle(st: Chancy, pile: list[int]) -> None:
    """Shuffle a pile in place (Fisher-Yates)."""
    for at in range(len(pile) - 1, 0, -1):
        other = below(st, at + 1)
        pile[at], pile[other] = pile[other], pile[at]


def shift(pile: list[int], piece: int, by: int) -> tuple[int, int]:
    """Move a piece `by` places, as far as its pile allows; return its old and new indexes."""
    old = pile.index(piece)
    new = min(max(old + by, 0), len(pile) - 1)
    pile.insert(new, pile.pop(old))
    return old, new


def bits_of(number: int) -> Iterator[int]:
    """Yield the indexes of the set bits of a 64-bit number in ascending order."""
    left = number & MASK
    while left:
        last = left & -left
        yield last.bit_length() - 1
        left ^= last


Marks = tuple[list[int], tuple[tuple[int, ...], ...]]  # cells, and the cell indexes of each piece


def one_of_each(
    things: list[int], prints: tuple[int, ...], where: list[int] | None, *marks: Marks
) -> list[int]:
    """Return pieces without those that duplicate an earlier one.

    Duplicates have the same print and the same marks, and, if `where` gives the cell of each
    piece, lie in the same cell.
    """
    if len(things) < 2:  # noqa: PLR2004 - no duplicates possible
        return things
    seen: set[tuple[object, ...]] = set()
    kept: list[int] = []
    for thing in things:
        look = (
            prints[thing],
            where and where[thing],
            *(tuple([cells[at] for at in own[thing]]) for cells, own in marks),
        )
        if look not in seen:
            seen.add(look)
            kept.append(thing)
    return kept


OPERATIONS: dict[str, Callable[..., object]] = {
    each.__name__: each
    for each in (Finished, saturated, draw, shuffle, shift, bits_of, one_of_each)
}
"""The names that generated code may use."""

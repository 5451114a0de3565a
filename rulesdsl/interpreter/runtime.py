"""What generated code calls: chance, order, ties, and the end of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rulesdsl.lower.fold import MAX_NUMBER, MIN_NUMBER

if TYPE_CHECKING:
    from collections.abc import Iterator

MASK = (1 << 64) - 1
STEP = 0x9E3779B97F4A7C15  # of SplitMix64, from one state to the next


def saturated(number: int) -> int:
    """Return a number, or the bound of 64 bits that it lies beyond."""
    return min(max(number, MIN_NUMBER), MAX_NUMBER)


class Finished(Exception):  # noqa: N818 - it is no error: `end game` leaves all procedures at once
    """The game has been ended by its rules."""


class Chancy(Protocol):
    """A state with a random number generator in it, and a count of what has been learned."""

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
    """Return a random number from 0 to count - 1, each as likely as the others."""
    limit = MASK + 1 - (MASK + 1) % count
    while True:
        bits = next_random(st)
        if bits < limit:
            return bits % count


def draw(st: Chancy, things: list[int]) -> int:
    """Return one thing by chance, -1 where there is none; somebody has seen it."""
    drawn = -1
    if things:
        st.learned += 1
        drawn = things[below(st, len(things))] if len(things) > 1 else things[0]
    return drawn


def shuffle(st: Chancy, pile: list[int]) -> None:
    """Shuffle a pile where it lies."""
    for at in range(len(pile) - 1, 0, -1):
        other = below(st, at + 1)
        pile[at], pile[other] = pile[other], pile[at]


def shift(pile: list[int], piece: int, by: int) -> tuple[int, int]:
    """Take a piece so many places up in its pile, or down; return where it was and is."""
    old = pile.index(piece)
    new = min(max(old + by, 0), len(pile) - 1)
    pile.insert(new, pile.pop(old))
    return old, new


def bits_of(number: int) -> Iterator[int]:
    """Yield the places of the bits that a number of 64 bits has, from below."""
    left = number & MASK
    while left:
        last = left & -left
        yield last.bit_length() - 1
        left ^= last


Marks = tuple[list[int], tuple[tuple[int, ...], ...]]  # cells, and those of each thing


def one_of_each(
    things: list[int], prints: tuple[int, ...], where: list[int] | None, *marks: Marks
) -> list[int]:
    """Return the things without those that are like an earlier one.

    Alike is what bears the same print and the same marks, and lies in the same place where
    `where` tells the place of each.
    """
    if len(things) < 2:  # noqa: PLR2004 - nothing to tell apart
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

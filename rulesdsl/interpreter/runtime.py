"""What generated code calls: chance, order, ties, and the end of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rulesdsl.lower.fold import MAX_NUMBER, MIN_NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

MASK = (1 << 64) - 1


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
    st.rng = (st.rng + 0x9E3779B97F4A7C15) & MASK
    z = st.rng
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def below(st: Chancy, count: int) -> int:
    """Return a random number from 0 to count - 1, each as likely as the others."""
    limit = MASK + 1 - (MASK + 1) % count
    while True:
        bits = next_random(st)
        if bits < limit:
            return bits % count


def draw(st: Chancy, things: list[int]) -> int:
    """Return one thing by chance, -1 where there is none; somebody has seen it."""
    if not things:
        return -1
    st.learned += 1
    if len(things) == 1:
        return things[0]
    return things[below(st, len(things))]


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


def sole_best(pairs: list[tuple[object, int]]) -> int:
    """Return the thing with the largest key, -1 where nobody or more than one has it."""
    if not pairs:
        return -1
    key, found = pairs[0]
    tied = False
    for other, thing in pairs[1:]:
        if other == key:
            tied = True
        elif other > key:  # type: ignore[operator]
            key, found, tied = other, thing, False
    return -1 if tied else found


def behind(along: Sequence[int], thing: int) -> Sequence[int]:
    """Return what comes behind a thing in a list; nothing where it is not in it."""
    for at, each in enumerate(along):
        if each == thing:
            return along[at + 1 :]
    return ()


def position(along: Sequence[int], thing: int) -> int:
    """Return the position of a thing in a list from 1, 0 where it is not in it."""
    for at, each in enumerate(along):
        if each == thing:
            return at + 1
    return 0


def top_of(pile: list[int]) -> int:
    """Return the top piece of a pile, -1 where it is empty."""
    return pile[-1] if pile else -1


def bottom_of(pile: list[int]) -> int:
    """Return the bottom piece of a pile, -1 where it is empty."""
    return pile[0] if pile else -1


def last_first(pile: list[int], count: int) -> list[int]:
    """Return the last pieces of a pile, the last one first."""
    return pile[-1 : -count - 1 : -1]


def within(code: int, base: int, size: int) -> int:
    """Return the number of a cell within its kind of places, -1 where it is elsewhere."""
    at = code - base
    return at if 0 <= at < size else -1


def clamped(row: tuple[int, ...], at: int) -> int:
    """Return an item of a row; beyond its ends, the item at that end."""
    if at < 0:
        return row[0]
    return row[at] if at < len(row) else row[-1]


def player_from(seat: int, steps: int, players: int) -> int:
    """Return the player so many places on from a seat; rivals sit behind the last player."""
    if seat >= players:
        seat = players - 1 if steps > 0 else players
    return (seat + steps) % players


def item_or_none(row: tuple[int, ...], at: int) -> int:
    """Return an item of a row, -1 for none."""
    return row[at] if at >= 0 else -1


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


def always(*_: object) -> bool:
    """Stand for the guard of what can always be carried out."""
    return True


def never(*_: object) -> bool:
    """Stand for the guard of an effect that is not there."""
    return False

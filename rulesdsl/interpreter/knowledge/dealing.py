"""Faces dealt to backs, all ways that are possible equally likely."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, product
from math import factorial

import attrs

Left = tuple[int, ...]  # how many backs of each tag are still without a face


class NoWay(ValueError):  # noqa: N818 - says what is wrong with what will be dealt
    """There is no way to deal the faces."""


@attrs.frozen
class Sorts:
    """Sorts of faces: those of one sort may be on backs of the same tags."""

    sizes: tuple[int, ...]
    allowed: tuple[tuple[bool, ...], ...]
    """For each sort, whether its faces may be on each of the tags."""


@attrs.frozen
class Dealing:
    """Faces that will be dealt to backs: what is the same each time."""

    spots: Sequence[int]
    """The tags of the backs, as numbers from 0."""
    faces: tuple[tuple[int, ...], ...]
    """The faces of each sort."""
    room: Left
    sorts: Sorts

    @classmethod
    def of(cls, spots: Sequence[int], may: Mapping[int, frozenset[int]]) -> Dealing:
        """Prepare to deal.

        `spots` are the tags of the backs, `may` says which tags each face may be on; there are as
        many faces as spots.
        """
        room = Counter(spots)
        tags = sorted(room)
        sorts: dict[frozenset[int], list[int]] = {}
        for face in sorted(may):
            sorts.setdefault(frozenset(may[face] & room.keys()), []).append(face)
        # those with few tags first: the fewer ways are left to be counted
        order = sorted(sorts.items(), key=lambda each: (len(each[0]), sorted(each[0])))
        return cls(
            [tags.index(each) for each in spots],
            tuple(tuple(faces) for _, faces in order),
            tuple(room[tag] for tag in tags),
            Sorts(
                tuple(len(faces) for _, faces in order),
                tuple(tuple(tag in each for tag in tags) for each, _ in order),
            ),
        )

    def deal(self, chance: random.Random) -> list[int]:
        """Return a face for each spot; NoWay where none is possible.

        Faces that may be in the same places are counted as one sort: first it is drawn how many of
        each sort go to each tag, with the number of ways to do that as weights, then who goes
        where.  So each way to deal is as likely as any other.
        """
        left = self.room
        heaps: list[list[int]] = [[] for _ in left]
        for at, faces in enumerate(self.faces):
            share = _drawn(self.sorts, at, left, chance)
            mixed = list(faces)
            if max(share) < len(mixed):
                chance.shuffle(mixed)
            begin = 0
            for heap, many in zip(heaps, share, strict=True):
                heap.extend(mixed[begin : begin + many])
                begin += many
            left = tuple(have - less for have, less in zip(left, share, strict=True))
        for heap in heaps:
            chance.shuffle(heap)
        return [heaps[tag].pop() for tag in self.spots]


def _drawn(sorts: Sorts, at: int, left: Left, chance: random.Random) -> Left:
    """Return how many faces of one sort go to each tag, by chance."""
    ways, ends = _weighed(sorts, at, left)
    if len(ways) == 1:
        return ways[0]
    if not ends or not ends[-1]:
        raise NoWay("there are faces that can be nowhere")
    drawn = chance.randrange(ends[-1])
    return next(way for way, end in zip(ways, ends, strict=True) if drawn < end)


@lru_cache(maxsize=4096)
def _weighed(sorts: Sorts, at: int, left: Left) -> tuple[list[Left], list[int]]:
    """Return the ways to share out the faces of one sort, with running sums of their weights."""
    ways = _shares(sorts.sizes[at], sorts.allowed[at], left)
    if len(ways) == 1:
        return ways, []
    return ways, [*accumulate(_ways(sorts, at, left, way) for way in ways)]


def _shares(size: int, allowed: tuple[bool, ...], left: Left) -> list[Left]:
    """Return all ways to share so many faces out to tags that have room."""
    most = [min(room, size) if may else 0 for may, room in zip(allowed, left, strict=True)]
    open_ = [at for at, each in enumerate(most) if each]
    if not open_:
        return [] if size else [(0,) * len(left)]
    *first, last = open_
    found = []
    for some in product(*(range(most[at] + 1) for at in first)):
        rest = size - sum(some)
        if 0 <= rest <= most[last]:
            share = [0] * len(left)
            for at, many in zip((*first, last), (*some, rest), strict=True):
                share[at] = many
            found.append(tuple(share))
    return found


def _ways(sorts: Sorts, at: int, left: Left, way: Left) -> int:
    """Return in how many ways all can be dealt from a sort on, if it is shared out that way."""
    own = factorial(sorts.sizes[at])
    for have, take in zip(left, way, strict=True):
        # which faces go there, and onto which of the backs that are left
        own = own // factorial(take) * factorial(have) // factorial(have - take)
    rest = tuple(have - less for have, less in zip(left, way, strict=True))
    return own * _whole(sorts, at + 1, rest)


@lru_cache(maxsize=4096)
def _whole(sorts: Sorts, at: int, left: Left) -> int:
    if at == len(sorts.sizes):
        return 0 if any(left) else 1
    ways = _shares(sorts.sizes[at], sorts.allowed[at], left)
    return sum(_ways(sorts, at, left, way) for way in ways)

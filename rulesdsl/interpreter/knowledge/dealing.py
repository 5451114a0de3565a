"""Uniform deals of unknown faces to face-down pieces, and hidden tracks that depend on them."""

from __future__ import annotations

import random
from bisect import bisect
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, product
from math import factorial, perm

import attrs

Left = tuple[int, ...]  # number of backs without a face, by tag
Sorts = tuple[tuple[int, tuple[bool, ...]], ...]
"""For each sort of faces: their number, and for each tag whether its backs may have them."""
Dealt = dict[str, list[int]]
"""The faces of the spots in order, by kind of piece."""


@attrs.frozen
class Dealing:
    """Dealer of faces to backs; its data is the same for every deal."""

    # A deal assigns a face to each back, uniformly over all possible assignments. Faces with the
    # same possible tags form a sort. For each sort in turn, the numbers of its faces per tag are
    # drawn, weighted by the number of assignments that they allow (multinomials, memoized by the
    # remaining room); then the faces are shuffled. The number of combinations grows exponentially
    # with the number of different sorts and tags.
    #
    # `spots` are the tags of the backs, numbered from 0; `faces` lists the faces of each sort.

    spots: Sequence[int]
    room: Left
    faces: Sequence[Sequence[int]]
    sorts: Sorts

    @classmethod
    def of(cls, spots: Sequence[int], faces: Sequence[Sequence[int]]) -> Dealing:
        """Prepare deals to backs with these tags; `faces` has the possible faces of each tag."""
        room = Counter(spots)
        tags = sorted(room)
        sorts: dict[tuple[int, ...], list[int]] = {}
        for face in sorted({face for tag in tags for face in faces[tag]}):
            sorts.setdefault(tuple(tag for tag in tags if face in faces[tag]), []).append(face)
        # sorts with few tags first, which leaves fewer combinations
        order = sorted(sorts.items(), key=lambda each: (len(each[0]), each[0]))
        return cls(
            [tags.index(each) for each in spots],
            tuple(room[tag] for tag in tags),
            [faces for _, faces in order],
            tuple((len(faces), tuple(tag in each for tag in tags)) for each, faces in order),
        )

    def deal(self, chance: random.Random) -> list[int]:
        """Return a face for each spot; raise ValueError if no assignment exists."""
        left = self.room
        heaps: list[list[int]] = [[] for _ in left]
        for at, faces in enumerate(self.faces):
            shares, ends = _weighed(self.sorts[at:], left)
            if not ends or not ends[-1]:
                raise ValueError("the faces cannot be assigned to the spots")
            share = shares[bisect(ends, chance.randrange(ends[-1])) if len(ends) > 1 else 0]
            mixed = list(faces)
            if max(share) < len(mixed):
                chance.shuffle(mixed)
            for heap, many in zip(heaps, share, strict=True):
                heap.extend(mixed[:many])
                del mixed[:many]
            left = tuple(have - less for have, less in zip(left, share, strict=True))
        for heap in heaps:
            chance.shuffle(heap)
        return [heaps[tag].pop() for tag in self.spots]


@lru_cache(maxsize=4096)
def _weighed(sorts: Sorts, left: Left) -> tuple[list[Left], list[int]]:
    """Return the possible distributions of the first of `sorts`, with cumulative deal counts."""
    if not sorts:
        return [], [0 if any(left) else 1]
    size, allowed = sorts[0]
    most = [min(room, size) if may else 0 for may, room in zip(allowed, left, strict=True)]
    last = max((tag for tag, each in enumerate(most) if each), default=0)
    shares, weights = list[Left](), list[int]()
    for some in product(*(range(each + 1 if tag != last else 1) for tag, each in enumerate(most))):
        rest = size - sum(some)
        if 0 <= rest <= most[last]:
            share = (*some[:last], rest, *some[last + 1 :])
            weight = factorial(size)
            for have, take in zip(left, share, strict=True):
                # choices of the faces, and of the backs that get them
                weight = weight // factorial(take) * perm(have, take)
            room = tuple(have - take for have, take in zip(left, share, strict=True))
            shares.append(share)
            weights.append(weight * [0, *_weighed(sorts[1:], room)[1]][-1])
    return shares, [*accumulate(weights)]


@attrs.frozen
class TrackCourse:
    """History of one hidden cell of a track: its value at one time, and its changes since."""

    # A change is (kind of piece, spot, amounts by face), or ("", amount, ()) for a known amount.

    track: str
    cell: int
    low: int
    high: int
    start: int
    changes: Sequence[tuple[str, int, Sequence[int]]]

    def follow(self, dealt: Dealt) -> tuple[int, int]:
        """Return the final value, and the total amount by which changes exceed the bounds."""
        value, beyond = self.start, 0
        for kind, spot, amounts in self.changes:
            there = value + (amounts[dealt[kind][spot]] if kind else spot)
            value = min(max(there, self.low), self.high)
            beyond += abs(there - value)
        return value, beyond

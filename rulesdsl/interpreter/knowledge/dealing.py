"""Uniform deals of unknown faces to spots, subject to the bounds of hidden tracks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate, product
from math import factorial
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


Left = tuple[int, ...]  # by tag: backs without a face


class NoWay(ValueError):  # noqa: N818 - describes the faces
    """No assignment of the faces exists."""


@attrs.frozen
class Sorts:
    """Faces grouped into sorts: faces with the same possible tags form one."""

    sizes: tuple[int, ...]
    allowed: tuple[tuple[bool, ...], ...]
    """For each sort: for each tag, whether its faces may be there."""


@attrs.frozen
class Dealing:
    """Faces to deal to backs: the part that is the same for every deal."""

    spots: Sequence[int]
    """Tags of the backs, numbered from 0."""
    faces: tuple[tuple[int, ...], ...]
    """Faces of each sort."""
    room: Left
    sorts: Sorts

    @classmethod
    def of(cls, spots: Sequence[int], may: Mapping[int, frozenset[int]]) -> Dealing:
        """Prepare deals.

        `spots` are the tags of the backs, `may` has the possible tags of each face; there are as
        many faces as spots.
        """
        room = Counter(spots)
        tags = sorted(room)
        sorts: dict[frozenset[int], list[int]] = {}
        for face in sorted(may):
            sorts.setdefault(frozenset(may[face] & room.keys()), []).append(face)
        # sorts with few tags first, which leaves fewer combinations
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
        """Return a face for each spot, uniformly over all assignments; raise NoWay if none exists.

        Faces with the same possible tags form one sort. For one sort after the other, the numbers
        of its faces per tag are drawn, weighted by the number of assignments they allow
        (multinomials, memoized over the room left), then the faces are shuffled. The number of
        combinations grows exponentially with the number of different sorts and tags, which is
        small in practice.
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
    """Draw the number of faces of one sort for each tag."""
    ways, ends = _weighed(sorts, at, left)
    if len(ways) == 1:
        return ways[0]
    if not ends or not ends[-1]:
        raise NoWay("there are faces that can be nowhere")
    drawn = chance.randrange(ends[-1])
    return next(way for way, end in zip(ways, ends, strict=True) if drawn < end)


@lru_cache(maxsize=4096)
def _weighed(sorts: Sorts, at: int, left: Left) -> tuple[list[Left], list[int]]:
    """Return the distributions of one sort over tags, with cumulative weights."""
    ways = _shares(sorts.sizes[at], sorts.allowed[at], left)
    if len(ways) == 1:
        return ways, []
    return ways, [*accumulate(_ways(sorts, at, left, way) for way in ways)]


def _shares(size: int, allowed: tuple[bool, ...], left: Left) -> list[Left]:
    """Return all distributions of some faces over the tags with room."""
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
    """Return the number of assignments from a sort on, given its distribution."""
    own = factorial(sorts.sizes[at])
    for have, take in zip(left, way, strict=True):
        # choice of the faces, and of the backs that they go to
        own = own // factorial(take) * factorial(have) // factorial(have - take)
    rest = tuple(have - less for have, less in zip(left, way, strict=True))
    return own * _whole(sorts, at + 1, rest)


@lru_cache(maxsize=4096)
def _whole(sorts: Sorts, at: int, left: Left) -> int:
    if at == len(sorts.sizes):
        return 0 if any(left) else 1
    ways = _shares(sorts.sizes[at], sorts.allowed[at], left)
    return sum(_ways(sorts, at, left, way) for way in ways)


TRIES = 100  # house: deals before a walk, or to conclude that it is needed
LONGEST = 20_000  # house: steps of a walk that finds no valid deal
MIXING = 4  # house: steps per spot that mix a valid deal
WALKS = 20  # house: mixed deals before giving up

Dealt = dict[str, list[int]]
"""By kind of pieces: the faces of the spots, in order."""


@attrs.frozen
class Spots:
    """Spots of a kind of pieces: their classes, and the possible faces of each class."""

    classes: Sequence[int]
    may: Mapping[int, frozenset[int]]
    """By face: its possible classes."""
    dealing: Dealing

    @classmethod
    def of(cls, classes: Sequence[int], faces: Sequence[Sequence[int]]) -> Spots:
        """Return the spots with these classes; `faces` has the faces of each class."""
        may: dict[int, set[int]] = {}
        for number, each in enumerate(faces):
            for face in each:
                may.setdefault(face, set()).add(number)
        frozen = {face: frozenset(each) for face, each in may.items()}
        return cls(classes, frozen, Dealing.of(classes, frozen))


@attrs.frozen
class TrackCourse:
    """History of a hidden cell of a track: its value at one time, and its changes since."""

    track: str
    cell: int
    low: int
    high: int
    start: int
    changes: Sequence[tuple[int, Sequence[tuple[str, int, Sequence[int]]]]]
    """Each is a number and, for some spots, an amount by face."""

    def follow(self, dealt: Dealt) -> tuple[int, int]:
        """Return the final value, and the total amount by which changes exceeded the bounds."""
        value, beyond = self.start, 0
        for by, spots in self.changes:
            there = value + by
            for kind, spot, amounts in spots:
                there += amounts[dealt[kind][spot]]
            value = min(max(there, self.low), self.high)
            beyond += abs(there - value)
        return value, beyond


class Deals:
    """Generator of deals; `dealt` and `values` are those of the last one.

    Rejection sampling: a deal is dropped if a hidden track would have been cut at a bound, since a
    player who paid had enough. If valid deals are rare (a player has paid nearly everything that
    they took face down), a Markov chain finds one: two faces swap spots if both are possible there
    and the total excess does not grow. From a valid deal, further swaps mix. Every step is as
    likely as its reverse, so the limit distribution is uniform on the valid deals that swaps
    connect; samples of a walk are correlated. If even the walk finds no valid deal, tracks are cut
    at their bounds in every deal, and all deals are accepted.
    """

    def __init__(self, spots: Mapping[str, Spots], courses: Sequence[TrackCourse]) -> None:
        self._spots, self._courses = spots, courses
        self._kinds = [*spots]
        self._of_spot: dict[tuple[str, int], set[int]] = {}
        for number, course in enumerate(courses):
            for kind, spot, _ in (each for _, some in course.changes for each in some):
                self._of_spot.setdefault((kind, spot), set()).add(number)
        self._ways: list[tuple[int, int]] = []
        self._beyond = 0
        self.dealt: Dealt = {}

    @property
    def values(self) -> Iterator[tuple[str, int, int]]:
        """The final values of the hidden cells of tracks."""
        for course, (value, _) in zip(self._courses, self._ways, strict=True):
            yield course.track, course.cell, value

    def each(self, chance: random.Random) -> Iterator[None]:
        """Generate deals: independent ones first, then those of a walk."""
        for number in range(TRIES):
            self._deal(chance)
            if not self._beyond:
                yield
            elif not number and self._is_rare:
                break
        if self._always_stops:
            for _ in range(TRIES):
                self._deal(chance)
                yield
        self._deal(chance)
        self._relax(chance)
        for _ in range(WALKS):
            for _ in range(MIXING * sum(len(each.classes) for each in self._spots.values())):
                self._step(chance)
            yield

    @cached_property
    def _is_rare(self) -> bool:
        """True if independent deals fail; determined with a fixed seed."""
        chance = random.Random(0)  # noqa: S311 - not cryptographic
        for _ in range(TRIES):
            self._deal(chance)
            if not self._beyond:
                return False
        return True

    @cached_property
    def _always_stops(self) -> bool:
        chance = random.Random(0)  # noqa: S311 - not cryptographic
        self._deal(chance)
        self._relax(chance)
        return self._beyond > 0

    def _deal(self, chance: random.Random) -> None:
        self.dealt = {name: each.dealing.deal(chance) for name, each in self._spots.items()}
        self._ways = [each.follow(self.dealt) for each in self._courses]
        self._beyond = sum(beyond for _, beyond in self._ways)

    def _relax(self, chance: random.Random) -> None:
        for _ in range(LONGEST):
            if not self._beyond:
                break
            self._step(chance)

    def _step(self, chance: random.Random) -> None:
        """Swap two faces if that is possible and the total excess does not grow."""
        kind = chance.choice(self._kinds)
        spots, faces = self._spots[kind], self.dealt[kind]
        one, other = (chance.randrange(len(faces)) for _ in range(2))
        if spots.classes[other] not in spots.may[faces[one]]:
            return
        if spots.classes[one] not in spots.may[faces[other]]:
            return
        faces[one], faces[other] = faces[other], faces[one]
        of = self._of_spot
        if not self._follow(of.get((kind, one), set()) | of.get((kind, other), set())):
            faces[one], faces[other] = faces[other], faces[one]

    def _follow(self, numbers: Iterable[int]) -> bool:
        """Recompute some tracks; return False, without changes, if the total excess grows."""
        ways: dict[int, tuple[int, Any]] = {
            e: self._courses[e].follow(self.dealt) for e in numbers
        }
        more = sum(beyond - self._ways[at][1] for at, (_, beyond) in ways.items())
        if more > 0:
            return False
        for at, way in ways.items():
            self._ways[at] = way
        self._beyond += more
        return True

"""Deals of all unknown faces in which hidden tracks keep to their bounds.

Faces are dealt at random, and those deals are dropped in which a hidden track would have stopped
at a bound: who paid, had enough.  Where hardly any is left (a player has paid nearly all that they
took face down), a walk finds one: two faces that may change places do so, as long as the tracks
go beyond their bounds by no more than before; then many more do, among possible deals only.  Each
step is as likely as the one back, so in the long run the walk comes to all deals equally often.
Where a track stops in every deal, any may be the real one.
"""

from __future__ import annotations

import random
from functools import cached_property
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.knowledge.dealing import Dealing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

TRIES = 100  # house: deals before a walk begins, or to see that it has to
LONGEST = 20_000  # house: steps of a walk that finds no possible deal
MIXING = 4  # house: steps for each spot that a possible deal is mixed with
WALKS = 20  # house: deals that are mixed before it is given up

Dealt = dict[str, list[int]]
"""By kinds of pieces: the faces of the spots, in their order."""


@attrs.frozen
class Spots:
    """The spots of a kind of pieces: their classes, and the faces that each class may have."""

    classes: Sequence[int]
    may: Mapping[int, frozenset[int]]
    """By faces: the classes in which they may be."""
    dealing: Dealing

    @classmethod
    def of(cls, classes: Sequence[int], faces: Sequence[Sequence[int]]) -> Spots:
        """Return the spots of some classes, each with its faces."""
        may: dict[int, set[int]] = {}
        for number, each in enumerate(faces):
            for face in each:
                may.setdefault(face, set()).add(number)
        frozen = {face: frozenset(each) for face, each in may.items()}
        return cls(classes, frozen, Dealing.of(classes, frozen))


@attrs.frozen
class Course:
    """The way of a hidden cell of a track: its value once, and its changes since then."""

    track: str
    cell: int
    low: int
    high: int
    start: int
    changes: Sequence[tuple[int, Sequence[tuple[str, int, Sequence[int]]]]]
    """Each by a number and, for the spots of some kinds, by an amount for each face."""

    def follow(self, dealt: Dealt) -> tuple[int, int]:
        """Return what it comes to, and how far it would go beyond its bounds, all in all."""
        value, beyond = self.start, 0
        for by, spots in self.changes:
            there = value + by
            for kind, spot, amounts in spots:
                there += amounts[dealt[kind][spot]]
            value = min(max(there, self.low), self.high)
            beyond += abs(there - value)
        return value, beyond


class Deals:
    """Deals one position after the other; `dealt` and `values` are those of the last one."""

    def __init__(self, spots: Mapping[str, Spots], courses: Sequence[Course]) -> None:
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
        """What the hidden cells of tracks come to."""
        for course, (value, _) in zip(self._courses, self._ways, strict=True):
            yield course.track, course.cell, value

    def each(self, chance: random.Random) -> Iterator[None]:
        """Make one deal after the other: dealt ones first, then those of a walk."""
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
        """Whether dealing finds nothing possible; chance of its own decides."""
        chance = random.Random(0)  # noqa: S311 - it draws worlds
        for _ in range(TRIES):
            self._deal(chance)
            if not self._beyond:
                return False
        return True

    @cached_property
    def _always_stops(self) -> bool:
        """Whether a walk finds nothing possible either."""
        chance = random.Random(0)  # noqa: S311 - it draws worlds
        self._deal(chance)
        self._relax(chance)
        return self._beyond > 0

    def _deal(self, chance: random.Random) -> None:
        self.dealt = {name: each.dealing.deal(chance) for name, each in self._spots.items()}
        self._ways = [each.follow(self.dealt) for each in self._courses]
        self._beyond = sum(beyond for _, beyond in self._ways)

    def _relax(self, chance: random.Random) -> None:
        """Walk until tracks keep to their bounds, or for too long."""
        for _ in range(LONGEST):
            if not self._beyond:
                break
            self._step(chance)

    def _step(self, chance: random.Random) -> None:
        """Let two faces change places, if they may, and if no more is wrong then than before."""
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
        """Follow some courses, if they go beyond their bounds by no more than before."""
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

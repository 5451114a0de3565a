"""What a track that a player does not see has come to where other pieces lie face down."""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.constants import fixed
from rulesdsl.interpreter.knowledge.following import Bound, Change

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from rulesdsl.interpreter.knowledge.following import Knowledge
    from rulesdsl.lower.flat import Event

Swaps = dict[str, dict[int, int]]
"""By kind of pieces: for each piece, the one that lies there in another world."""
Come = tuple[int, int]
"""What a cell comes to, and how far it would go beyond its bounds on the way, all in all."""


class Unlike(ValueError):  # noqa: N818 - says what a world is
    """A world in which something would have happened otherwise."""


@attrs.frozen
class _Run:
    """Changes, one after the other, that are the same in all worlds."""

    amounts: tuple[int, ...]
    total: int
    least: int
    """What the first ones come to together, or the first two, and so on: the least of that."""
    most: int

    @classmethod
    def of(cls, amounts: Iterable[int]) -> _Run:
        every = (*amounts,)
        sums = (*accumulate(every),)
        return cls(every, sums[-1], min(sums), max(sums))


@attrs.frozen
class _Course:
    """How one cell of a track changes, from the beginning of the game."""

    track: str
    cell: int
    low: int
    high: int
    parts: tuple[_Run | Change | Bound, ...]

    def come(self, known: Knowledge, swaps: Swaps) -> Come:
        """Return what the cell comes to where pieces are swapped.

        A change that depends on the face of a piece is computed again for the one in its place.
        """
        low, high = self.low, self.high
        value, beyond = low, 0
        for part in self.parts:
            if isinstance(part, _Run) and low <= value + part.least and value + part.most <= high:
                value += part.total
                continue
            if isinstance(part, Bound):
                beyond += max(part.low - value, value - part.high, 0)
                continue
            for by in part.amounts if isinstance(part, _Run) else (_by(known, part, swaps),):
                there = value + by
                value = min(max(there, low), high)  # it stops there
                beyond += abs(there - value)
        return value, beyond


@attrs.define
class Courses:
    """The tracks of a position, in one world after the other.

    Only those cells are computed again that a hidden piece has changed.
    """

    _known: Knowledge
    _swaps: Swaps
    _courses: tuple[_Course, ...]
    _of_pieces: Mapping[tuple[str, int], Collection[int]]
    """By kind and piece: the numbers of the courses that it has changed."""
    _varying: Collection[int]
    """The numbers of all courses that some hidden piece has changed."""
    _come: list[Come]
    """What each of them comes to in the world of now."""
    beyond: int
    """How far the tracks that vary would go beyond their bounds in that world, all in all."""

    @classmethod
    def of(cls, known: Knowledge, swaps: Swaps, hidden: Mapping[str, Collection[int]]) -> Courses:
        """Prepare to follow the swaps of hidden pieces, by their kinds."""
        courses: list[_Course] = []
        of_pieces: dict[tuple[str, int], set[int]] = {}
        for track, changes in known.changes.items():
            info = known.setting.labels.world.tracks[track]
            for cell in dict.fromkeys(each.cell for each in changes):
                own = [(each, {*_hidden(each, hidden)}) for each in changes if each.cell == cell]
                for piece in set().union(*(pieces for _, pieces in own)):
                    of_pieces.setdefault(piece, set()).add(len(courses))
                courses.append(_Course(track, cell, info.low, info.high, (*_parts(known, own),)))
        come = [each.come(known, swaps) for each in courses]
        varying = set().union(*of_pieces.values())
        beyond = sum(come[at][1] for at in varying)
        return cls(known, swaps, tuple(courses), of_pieces, varying, come, beyond)

    def follow(self) -> None:
        """Compute everything for the swaps of now."""
        for at in self._varying:
            self._take(at, self._courses[at].come(self._known, self._swaps))

    def follow_if(self, kind: str, pieces: Iterable[int]) -> bool:
        """Follow the swap of some pieces, if tracks go beyond their bounds by no more than before.

        Returns whether it was followed.
        """
        numbers = set().union(*(self._of_pieces.get((kind, each), ()) for each in pieces))
        come = {at: self._courses[at].come(self._known, self._swaps) for at in numbers}
        more = sum(beyond - self._come[at][1] for at, (_, beyond) in come.items())
        if more > 0:
            return False
        for at, each in come.items():
            self._take(at, each)
        return True

    def _take(self, at: int, come: Come) -> None:
        self.beyond += come[1] - self._come[at][1]
        self._come[at] = come

    def cells(self, track: str, cells: Sequence[int]) -> list[int]:
        """Return the cells of a track in the world of now; those that the player sees are kept."""
        low = self._known.setting.labels.world.tracks[track].low
        found = [low] * len(cells)
        for course, (value, _) in zip(self._courses, self._come, strict=True):
            if course.track == track:
                found[course.cell] = value
        return [
            value if self._known.sees_track(track, at) else new
            for at, (value, new) in enumerate(zip(cells, found, strict=True))
        ]


def _hidden(
    change: Change | Bound, hidden: Mapping[str, Collection[int]]
) -> Iterator[tuple[str, int]]:
    """Yield the hidden pieces that a change was made for, with their kinds."""
    if isinstance(change, Bound):
        return
    for cause, piece in zip(change.event.causes, change.causes, strict=True):
        if piece in hidden.get(cause.type.of, ()):
            yield cause.type.of, piece


def _parts(
    known: Knowledge, changes: Iterable[tuple[Change | Bound, Collection[object]]]
) -> Iterator[_Run | Change | Bound]:
    for varies, some in groupby(changes, lambda e: bool(e[1]) or isinstance(e[0], Bound)):
        own = [change for change, _ in some]
        if varies:
            yield from own
        else:
            yield _Run.of(_by(known, each, {}) for each in own if isinstance(each, Change))


def _by(known: Knowledge, change: Change, swaps: Swaps) -> int:
    """Return by how much a track changes in another world, if nothing stops it."""
    pieces = tuple(
        swaps.get(cause.type.of, {}).get(piece, piece)
        for cause, piece in zip(change.event.causes, change.causes, strict=True)
    )
    key = id(change.event), pieces  # events live as long as the engine; to hash them takes long
    if key not in known.amounts:
        known.amounts[key] = _amount(known, change.event, pieces)
    amount = known.amounts[key]
    return change.by if amount is None else amount


def _amount(known: Knowledge, event: Event, pieces: Sequence[int]) -> int | None:
    """Return by how much an event about some pieces changes a track.

    None where that does not follow from what is printed on the pieces alone.
    """
    step, layout = event.change, known.setting.layout
    assert step is not None
    given = dict(zip((each.name for each in event.causes), pieces, strict=True))
    amount = fixed(_printed(known, step.amount, given), layout.players, layout.settings)
    if amount is None:
        return None
    return amount if step.up else -amount


def _printed(known: Knowledge, amount: ty.Value, given: Mapping[str, int]) -> ty.Value:
    """Return an amount with the numbers that are printed on pieces put in."""

    def number(node: ty.Node) -> ty.Node:
        if not isinstance(node, ty.FieldOf) or node.key is not None:
            return node
        if not isinstance(node.subject, ty.Local) or node.subject.name not in given:
            return node
        entry, _ = known.setting.layout.instances(node.kind)[given[node.subject.name]]
        entries = known.setting.labels.world.kinds[node.kind].entries
        value = entries[entry].values.get((node.field, None))
        return ty.Const(value, type=node.type) if isinstance(value, int) else node

    return ty.rewrite(amount, number)

"""Possible places of the printed pieces of one kind, as far as one viewer knows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeAlias

import attrs

from rulesdsl.interpreter.display.views import Views

Holder: TypeAlias = tuple[str, str]
"""Local with a piece: its procedure and name."""


@attrs.frozen
class ChosenBack:
    """Choice of a piece where it lies: the seat that had looked at it, or -1, and its local."""

    looked: int
    holder: Holder


@attrs.define
class Whereabouts:
    """One viewer's knowledge about the printed pieces of a kind."""

    # The viewer sees a face-down piece as a back in a cell; its face is unknown. So each piece
    # consists of a back, which has a number and a tag, and a face, which may be on the backs with
    # certain tags (`may`). Backs whose faces could be exchanged without the viewer noticing share
    # a tag; the back of a known face has a tag of its own. Shuffling gives one new tag to all
    # backs of a pile with the same print; seeing a face gives its back a new tag.
    #
    # `backs` maps real pieces to backs. If a viewer cannot tell which of several backs left a
    # heap, or how backs lie after a shuffle, the one with the least number is used first: no
    # number, tag or cell depends on anything unknown to the viewer. Constraints between faces are
    # lost unless tags can state them; after `choose`, for example, the fact is lost that exactly
    # one of two faces was there.
    #
    # A copy that turns up may be any one of its `copies`, which are equal to it. It gets the face
    # of the first of them that could lie there, so that no face depends on which one it really is.
    #
    # `prints`, `pieces`, `tags`, `where` (its cell) and `looked_at` (the seats, from 0, that have
    # looked at it in this cell) are indexed by back, `backs`, `faces` and `copies` by real piece,
    # `may` by face. `shown` are the backs of pieces that somebody showed to the viewer where they
    # lie. `chosen` are the backs chosen where they lie; the next piece to leave is one of these.
    # `met` are the faces that the viewer has
    # seen, or knew before the game: others can be inferred at best, as what is not elsewhere.

    prints: Sequence[tuple[object, ...]]
    copies: Sequence[tuple[int, ...]]
    backs: list[int]
    pieces: list[int]
    faces: list[int]
    tags: list[int]
    may: list[frozenset[int]]
    where: list[int]
    looked_at: list[frozenset[int]]
    met: set[int]
    chosen: dict[int, ChosenBack] = attrs.Factory(dict)
    shown: set[int] = attrs.Factory(set)

    @classmethod
    def begin(cls, views: Views, kind: str, where: Sequence[int]) -> Whereabouts:
        """Return the public knowledge before the game: the place of each piece."""
        pieces = range(len(where))
        may, unseen = [frozenset({piece}) for piece in pieces], [frozenset[int]()] * len(where)
        numbers = [*pieces], [*pieces], [*pieces], [*pieces]
        prints = views.backs(kind), views.copies(kind)
        return cls(*prints, *numbers, may, [*where], unseen, {*pieces})

    def knows(self, piece: int) -> bool:
        """Return whether the viewer knows the place of a piece."""
        tag = self.tags[self.backs[piece]]
        return self.may[self.faces[piece]] == {tag} and self.tags.count(tag) == 1

    def recognizes(self, piece: int, run: Collection[int] = ()) -> bool:
        """Return whether the viewer knows what a piece is, if not which of its equal copies.

        They also know that if it is one of several pieces that have just moved, the `run`, if they
        know which pieces these are, though not their order.
        """
        tag, alike = (
            self.tags[self.backs[piece]],
            {self.faces[copy] for copy in self.copies[piece]},
        )
        if all(face in alike for face, tags in enumerate(self.may) if tag in tags):
            return self.faces[piece] in self.met
        backs = {self.backs[other] for other in run}
        faces = {self.faces[other] for other in run}
        possible = frozenset[int]().union(*(self.may[face] for face in faces))
        places = {back for back, other in enumerate(self.tags) if other in possible}
        return bool(run) and places <= backs and faces <= self.met

    def forget(self, cell: int) -> None:
        """Record that the viewer does not know what lies in a cell before the game."""
        lying = self._lying(cell)
        self._mix(lying)
        self.met -= {self.faces[self.pieces[back]] for back in lying}

    @property
    def turned_up(self) -> frozenset[int]:
        """The pieces shown to the viewer whose places are still known."""
        pieces = (self.pieces[back] for back in self.shown)
        return frozenset(piece for piece in pieces if self.knows(piece))

    def _lying(self, cell: int, actor: int = -1) -> list[int]:
        return [
            back
            for back, where in enumerate(self.where)
            if where == cell and (actor < 0 or actor in self.looked_at[back])
        ]

    # ---------------------------------------------------------------- observations
    def see(self, piece: int) -> None:
        """Record that the viewer sees the face of a piece where it lies."""
        self.met.add(self.faces[piece])
        if self.knows(piece):
            return
        new, _, gone = self._retag([self.backs[piece]])
        self.may = [each - gone for each in self.may]
        self.may[self.faces[piece]] = frozenset({new})

    def find(self, cell: int, pieces: Iterable[int], absent: Iterable[int]) -> None:
        """Record that the viewer learns that pieces are in a cell, and that faces are not."""
        backs = [back for back in self._lying(cell) if not self.knows(self.pieces[back])]
        self._mix(backs, fresh=True)
        tags = {self.tags[back] for back in backs}
        for piece in pieces:
            self.may[self.faces[piece]] = frozenset({self.tags[self.backs[piece]]})
            self.met.add(self.faces[piece])
        for face in absent:
            self.may[face] -= tags

    def reveal(self, piece: int, twins: Sequence[int], *, heap: bool) -> None:
        """Record that a piece turns up, or leaves a heap; it may be any one of its twins."""
        if self.knows(piece):
            return
        back, face = self.backs[piece], self.faces[piece]
        by_face = sorted(twins, key=self.faces.__getitem__)
        for twin in by_face if heap else ():  # one that is known to lie there, if any
            other = self.backs[twin]
            if self.knows(twin) and self.where[other] == self.where[back]:
                self.faces[piece], self.faces[twin] = self.faces[twin], face
                self.backs[piece], self.backs[twin] = other, back
                self.pieces[other], self.pieces[back] = piece, twin
                return
        for twin in by_face:
            name, tag = self.faces[twin], self.tags[self.backs[twin]]
            if self.tags[back] in self.may[name] and tag in self.may[face]:
                self.faces[piece], self.faces[twin] = name, face
                return

    def _mix(self, backs: Iterable[int], *, fresh: bool = False) -> None:
        """Give the same tag to all backs with the same print: their faces may be exchanged.

        With `fresh`, no other back has it.
        """
        heaps: dict[object, list[int]] = {}
        for back in backs:
            heaps.setdefault(self.prints[back], []).append(back)
        for heap in heaps.values():
            if fresh or len({self.tags[back] for back in heap}) > 1:
                new, old, gone = self._retag(heap)
                self.may = [(each - gone) | {new} if each & old else each for each in self.may]

    def _retag(self, backs: Sequence[int]) -> tuple[int, set[int], set[int]]:
        """Give backs a new tag; return it, their old tags, and the tags no longer in use."""
        old, new = {self.tags[back] for back in backs}, max(self.tags) + 1
        for back in backs:
            self.tags[back] = new
        return new, old, old.difference(self.tags)

    def _take(self, piece: int, among: Iterable[int]) -> int:
        own = self.backs[piece]
        back = min((e for e in among if self.prints[e] == self.prints[own]), default=own)
        other = self.pieces[back]
        self.backs[piece], self.backs[other] = back, own
        self.pieces[back], self.pieces[own] = piece, other
        return back

    # ---------------------------------------------------------------- moves
    def leave(self, piece: int, *, seen: bool, heap: bool, actor: int) -> Sequence[int]:
        """Record that a piece leaves a cell that is hidden from the viewer.

        Return the backs of which the viewer can no longer tell which is which.
        """
        # In an unordered place (`heap`) any back may have left. In a stack it is known which one
        # left, unless `actor` has looked at several: the actor took one of these. If the face is
        # `seen` in the new place, it was on one of its possible backs.
        back = self.backs[piece]
        if back in self.chosen:
            return ()
        looked = actor in self.looked_at[back]
        beside = self._lying(self.where[back], actor if looked and not heap else -1)
        if not heap and not looked:
            beside = [back]
        if seen:
            beside = [each for each in beside if self.tags[each] in self.may[self.faces[piece]]]
        self._mix(beside)
        self._take(piece, beside)
        self.chosen = {each: by for each, by in self.chosen.items() if each not in beside}
        return beside

    def lie_in(self, piece: int, cell: int) -> None:
        """Record the new cell of a piece."""
        back = self.backs[piece]
        self.where[back] = cell
        self.looked_at[back] = frozenset()
        self.shown.discard(back)
        self.chosen.pop(back, None)

    def choose(
        self,
        piece: int,
        faces: Collection[int],
        looked: int,
        holder: Holder,
        compared: Collection[str] = (),
    ) -> Sequence[int]:
        """Record that another seat, or chance, has chosen a piece without moving it.

        It is compared with the pieces in these locals. Return the backs of which the viewer can no
        longer tell which is which.
        """
        # The viewer knows only that its face is one of `faces`, and that the seat `looked` had
        # looked at it before (-1: no seat had). It may be one that was chosen earlier, unless the
        # rules compare it with that one.
        back = self.backs[piece]
        cell = self.where[back]
        others = {(holder[0], name) for name in compared}
        earlier = [other for other in self.chosen if self.where[other] == cell]
        for other in earlier:
            if self.chosen[other].holder not in others:
                del self.chosen[other]
        if back in self.chosen:
            return ()
        looked = looked if looked in self.looked_at[back] else -1
        beside = [e for e in self._lying(self.where[back], looked) if e not in self.chosen]
        self._mix(beside)
        back = self._take(piece, beside)
        self.chosen[back] = ChosenBack(looked, holder)
        tag = self.tags[back]
        fit = [face for face in faces if tag in self.may[face]]
        if any(tag in each for face, each in enumerate(self.may) if face not in fit) and fit:
            new, _, gone = self._retag([back])
            for face in fit:
                self.may[face] |= {new}
            self.may = [each - gone for each in self.may]
        return beside if earlier else ()

    def exchangeable(
        self, backs: Sequence[int], hidden: Collection[int], used: Collection[int]
    ) -> Iterator[list[int]]:
        """Yield the indexes of hidden backs in a stack that the viewer cannot tell apart.

        Groups without a back that is `used` in a frame or chosen are left out.
        """
        if not used and not self.chosen:
            return
        spots = [(at, back) for at, back in enumerate(backs) if back in hidden]
        for tag in {self.tags[back] for back in used}:
            yield [at for at, back in spots if self.tags[back] == tag]
        for one in sorted(self.chosen.keys() & backs):
            seat, print_ = self.chosen[one].looked, self.prints[one]
            alike = ((at, back) for at, back in spots if self.prints[back] == print_)
            yield [at for at, back in alike if seat < 0 or seat in self.looked_at[back]]

    def shuffle(self, cell: int, order: Sequence[int]) -> list[int]:
        """Record the shuffle of a cell that is hidden from the viewer; return its backs."""
        lying = sorted(self.backs[piece] for piece in order)
        mixed = [*lying]
        self._mix(lying)
        for piece in order:  # from the bottom, least number first
            lying.remove(self._take(piece, lying))
        for piece in order:
            self.lie_in(piece, cell)
        return mixed

"""The possible places of the printed pieces of one kind, as far as one viewer can know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import attrs

Back = tuple[object, ...]


@attrs.define
class Whereabouts:
    """The knowledge that a viewer has of the pieces of one kind.

    A piece that lies face down is a back in a spot; its face is another question.  So each piece
    is two things here: a back, which has a number of its own and a tag, and a face, which may be
    on the backs of some tags (`may`).  Backs whose faces a viewer could exchange without noticing
    carry the same tag.  A face that is known has a tag of its own.

    `backs` says which back belongs to which real piece.  Where a viewer cannot tell which of
    several backs left a heap or how they lie after a shuffle, the first number is taken:
    no number, tag or place depends on what the viewer does not know.
    """

    prints: Sequence[Back]
    """The print on each back, by its number."""
    backs: list[int]
    """The back of each piece."""
    pieces: list[int]
    """The piece of each back."""
    tags: list[int]
    may: list[frozenset[int]]
    """For each face, the tags of the backs that it may be on."""
    where: list[int]
    """The cell in which each back lies."""
    looked_at: list[frozenset[int]]
    """The seats (from 0) that have looked at a back where it lies."""
    chosen: set[int] = attrs.Factory(set)
    """Backs that somebody has chosen where they lie: if a piece leaves, it is one of these."""
    _fresh: int = 0
    _count: Counter[int] = attrs.Factory(Counter)

    @classmethod
    def begin(cls, prints: Sequence[Back], where: Sequence[int]) -> Whereabouts:
        """Return what everybody knows before the game: where each piece is."""
        many = range(len(where))
        unseen: list[frozenset[int]] = [frozenset()] * len(where)
        tags, may = list(many), [frozenset({each}) for each in many]
        known = (prints, list(many), list(many), tags, may, list(where), unseen)
        return cls(*known, fresh=len(where), count=Counter(many))

    def clone(self) -> Whereabouts:
        """Return an independent copy."""
        return attrs.evolve(
            self,
            backs=list(self.backs),
            pieces=list(self.pieces),
            tags=list(self.tags),
            may=list(self.may),
            where=list(self.where),
            looked_at=list(self.looked_at),
            chosen={*self.chosen},
            fresh=self._fresh,
            count=Counter(self._count),
        )

    def knows(self, piece: int) -> bool:
        """Whether the viewer knows for sure where a piece is."""
        tag = self.tags[self.backs[piece]]
        return self._count[tag] == 1 and self.may[piece] == {tag}

    def _lying(self, cell: int) -> list[int]:
        return [back for back, where in enumerate(self.where) if where == cell]

    # ---------------------------------------------------------------- what a viewer learns
    def see(self, piece: int) -> None:
        """Record that the viewer sees the face of a piece, where it lies."""
        if self.knows(piece):
            return
        tag = self.tags[self.backs[piece]]
        new = self._tag_of_its_own(self.backs[piece])
        self.may = [each - {tag} if not self._count[tag] else each for each in self.may]
        self.may[piece] = frozenset({new})

    def _mix(self, backs: Iterable[int]) -> None:
        """Give one tag to all backs with the same print: their faces may be exchanged."""
        heaps: dict[Back, list[int]] = {}
        for back in backs:
            heaps.setdefault(self.prints[back], []).append(back)
        for heap in heaps.values():
            old = {self.tags[back] for back in heap}
            if len(old) > 1:
                self._tag_alike(heap, old)

    def _tag_alike(self, heap: list[int], old: set[int]) -> None:
        for back in heap:
            self._count[self.tags[back]] -= 1
        gone = {tag for tag in old if not self._count[tag]}
        new, self._fresh = self._fresh, self._fresh + 1
        for back in heap:
            self.tags[back] = new
        self._count[new] = len(heap)
        self.may = [(each - gone) | {new} if each & old else each for each in self.may]

    def _tag_of_its_own(self, back: int) -> int:
        self._count[self.tags[back]] -= 1
        new, self._fresh = self._fresh, self._fresh + 1
        self.tags[back] = new
        self._count[new] = 1
        return new

    def _take(self, piece: int, among: Iterable[int]) -> int:
        """Let a piece be the first of some backs that look like its own; return which it is."""
        own = self.backs[piece]
        back = min((e for e in among if self.prints[e] == self.prints[own]), default=own)
        other = self.pieces[back]
        self.backs[piece], self.backs[other] = back, own
        self.pieces[back], self.pieces[own] = piece, other
        return back

    # ---------------------------------------------------------------- moves
    def leave(self, piece: int, *, seen: bool, heap: bool, actor: int) -> None:
        """Record that a piece leaves a cell that the viewer does not see into.

        Of a `heap` without order nobody can tell which back went.  In a stack that is known, but
        not of those that `actor` had looked at before: they took one of these.  If its face is
        `seen` where it goes, it was one of the backs on which that face may have been.
        """
        back = self.backs[piece]
        if back in self.chosen:
            return
        beside = self._lying(self.where[back])
        if not heap:
            looked = actor in self.looked_at[back]
            beside = [e for e in beside if actor in self.looked_at[e]] if looked else [back]
        if seen:
            beside = [each for each in beside if self.tags[each] in self.may[piece]]
        self._mix(beside)
        self._take(piece, beside)
        self.chosen.difference_update(beside)

    def lie_in(self, piece: int, cell: int) -> None:
        """Record that a piece is in a cell from now on."""
        back = self.backs[piece]
        self.where[back] = cell
        self.looked_at[back] = frozenset()
        self.chosen.discard(back)

    def look(self, pieces: Iterable[int], actor: int) -> None:
        """Record that a seat other than the viewer looks at pieces where they lie."""
        for piece in pieces:
            self.looked_at[self.backs[piece]] |= {actor}

    def choose(self, piece: int, faces: Collection[int], looked: int) -> None:
        """Record that another seat, or chance, has chosen a piece where it lies.

        The viewer knows only that its face is one of `faces`, and that a seat had `looked` at it
        before, if that is not -1.
        """
        back = self.backs[piece]
        if back in self.chosen:
            return
        beside = self._lying(self.where[back])
        if looked in self.looked_at[back]:
            beside = [each for each in beside if looked in self.looked_at[each]]
        beside = [each for each in beside if each not in self.chosen]
        self._mix(beside)
        back = self._take(piece, beside)
        self.chosen.add(back)
        tag = self.tags[back]
        fit = [face for face in faces if tag in self.may[face]]
        if any(tag in each for face, each in enumerate(self.may) if face not in fit) and fit:
            new = self._tag_of_its_own(back)
            for face in fit:
                self.may[face] |= {new}
            if not self._count[tag]:
                self.may = [each - {tag} for each in self.may]

    def shuffle(self, cell: int, order: Sequence[int]) -> None:
        """Record that the pieces in a cell are shuffled that the viewer does not see into."""
        lying = self._lying(cell)
        self._mix(lying)
        for piece in order:  # from the bottom on, the first number comes first
            lying.remove(self._take(piece, lying))
        for piece in order:
            self.looked_at[self.backs[piece]] = frozenset()
            self.chosen.discard(self.backs[piece])

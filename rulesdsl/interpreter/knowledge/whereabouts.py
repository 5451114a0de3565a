"""Where the printed pieces of one kind may be, as far as one viewer can know."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import attrs

Back = tuple[object, ...]


@attrs.define
class Whereabouts:
    """What a viewer knows of the pieces of one kind.

    On the table, a piece that lies face down is a back in a spot; which face it has is another
    question.  So each piece is two things here: a back, which carries a tag (`tags`, by the number
    of the piece that it really is), and a face, which may be on the backs of some tags (`may`).
    Backs whose faces a viewer could exchange without noticing carry the same tag.  A face that is
    known has a tag of its own.

    Nothing here depends on what the viewer does not know: in two worlds that look the same to
    them, the same tags lie in the same spots, and the same faces may be there.
    """

    backs: Sequence[Back]
    """What is printed on the back of each piece."""
    tags: list[int]
    may: list[frozenset[int]]
    where: list[int]
    """The cell in which each piece lies."""
    looked_at: list[frozenset[int]]
    """Which seats (from 0) have looked at a piece where it lies."""
    _fresh: int
    _count: Counter[int]

    @classmethod
    def begin(cls, backs: Sequence[Back], where: Sequence[int]) -> Whereabouts:
        """Return what everybody knows before the game: where each piece is."""
        many = range(len(where))
        tags, may = list(many), [frozenset({each}) for each in many]
        unseen: list[frozenset[int]] = [frozenset()] * len(where)
        return cls(backs, tags, may, list(where), unseen, len(where), Counter(many))

    def clone(self) -> Whereabouts:
        """Return another one that goes on by itself."""
        return attrs.evolve(
            self,
            tags=list(self.tags),
            may=list(self.may),
            where=list(self.where),
            looked_at=list(self.looked_at),
            fresh=self._fresh,
            count=Counter(self._count),
        )

    def lying(self, cell: int) -> list[int]:
        """Return the pieces in a cell."""
        return [piece for piece, where in enumerate(self.where) if where == cell]

    def knows(self, piece: int) -> bool:
        """Whether the viewer knows for sure where a piece is."""
        tag = self.tags[piece]
        return self._count[tag] == 1 and self.may[piece] == {tag}

    def is_closed(self, cell: int) -> bool:
        """Whether the viewer knows of all pieces in a cell that they are there."""
        lying = self.lying(cell)
        tags = {self.tags[each] for each in lying}
        some = [each for each in self.may if each & tags]
        return len(some) == len(lying) and all(each <= tags for each in some)

    # ---------------------------------------------------------------- what a viewer learns
    def see(self, piece: int) -> None:
        """Take in that the viewer sees the face of a piece, where it lies."""
        if self.knows(piece):
            return
        tag = self.tags[piece]
        new = self._tag_of_its_own(piece)
        self.may = [each - {tag} if not self._count[tag] else each for each in self.may]
        self.may[piece] = frozenset({new})

    def mix(self, pieces: Iterable[int]) -> bool:
        """Take in that the viewer can no longer tell pieces with the same back apart.

        Returns whether they could.
        """
        heaps: dict[Back, list[int]] = {}
        for piece in pieces:
            heaps.setdefault(self.backs[piece], []).append(piece)
        apart = False
        for heap in heaps.values():
            old = {self.tags[piece] for piece in heap}
            if len(old) > 1:
                self._tag_alike(heap, old)
                apart = True
        return apart

    def _tag_alike(self, heap: list[int], old: set[int]) -> None:
        for piece in heap:
            self._count[self.tags[piece]] -= 1
        gone = {tag for tag in old if not self._count[tag]}
        new, self._fresh = self._fresh, self._fresh + 1
        for piece in heap:
            self.tags[piece] = new
        self._count[new] = len(heap)
        self.may = [(each - gone) | {new} if each & old else each for each in self.may]

    def _tag_of_its_own(self, piece: int) -> int:
        self._count[self.tags[piece]] -= 1
        new, self._fresh = self._fresh, self._fresh + 1
        self.tags[piece] = new
        self._count[new] = 1
        return new

    # ---------------------------------------------------------------- moves
    def leave(self, piece: int, *, seen: bool, heap: bool, actor: int) -> bool:
        """Take in that a piece leaves a cell that the viewer does not see into.

        Of a `heap` without order nobody can tell which back went.  In a stack that is known, but
        not of those that `actor` had looked at before: they took one of these.  If its face is
        `seen` where it goes, it was one of the backs on which that face may have been.

        Returns whether the order of a stack is lost that the viewer knew something of: the others
        lie in it as before, which tags cannot say.
        """
        beside = self.lying(self.where[piece])
        if not heap:
            looked = actor in self.looked_at[piece]
            beside = [e for e in beside if actor in self.looked_at[e]] if looked else [piece]
        if seen:
            beside = [each for each in beside if self.tags[each] in self.may[piece]]
        return self.mix(beside) and not heap

    def lie_in(self, piece: int, cell: int) -> None:
        """Take in that a piece is in a cell from now on."""
        self.where[piece] = cell
        self.looked_at[piece] = frozenset()

    def look(self, pieces: Iterable[int], actor: int) -> None:
        """Take in that a seat other than the viewer looks at pieces where they lie."""
        for piece in pieces:
            self.looked_at[piece] |= {actor}

    def shuffle(self, cell: int) -> None:
        """Take in that pieces in a cell are shuffled that the viewer does not see into."""
        lying = self.lying(cell)
        self.mix(lying)
        for piece in lying:
            self.looked_at[piece] = frozenset()

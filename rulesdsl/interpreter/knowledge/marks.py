"""One player's knowledge of the marks on face-down pieces: flags and tracks per piece."""

from __future__ import annotations

from collections.abc import Collection

import attrs


@attrs.frozen
class MarkArray:
    """The cells of a flag or track with one printed piece among its indexes."""

    field: str  # its flat name
    kind: str
    stride: int  # between the cells of two pieces
    size: int  # number of pieces
    low: int
    high: int

    def split(self, index: int) -> tuple[int, int]:
        """Return the cell of piece 0 with the same other indexes, and the piece of a cell."""
        piece = index // self.stride % self.size
        return index - piece * self.stride, piece


@attrs.define
class UnseenChange:
    """An addition of `by` at `rest` for one of several backs; it is not known for which."""

    name: str
    rest: int
    by: int
    backs: list[int]


@attrs.define
class KnownMarks:
    """Marks as a player knows them: values seen on pieces, and changes on one of several backs."""

    # `real` has the true values by name, rest and real piece, which are seen once a piece is;
    # `seen` has the known ones by name, rest and face. Nobody but those who see a change that
    # depends on hidden conditions knows of it.

    arrays: dict[str, MarkArray]
    real: dict[tuple[str, int, int], int] = attrs.Factory(dict)
    seen: dict[tuple[str, int, int], int] = attrs.Factory(dict)
    unseen: list[UnseenChange] = attrs.Factory(list)

    def change(self, name: str, index: int, by: int) -> None:
        """Record the true change of a mark."""
        array, key = self.arrays[name], (name, *self.arrays[name].split(index))
        self.real[key] = min(max(self.real.get(key, array.low) + by, array.low), array.high)

    def are_alike(self, kind: str, one: int, other: int) -> bool:
        """Return whether two pieces have the same true marks."""
        rests = {(name, rest) for name, rest, _ in self.real if self.arrays[name].kind == kind}
        return all(self.real.get((*at, one)) == self.real.get((*at, other)) for at in rests)

    def see(self, name: str, rest: int, piece: int, face: int) -> int:
        """Record that the player knows the true mark of a piece; return how much is new."""
        before = self.seen.get((name, rest, face), self.arrays[name].low)
        self.seen[name, rest, face] = value = self.real[name, rest, piece]
        return value - before

    def see_all(self, kind: str, piece: int, face: int, back: int) -> None:
        """Record that the player sees all marks of a piece, and so resolve unseen changes."""
        for name, rest, marked in self.real:
            if marked == piece and self.arrays[name].kind == kind:
                self._resolve(name, rest, back, self.see(name, rest, piece, face))
        for change in self.unseen:
            if self.arrays[change.name].kind == kind:
                change.backs = [other for other in change.backs if other != back]
        self.unseen = [change for change in self.unseen if change.backs]

    def _resolve(self, name: str, rest: int, back: int, by: int) -> None:
        """Drop the first unseen changes that account for a visible one."""
        for change in [*self.unseen]:
            mine = (change.name, change.rest) == (name, rest) and back in change.backs
            if mine and by * change.by > 0:
                self.unseen.remove(change)
                by -= change.by

    def blur(self, kind: str, beside: Collection[int]) -> None:
        """Record that the player cannot tell any longer which of these backs is which."""
        for change in self.unseen:
            if self.arrays[change.name].kind == kind and not {*beside}.isdisjoint(change.backs):
                change.backs = sorted({*change.backs, *beside})

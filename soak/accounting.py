"""Counts every piece, place and track of a state, apart from the engine's own book-keeping.

What a state must hold is worked out here from the declarations alone: so many pieces of a kind
for each owner, each in exactly one place, every track within its bounds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.pynodes import identifier

if TYPE_CHECKING:
    from rulesdsl.check.world import PieceInfo
    from rulesdsl.lower.layout import Layout

OWNED = {"seat", "player"}


class NotAccounted(AssertionError):  # noqa: N818 - says what is wrong with a state
    """A piece is missing, doubled or nowhere, or a track is out of its bounds."""


@attrs.frozen
class Heap:
    """Cells of counted pieces that hold the same owner's, and how many there must be."""

    field: str
    cells: tuple[int, ...]
    count: int
    about: str


@attrs.frozen
class Single:
    """A piece of which there is one, or one a seat."""

    field: str
    owners: int  # 0: nobody's
    cells: int


@attrs.frozen
class Printed:
    """Pieces with something printed on them: piles and where each piece lies."""

    piles: str
    where: str
    count: int


@attrs.frozen
class Bounded:
    """A track or a flag with its bounds."""

    field: str
    low: int
    high: int


class Accounts:
    """What the states of one setting must hold."""

    def __init__(self, layout: Layout) -> None:
        self.heaps: list[Heap] = []
        self.singles: list[Single] = []
        self.printed: list[Printed] = []
        self.bounded: list[Bounded] = []
        for piece in layout.world.pieces.values():
            self._piece(layout, piece)
        for track in layout.world.tracks.values():
            field = identifier(track.name, "t_")
            self.bounded.append(Bounded(field, track.low, track.high))
        for flag in layout.world.flags.values():
            self.bounded.append(Bounded(identifier(flag.name, "f_"), 0, 1))

    def _piece(self, layout: Layout, piece: PieceInfo) -> None:
        owners = _owners(layout, piece)
        cells = layout.cells(piece.name)
        if piece.style == "counted":
            by_owner: dict[int, list[int]] = {}
            for code in range(cells):
                by_owner.setdefault(_owner_of_cell(layout, piece, code), []).append(code)
            for owner, codes in by_owner.items():
                count = piece.count if owner < owners or not piece.owned else 0
                about = f"{piece.plural} of seat {owner + 1}" if piece.owned else piece.plural
                field = identifier(piece.name, "n_")
                self.heaps.append(Heap(field, tuple(codes), count, about))
        elif piece.style == "single":
            name = identifier(piece.name, "s_")
            self.singles.append(Single(name, owners if piece.owned else 0, cells))
        else:
            entries = layout.world.kinds[piece.name].entries
            count = sum(entry.copies for entry in entries) * piece.count * owners
            piles, where = identifier(piece.name, "l_"), identifier(piece.name, "w_")
            self.printed.append(Printed(piles, where, count))

    def check(self, st: Any) -> None:  # noqa: ANN401 - the class is made at run time
        """Raise NotAccounted where the state does not hold what it must."""
        for heap in self.heaps:
            cells = getattr(st, heap.field)
            total = 0
            for code in heap.cells:
                count = cells[code]
                if count < 0:
                    raise NotAccounted(f"{heap.about}: {count} in cell {code}")
                total += count
            if total != heap.count:
                raise NotAccounted(f"{heap.about}: {total} of {heap.count}")
        for single in self.singles:
            _check_single(single, getattr(st, single.field))
        for printed in self.printed:
            _check_printed(printed, getattr(st, printed.piles), getattr(st, printed.where))
        for bounded in self.bounded:
            cells = getattr(st, bounded.field)
            if isinstance(cells, int):
                cells = (cells,)
            if cells and not bounded.low <= min(cells) <= max(cells) <= bounded.high:
                raise NotAccounted(f"{bounded.field}: {cells} not in {bounded}")


def _owners(layout: Layout, piece: PieceInfo) -> int:
    if piece.per is None:
        return 1
    return layout.players if piece.per == "player" else layout.players + len(layout.rivals)


def _owner_of_cell(layout: Layout, piece: PieceInfo, code: int) -> int:
    if not piece.owned:
        return 0
    place, dims = layout.place_of(piece.name, code)
    at = place.owner_dim
    return dims[-1] if at is None else dims[at]


def _check_single(single: Single, where: Any) -> None:  # noqa: ANN401
    cells = [where] if isinstance(where, int) else where[: single.owners]
    beyond = [] if isinstance(where, int) else where[single.owners :]
    if any(not 0 <= code < single.cells for code in cells) or any(at != -1 for at in beyond):
        raise NotAccounted(f"{single.field}: {where}")


def _check_printed(printed: Printed, piles: list[list[int]], where: list[int]) -> None:
    if len(where) != printed.count:
        raise NotAccounted(f"{printed.where}: {len(where)} of {printed.count}")
    found = 0
    for code, pile in enumerate(piles):
        for piece in pile:
            if where[piece] != code:
                raise NotAccounted(
                    f"{printed.piles}: piece {piece} in {code}, {where[piece]} said"
                )
        found += len(pile)
        if len(set(pile)) != len(pile):
            raise NotAccounted(f"{printed.piles}: a piece twice in cell {code}")
    if found != printed.count:
        raise NotAccounted(f"{printed.piles}: {found} of {printed.count}")

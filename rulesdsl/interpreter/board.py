"""The board: what the content shows together, as text for somebody."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.declare.names import title_of
from rulesdsl.lower.layout import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesdsl.check.world import FlagInfo, PlaceInfo, TrackInfo
    from rulesdsl.interpreter.views import View
    from rulesdsl.syntax.declarations import PanelDecl

MAX_ROWS = 7
Row = tuple[str, str]


@attrs.frozen
class BoardPanel:
    """What the board shows together. `seat`: player number from 1, None for what is shared."""

    title: str
    seat: int | None
    rows: tuple[tuple[str, str], ...]


class Board:
    """Shows a state to a viewer."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.labels = view.labels
        self.layout = view.layout
        self.world = view.world

    def panels(self) -> tuple[BoardPanel, ...]:
        """Return the panels that the content declares."""
        panels: list[BoardPanel] = []
        for panel in self.world.panels:
            for seat in self._seats(panel):
                rows: list[Row] = []
                for shown in panel.shown:
                    rows.extend(self._rows(self.world.singular(shown.text), seat))
                title = panel.title if panel.per is None else self.labels.seats[seat or 0]
                panels.append(BoardPanel(title, None if seat is None else seat + 1, tuple(rows)))
        return tuple(panels)

    def _seats(self, panel: PanelDecl) -> Sequence[int | None]:
        """Return the seats that a panel is shown for; none for a rival that is not there."""
        layout = self.layout
        if panel.rival is not None:
            rival = panel.rival.text
            there = rival in layout.rivals
            return [layout.players + layout.rivals.index(rival)] if there else []
        if panel.per is not None:
            return range(layout.seats if panel.per.text == "seat" else layout.players)
        return [None]

    def _rows(self, name: str, seat: int | None) -> list[Row]:
        world = self.world
        if name in world.places:
            return self._place_rows(world.places[name], seat)
        if name in world.tracks:
            return self._track_rows(world.tracks[name], seat)
        if name in world.pieces:
            return self._piece_rows(name, seat)
        if name in world.flags:
            return [self._flag_row(world.flags[name], seat)]
        return [self._value_row(name, seat)]

    # ---------------------------------------------------------------- places
    def _place_rows(self, place: PlaceInfo, seat: int | None) -> list[Row]:
        cells = self._lying(place, seat)
        if not place.dims or (seat is not None and len(place.dims) == 1):
            said = ", ".join(text for texts in cells.values() for text in texts)
            return [(place.title, said or "-")]
        rows = [(dims, ", ".join(texts)) for dims, texts in sorted(cells.items())]
        if len(rows) <= MAX_ROWS and seat is None:
            return [(self._cell_title(place, dims), text or "-") for dims, text in rows]
        filled = [f"{self._cell_name(place, dims)}: {text}" for dims, text in rows if text]
        return [(place.title, "; ".join(filled) or "-")]

    def _cell_title(self, place: PlaceInfo, dims: tuple[int, ...]) -> str:
        name = self._cell_name(place, dims)
        return name if place.table else f"{place.title} {name}".strip()

    def _cell_name(self, place: PlaceInfo, dims: tuple[int, ...]) -> str:
        names = [
            self.world.kinds[dim].entries[at].title
            for dim, at in zip(place.dims, dims, strict=False)
            if dim not in SEATS
        ]
        return names[0] if place.table else ", ".join(names)

    def _lying(self, place: PlaceInfo, seat: int | None) -> dict[tuple[int, ...], list[str]]:
        """Return what lies in each cell of a place, of a seat or of all."""
        found: dict[tuple[int, ...], list[str]] = {}
        depth, owner_at = len(place.dims), place.owner_dim
        for piece in place.holds:
            for code, (where, dims) in enumerate(self.view.views.places[piece]):
                if where is place and (seat is None or owner_at is None or dims[owner_at] == seat):
                    owner = dims[depth] if len(dims) > depth else None
                    found.setdefault(dims[:depth], []).extend(self._pieces(piece, code, owner))
        return found

    def _pieces(self, piece: str, code: int, owner: int | None) -> list[str]:
        """Return what lies in a cell."""
        match self.world.pieces[piece].style:
            case "counted":
                count = self.view.cells(f"n:{piece}")[code]
                return [self._counted(piece, count, owner)] if count else []
            case "single":
                return [title for title, at in self._singles(piece) if at == code]
            case _:
                return self._named(piece, code, self.view.cells(f"l:{piece}")[code])

    def _counted(self, piece: str, count: int, owner: int | None) -> str:
        info = self.world.pieces[piece]
        noun = info.name if count == 1 else info.plural
        of = "" if owner is None else f" of {self.labels.seats[owner]}"
        return f"{count} {noun.replace('-', ' ')}{of}"

    def _singles(self, piece: str) -> Iterator[tuple[str, int]]:
        """Yield the only pieces of a kind, one or one for each seat, and their cells."""
        where = self.view.cells(f"s:{piece}")
        for owner, at in enumerate([where] if isinstance(where, int) else where):
            yield self.labels.single(piece, owner), at

    def _named(self, piece: str, code: int, pile: list[int]) -> list[str]:
        if not pile:
            return []
        if not self.view.sees(piece, code):
            return [self._counted(piece, len(pile), None) + self._backs(piece, pile)]
        said = [
            self.labels.printed(piece, at).title
            + self.labels.whose(piece, at, code)
            + self._marks(piece, at)
            for at in pile
        ]
        if self.view.views.places[piece][code][0].stack:
            return said
        return [f"{each} ({n})" if n > 1 else each for each, n in Counter(said).items()]

    def _backs(self, piece: str, pile: list[int]) -> str:
        """Return how many hidden pieces bear what on their backs, in brackets."""
        if not self.view.has_back(piece):
            return ""
        counts = Counter(self.labels.back(piece, at) or "nothing" for at in pile)
        if len(counts) == 1:
            return f" ({next(iter(counts))})"
        return f" ({', '.join(f'{count} {back}' for back, count in counts.items())})"

    def _marks(self, piece: str, at: int) -> str:
        marks = [
            flag.name
            for flag in self.world.flags.values()
            if flag.dims == (piece,)
            and flag.during is None
            and self.view.cells(f"f:{flag.name}")[at]
        ]
        return f" ({', '.join(marks)})" if marks else ""

    # ---------------------------------------------------------------- what is no place
    def _track_rows(self, track: TrackInfo, seat: int | None) -> list[Row]:
        values = self.view.track(track)
        if not isinstance(values, list):
            return [(track.title, _said(values))]
        cells = self._of_seat(track.dims, values, seat)
        words = [f"{name} {_said(value)}" if name else _said(value) for name, value in cells]
        return [(track.title, ", ".join(words))]

    def _flag_row(self, flag: FlagInfo, seat: int | None) -> Row:
        """Return what is marked; of what lies hidden, nobody is told."""
        cells = self.view.cells(f"f:{flag.name}")
        marks = [cells] if isinstance(cells, int) else self.view.marked(flag, cells)
        found = [name or "yes" for name, on in self._of_seat(flag.dims, marks, seat) if on]
        alone = all(dim in SEATS for dim in flag.dims) and (seat is not None or not flag.dims)
        return title_of(flag.name), ", ".join(found) or ("no" if alone else "-")

    def _of_seat(
        self, dims: tuple[str, ...], cells: Sequence[int | None], seat: int | None
    ) -> Iterator[tuple[str, int | None]]:
        """Yield the cells of a seat, or all, each with the names that tell it from the others."""
        for at, value in enumerate(cells):
            where = self.layout.indexes(dims, at)
            if seat is None or all(dim not in SEATS or index == seat for dim, index in where):
                told = [each for each in where if seat is None or each[0] not in SEATS]
                yield ", ".join(self.labels.named(*each) for each in told), value

    def _piece_rows(self, piece: str, seat: int | None) -> list[Row]:
        info = self.world.pieces[piece]
        if info.style != "single":
            return []
        if info.owned and seat is not None:
            return [(info.title, self.labels.cell(piece, self.view.cells(f"s:{piece}")[seat]))]
        singles = self._singles(piece)
        return [(title, self.labels.cell(piece, at)) for title, at in singles if at >= 0]

    def _value_row(self, name: str, seat: int | None) -> Row:
        value = self.world.values[name]
        layer = len(value.hooks)
        eyes, owner = self.view.views.visibility.value_eyes(name, layer)
        mine = seat is not None and self.view.viewer == seat + 1
        if eyes is not None and not (owner in eyes and mine):
            return title_of(name), "?"
        body = self.labels.program.values[name, layer]
        arguments = [seat or 0] if body.me is not None or value.params else []
        found = self.labels.engine.value(name, layer, self.view.st, *arguments)
        return title_of(name), self.labels.shown(body.body.type, found)


def _said(value: object) -> str:
    return "?" if value is None else str(value)

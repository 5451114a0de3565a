"""What somebody may see: views as plain data, and the board as text."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check.declare.names import title_of
from rulesdsl.check.visibility import Visibility
from rulesdsl.interpreter import pynodes as py
from rulesdsl.lower.layout import SEATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesdsl.check.world import FlagInfo, PlaceInfo, TrackInfo
    from rulesdsl.interpreter.labels import Labels

MOST_ROWS = 7


@attrs.frozen
class BoardPanel:
    """What the board shows together. `seat`: player number from 1, None for what is shared."""

    title: str
    seat: int | None
    rows: tuple[tuple[str, str], ...]


class Views:
    """Reads a state with the eyes of a player (from 1) or of somebody who only watches (None)."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.layout = labels.layout
        self.world = labels.world
        self._visibility = Visibility(labels.program)
        self._eyes = {name: self.layout.watchers(name) for name in self.world.pieces}
        self._cells: dict[str, list[tuple[PlaceInfo, tuple[int, ...]]]] = {
            name: [self.layout.place_of(name, code) for code in range(self.layout.cells(name))]
            for name in self.world.pieces
        }

    # ---------------------------------------------------------------- data
    def view(self, st: Any, viewer: int | None) -> dict[str, object]:  # noqa: ANN401
        """Return everything that a viewer may know as plain data."""
        found: dict[str, object] = {}
        for name, piece in self.world.pieces.items():
            match piece.style:
                case "counted":
                    found[name] = list(getattr(st, py.identifier(name, "n_")))
                case "single":
                    where = getattr(st, py.identifier(name, "s_"))
                    found[name] = where if isinstance(where, int) else list(where)
                case _:
                    piles = getattr(st, py.identifier(name, "l_"))
                    found[name] = [
                        self._pile(name, code, pile, viewer) for code, pile in enumerate(piles)
                    ]
        for track in self.world.tracks.values():
            found[track.name] = self._track(st, track, viewer)
        for flag in self.world.flags.values():
            cells = getattr(st, py.identifier(flag.name, "f_"))
            whole = isinstance(cells, int)
            found[f"{flag.name}?"] = cells if whole else self._marked(st, flag, cells, viewer)
        return found

    def _marked(
        self,
        st: Any,  # noqa: ANN401
        flag: FlagInfo | TrackInfo,
        cells: list[int],
        viewer: int | None,
    ) -> list[int | None]:
        """Return the cells of a flag or track; a piece that lies hidden hides its own."""
        eyes = {
            dim: [self.sees(dim, code, viewer) for code in getattr(st, py.identifier(dim, "w_"))]
            for dim in flag.dims
            if dim in self.world.pieces and self.world.pieces[dim].style == "printed"
        }
        indexes = (self.layout.indexes(flag.dims, at) for at in range(len(cells)))
        seen = (all(eyes[dim][at] for dim, at in each if dim in eyes) for each in indexes)
        return [value if each else None for value, each in zip(cells, seen, strict=True)]

    def sees(self, piece: str, code: int, viewer: int | None) -> bool:
        """Whether a viewer sees what lies in a cell."""
        return self._eyes[piece][code] in {None, viewer or -1}

    def _pile(self, piece: str, code: int, pile: list[int], viewer: int | None) -> object:
        place, _ = self._cells[piece][code]
        if not self.sees(piece, code, viewer):
            if not self._has_back(piece):
                return len(pile)
            backs = [self.labels.back(piece, at) for at in pile]
            return backs if place.stack else sorted(backs)
        entries = self.world.kinds[piece].entries
        instances = self.layout.instances(piece)
        names = [f"{entries[instances[at][0]].name}#{at}" for at in pile]
        return names if place.stack else sorted(names)

    def _has_back(self, piece: str) -> bool:
        return any(field.back for field in self.world.kinds[piece].fields.values())

    def _track(self, st: Any, track: TrackInfo, viewer: int | None) -> object:  # noqa: ANN401
        cells = getattr(st, py.identifier(track.name, "t_"))
        if isinstance(cells, int):
            return cells if track.seen_by is None else None
        seen = self._marked(st, track, cells, viewer)
        if track.seen_by is None:
            return seen
        own = viewer - 1 if track.seen_by == "owner" and viewer is not None else -1
        owner = self.layout.owner_of
        return [value if owner(track.dims, at) == own else None for at, value in enumerate(seen)]

    # ---------------------------------------------------------------- the board
    def board(self, st: Any, viewer: int | None) -> tuple[BoardPanel, ...]:  # noqa: ANN401
        """Return the panels that the content declares."""
        panels: list[BoardPanel] = []
        for panel in self.world.panels:
            seats: list[int | None] = [None]
            if panel.per is not None:
                whole = panel.per.text == "seat"
                seats = list(range(self.layout.seats if whole else self.layout.players))
            if panel.rival is not None:
                seats = list(self._seats_of(panel.rival.text))
            for seat in seats:
                rows: list[tuple[str, str]] = []
                for shown in panel.shown:
                    name = self.world.singular(shown.text)
                    rows.extend(self._rows(st, name, seat, viewer))
                title = panel.title if panel.per is None else self.labels.seats[seat or 0]
                panels.append(BoardPanel(title, None if seat is None else seat + 1, tuple(rows)))
        return tuple(panels)

    def _seats_of(self, rival: str) -> Iterator[int]:
        """Yield the seat of a rival; none where it is not at the table."""
        if rival in self.layout.rivals:
            yield self.layout.players + self.layout.rivals.index(rival)

    def _rows(
        self,
        st: Any,  # noqa: ANN401
        name: str,
        seat: int | None,
        viewer: int | None,
    ) -> list[tuple[str, str]]:
        world = self.world
        if name in world.places:
            return self._place_rows(st, world.places[name], seat, viewer)
        if name in world.tracks:
            return self._track_rows(st, world.tracks[name], seat, viewer)
        if name in world.pieces:
            return self._piece_rows(st, name, seat)
        if name in world.flags:
            return [self._flag_row(st, world.flags[name], seat, viewer)]
        return [self._value_row(st, name, seat, viewer)]

    def _place_rows(
        self,
        st: Any,  # noqa: ANN401
        place: PlaceInfo,
        seat: int | None,
        viewer: int | None,
    ) -> list[tuple[str, str]]:
        cells: dict[tuple[int, ...], list[str]] = {}
        for piece in place.holds:
            self._fill(st, piece, place, seat, viewer, cells)
        if not place.dims or (seat is not None and len(place.dims) == 1):
            said = ", ".join(text for texts in cells.values() for text in texts)
            return [(place.title, said or "-")]
        rows = [(dims, ", ".join(texts)) for dims, texts in sorted(cells.items())]
        if len(rows) <= MOST_ROWS and seat is None:
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
            if dim not in {"seat", "player"}
        ]
        return names[0] if place.table else ", ".join(names)

    def _fill(
        self,
        st: Any,  # noqa: ANN401
        piece: str,
        place: PlaceInfo,
        seat: int | None,
        viewer: int | None,
        cells: dict[tuple[int, ...], list[str]],
    ) -> None:
        info = self.world.pieces[piece]
        owner_at = place.owner_dim
        for code, (where, dims) in enumerate(self._cells[piece]):
            if where is not place:
                continue
            if seat is not None and owner_at is not None and dims[owner_at] != seat:
                continue
            key = dims[: len(place.dims)]
            texts = cells.setdefault(key, [])
            match info.style:
                case "counted":
                    count = getattr(st, py.identifier(piece, "n_"))[code]
                    if count:
                        owner = dims[len(place.dims)] if len(dims) > len(place.dims) else None
                        texts.append(self._counted(piece, count, owner))
                case "single":
                    texts.extend(self._singles(st, piece, code))
                case _:
                    pile = getattr(st, py.identifier(piece, "l_"))[code]
                    texts.extend(self._named(piece, code, pile, viewer, st))

    def _counted(self, piece: str, count: int, owner: int | None) -> str:
        info = self.world.pieces[piece]
        noun = info.name if count == 1 else info.plural
        of = "" if owner is None else f" of {self.labels.seats[owner]}"
        return f"{count} {noun.replace('-', ' ')}{of}"

    def _singles(self, st: Any, piece: str, code: int) -> list[str]:  # noqa: ANN401
        where = getattr(st, py.identifier(piece, "s_"))
        title = self.world.pieces[piece].title
        if isinstance(where, int):
            return [title] if where == code else []
        return [
            f"{title} of {self.labels.seats[owner]}"
            for owner, at in enumerate(where)
            if at == code
        ]

    def _named(
        self,
        piece: str,
        code: int,
        pile: list[int],
        viewer: int | None,
        st: Any,  # noqa: ANN401
    ) -> list[str]:
        if not pile:
            return []
        if not self.sees(piece, code, viewer):
            return [self._counted(piece, len(pile), None) + self._backs(piece, pile)]
        entries = self.world.kinds[piece].entries
        instances = self.layout.instances(piece)
        said = [
            entries[instances[at][0]].title
            + self.labels.whose(piece, at, code)
            + self._marks(st, piece, at)
            for at in pile
        ]
        if self._cells[piece][code][0].stack:
            return said
        return [f"{each} ({n})" if n > 1 else each for each, n in Counter(said).items()]

    def _backs(self, piece: str, pile: list[int]) -> str:
        """Return how many hidden pieces bear what on their backs, in brackets."""
        if not self._has_back(piece):
            return ""
        counts = Counter(self.labels.back(piece, at) or "nothing" for at in pile)
        if len(counts) == 1:
            return f" ({next(iter(counts))})"
        return f" ({', '.join(f'{count} {back}' for back, count in counts.items())})"

    def _marks(self, st: Any, piece: str, at: int) -> str:  # noqa: ANN401
        marks = [
            flag.name
            for flag in self.world.flags.values()
            if flag.dims == (piece,)
            and flag.during is None
            and getattr(st, py.identifier(flag.name, "f_"))[at]
        ]
        return f" ({', '.join(marks)})" if marks else ""

    def _track_rows(
        self,
        st: Any,  # noqa: ANN401
        track: TrackInfo,
        seat: int | None,
        viewer: int | None,
    ) -> list[tuple[str, str]]:
        values = self._track(st, track, viewer)
        if not isinstance(values, list):
            return [(track.title, _said(values))]
        cells = self._of_seat(track.dims, values, seat)
        words = [f"{name} {_said(value)}" if name else _said(value) for name, value in cells]
        return [(track.title, ", ".join(words))]

    def _flag_row(
        self,
        st: Any,  # noqa: ANN401
        flag: FlagInfo,
        seat: int | None,
        viewer: int | None,
    ) -> tuple[str, str]:
        """Return what is marked; of what lies hidden, nobody is told."""
        cells = getattr(st, py.identifier(flag.name, "f_"))
        marks = [cells] if isinstance(cells, int) else self._marked(st, flag, cells, viewer)
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

    def _piece_rows(self, st: Any, piece: str, seat: int | None) -> list[tuple[str, str]]:  # noqa: ANN401
        info = self.world.pieces[piece]
        if info.style != "single":
            return []
        where = getattr(st, py.identifier(piece, "s_"))
        if isinstance(where, int):
            return [(info.title, self.labels.cell(piece, where))]
        if seat is not None:
            return [(info.title, self.labels.cell(piece, where[seat]))]
        return [
            (f"{info.title} of {self.labels.seats[owner]}", self.labels.cell(piece, at))
            for owner, at in enumerate(where)
            if at >= 0
        ]

    def _value_row(
        self,
        st: Any,  # noqa: ANN401
        name: str,
        seat: int | None,
        viewer: int | None,
    ) -> tuple[str, str]:
        value = self.world.values[name]
        layer = len(value.hooks)
        eyes, owner = self._visibility.value_eyes(name, layer)
        if eyes is not None and not (owner in eyes and seat is not None and viewer == seat + 1):
            return title_of(name), "?"
        body = self.labels.program.values[name, layer]
        arguments: list[int] = []
        if body.me is not None or value.params:
            arguments.append(seat or 0)
        found = self.labels.engine.value(name, layer, st, *arguments)
        return title_of(name), self.labels.shown(body.body.type, found)


def _said(value: object) -> str:
    return "?" if value is None else str(value)

"""Panels and cells of the board as seen by one viewer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache, lru_cache
from itertools import groupby
from typing import Any, TypeAlias

import attrs

from rulesdsl.interpreter.display.views import StateView
from rulesdsl.interpreter.labels import Labels, said_of
from rulesdsl.interpreter.python.expressions import field_name
from rulesdsl.lower.flat.walk import MAX_NUMBER
from rulesdsl.lower.layout import SEATS
from rulesdsl.lower.schema import (
    NOTHING,
    FlagInfo,
    MemoryInfo,
    PlaceInfo,
    TrackInfo,
    Type,
    title_of,
)
from rulesdsl.source.english import opening
from rulesdsl.syntax.declarations import Shown


class Role(StrEnum):
    """Kind of item on the board."""

    PIECE = "piece"
    HIDDEN = "hidden"  # present, but the viewer may not identify it
    NUMBER = "number"
    MARK = "mark"
    TEXT = "text"


class When(StrEnum):
    """Time at which a panel is shown: with every question, with the full board, or on request."""

    ALWAYS = "always"
    BOARD = "board"
    APART = "apart"


class Form(StrEnum):
    """Layout of the rows in a panel."""

    ROWS = "rows"
    COLUMNS = "columns"
    LINE = "line"
    HEADER = "header"


@attrs.frozen
class Item:
    """Item in a cell.

    `seat` is its owner's number (1 is the first), unless the item's position implies the owner.
    `count` and `noun` are the quantity and the name of counted items. `where` names the part of
    the place if a cell shows several parts. `sign` is what stands for the text on a grid.
    """

    text: str
    role: Role
    seat: int | None = None
    count: int | None = None
    noun: str = ""
    where: str = ""
    sign: str = ""


Cell: TypeAlias = tuple[Item, ...]


@attrs.frozen
class Row:
    """A label and its cell; `seat` is set if the label names a player."""

    label: str
    cell: Cell
    seat: int | None = None


@attrs.frozen
class Rows:
    """Labels and cells, stacked or side by side."""

    form: Form
    rows: tuple[Row, ...]


@attrs.frozen
class TableLine:
    """A line of a table: its label and a cell for each column."""

    label: str
    seat: int | None
    cells: tuple[Cell, ...]


@attrs.frozen
class Table:
    """A table with a line for each player or other subject."""

    columns: tuple[str, ...]
    lines: tuple[TableLine, ...]


@attrs.frozen
class Grid:
    """Cells in rows and columns; None where the place has no cell."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]


@attrs.frozen
class Spot:
    """A place on a map; `at` is its row and column, if it has coordinates."""

    name: str
    cell: Cell
    at: tuple[int, int] | None


@attrs.frozen
class Map:
    """Places and the edges between them; an edge lists the indexes of the places along it."""

    spots: tuple[Spot, ...]
    ways: tuple[tuple[int, ...], ...]
    rest: tuple[Row, ...] = ()


Body: TypeAlias = Rows | Table | Grid | Map


@attrs.frozen
class BoardPanel:
    """One panel of the board.

    `seat` is its owner's number (1 is the first), None if it is shared. `of` names the subject if
    the panel is one of a series.
    """

    title: str
    seat: int | None
    when: When
    body: Body
    of: str = ""


def in_words(cell: Cell) -> str:
    """Return the contents of a cell as text."""
    parts: list[str] = []
    for where, items in groupby(cell, key=lambda each: each.where):
        said = ", ".join(each.text for each in items)
        parts.append(f"{where}: {said}" if where else said)
    return "; ".join(parts)


MAX_ROWS = 9  # larger places are shown in one row, without their empty cells
UNKNOWN = Item("?", Role.HIDDEN)
_Cells = dict[tuple[int, ...], list[Item]]
ARRAYS = {"counted": "n", "single": "s", "printed": "l"}
"""The prefix of the array with the contents of cells, by the style of pieces."""


@attrs.frozen
class Subject:
    """The subject of a panel or line: a seat, or an entry or piece of kind `dim`.

    In a column that is for one seat, `seat` is its index.
    """

    dim: str
    at: int
    seat: int | None = None

    def index(self, dim: str) -> int | None:
        """Return the index that is fixed along a dimension, or None."""
        if dim in SEATS and self.dim not in SEATS:
            return self.seat
        return self.at if dim in SEATS or dim == self.dim else None


def fixes(subject: Subject | None, dim: str) -> bool:
    """Return true if a subject fixes the index along a dimension."""
    return subject is not None and subject.index(dim) is not None


@attrs.frozen
class PlacedCell:
    """A cell for a kind of piece: its index in the place, and its pieces' owner if fixed."""

    piece: str
    style: str
    field: str
    """The field of the state with its contents."""
    code: int
    dims: tuple[int, ...]
    owner: int | None


class BoardPlan:
    """The parts of a setting's boards that do not depend on the position, each computed once."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.cells_of = cache(self._cells_of)
        self.counted = lru_cache(1024)(self._counted)
        self.marks = cache(self._marks)
        self.single = cache(self._single)
        self.one = cache(self._one)
        self.back = cache(labels.back)
        self.cell = cache(labels.cell)
        self.value_eyes = cache(labels.layout.value_eyes)
        self.parts = cache(self._parts)

    def _cells_of(self, place: str, subject: Subject | None) -> tuple[PlacedCell, ...]:
        """Return the cells of a place, or only a subject's cells; rivals may have none."""
        layout, info = self.labels.layout, self.labels.world.places[place]
        depth, dims = len(info.dims), info.dims
        mine = [at for at, dim in enumerate(dims) if fixes(subject, dim)]
        fixed = {at: subject.index(dims[at]) or 0 for at in mine} if subject else {}
        if any(dims[at] == "player" and index >= layout.players for at, index in fixed.items()):
            return ()
        styles = {piece: self.labels.world.pieces[piece].style for piece in info.holds}
        return tuple(
            PlacedCell(
                *(piece, style, field_name(f"{ARRAYS[style]}:{piece}"), code),
                at[:depth],
                at[depth] if len(at) > depth else None,
            )
            for piece, style in styles.items()
            for code in range(layout.cells(piece))
            for where, at in [layout.place_of(piece, code)]
            if where is info and all(at[dim] == index for dim, index in fixed.items())
        )

    def _single(self, piece: str, owner: int) -> Item:
        info = self.labels.world.pieces[piece]
        seat = owner + 1 if info.owned else None
        return Item(self.labels.single(piece, owner), Role.PIECE, seat, None, info.title)

    def _counted(self, piece: str, count: int, owner: int | None) -> Item:
        info = self.labels.world.pieces[piece]
        of = "" if owner is None else f" of {self.labels.seats[owner]}"
        seat = None if owner is None else owner + 1
        things = self.labels.counted(piece, count)
        return Item(f"{things}{of}", Role.PIECE, seat, count, info.title)

    def _one(self, piece: str, at: int, code: int) -> Item:
        """Return a printed piece without its marks."""
        labels = self.labels
        whose = labels.whose(piece, at, code)
        owner = labels.layout.instances(piece)[at][1] + 1 if whose else None
        text = labels.printed(piece, at).title + whose
        return Item(text, Role.PIECE, owner, None, labels.world.pieces[piece].title)

    def marks_of(self, st: Any, piece: str, at: int) -> tuple[str, ...]:  # noqa: ANN401
        """Return the titles of the flags that mark a printed piece openly in a state."""
        return tuple(name for name, field in self.marks(piece) if getattr(st, field)[at])

    def _marks(self, piece: str) -> tuple[tuple[str, str], ...]:
        """Return the titles of the flags that mark pieces openly, with their state fields."""
        marks = (
            flag
            for flag in self.labels.world.flags.values()
            if flag.dims == (piece,) and flag.during is None and not (flag.seen_by or flag.quiet)
        )
        return tuple((flag.title, field_name(f"f:{flag.name}")) for flag in marks)

    def _parts(
        self, dims: tuple[str, ...], size: int, subject: Subject | None
    ) -> tuple[tuple[int, str, int | None], ...]:
        """Return (cell, name, seat) for the cells of a track, or only for a subject's cells."""
        found = []
        for at in range(size):
            where = self.labels.layout.indexes(dims, at)
            rest = [each for each in where if not fixes(subject, each[0])]
            own = (each for each in where if fixes(subject, each[0]))
            if all(subject and index == subject.index(dim) for dim, index in own):
                seats = [index + 1 for dim, index in rest if dim in SEATS]
                name = ", ".join(self.labels.named(*each) for each in rest)
                found.append((at, name, seats[0] if seats else None))
        return tuple(found)


class BoardReader:
    """Reader of a state's cells for one viewer."""

    def __init__(self, view: StateView, plan: BoardPlan) -> None:
        self.view = view
        self.plan = plan
        self.labels = view.labels
        self.layout = view.layout
        self.world = view.world

    # ---------------------------------------------------------------- shown items
    def rows(self, shown: Shown, subject: Subject | None, *, alone: bool) -> list[Row]:
        """Return the rows for a displayed item: one, or one for each of its parts.

        If it is `alone` on its panel, the labels of its parts omit its title.
        """
        name, title = self.world.singular(shown.name.text), self.title(shown)
        over = "" if alone else title
        place = None if shown.place is not None else self.world.places.get(name)
        if place is not None:
            cells = self._lying(place, subject)
            rest = self._rest(place.dims, subject)
            if rest and len(cells) <= MAX_ROWS:
                return [self._part(place, dims, rest, over, cells[dims]) for dims in sorted(cells)]
        piece = None if shown.place is not None else self.world.pieces.get(name)
        if (
            piece is not None
            and piece.style == "single"
            and not self._owned_by(piece.owned, subject)
        ):
            return list(self._where_singles(name, subject, shown.title))
        return [Row(title, self.cell(shown, subject))]

    def cell(self, shown: Shown, subject: Subject | None) -> Cell:
        """Return the cell for a displayed item."""
        world = self.world
        name = world.singular(shown.name.text)
        if shown.place is not None:
            return (self._number_lying(name, world.singular(shown.place.text), subject),)
        if name in world.places:
            return tuple(self._together(world.places[name], subject))
        if name in world.tracks:
            return tuple(self._counted_on(world.tracks[name], subject))
        if name in world.flags:
            return tuple(self._marked(world.flags[name], subject))
        if name in world.pieces:
            return tuple(
                each for row in self._where_singles(name, subject, None) for each in row.cell
            )
        if name in world.values:
            return (self._computed(name, subject),)
        return self._printed(shown.name.text, subject)

    def of_most(self, shown: Shown, subject: Subject | None) -> Cell:
        """Return the cell for a displayed item; a bounded track includes its maximum."""
        cell = self.cell(shown, subject)
        track = self.world.tracks.get(self.world.singular(shown.name.text))
        if shown.place is not None or track is None or track.low > 1 or track.high == MAX_NUMBER:
            return cell
        if all(each.count == 0 for each in cell):
            return ()  # not started yet
        return tuple(attrs.evolve(each, text=f"{each.text} of {track.high}") for each in cell)

    def title(self, shown: Shown) -> str:
        """Return the title of a displayed item."""
        world = self.world
        name = world.singular(shown.name.text)
        if shown.title is not None:
            return shown.title
        for things in (
            (world.tracks, world.pieces)
            if shown.place
            else (
                world.places,
                world.tracks,
                world.pieces,
                world.flags,
                world.values,
            )
        ):
            if name in things and things[name].title:
                return opening(things[name].title)
        return title_of(shown.name.text)

    # ---------------------------------------------------------------- places
    def cells_of(
        self, place: PlaceInfo, subject: Subject | None = None
    ) -> dict[tuple[int, ...], Cell]:
        """Return the contents of a place's cells, or only of a subject's cells."""
        return {dims: tuple(items) for dims, items in self._lying(place, subject).items()}

    def on_place(self, extra: Shown, place: PlaceInfo, at: int) -> Cell:
        """Return what a grid or map adds to a place: a field, or what is counted or marked there.

        If it is a yes, the item is its title, with the heading as a sign; if a no, there is none.
        """
        subject, name = Subject(place.name, at), extra.name.text
        is_field = name in self.world.kinds[place.name].fields
        cell = self._printed(name, subject) if is_field else self.cell(extra, subject)
        if not self._is_yes_or_no(extra, place):
            return cell
        title = self.title(Shown(extra.name))
        marked = any(item.text == "yes" for item in cell)
        return (Item(title, Role.MARK, sign=extra.title or ""),) if marked else ()

    def _is_yes_or_no(self, shown: Shown, place: PlaceInfo) -> bool:
        field = self.world.kinds[place.name].fields.get(shown.name.text)
        if field is None:
            return self.world.singular(shown.name.text) in self.world.flags
        return field.type == "yes-no"

    def seats_of(self, shown: Shown, kind: str) -> range:
        """Return the seats for each of which a thing of a kind has a value of its own."""
        world = self.world
        name = world.singular((shown.place or shown.name).text)
        thing = world.places.get(name) or world.tracks.get(name) or world.flags.get(name)
        others = [dim for dim in (thing.dims if thing else ()) if dim != kind]
        is_of_seats = kind not in SEATS and len(others) == 1 and others[0] in SEATS
        return range(self.layout.size(others[0]) if is_of_seats else 0)

    def _part(
        self,
        place: PlaceInfo,
        dims: tuple[int, ...],
        rest: Sequence[int],
        title: str,
        cell: list[Item],
    ) -> Row:
        name = self._cell_name(place, dims, rest)
        owner = place.owner_dim
        seat = dims[owner] + 1 if owner in rest and owner is not None else None
        label = name if place.table or not title else f"{title}, {name}"
        return Row(label, tuple(cell), seat)

    def _together(self, place: PlaceInfo, subject: Subject | None) -> Iterator[Item]:
        rest = self._rest(place.dims, subject)
        for dims, items in sorted(self._lying(place, subject).items(), key=lambda each: each[0]):
            where = self._cell_name(place, dims, rest)
            yield from (attrs.evolve(each, where=where) for each in items) if where else items

    def _cell_name(self, place: PlaceInfo, dims: tuple[int, ...], rest: Sequence[int]) -> str:
        names = [self.labels.named(place.dims[at], dims[at]) for at in rest]
        return names[0] if place.table and names else ", ".join(names)

    def _rest(self, dims: Sequence[str], subject: Subject | None) -> list[int]:
        return [at for at, dim in enumerate(dims) if not fixes(subject, dim)]

    def _lying(self, place: PlaceInfo, subject: Subject | None) -> _Cells:
        found: _Cells = {}
        for each in self.plan.cells_of(place.name, subject):
            found.setdefault(each.dims, []).extend(self._pieces(each))
            if not self.view.counts(each.piece, each.code):
                found[each.dims] = [Item("hidden", Role.HIDDEN)]
        return found

    def _pieces(self, cell: PlacedCell) -> list[Item]:
        if cell.style == "single":
            return [item for item, _ in self._singles(cell.piece, cell.code)]
        there = getattr(self.view.st, cell.field)[cell.code]
        if not there:
            return []
        if cell.style == "counted":
            return [self.plan.counted(cell.piece, there, cell.owner)]
        return self._named(cell.piece, cell.code, there)

    def _singles(self, piece: str, only: int | None = None) -> Iterator[tuple[Item, int]]:
        """Yield the single pieces of a kind, or those in one cell, with their cells."""
        where = self.view.where(piece)
        for owner, at in enumerate(where if isinstance(where, list) else [where]):
            if at is not None and only in {None, at}:
                yield self.plan.single(piece, owner), at

    def _named(self, piece: str, code: int, pile: list[int]) -> list[Item]:
        noun = self.world.pieces[piece].title
        if not self.view.sees(piece, code):
            shown = [self.plan.one(piece, at, code) for at in pile if at in self.view.shown(piece)]
            hidden = [at for at in pile if at not in self.view.shown(piece)]
            shown = sorted(shown, key=lambda item: item.text)
            if not hidden:
                return shown
            text = self.plan.counted(piece, len(hidden), None).text + self._backs(piece, hidden)
            return [*shown, Item(text, Role.HIDDEN, None, len(hidden), noun)]
        said = [self._one_named(piece, code, at) for at in pile]
        if self.view.views.places[piece][code][0].stack:
            return said
        return [
            attrs.evolve(each, text=f"{each.text} ({n})", count=n) if n > 1 else each
            for each, n in Counter(said).items()
        ]

    def _one_named(self, piece: str, code: int, at: int) -> Item:
        found, st = self.plan.one(piece, at, code), self.view.st
        if marks := self.plan.marks_of(st, piece, at):
            return attrs.evolve(found, text=f"{found.text} ({', '.join(marks)})")
        return found

    def _backs(self, piece: str, pile: list[int]) -> str:
        """Return the number of hidden pieces with each back, in parentheses."""
        if not self.view.has_back(piece):
            return ""
        counts = Counter(self.plan.back(piece, at) or "nothing" for at in pile)
        if len(counts) == 1:
            return f" ({next(iter(counts))})"
        return f" ({', '.join(f'{count} {back}' for back, count in counts.items())})"

    def _number_lying(self, piece: str, place: str, subject: Subject | None) -> Item:
        noun = self.world.pieces[piece].title
        seat = subject.at + 1 if subject is not None and subject.dim in SEATS else None
        total = sum(
            1 if each.count is None else each.count
            for items in self._lying(self.world.places[place], subject).values()
            for each in items
            if each.noun == noun and (seat is None or each.seat in {None, seat})
        )
        return Item(str(total), Role.NUMBER, None, total)

    # ---------------------------------------------------------------- tracks, flags, values
    def _counted_on(self, track: TrackInfo, subject: Subject | None) -> Iterator[Item]:
        cells: Any = self.view.track(track)
        values = cells if isinstance(cells, list) else [cells]
        for at, name, seat in self.plan.parts(track.dims, len(values), subject):
            value = values[at]
            if isinstance(track, MemoryInfo):
                text = "set" if value is None else "empty"
                if value is not None and value > NOTHING:
                    text = self.labels.kept(track, value)
                role = Role.HIDDEN if value is None else Role.TEXT
                yield Item(f"{name} {text}".strip(), role, seat)
                continue
            number = "?" if value is None else str(value)
            role = Role.HIDDEN if value is None else Role.NUMBER
            yield Item(f"{name} {number}".strip(), role, seat, value)

    def _marked(self, flag: FlagInfo, subject: Subject | None) -> Iterator[Item]:
        """Yield an item for each mark that a flag sets, except marks on hidden pieces."""
        seen: Any = self.view.flag(flag)
        marks = seen if isinstance(seen, list) else [seen]
        alone = not self._rest(flag.dims, subject)
        for at, name, seat in self.plan.parts(flag.dims, len(marks), subject):
            on = marks[at]
            if on is None and flag.seen_by is not None:
                yield Item(f"{name} ?".strip(), Role.HIDDEN, seat)
                continue
            if on or alone:
                yield Item(name or ("yes" if on else "no"), Role.MARK, seat)

    def _owned_by(self, owned: bool, subject: Subject | None) -> bool:  # noqa: FBT001
        return owned and subject is not None and subject.dim in SEATS

    def _where_singles(
        self, piece: str, subject: Subject | None, title: str | None
    ) -> Iterator[Row]:
        if self.world.pieces[piece].style != "single":
            return
        own = self._owned_by(self.world.pieces[piece].owned, subject)
        for item, at in self._singles(piece):
            if at < 0 or (own and subject and item.seat != subject.at + 1):
                continue
            where = Item(self.plan.cell(piece, at), Role.TEXT)
            yield Row(title or item.text, (where,), item.seat)

    def _computed(self, name: str, subject: Subject | None) -> Item:
        """Return a named value as an item, or `UNKNOWN` if the viewer may not see all inputs."""
        layer = len(self.world.values[name].hooks)
        eyes, owner = self.plan.value_eyes(name, layer)
        of_seat = subject is not None and subject.dim in SEATS
        mine = of_seat and subject is not None and self.view.viewer == subject.at + 1
        if eyes is not None and not (owner in eyes and mine):
            return UNKNOWN
        body = self.labels.program.values[name, layer]
        params = self.world.values[name].params
        arguments = [subject.at if subject else 0] if body.me is not None or params else []
        found = self.labels.engine.value(name, layer, self.view.st, *arguments)
        return self._of_type(body.body.type, found)

    def _of_type(self, kind: Type, value: object) -> Item:
        text = self.labels.shown(kind, value)
        if kind.family == "number" and isinstance(value, int):
            return Item(text, Role.NUMBER, None, value)
        whose = isinstance(value, int) and kind.family in SEATS and value >= 0
        return Item(text, Role.TEXT, value + 1 if whose and isinstance(value, int) else None)

    def _printed(self, field: str, subject: Subject | None) -> Cell:
        assert subject is not None
        kind = self.world.kinds[subject.dim]
        text = said_of(kind.fields[field], None, kind.entries[subject.at], self.world)
        role = Role.NUMBER if kind.fields[field].type == "number" else Role.TEXT
        return (Item(text, role),) if text else ()

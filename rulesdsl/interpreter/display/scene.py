"""Scene: what lies where, as plain data for one viewer, with the references of options.

A reference names a thing within one position: a cell (`hand:2`, `square:e4`), a piece in it
(`card:drum#3`, `coin@purse:1`), a track (`fame:1`), a seat (`seat:1`) or an entry (`suit:hearts`).
It says nothing that the viewer may not know. Hidden pieces have none, and equal printed pieces are
numbered as they lie, so that none can be followed through a shuffle.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import attrs

from rulesdsl.interpreter.decisions import NAMED, Decision
from rulesdsl.interpreter.display.board_model import BoardPlan, PlacedCell
from rulesdsl.interpreter.display.views import StateView
from rulesdsl.lower.layout import SEATS
from rulesdsl.lower.schema import (
    NOTHING,
    FlagInfo,
    KindInfo,
    MemoryInfo,
    PlaceInfo,
    TrackInfo,
    Type,
)

Entity: TypeAlias = tuple[str, int]
"""Entry, as its kind and its index there."""


@attrs.frozen
class ScenePiece:
    """Piece in a cell, or `count` pieces that nobody tells apart.

    Hidden pieces have no reference, and at most the text on their backs as a title.
    """

    ref: str
    kind: str
    title: str
    seat: int | None
    """The number of the owner, if pieces of this kind have one."""
    count: int = 1
    marks: tuple[str, ...] = ()


@attrs.frozen
class SceneCell:
    """Cell of a place, also an empty one; the pieces of a stack are listed from the bottom."""

    ref: str
    place: str
    title: str
    seat: int | None
    """The number of the seat to which the cell belongs."""
    within: tuple[str, ...]
    """References of the seat and the entries that single it out among the cells of its place."""
    stack: bool
    pieces: tuple[ScenePiece, ...]
    uncounted: bool = False
    """True if the viewer does not know how many pieces lie there; then none is listed."""


@attrs.frozen
class SceneValue:
    """Cell of a track, flag or memory; the value is None if it is hidden from the viewer."""

    ref: str
    name: str
    title: str
    seat: int | None
    within: tuple[str, ...]
    value: int | bool | str | None


@attrs.frozen
class SceneOption:
    """Option of the open question, with references of what it names, the closest one first.

    There are none if it names no thing, as a number or the refusal of an offer, or a hidden piece.
    """

    id: str
    refs: tuple[str, ...]


@attrs.frozen
class Scene:
    """Everything that a viewer sees: seats by number, cells, values, and the viewer's options.

    `question` has the references of what the viewer's open question names.
    """

    seats: tuple[str, ...]
    cells: tuple[SceneCell, ...]
    values: tuple[SceneValue, ...]
    options: tuple[SceneOption, ...]
    question: tuple[str, ...] = ()

    @cached_property
    def refs(self) -> frozenset[str]:
        """All references of things in the scene."""
        refs = {f"seat:{seat}" for seat in range(1, len(self.seats) + 1)}
        for cell in self.cells:
            refs |= {cell.ref, *cell.within, *(piece.ref for piece in cell.pieces)}
        for value in self.values:
            refs |= {value.ref, *value.within}
        return frozenset(refs - {""})


@attrs.frozen
class _Place:
    """Cell of a place without its contents."""

    empty: SceneCell
    holds: tuple[PlacedCell, ...]


class ScenePlan:
    """Parts of a setting's scenes that do not depend on the position, each computed once."""

    def __init__(self, plan: BoardPlan) -> None:
        self.plan = plan
        self.labels, self.world = plan.labels, plan.labels.world
        self.layout = plan.labels.layout

    @cached_property
    def places(self) -> tuple[_Place, ...]:
        """The cells of all places, in the order of their declarations."""
        return tuple(
            _Place(self._cell(place, dims), tuple(holds))
            for place in self.world.places.values()
            for dims, holds in self._by_cell(place).items()
        )

    def _by_cell(self, place: PlaceInfo) -> dict[tuple[int, ...], list[PlacedCell]]:
        by_cell: dict[tuple[int, ...], list[PlacedCell]] = {}
        for cell in self.plan.cells_of(place.name, None):
            by_cell.setdefault(cell.dims, []).append(cell)
        return by_cell

    def _cell(self, place: PlaceInfo, dims: tuple[int, ...]) -> SceneCell:
        within = tuple(self.entity(dim, at) for dim, at in zip(place.dims, dims, strict=True))
        names = [self.labels.named(dim, at) for dim, at in zip(place.dims, dims, strict=True)]
        owner = None if place.owner_dim is None else dims[place.owner_dim] + 1
        title = ", ".join(names) if place.table else " ".join([place.title, *_bracketed(names)])
        ref = self.cell_ref(place, dims)
        return SceneCell(ref, place.name, title, owner, within, place.stack, ())

    def cell_ref(self, place: PlaceInfo, dims: Sequence[int]) -> str:
        """Return the reference of a cell; a place that is an entry of its own is that entry."""
        return self._ref(place.name, zip(place.dims, dims, strict=True))

    def value_ref(self, info: TrackInfo | FlagInfo, index: int) -> str:
        """Return the reference of a cell of a track, flag or memory."""
        return self._ref(info.name, self.layout.indexes(info.dims, index))

    def _ref(self, name: str, along: Iterable[tuple[str, int]]) -> str:
        return ":".join([name, *(self.entity(*part).partition(":")[2] for part in along)])

    @cached_property
    def cells_by_code(self) -> dict[tuple[str, int], str]:
        """The references of cells, by the kind of pieces there and the code of the cell."""
        return {
            (cell.piece, cell.code): place.empty.ref
            for place in self.places
            for cell in place.holds
        }

    def entity(self, dim: str, at: int) -> str:
        """Return the reference of a seat, a piece or an entry by its index along a dimension."""
        if dim in SEATS:
            return f"seat:{at + 1}"
        if dim in self.world.kinds and dim not in self.world.pieces:
            return f"{dim}:{self.world.kinds[dim].entries[at].id}"
        return f"{dim}:{at + 1}"

    @cached_property
    def fields(self) -> dict[str, tuple[tuple[str, str], ...]]:
        """Entry-valued and list-valued fields of each kind, each with the kind it refers to."""
        return {kind.name: tuple(self._links(kind)) for kind in self.world.kinds.values()}

    def _links(self, kind: KindInfo) -> Iterator[tuple[str, str]]:
        for field in kind.fields.values():
            of = self.world.singular(field.type)
            if of in self.world.kinds and field.per is None:
                yield field.name, of

    def linked(self, kind: str, at: int) -> Iterator[Entity]:
        """Yield the entries in the fields of an entry."""
        values = self.world.kinds[kind].entries[at].values
        for field, of in self.fields[kind]:
            value = values.get((field, None))
            for entry in value if isinstance(value, tuple) else (value,):
                if isinstance(entry, int):
                    yield of, entry

    @cached_property
    def cells_by_entry(self) -> dict[Entity, list[str]]:
        """The references of places that are entries, by the entries in their fields."""
        refs: dict[Entity, list[str]] = {}
        for name, place in self.world.places.items():
            for at in range(len(self.world.kinds[name].entries)) if place.table else ():
                for entity in self.linked(name, at):
                    refs.setdefault(entity, []).append(self.entity(name, at))
        return refs


def _bracketed(names: Sequence[str]) -> list[str]:
    return [f"({', '.join(names)})"] if names else []


class SceneReader:
    """Reader of one position for one viewer."""

    def __init__(self, view: StateView, plan: ScenePlan) -> None:
        self._view, self._plan = view, plan
        self._labels, self._world = view.labels, view.world

    def scene(self, decision: Decision | None) -> Scene:
        """Return the scene, with the options of the viewer's open question, if there is one."""
        cells = tuple(self._cell(place) for place in self._plan.places)
        values, seats = tuple(self._values()), self._labels.seats
        if decision is None:
            return Scene(seats, cells, values, ())
        options, by_entry = tuple(self._options(decision)), self._by_entry()
        question = (ref for thing in decision.things for ref in self._refs(*thing, by_entry))
        return Scene(seats, cells, values, options, tuple(dict.fromkeys(question)))

    # ---------------------------------------------------------------- cells
    def _cell(self, place: _Place) -> SceneCell:
        view = self._view
        if not all(view.counts(cell.piece, cell.code) for cell in place.holds):
            return attrs.evolve(place.empty, uncounted=True)
        pieces = tuple(
            piece for cell in place.holds for piece in self._pieces(cell, place.empty.ref)
        )
        return attrs.evolve(place.empty, pieces=pieces) if pieces else place.empty

    def _pieces(self, cell: PlacedCell, ref: str) -> Iterator[ScenePiece]:
        if cell.style == "single":
            yield from self._singles(cell.piece, cell.code)
            return
        contents = getattr(self._view.st, cell.field)[cell.code]
        if cell.style == "printed":
            yield from self._printed(cell, contents)
        elif contents:
            whose = "" if cell.owner is None else f":{cell.owner + 1}"
            title = self._world.pieces[cell.piece].title
            seat = None if cell.owner is None else cell.owner + 1
            yield ScenePiece(f"{cell.piece}{whose}@{ref}", cell.piece, title, seat, contents)

    def _singles(self, piece: str, code: int) -> Iterator[ScenePiece]:
        where = self._view.where(piece)
        is_owned = self._world.pieces[piece].owned
        for owner, at in enumerate(where if isinstance(where, list) else [where]):
            if at == code:
                title = self._labels.single(piece, owner)
                yield ScenePiece(
                    self._plan.entity(piece, owner), piece, title, owner + 1 if is_owned else None
                )

    def _printed(self, cell: PlacedCell, pile: Sequence[int]) -> Iterator[ScenePiece]:
        view, kind = self._view, cell.piece
        is_open, turned_up = view.sees(kind, cell.code), view.shown(kind)
        is_stack = view.views.places[kind][cell.code][0].stack
        hidden: dict[str, int] = {}
        listed: list[ScenePiece] = []
        for at in pile:
            if is_open or at in turned_up:
                listed.append(self._face(kind, at, cell.code))
            elif is_stack:
                listed.append(ScenePiece("", kind, self._plan.plan.back(kind, at), None))
            else:
                back = self._plan.plan.back(kind, at)
                hidden[back] = hidden.get(back, 0) + 1
        yield from listed if is_stack else sorted(listed, key=lambda piece: piece.ref)
        for back, count in sorted(hidden.items()):
            yield ScenePiece("", kind, back, None, count)

    def _face(self, kind: str, at: int, code: int) -> ScenePiece:
        item = self._plan.plan.one(kind, at, code)
        marks = self._plan.plan.marks_of(self._view.st, kind, at)
        return ScenePiece(self._piece_ref(kind, at), kind, item.text, item.seat, 1, marks)

    def _piece_ref(self, kind: str, at: int) -> str:
        return f"{kind}:{self._labels.printed(kind, at).id}#{self._view.numbers[kind][at] + 1}"

    # ---------------------------------------------------------------- tracks, flags, memories
    def _values(self) -> Iterator[SceneValue]:
        for track in self._world.tracks.values():
            if not track.quiet:
                yield from self._cells_of(track, self._view.track(track))
        for flag in self._world.flags.values():
            if not flag.quiet:
                yield from self._cells_of(flag, self._view.flag(flag))

    def _cells_of(self, info: TrackInfo | FlagInfo, cells: Any) -> Iterator[SceneValue]:  # noqa: ANN401
        if any(dim in self._world.pieces for dim in info.dims):
            return  # marks are listed with their pieces
        for at, value in enumerate(cells if isinstance(cells, list) else [cells]):
            where = self._view.layout.indexes(info.dims, at)
            within = tuple(self._plan.entity(*index) for index in where)
            seat = next((index + 1 for dim, index in where if dim in SEATS), None)
            ref = self._plan.value_ref(info, at)
            yield SceneValue(ref, info.name, info.title, seat, within, self._told(info, value))

    def _told(self, info: TrackInfo | FlagInfo, value: int | None) -> int | bool | str | None:
        if value is None:
            return None
        if isinstance(info, MemoryInfo):
            return "" if value == NOTHING else self._labels.kept(info, value)
        return bool(value) if isinstance(info, FlagInfo) else value

    # ---------------------------------------------------------------- options
    def _options(self, decision: Decision) -> Iterator[SceneOption]:
        by_entry = self._by_entry()
        for option, raw in zip(decision.options, decision.raw, strict=True):
            domain, thing = decision.ask.domain(raw), decision.ask.thing(raw)
            kind = None if domain is None else domain.element
            if kind is None or thing < 0 or kind.family not in NAMED:
                yield SceneOption(option.id, ())
                continue
            refs = self._refs(kind, thing, by_entry)
            yield SceneOption(option.id, tuple(dict.fromkeys(refs)))

    def _refs(self, kind: Type, thing: int, by_entry: Mapping[Entity, list[str]]) -> Iterator[str]:
        """Yield the references of a thing: its own, then those of what stands for it."""
        name = "seat" if kind.family in SEATS else kind.of
        if kind.family == "piece":
            yield from self._refs_of_piece(name, thing)
            return
        yield self._plan.entity(name, thing)
        if kind.family == "entry":
            yield from self._standing_for((name, thing), by_entry)
            for entity in self._plan.linked(name, thing):
                yield self._plan.entity(*entity)
                yield from self._standing_for(entity, by_entry)

    def _standing_for(self, entity: Entity, by_entry: Mapping[Entity, list[str]]) -> Iterator[str]:
        yield from by_entry.get(entity, ())
        yield from self._plan.cells_by_entry.get(entity, ())

    def _refs_of_piece(self, name: str, thing: int) -> Iterator[str]:
        view, world = self._view, self._world
        if world.pieces[name].style == "printed":
            code = view.cells(f"w:{name}")[thing]
            if not view.sees(name, code) and thing not in view.shown(name):
                return  # where a hidden piece lies may be unknown as well
            yield self._piece_ref(name, thing)
        else:
            where = view.where(name)
            code = where[thing] if isinstance(where, list) else where
            yield self._plan.entity(name, thing)
        if code is not None and code >= 0:
            yield self._plan.cell_ref(*self._place_of(name, code))

    def _place_of(self, name: str, code: int) -> tuple[PlaceInfo, tuple[int, ...]]:
        place, dims = self._view.views.places[name][code]
        return place, dims[: len(place.dims)]

    def _by_entry(self) -> dict[Entity, list[str]]:
        """Return the visible printed pieces by the entries in their fields (a face on a card)."""
        view, refs = self._view, dict[Entity, list[str]]()
        for kind in view.views.printed:
            for code, pile in (
                enumerate(view.cells(f"l:{kind}")) if self._plan.fields[kind] else ()
            ):
                is_open, turned_up = view.sees(kind, code), view.shown(kind)
                for at in pile:
                    if is_open or at in turned_up:
                        print_at = self._labels.layout.instances(kind)[at][0]
                        for entity in self._plan.linked(kind, print_at):
                            refs.setdefault(entity, []).append(self._piece_ref(kind, at))
        return refs

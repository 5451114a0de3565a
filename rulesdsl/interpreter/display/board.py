"""Layout of the board for one viewer, from the panels that the content declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from rulesdsl.check.symbols.panels import coordinates, ways_of
from rulesdsl.check.symbols.symbol_table import PlaceInfo, SymbolTable, TrackInfo
from rulesdsl.interpreter.display.board_model import (
    BoardPanel,
    BoardPlan,
    BoardReader,
    Body,
    Cell,
    Form,
    Grid,
    Item,
    Map,
    Role,
    Row,
    Rows,
    Spot,
    Subject,
    Table,
    TableLine,
    When,
)
from rulesdsl.interpreter.display.views import StateView
from rulesdsl.lower.layout import SEATS
from rulesdsl.source.english import opening
from rulesdsl.syntax.declarations import PanelDecl, Shown
from rulesdsl.syntax.node import Identifier


class Board:
    """Renderer of a state as panels for one viewer."""

    def __init__(self, view: StateView, plan: BoardPlan) -> None:
        self.view = view
        self.layout = view.layout
        self.world = view.world
        self.reader = BoardReader(view, plan)

    def panels(self) -> tuple[BoardPanel, ...]:
        """Return the panels that the content declares, or default panels."""
        return tuple(
            panel
            for decl in self.world.panels or usual_panels(self.world)
            for panel in self._drawn(decl)
        )

    def _drawn(self, decl: PanelDecl) -> Iterator[BoardPanel]:
        when = When.BOARD if decl.when is None else When(decl.when.text)
        form = "rows" if decl.form is None else decl.form.text
        subjects = self._owner(decl) if decl.per is None else self._subjects(decl.per.text)
        for subject in [None] if form == "table" else subjects:
            body = self._body(decl, form, subject)
            seat = None if subject is None or subject.dim not in SEATS else subject.at + 1
            of = "" if subject is None else self.view.labels.named(subject.dim, subject.at)
            yield BoardPanel(decl.title, seat, when, body, "" if decl.per is None else of)

    def _owner(self, decl: PanelDecl) -> Sequence[Subject | None]:
        """Return [owner], [None] for a shared panel, or [] if the owner is not in the game."""
        layout = self.layout
        if decl.whose is None:
            return [None]
        if decl.whose.text == "me":
            viewer = self.view.viewer
            return [] if viewer is None else [Subject("seat", viewer - 1)]
        rival = decl.whose.text
        if rival not in layout.rivals:
            return []
        return [Subject("seat", layout.players + layout.rivals.index(rival))]

    def _subjects(self, kind: str) -> list[Subject]:
        count = self.layout.players if kind == "player" else self.layout.size(kind)
        return [Subject("seat" if kind in SEATS else kind, at) for at in range(count)]

    def _body(self, decl: PanelDecl, form: str, subject: Subject | None) -> Body:
        match form:
            case "table":
                return self._table(decl)
            case "grid":
                return self._grid(decl, subject)
            case "map":
                return self._map(decl)
            case "line" | "header":
                read = self.reader.of_most if form == "header" else self.reader.cell
                rows = (Row(self.reader.title(each), read(each, subject)) for each in decl.shown)
                return Rows(Form(form), tuple(rows))
            case _:
                return Rows(Form(form), tuple(self._rows(decl.shown, subject)))

    def _rows(self, shown: Sequence[Shown], subject: Subject | None) -> Iterator[Row]:
        for each in shown:
            yield from self.reader.rows(each, subject, alone=len(shown) == 1)

    # ---------------------------------------------------------------- tables
    def _table(self, decl: PanelDecl) -> Table:
        assert decl.per is not None
        columns = [column for item in decl.shown for column in self._columns(decl, item)]
        lines = tuple(
            TableLine(
                self.view.labels.named(line.dim, line.at),
                line.at + 1 if line.dim in SEATS else None,
                tuple(
                    self.reader.cell(item, attrs.evolve(line, seat=seat))
                    for _, item, seat in columns
                ),
            )
            for line in self._subjects(decl.per.text)
            if not self._is_extra(line)
        )
        return Table(tuple(title for title, _, _ in columns), lines)

    def _columns(self, decl: PanelDecl, shown: Shown) -> Iterator[tuple[str, Shown, int | None]]:
        """Yield the columns for a displayed item: one, or one for each seat."""
        assert decl.per is not None
        title = self.reader.title(shown)
        seats = self.reader.seats_of(shown, decl.per.text)
        if not seats:
            yield title, shown, None
        for at in seats:
            if not self._is_extra(Subject("seat", at)):
                name = self.view.labels.named("seat", at)
                yield name if len(decl.shown) == 1 else f"{title}, {name}", shown, at

    def _is_extra(self, subject: Subject) -> bool:
        rival = subject.at - self.layout.players
        if subject.dim not in SEATS or rival < 0:
            return False
        return not self.world.rivals[self.layout.rivals[rival]].scores

    # ---------------------------------------------------------------- cells
    def _grid(self, decl: PanelDecl, subject: Subject | None) -> Grid:
        place = self._place(decl)
        squares: dict[tuple[int, int], Cell] = {}
        for dims, cell in self.reader.cells_of(place, subject).items():
            at = self._at(place, dims, decl.row, decl.column)
            if at is not None:
                marks = (self.reader.on_place(each, place, dims[0]) for each in decl.shown[1:])
                squares[at] = (*cell, *(item for items in marks for item in items))
        rows, columns = (sorted({at[side] for at in squares}) for side in (0, 1))
        assert decl.row is not None
        assert decl.column is not None
        return Grid(
            tuple(self._coordinate_name(place, decl.row.text, each) for each in rows),
            tuple(self._coordinate_name(place, decl.column.text, each) for each in columns),
            tuple(tuple(squares.get((row, column)) for column in columns) for row in rows),
        )

    def _map(self, decl: PanelDecl) -> Map:
        place = self._place(decl)
        assert decl.along is not None
        entries = self.world.kinds[place.name].entries
        spots = tuple(
            Spot(entries[dims[0]].title, cell, self._at(place, dims, decl.row, decl.column))
            for dims, cell in self.reader.cells_of(place).items()
        )
        rest = (row for shown in decl.shown[1:] for row in self._beside(decl, place, shown))
        return Map(spots, tuple(self._ways(place, decl.along.text)), tuple(rest))

    def _beside(self, decl: PanelDecl, place: PlaceInfo, extra: Shown) -> Iterator[Row]:
        """Yield the rows beside a map for a displayed item; a field of the places is one row."""
        kind = self.world.kinds[place.name]
        if extra.name.text not in kind.fields:
            yield from self.reader.rows(extra, None, alone=len(decl.shown) == len((place, extra)))
            return
        items = (
            Item(entry.title, Role.MARK)
            if item.role is Role.MARK
            else attrs.evolve(item, where=entry.title)
            for at, entry in enumerate(kind.entries)
            for item in self.reader.on_place(extra, place, at)
            if item.text != "0"  # a place without any
        )
        yield Row(self.reader.title(extra), tuple(items))

    def _ways(self, place: PlaceInfo, field: str) -> Iterator[tuple[int, ...]]:
        """Yield the edges of a map as index tuples, each in one direction only."""
        found = ways_of(self.world, place, field)
        assert found is not None
        kind, _ = found
        known: set[tuple[int, ...]] = set()
        for at, entry in enumerate(kind.entries):
            value = entry.values.get((field, None))
            stops = tuple(map(int, value)) if isinstance(value, tuple) else ()
            ways = [(at, stop) for stop in stops] if kind.name == place.name else [stops]
            for way in ways:
                if len(way) > 1 and way not in known:
                    known |= {way, way[::-1]}
                    yield way

    def _place(self, decl: PanelDecl) -> PlaceInfo:
        return self.world.places[self.world.singular(decl.shown[0].name.text)]

    def _at(
        self,
        place: PlaceInfo,
        dims: tuple[int, ...],
        row: Identifier | None,
        column: Identifier | None,
    ) -> tuple[int, int] | None:
        """Return the row and column of a cell, or None if it has no coordinates."""
        if row is None or column is None:
            return None
        down = self._coordinate(place, dims, row.text)
        across = self._coordinate(place, dims, column.text)
        return None if down is None or across is None else (down, across)

    def _coordinate(self, place: PlaceInfo, dims: tuple[int, ...], name: str) -> int | None:
        """Return a cell's coordinate: a number, counted from 1, or the index of an entity."""
        if name in place.dims and name != place.name:
            return dims[place.dims.index(name)]
        kind = self.world.kinds[place.name]
        value = kind.entries[dims[0]].values.get((name, None))
        nowhere = kind.fields[name].type == "number" and value == 0
        return value if isinstance(value, int) and not nowhere else None

    def _coordinate_name(self, place: PlaceInfo, name: str, at: int) -> str:
        if name in place.dims and name != place.name:
            return self.view.labels.named(name, at)
        kind = self.world.kinds[place.name].fields[name].type
        return str(at) if kind == "number" else self.world.kinds[kind].entries[at].title


def usual_panels(world: SymbolTable) -> tuple[PanelDecl, ...]:
    """Return default panels: grids, what is shared, a table of the seats, and score sheets.

    They leave out what is `quiet`, and tracks that last only for an action.
    """
    tracks = [track for track in world.tracks.values() if track.during is None]
    candidates: list[TrackInfo | PlaceInfo] = [*tracks, *world.places.values()]
    panels, sheets, rows, columns = [], dict[str, list[str]](), list[str](), list[str]()
    for thing in (thing for thing in candidates if not thing.quiet):
        kinds = [dim for dim in thing.dims if dim not in SEATS]
        is_owned = len(kinds) < len(thing.dims)
        at = coordinates(world, thing) if isinstance(thing, PlaceInfo) else None
        if at is not None:
            per = next((dim for dim in thing.dims if dim in SEATS), None)
            panels.append(_panel(opening(thing.title), "grid", per, [thing.name], at))
        elif isinstance(thing, TrackInfo) and is_owned and len(kinds) == 1:
            sheets.setdefault(kinds[0], []).append(thing.name)
        else:
            (columns if is_owned else rows).append(thing.name)
    if rows:
        panels.append(_panel("Table", "line", None, rows))
    if columns:
        panels.append(_panel("Players", "table", "seat", columns))
    for kind, names in sheets.items():
        panels.append(_panel(world.title_of(kind), "table", kind, names))
    return tuple(panels)


def _panel(
    title: str,
    form: str,
    per: str | None,
    names: Sequence[str],
    at: tuple[str, str] | None = None,
) -> PanelDecl:
    row, column = map(Identifier, at) if at else (None, None)
    return PanelDecl(
        title,
        None,
        Identifier(form),
        None,
        row,
        column,
        None if per is None else Identifier(per),
        None,
        tuple(Shown(Identifier(name)) for name in names),
    )

"""Layout of the board for one viewer, from the panels that the content declares."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulesdsl.check.symbols.panels import ways_of
from rulesdsl.check.symbols.symbol_table import PlaceInfo, SymbolTable, TrackInfo
from rulesdsl.interpreter.display.board_model import (
    BoardPanel,
    BoardPlan,
    BoardReader,
    Body,
    Cell,
    Form,
    Grid,
    Map,
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
                return self._grid(decl)
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
        lines = tuple(
            TableLine(
                self.view.labels.named(each.dim, each.at),
                each.at + 1 if each.dim in SEATS else None,
                tuple(self.reader.cell(shown, each) for shown in decl.shown),
            )
            for each in self._subjects(decl.per.text)
            if not self._is_extra(each)
        )
        return Table(tuple(map(self.reader.title, decl.shown)), lines)

    def _is_extra(self, subject: Subject) -> bool:
        rival = subject.at - self.layout.players
        if subject.dim not in SEATS or rival < 0:
            return False
        return not self.world.rivals[self.layout.rivals[rival]].scores

    # ---------------------------------------------------------------- cells
    def _grid(self, decl: PanelDecl) -> Grid:
        place = self._place(decl)
        assert decl.row is not None
        assert decl.column is not None
        found: dict[tuple[int, int], Cell] = {}
        for dims, cell in self.reader.cells_of(place).items():
            at = self._at(place, dims, decl.row, decl.column)
            if at is not None:
                found[at] = cell
        rows, columns = (sorted({at[side] for at in found}) for side in (0, 1))
        return Grid(
            tuple(self._coordinate_name(place, decl.row.text, each) for each in rows),
            tuple(self._coordinate_name(place, decl.column.text, each) for each in columns),
            tuple(tuple(found.get((row, column)) for column in columns) for row in rows),
        )

    def _map(self, decl: PanelDecl) -> Map:
        place = self._place(decl)
        assert decl.along is not None
        entries = self.world.kinds[place.name].entries
        spots = tuple(
            Spot(entries[dims[0]].title, cell, self._at(place, dims, decl.row, decl.column))
            for dims, cell in self.reader.cells_of(place).items()
        )
        rest = tuple(self._rows(decl.shown[1:], None))
        return Map(spots, tuple(self._ways(place, decl.along.text)), rest)

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
    """Return default panels: shared tracks and places, and a table with a line for each seat."""
    tracks = [each for each in world.tracks.values() if each.during is None]
    things: list[TrackInfo | PlaceInfo] = [*tracks, *world.places.values()]
    shared = [each.name for each in things if not SEATS.intersection(each.dims)]
    owned = [each.name for each in things if SEATS.intersection(each.dims)]
    panels = []
    if shared:
        panels.append(_panel("Table", None, None, shared))
    if owned:
        panels.append(_panel("Players", "table", "seat", owned))
    return tuple(panels)


def _panel(title: str, form: str | None, per: str | None, names: Sequence[str]) -> PanelDecl:
    return PanelDecl(
        title,
        None,
        None if form is None else Identifier(form),
        None,
        None,
        None,
        None if per is None else Identifier(per),
        None,
        tuple(Shown(Identifier(name)) for name in names),
    )

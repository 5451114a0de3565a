"""Checks of the contents and layout of panels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import attrs

from rulesdsl.check.symbols import wording
from rulesdsl.check.symbols.declare import Declarations
from rulesdsl.check.symbols.symbol_table import (
    FieldInfo,
    KindInfo,
    PlaceInfo,
    SymbolKind,
    SymbolTable,
    ValueInfo,
)
from rulesdsl.source.diagnostics import Detail, Findings, Related, Wording
from rulesdsl.source.span import Span
from rulesdsl.syntax.declarations import PanelDecl, Shown
from rulesdsl.syntax.node import Identifier

SEATS = ("player", "seat")
ROWS = "rows"
FORMS = (ROWS, "columns", "line", "header", "table", "grid", "map")
WHENS = ("always", "apart")
_SINGLE_CELL = ("grid", "map")  # layouts of one kind of place


def ways_of(world: SymbolTable, place: PlaceInfo, field: str) -> tuple[KindInfo, FieldInfo] | None:
    """Return the kind (places or paths) with the field for connected places, and that field."""
    own = world.kinds.get(place.name)
    for kind in (*([own] if own else ()), *world.kinds.values()):
        info = kind.fields.get(field)
        if info and info.per is None and info.type == place.plural:
            return kind, info
    return None


def coordinates(world: SymbolTable, place: PlaceInfo) -> tuple[str, str] | None:
    """Return two kinds or fields that can lay out the cells of a place in rows and columns."""
    kinds = [dim for dim in place.dims if dim not in SEATS]
    if not place.table:
        return (kinds[0], kinds[1]) if len(kinds) == len(("row", "column")) else None
    fields = [field for field in world.kinds[place.name].fields.values() if field.per is None]
    names = [field.name for field in fields if numbers(world, field)]
    pairs = [pair for pair in combinations(names, 2) if _is_plane(world.kinds[place.name], *pair)]
    return pairs[0] if pairs and len(kinds) == 1 else None


def _is_plane(kind: KindInfo, row: str, column: str) -> bool:
    """Return whether fields place each entry at a point of its own, in a rather full rectangle."""
    rows = [entry.values.get((row, None)) for entry in kind.entries]
    columns = [entry.values.get((column, None)) for entry in kind.entries]
    points = {*zip(rows, columns, strict=True)}
    is_dense = _DENSE * len(points) >= len({*rows}) * len({*columns})
    is_placed = None not in (*rows, *columns) and len(points) == len(rows)
    return is_placed and is_dense and min(len({*rows}), len({*columns})) > 1


def numbers(world: SymbolTable, field: FieldInfo) -> bool:
    """Return whether a field can number rows or columns."""
    return field.type == "number" or field.type in world.kinds


def fields_of(world: SymbolTable, decl: PanelDecl) -> Iterator[tuple[str, str]]:
    """Yield the fields that a panel uses, each as the name of its kind and its own name."""
    if decl.per is not None and decl.per.text in world.kinds:
        yield from ((decl.per.text, item.name.text) for item in decl.shown)
    place = world.places.get(world.singular(decl.shown[0].name.text))
    if place is None:
        return
    words = [word.text for word in (decl.row, decl.column) if word is not None]
    added = [item.name.text for item in decl.shown[1:] if words or decl.along]
    yield from ((place.name, word) for word in words + added)
    ways = None if decl.along is None else ways_of(world, place, decl.along.text)
    if ways is not None:
        yield ways[0].name, ways[1].name


def check_panel_titles(panels: Iterable[PanelDecl], findings: Findings) -> None:
    """Report titles used by two panels."""
    first: dict[str, Span] = {}
    for decl in panels:
        if first.setdefault(decl.title, decl.span) != decl.span:
            related = [Related(first[decl.title], "the other one")]
            wording.TITLE_TWICE.report(findings, decl.span, related, title=decl.title)


def check_panel(names: Declarations, decl: PanelDecl) -> None:
    """Report contents or a layout that a panel cannot show, and record its references."""
    form = ROWS if decl.form is None else decl.form.text
    panel = _Panel(names, decl, form, names.world)
    panel.check()
    panel.record()


@attrs.frozen
class _Panel:
    names: Declarations
    decl: PanelDecl
    form: str
    world: SymbolTable

    def check(self) -> None:
        decl, names = self.decl, self.names
        if decl.form is not None:
            names.choose(decl.form, FORMS, "layouts of a panel")
        names.one_of(decl.when, WHENS, wording.BAD_WHEN)
        if decl.whose is not None and decl.whose.text != "me":
            names.noted.expect(decl.whose.text, ["me"])
            names.choose(decl.whose, self.world.rivals, "rivals")
        if decl.per is not None:
            things = [*SEATS, *(name for name, kind in self.world.kinds.items() if kind.entries)]
            places = [name for name in things if name not in self.world.pieces]
            names.choose(decl.per, places, "kinds of things")
            owned = self._place.dims if self._place and self.form == "grid" else ()
            if self.form not in {ROWS, "columns", "table"} and decl.per.text not in owned:
                self._refuse(decl.per, wording.DRAWN_ONCE)
        self._layout()
        for shown in decl.shown:
            self._shown(shown)

    def record(self) -> None:
        """Record the references of a panel."""
        decl, world, noted = self.decl, self.world, self.names.noted
        for word in (decl.per, decl.whose):
            noted.noun(word, world)
        per = world.kinds.get(decl.per.text) if decl.per else None
        for shown in decl.shown:
            name = shown.name.text
            with_field = [kind for kind in (per, self._drawn) if kind and name in kind.fields]
            if with_field:
                noted.word(shown.name, SymbolKind.FIELD, name, with_field[0].name)
            else:
                noted.noun(shown.name, world)
            noted.noun(shown.place, world)
        place = self._place
        if place is None:
            laid_out = [
                name for kind in world.kinds.values() for name in (kind.name, *kind.fields)
            ]
            for word in (decl.along, decl.row, decl.column):
                noted.expect("" if word is None else word.text, laid_out)
            return
        fields = {name: kind for kind, name in fields_of(world, decl)}
        ways = ways_of(world, place, decl.along.text) if decl.along else None
        if ways is not None and decl.along is not None:
            noted.word(decl.along, SymbolKind.FIELD, decl.along.text, ways[0].name)
        for word in (decl.row, decl.column):
            if word is not None and word.text in place.dims and word.text != place.name:
                noted.noun(word, world)
            elif word is not None and word.text in fields:
                noted.word(word, SymbolKind.FIELD, word.text, fields[word.text])

    @property
    def _place(self) -> PlaceInfo | None:
        """The kind of place that a grid or map shows."""
        return self.world.places.get(self.world.singular(self.decl.shown[0].name.text))

    @property
    def _drawn(self) -> KindInfo | None:
        """The kind of the entries that a grid or map draws as places."""
        place = self._place if self.form in _SINGLE_CELL else None
        return self.world.kinds.get(place.name) if place and place.table else None

    # ---------------------------------------------------------------- layout
    def _layout(self) -> None:
        decl, form, first = self.decl, self.form, self.decl.shown[0].name
        if form == "table" and decl.per is None:
            self._refuse(decl.form, wording.TABLE_OF_WHAT)
        if decl.along is not None and form != "map":
            self._refuse(decl.along, wording.ONLY_MAP_ALONG)
        if form not in _SINGLE_CELL:
            if decl.row is not None:
                self._refuse(decl.row, wording.ONLY_GRID_BY)
            return
        place = self._place
        if place is None:
            self._refuse(first, wording.NO_PLACES)
        elif form == "map":
            self._map(place)
        elif decl.row is None or decl.column is None:
            self._refuse(decl.form, wording.GRID_BY_WHAT)
        else:
            for more in decl.shown[1:]:
                if not self._on_each(place, more):
                    self._refuse(more.name, wording.ONE_KIND)
            self._coordinate(place, decl.row)
            self._coordinate(place, decl.column)
            self._one_cell(place, {decl.row.text, decl.column.text})

    def _on_each(self, place: PlaceInfo, shown: Shown) -> bool:
        """Return whether each place on a grid has a thing, such as a field, of its own."""
        name = self.world.singular(shown.name.text)
        thing = self.world.tracks.get(name) or self.world.flags.get(name)
        is_field = self._drawn is not None and shown.name.text in self._drawn.fields
        is_counted = thing is not None and place.table and thing.dims == (place.name,)
        return shown.place is None and (is_field or is_counted)

    def _one_cell(self, place: PlaceInfo, at: set[str]) -> None:
        """Report a grid with several cells at one row and column."""
        decl = self.decl
        fixed = {*at, place.name} | ({decl.per.text} if decl.per else set())
        for dim in place.dims:
            is_mine = dim in SEATS and decl.whose is not None
            if dim not in fixed and not is_mine:
                self._refuse(decl.shown[0].name, wording.ONE_GRID_EACH, per=dim)

    def _map(self, place: PlaceInfo) -> None:
        decl = self.decl
        if decl.along is None:
            self._refuse(decl.form, wording.MAP_ALONG_WHAT)
        elif ways_of(self.world, place, decl.along.text) is None:
            lists = [name for kind in self.world.kinds.values() for name in kind.fields]
            self.names.noted.expect(decl.along.text, lists)
            self._refuse(decl.along, wording.NO_WAYS, plural=place.plural)
        if not place.table or len(place.dims) != 1:
            self._refuse(decl.shown[0].name, wording.NO_OWN_TABLE)
        for word in (decl.row, decl.column):
            if word is not None:
                self._coordinate(place, word)

    def _coordinate(self, place: PlaceInfo, word: Identifier) -> None:
        """Check a coordinate of places: one of their dimensions, or one of their fields."""
        kind = self.world.kinds.get(place.name)
        fields = kind.fields if kind and place.table else {}
        info = fields.get(word.text)
        if word.text in place.dims and word.text != place.name:
            return
        if info is None or info.per is not None:
            plain = [field for field in fields.values() if field.per is None]
            fit = [field.name for field in plain if numbers(self.world, field)]
            known = [*place.dims[place.table :], *fit]
            self.names.choose(word, known, f"fields of a {place.name}")
        elif not numbers(self.world, info):
            self._refuse(word, wording.NO_COORDINATE, type=info.type)

    # ---------------------------------------------------------------- contents
    def _shown(self, shown: Shown) -> None:
        world, word = self.world, shown.name
        name = world.singular(word.text)
        if shown.place is not None:
            self._counted(shown, name, shown.place)
            return
        per = self.decl.per
        kind = None if per is None else world.kinds.get(per.text)
        fields = {**(self._drawn.fields if self._drawn else {}), **(kind.fields if kind else {})}
        known = [*world.places, *world.tracks, *world.pieces, *world.values, *world.flags, *fields]
        if name in world.values:
            self._value(word, world.values[name])
        elif word.text in fields:
            if fields[word.text].per is not None or fields[word.text].type in UNSHOWN:
                self._refuse(word, wording.NO_ROOM)
        elif name in world.pieces and world.pieces[name].style != "single":
            self._refuse(word, wording.SEVERAL_PIECES, plural=world.pieces[name].plural)
        elif name in known:
            self._same_for_all(word, name)
        else:
            self.names.choose(word, [*known, *world.plurals], "things that can be shown", name)

    def _same_for_all(self, word: Identifier, name: str) -> None:
        """Report contents that do not depend on the panel's dimension."""
        world, per = self.world, self.decl.per
        if per is None or per.text in SEATS or name == per.text:
            return
        things = world.places.get(name) or world.tracks.get(name) or world.flags.get(name)
        if things is None or per.text not in things.dims:
            self._refuse(word, wording.SAME_FOR_ALL, per=per.text)

    def _counted(self, shown: Shown, piece: str, where: Identifier) -> None:
        world, place = self.world, self.world.singular(where.text)
        is_piece = self.names.choose(shown.name, world.pieces, "pieces", piece)
        if self.names.choose(where, world.places, "places", place) and is_piece:
            info = world.places[place]
            if piece not in info.holds and not info.unsure:
                plural = world.pieces[piece].plural
                self._refuse(shown.name, wording.NEVER_THERE, plural=plural, place=place)

    def _value(self, word: Identifier, value: ValueInfo) -> None:
        types = [param.type for param in value.params]
        if types and not (len(types) == 1 and self._fits(types[0].family, types[0].of)):
            self._refuse(word, wording.OF_WHICH, of=" and ".join(map(str, types)))

    def _fits(self, family: str, of: str) -> bool:
        per = "" if self.decl.per is None else self.decl.per.text
        of_seats = family in {*SEATS, "unknown"}
        return (of_seats and (per in SEATS or self.decl.whose is not None)) or per == of != ""

    def _refuse(self, word: Identifier | None, said: Wording, **fields: Detail) -> None:
        span = self.decl.span if word is None else word.span
        name = "" if word is None else word.text
        said.report(self.names.findings, span, (), advice="", name=name, form=self.form, **fields)


_DENSE = (
    3  # house: points of a rectangle for each place on it; on some boards every second is none
)
UNSHOWN = {"formula"}  # source, not words

"""Checks of panels: contents and layout."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.symbols.symbol_table import ReferenceRecorder, SymbolKind
from rulesdsl.source.diagnostics import Related, among, similar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.symbols.symbol_table import (
        FieldInfo,
        KindInfo,
        PlaceInfo,
        SymbolTable,
        ValueInfo,
    )
    from rulesdsl.source.diagnostics import Advice, Findings
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.declarations import PanelDecl, Shown
    from rulesdsl.syntax.node import Identifier


SEATS = ("player", "seat")
ROWS = "rows"
FORMS = (ROWS, "columns", "line", "header", "table", "grid", "map")
WHENS = ("always", "apart")
_SINGLE_CELL = ("grid", "map")  # layouts of one kind of places


def ways_of(world: SymbolTable, place: PlaceInfo, field: str) -> tuple[KindInfo, FieldInfo] | None:
    """Return the kind and field that list places: the places' own, or that of paths over them."""
    own = world.kinds.get(place.name)
    for kind in (*([own] if own else ()), *world.kinds.values()):
        info = kind.fields.get(field)
        if info and info.per is None and info.type == place.plural:
            return kind, info
    return None


def fields_of(world: SymbolTable, decl: PanelDecl) -> Iterator[tuple[str, str]]:
    """Yield kind and name of the fields that a panel uses."""
    if decl.per is not None and decl.per.text in world.kinds:
        yield from ((decl.per.text, shown.name.text) for shown in decl.shown)
    place = world.places.get(world.singular(decl.shown[0].name.text))
    if place is None:
        return
    yield from ((place.name, word.text) for word in (decl.row, decl.column) if word is not None)
    found = None if decl.along is None else ways_of(world, place, decl.along.text)
    if found is not None:
        yield found[0].name, found[1].name


def check_panel(
    world: SymbolTable, decl: PanelDecl, findings: Findings, noted: ReferenceRecorder
) -> None:
    """Report contents or a layout that a panel cannot show; record its references."""
    panel = _Panel(world, decl, findings, noted)
    panel.check()
    panel.record()


def check_panel_titles(panels: Iterable[PanelDecl], findings: Findings) -> None:
    """Report titles used by two panels."""
    first: dict[str, Span] = {}
    for decl in panels:
        if first.setdefault(decl.title, decl.span) != decl.span:
            findings.report(
                "E202",
                decl.span,
                f"There are two panels with the title {decl.title}.",
                "Give one of them another title, or show everything in one of them.",
                [Related(first[decl.title], "the other one")],
            )


class _Panel:
    def __init__(
        self, world: SymbolTable, decl: PanelDecl, findings: Findings, noted: ReferenceRecorder
    ) -> None:
        self.world = world
        self.decl = decl
        self.findings = findings
        self.noted = noted
        self.form = ROWS if decl.form is None else decl.form.text

    def check(self) -> None:
        decl, world = self.decl, self.world
        if decl.form is not None:
            self._one_of(decl.form, FORMS, "layouts of a panel")
        if decl.when is not None:
            self.noted.expect(decl.when.text, WHENS)
        if decl.when is not None and decl.when.text not in WHENS:
            self._refuse(
                decl.when,
                f"A panel is shown `always` or only `apart`, not `{decl.when.text}`.",
                similar(decl.when.text, WHENS),
            )
        if decl.whose is not None and decl.whose.text != "me":
            self.noted.expect(decl.whose.text, ["me"])
            self._one_of(decl.whose, world.rivals, "rivals")
        if decl.per is not None:
            self._per(decl.per)
        self._layout()
        for shown in decl.shown:
            self._shown(shown)

    def record(self) -> None:
        """Record the references of a panel."""
        decl, world = self.decl, self.world
        self.noted.noun(decl.per, world)
        self.noted.noun(decl.whose, world)
        per = world.kinds.get(decl.per.text) if decl.per else None
        for shown in decl.shown:
            if per is not None and shown.name.text in per.fields:
                self.noted.word(shown.name, SymbolKind.FIELD, shown.name.text, per.name)
            else:
                self.noted.noun(shown.name, world)
            self.noted.noun(shown.place, world)
        place = world.places.get(world.singular(decl.shown[0].name.text))
        if place is None:
            laid_out = [
                name for kind in world.kinds.values() for name in (kind.name, *kind.fields)
            ]
            for word in (decl.along, decl.row, decl.column):
                self.noted.expect("" if word is None else word.text, laid_out)
            return
        fields = {name: kind for kind, name in fields_of(world, decl)}
        ways = ways_of(world, place, decl.along.text) if decl.along else None
        if ways is not None and decl.along is not None:
            self.noted.word(decl.along, SymbolKind.FIELD, decl.along.text, ways[0].name)
        for word in (decl.row, decl.column):
            if word is not None and word.text in place.dims and word.text != place.name:
                self.noted.noun(word, world)
            elif word is not None and word.text in fields:
                self.noted.word(word, SymbolKind.FIELD, word.text, fields[word.text])

    # ---------------------------------------------------------------- layout
    def _per(self, per: Identifier) -> None:
        things = [*SEATS, *(name for name, kind in self.world.kinds.items() if kind.entries)]
        places = [name for name in things if name not in self.world.pieces]
        self._one_of(per, places, "kinds of things")
        if self.form not in {ROWS, "columns", "table"}:
            self._refuse(
                per,
                f"A panel as {self.form} is drawn once, not per `{per.text}`.",
                "Leave `per` out, or use `as table`.",
            )

    def _layout(self) -> None:
        decl, form = self.decl, self.form
        if form == "table" and decl.per is None:
            self._refuse(
                decl.form,
                "A table needs to know what its lines are.",
                "Write `as table per player`, or per another kind of things.",
            )
        if decl.along is not None and form != "map":
            self._refuse(decl.along, "Only a map takes `along`.", "Write `as map along`.")
        if decl.row is not None and form not in _SINGLE_CELL:
            self._refuse(
                decl.row,
                "Only a grid or a map is laid out by rows and columns.",
                "Write `as grid by`, or leave `by` out.",
            )
        if form not in _SINGLE_CELL:
            return
        place = self.world.places.get(self.world.singular(decl.shown[0].name.text))
        if place is None:
            self._refuse(
                decl.shown[0].name,
                f"A {form} shows places, and `{decl.shown[0].name.text}` is not one.",
                "Name the places in it.",
            )
        elif form == "grid":
            self._grid(place)
        else:
            self._map(place)

    def _grid(self, place: PlaceInfo) -> None:
        decl = self.decl
        if decl.row is None or decl.column is None:
            self._refuse(
                decl.form,
                "A grid needs to know what its rows and columns are.",
                "Write `as grid by row and column`: fields of the places, or the two kinds "
                "that the places are `per`.",
            )
            return
        for more in decl.shown[1:]:
            self._refuse(
                more.name, "A grid shows one kind of places.", "Make another panel of it."
            )
        for word in (decl.row, decl.column):
            self._coordinate(place, word)

    def _map(self, place: PlaceInfo) -> None:
        decl = self.decl
        if decl.along is None:
            self._refuse(
                decl.form,
                "A map needs to know what joins its places.",
                "Write `as map along`, and a field that lists them in order.",
            )
        elif ways_of(self.world, place, decl.along.text) is None:
            lists = [name for kind in self.world.kinds.values() for name in kind.fields]
            self.noted.expect(decl.along.text, lists)
            self._refuse(
                decl.along,
                f"No kind has a field `{decl.along.text}` that lists {place.plural}.",
                f"Its line would be `{decl.along.text}: {place.plural}`.",
            )
        if not place.table or len(place.dims) != 1:
            self._refuse(decl.shown[0].name, "The places of a map are a table of their own.", "")
        for word in (decl.row, decl.column):
            if word is not None:
                self._coordinate(place, word)

    def _coordinate(self, place: PlaceInfo, word: Identifier) -> None:
        """Check a coordinate of cells: one of their dimensions, or a field."""
        kind = self.world.kinds.get(place.name)
        fields = kind.fields if kind and place.table else {}
        info = fields.get(word.text)
        if word.text in place.dims and word.text != place.name:
            return
        if info is None or info.per is not None:
            fit = [
                each.name for each in fields.values() if each.per is None and self._numbers(each)
            ]
            self._one_of(word, [*place.dims[place.table :], *fit], f"fields of a {place.name}")
            return
        if not self._numbers(info):
            self._refuse(
                word,
                f"`{word.text}` is {info.type}: it cannot number rows or columns.",
                "Rows and columns are numbers, or things of a kind.",
            )

    def _numbers(self, field: FieldInfo) -> bool:
        """Return whether a field's values can number rows and columns."""
        return field.type == "number" or field.type in self.world.kinds

    # ---------------------------------------------------------------- contents
    def _shown(self, shown: Shown) -> None:
        world, word = self.world, shown.name
        name = world.singular(word.text)
        if shown.place is not None:
            self._counted(shown, name)
            return
        per = self.decl.per
        kind = None if per is None else world.kinds.get(per.text)
        fields = kind.fields if kind else {}
        known = [*world.places, *world.tracks, *world.pieces, *world.values, *world.flags, *fields]
        if name in world.values:
            self._value(word, world.values[name])
        elif word.text in fields:
            if fields[word.text].per is not None or fields[word.text].type in UNSHOWN:
                self._refuse(
                    word,
                    f"A panel has no room for the field `{word.text}`.",
                    "It shows numbers, yes-no, texts and entries, one for each line.",
                )
        elif name in world.pieces and world.pieces[name].style != "single":
            self._refuse(
                word,
                f"A panel can say where a single piece is, but there are several {word.text}.",
                f"Name the place, or count them there: `{world.pieces[name].plural} in ...`.",
            )
        elif name in known:
            self._same_for_all(word, name)
        else:
            self._one_of(word, [*known, *world.plurals], "things that can be shown", name)

    def _same_for_all(self, word: Identifier, name: str) -> None:
        """Report contents that do not depend on the panel's dimension."""
        world, per = self.world, self.decl.per
        if per is None or per.text in SEATS or name == per.text:
            return
        things = world.places.get(name) or world.tracks.get(name) or world.flags.get(name)
        if things is None or per.text not in things.dims:
            self._refuse(
                word,
                f"`{word.text}` is not per {per.text}: it would be the same for all of them.",
                "Show it in a panel of its own.",
            )

    def _counted(self, shown: Shown, piece: str) -> None:
        """Check `PIECES in PLACE`, a number of pieces."""
        world = self.world
        assert shown.place is not None
        place = world.singular(shown.place.text)
        self._one_of(shown.name, world.pieces, "pieces", piece)
        self._one_of(shown.place, world.places, "places", place)
        if piece in world.pieces and place in world.places:
            info = world.places[place]
            if piece not in info.holds and not info.unsure:
                message = f"No {world.pieces[piece].plural} ever lie in `{place}`."
                self._refuse(shown.name, message, "Name pieces that it `holds`.")

    def _value(self, word: Identifier, value: ValueInfo) -> None:
        """Report a value whose arguments the panel does not determine."""
        types = [param.type for param in value.params]
        if not types or (len(types) == 1 and self._fits(types[0].family, types[0].of)):
            return
        of = " and ".join(map(str, types))
        self.findings.report(
            "E205",
            word.span,
            f"`{value.name}` is a value of {of}: this panel cannot tell which one.",
            "Write `per player` to show it for each player. Without `per`, only a value of the "
            "whole game can be shown.",
        )

    def _fits(self, family: str, of: str) -> bool:
        """Return whether the panel determines an argument of this type."""
        per = "" if self.decl.per is None else self.decl.per.text
        of_seats = family in {*SEATS, "unknown"}
        return (of_seats and (per in SEATS or self.decl.whose is not None)) or per == of != ""

    def _refuse(self, word: Identifier | None, message: str, help_text: str | Advice) -> None:
        self.findings.report(
            "E201", self.decl.span if word is None else word.span, message, help_text
        )

    def _one_of(self, word: Identifier, known: Iterable[str], what: str, name: str = "") -> None:
        self.noted.expect(word.text, known)
        if (name or word.text) not in set(known) and not self.world.doubtful(word.text):
            self.findings.report(
                "E201",
                word.span,
                f"There are no {what} called `{word.text}`.",
                among(word.text, known),
            )


UNSHOWN = {"effect", "automatic", "formula"}

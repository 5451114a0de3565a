"""Fields of entries: the shapes of their values, how they are read, and their defaults."""

from __future__ import annotations

import attrs

from rulesdsl.check.symbols import wording
from rulesdsl.check.symbols.symbol_table import EntryInfo, FieldInfo, KindInfo, SymbolTable
from rulesdsl.check.symbols.tables import (
    ABOUT_SOURCES,
    AMOUNT,
    COPIES,
    ID,
    NUMBER,
    TITLE,
    Tables,
    field_constant,
    unquoted,
)
from rulesdsl.packs.shapes import (
    SOMETHING,
    YES_NO,
    Field,
    Json,
    Shape,
    TablePlace,
    array,
    described,
    is_table,
    is_text,
    reference,
    table,
    text,
    whole,
)
from rulesdsl.packs.toml_document import TomlTable
from rulesdsl.source.diagnostics import Findings, among, closest
from rulesdsl.source.english import a_or_an, and_list
from rulesdsl.source.facts import MissingFields
from rulesdsl.syntax.expressions import Expr
from rulesdsl.syntax.node import MAX_NUMBER
from rulesdsl.syntax.parser import parse_effect, parse_formula
from rulesdsl.syntax.statements import Body


def shape_of(field: FieldInfo, world: SymbolTable) -> tuple[Shape, str] | None:
    """Return the shape of a field's values and a description; None for an unknown type."""
    if field.type == field.per == "number":
        return _CHART, "a chart: a value for each of several numbers"
    if field.type == "bundle":
        noun = next(iter(_nouns(world)), "coins")
        return _price(world), f"a price, such as {{ {noun} = 2 }}"
    kind = world.kinds.get(world.singular(field.type))
    if field.type in _SIMPLE or kind is None:
        return _SIMPLE.get(field.type)
    if field.type == kind.name:
        return _entry(kind, world), f"one {kind.title}"
    return _entries(kind, world), f"a list of entries of the kind {kind.title}"


def definitions(world: SymbolTable) -> dict[str, Json]:
    """Return the schema definitions to which the shapes of fields refer."""
    price = table(dict.fromkeys(_nouns(world), reference("amount")))
    blank_lines: Json = {"items": {"type": "string", "pattern": r"^\s*$"}}
    lines: Json = {**array({"type": "string"}), "minItems": 1, "not": blank_lines}
    ways = [text(SOMETHING).schema, lines]
    titled = {
        EFFECT_TITLE.key: EFFECT_TITLE.schema,
        _DOES: described({"anyOf": ways}, "What it does."),
    }
    effect: Json = {"anyOf": [*ways, table(titled, titled)]}
    return {"amount": AMOUNT.schema, "price": price, "effect": effect}


def _chart(said: dict[str, object], place: TablePlace) -> tuple[tuple[int, int], ...]:
    points: list[tuple[int, int]] = []
    for key, each in said.items():
        is_number = key.isascii() and key.isdigit()
        point = _POINT.read(each if is_number else None, place.below(key))
        points += [] if point is None else [(int(key), point)]
    return tuple(sorted(points))


def _price(world: SymbolTable) -> Shape:
    def parse(said: dict[str, object], place: TablePlace) -> dict[str, int]:
        amounts: dict[str, int] = {}
        for noun, each in said.items():
            singular = world.singular(noun)
            if singular in world.bundle_nouns:
                is_negative = isinstance(each, int) and each < 0
                amount = (AMOUNT if is_negative else NUMBER).read(each, place.below(noun))
                amounts |= {} if amount is None else {singular: amount}
            elif not world.doubtful(noun):
                known = _nouns(world)
                advice = unquoted(noun, each, known)
                place.below(noun).unknown(wording.UNKNOWN_PRICE, known, advice)
        return amounts

    return Shape(is_table, "a price, such as { coins = 2 }", reference("price"), parse)


def _nouns(world: SymbolTable) -> list[str]:
    """Return the nouns allowed in prices, each plural before its singular."""
    plurals = {singular: plural for plural, singular in world.plurals.items()}
    names = ((plurals.get(each, each), each) for each in world.bundle_nouns)
    return list(dict.fromkeys(name for both in names for name in both))


def _effect(raw: str | list[str] | TomlTable, place: TablePlace) -> Body | None:
    if isinstance(raw, dict):
        return _titled(raw, place)
    if isinstance(raw, str):
        pieces = [(raw, place.string_map)]
    else:
        pieces = [(line, place.below(at).string_map) for at, line in enumerate(raw)]
    lines = "\n".join(piece for piece, _ in pieces)
    if not lines.strip():
        place.wrong("an effect, such as `nothing`", raw)
        return None
    positions = tuple(position for _, positions in pieces for position in positions)
    return parse_effect(lines, place.span.file, place.findings, positions, place.language)


def _titled(raw: TomlTable, place: TablePlace) -> Body | None:
    for key in sorted(raw.keys() - {EFFECT_TITLE.key, _DOES}):
        place.below(key).unknown(wording.NO_PART_OF_EFFECT, [EFFECT_TITLE.key, _DOES])
    place.lacks(
        "An effect in a table", [key for key in (EFFECT_TITLE.key, _DOES) if key not in raw]
    )
    title = EFFECT_TITLE.read(raw, place)
    body = _LINES_OF_RULES.read(raw[_DOES], place.below(_DOES)) if _DOES in raw else None
    return None if body is None else attrs.evolve(body, title=title)


def _formula(said: str, place: TablePlace) -> Expr | None:
    file, positions = place.span.file, place.string_map
    return parse_formula(said, file, place.findings, positions, place.language)


def _entry(kind: KindInfo, world: SymbolTable) -> Shape:
    """Return the shape of an entry's name, which is read as its index, or as -1 if unknown."""

    def parse(name: str, place: TablePlace) -> int:
        if name in kind.index:
            return kind.index[name]
        if not world.doubtful(name) and kind.name not in world.broken:
            advice = among(name, kind.index)
            wording.UNKNOWN_ENTRY.report(
                place.findings, place.span, advice=advice, kind=kind.name, name=name
            )
        return -1

    schema: Json = {"type": "string", "enum": [info.name for info in kind.entries]}
    return Shape(is_text, f"the name of {a_or_an(kind.name)}", schema, parse)


def _entries(kind: KindInfo, world: SymbolTable) -> Shape:
    """Return the shape of a list of entry names; unknown names are skipped."""
    one = _entry(kind, world)

    def parse(names: list[str], place: TablePlace) -> tuple[int, ...]:
        indexes = [one.parse(each, place.below(at)) for at, each in enumerate(names)]
        return tuple(each for each in indexes if each >= 0)

    return Shape(_is_texts, f"a list of {kind.plural}", array(one.schema), parse)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(is_text(each) for each in value)


_POINT = whole(
    -MAX_NUMBER,
    MAX_NUMBER,
    "a chart with whole numbers on both sides, such as { 2 = 5, 3 = 7 }",
    wording.TOO_LARGE,
)
_CHART = Shape(
    lambda value: is_table(value) and bool(value),
    "a chart, such as { 2 = 5, 3 = 7 }",
    {
        "type": "object",
        "patternProperties": {"^[0-9]+$": NUMBER.schema},
        "additionalProperties": False,
        "minProperties": 1,
    },
    _chart,
)
_LINES = "a line of rules, or a list of lines"
_LINES_OF_RULES = Shape(
    lambda value: is_text(value) or (_is_texts(value) and bool(value)),
    "an effect: a line in quotation marks, or a list of lines",
    reference("effect"),
    _effect,
)
_EFFECT = attrs.evolve(
    _LINES_OF_RULES, fits=lambda value: is_table(value) or _LINES_OF_RULES.fits(value)
)
_FORMULA = text(SOMETHING, "a value in quotation marks").then(_formula)
_SIMPLE: dict[str, tuple[Shape, str]] = {
    "number": (NUMBER, "a whole number"),
    "yes-no": (YES_NO.then(lambda on, _: int(on)), "true or false"),
    "text": (text(), "text in quotation marks"),
    "effect": (_EFFECT, f"an effect: {_LINES}"),
    "automatic": (_EFFECT, f"an effect without a choice: {_LINES}"),
    "formula": (_FORMULA, "a value, worked out each time it is asked for"),
}


_DOES = "does"
EFFECT_TITLE = Field("title", text(SOMETHING), "The words in which players read the effect.")
RESERVED = {TITLE.key, ID.key, COPIES.key, *ABOUT_SOURCES}


def read_fields(tables: Tables, kind: KindInfo) -> None:
    """Read the fields of all entries in a kind's table."""
    if kind.table is None or kind.name in tables.world.broken:
        return
    table = tables.layers.get(kind.table, kind.table_span)
    if table is None:
        return
    shapes = {name: shape_of(field, tables.world) for name, field in kind.fields.items()}
    reader = _FieldReader(tables.world, kind, shapes)
    for name, place, raw in tables.entries(kind, table):
        if isinstance(raw, dict) and name in kind.index:
            found = kind.entries[kind.index[name]]
            for key in (each for each in raw if each not in RESERVED):
                reader.field(found, key, place.below(key), raw[key])


@attrs.frozen
class _FieldReader:
    world: SymbolTable
    kind: KindInfo
    shapes: dict[str, tuple[Shape, str] | None]

    def field(self, found: EntryInfo, key: str, place: TablePlace, raw: object) -> None:
        """Read a field of an entry."""
        field = self.kind.fields.get(key)
        if field is None:
            found.wrong.update(closest(key, self.kind.fields)[:1])
            if not self.world.doubtful(key):
                a_kind = a_or_an(self.kind.name).capitalize()
                known = [*self.kind.fields, *RESERVED]
                place.unknown(wording.UNKNOWN_TABLE_FIELD, known, a_kind=a_kind)
            return
        found.spans[key] = place.key_span
        per = self.world.kinds.get(field.per or "")
        if field.per is None or field.type == field.per == "number":
            self._value(found, field, None, place, raw)
        elif per is not None and not isinstance(raw, dict):
            place.wrong(f"a table: one value for each {field.per}", raw)
            found.wrong.add(key)
        elif per is not None and isinstance(raw, dict):
            for name, each in raw.items():
                if name in per.index:
                    self._value(found, field, name, place.below(name), each)
                    continue
                found.wrong.add(key)
                if per.name not in self.world.broken:
                    said, advice = wording.UNKNOWN_COLUMN, unquoted(name, each, per.index)
                    place.below(name).unknown(said, per.index, advice, kind=per.name)

    def _value(
        self, found: EntryInfo, field: FieldInfo, key: str | None, place: TablePlace, raw: object
    ) -> None:
        at = (field.name, key)
        found.spans["/".join(part for part in at if part)] = place.span
        shape = self.shapes[field.name]
        value = shape[0].read(raw, place) if shape else None
        if value is not None:
            found.values_of(field)[at] = value


NEEDED = {"number", "yes-no", "bundle"}


def fill_defaults(world: SymbolTable, findings: Findings) -> None:
    """Fill absent fields with their defaults; report missing fields without a default."""
    for kind in world.kinds.values():
        if kind.name in world.broken:
            continue
        fields = [(each, _default(each, world, findings)) for each in kind.fields.values()]
        nowhere = [field for field, default in fields if default is None and _nowhere(field, kind)]
        for field in nowhere:
            wording.SET_NOWHERE.report(findings, field.span, plural=kind.plural, field=field.name)
        fields = [each for each in fields if each[0] not in nowhere]
        for found in kind.entries:
            missing = [
                said
                for field, default in fields
                for key in _keys(field, world)
                if _is_missing(found, field, key, default)
                for said in [(f"{field.name}.{key}" if key else field.name, field.type)]
            ]
            if missing:
                names = and_list([f"`{name}`" for name, _ in missing])
                said = wording.LACKS_FIELDS if missing[1:] else wording.LACKS_FIELD
                facts = MissingFields(tuple(missing))
                said.report(findings, found.span, facts=facts, name=found.name, fields=names)


def _nowhere(field: FieldInfo, kind: KindInfo) -> bool:
    """Return whether a required field is absent from every one of several entries."""
    said = (field.name in each.spans or field.name in each.wrong for each in kind.entries)
    return field.type in NEEDED and len(kind.entries) > 1 and not any(said)


def _default(field: FieldInfo, world: SymbolTable, findings: Findings) -> object | None:
    if field.default is None:
        return "" if field.type == "text" else None
    found = field_constant(field.default, field, world)
    if found is None:
        wording.OTHER_DEFAULT.report(
            findings, field.default.span, name=field.name, type=field.type
        )
        return 0
    return found


def _keys(field: FieldInfo, world: SymbolTable) -> list[str | None]:
    if field.per is not None and field.per in world.kinds:
        return [each.name for each in world.kinds[field.per].entries]
    return [None]


def _is_missing(
    found: EntryInfo, field: FieldInfo, key: str | None, default: object | None
) -> bool:
    """Fill an absent field with its default; return whether the field is missing."""
    if (field.name, key) in found.values:
        return False
    if default is not None:
        found.values[field.name, key] = default
        return False
    written = field.name if key is None else f"{field.name}/{key}"
    known = written in found.spans or field.name in found.wrong
    return field.type in NEEDED and not known

"""Entries of kinds, from TOML tables and from rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulesdsl.check.symbols import symbol_table as sy
from rulesdsl.check.symbols import wording
from rulesdsl.check.symbols.declare import SIMPLE_FIELDS, check_prefix, report_word, title_of
from rulesdsl.check.symbols.names import constant_number
from rulesdsl.check.symbols.symbol_table import SymbolTable
from rulesdsl.packs.overlay import Layered, MergedTable
from rulesdsl.packs.shapes import SOMETHING, Field, TablePlace, matches, text, whole
from rulesdsl.packs.toml_document import KeyPath, TomlTable
from rulesdsl.packs.wording import VALUES_AT_ODDS, report_order
from rulesdsl.source.diagnostics import Advice, Findings, Related, closest, similar
from rulesdsl.source.english import a_or_an, or_list
from rulesdsl.source.span import Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.lexer import ANY_NAME, begins
from rulesdsl.syntax.node import MAX_NUMBER
from rulesdsl.syntax.statements import Body

NUMBER = whole(-MAX_NUMBER, MAX_NUMBER, refused=wording.TOO_LARGE)
AMOUNT = whole(0, MAX_NUMBER)


# Entries are read in two passes, because a field may name an entry of a kind whose table comes
# later: `list_entries` and `add_entry` declare all names, then `fields.read_fields` and
# `add_entry_fields` read the fields. Reading is schema-driven: `fields.shape_of` maps the type of
# a field to a `Shape` (`packs/shapes.py`), which reads and checks a value and also provides the
# schema for editors. A new type of field needs only a new shape.
#
# Values are stored in `EntryInfo` by field and, for an indexed field, by the name of the indexing
# entry. An entry is stored as its index (-1 for none), a boolean as 1 or 0, effects and formulas
# as syntax trees:
#
#     values    {("worth", None): 3, ("cost", "spring"): {"coin": 2}, ("colour", None): 0}
#     effects   {("use", None): Body(...)}
#     formulas  {("reward", None): Expr(...)}
#     spans     {"cost": span of the key, "cost/spring": span of the value}
#
# `frontend.build_world` calls the passes in order.
@attrs.frozen
class Tables:
    """Tables of a game and its mods, and the symbol table that they fill."""

    layers: Layered
    world: SymbolTable
    findings: Findings
    noted: sy.ReferenceRecorder

    def place(self, table: MergedTable, path: KeyPath) -> TablePlace:
        """Return the source position of a value in a table."""
        return TablePlace(
            lambda at: table.origin(at).index,
            path,
            self.findings,
            lambda _path, wanted, _: f"Expected {wanted}.",
        )

    def entries(
        self, kind: sy.KindInfo, table: MergedTable
    ) -> Iterator[tuple[str, TablePlace, object]]:
        """Yield the name, position and value of each possible entry of a kind."""
        section, path = section_of(kind, table, self.world)
        for name, where, raw in named_in(section, path, self.world):
            yield name, self.place(table, where), raw

    def read_constants(self, decl: de.ConstantsDecl) -> None:
        """Read the named numbers in a file."""
        world, table = self.world, self.layers.get(decl.table.path, decl.table.span)
        if table is None:
            world.lost.add(ANY_NAME)
            return
        world.constant_tables.append(decl.table.path)
        for name, path, value in named_in(table.data, (), world):
            place, known = self.place(table, path), world.constants.get(name)
            span = place.key_span
            if known is not None and known.span == span:
                continue  # read for another pack already
            world.lost.add(name)
            if not isinstance(value, int | dict) or isinstance(value, bool):
                place.wrong("a whole number or a table of numbers", value, whole=True)
            elif known is not None:
                first = Related(known.span, "named here first")
                said = wording.NAMED_TWICE
                wording.report_twice(said, self.findings, span, first, world, name=name)
            elif _numbers_only(value, place):
                world.lost.discard(name)
                world.constants[name] = sy.NumberInfo(name, span, value)


def _numbers_only(value: object, place: TablePlace) -> bool:
    if isinstance(value, dict):
        return all(_numbers_only(each, place.below(key)) for key, each in value.items())
    return NUMBER.read(value, place) is not None


ABOUT_SOURCES = {"source", "sources"}


def unquoted(key: str, value: object, known: Iterable[str]) -> str:
    """Return advice if a known name with a dot lacks quotation marks, or "" if it does not."""
    keys = value if isinstance(value, dict) else {}
    whole = next((each for each in known if each in {f"{key}.{bare}" for bare in keys}), None)
    return "" if whole is None else wording.UNQUOTED.format(name=whole)


def named_in(
    section: dict[str, object], path: KeyPath, world: SymbolTable
) -> Iterator[tuple[str, KeyPath, object]]:
    """Yield the name, path and value of each item in a table.

    Items of mods are nested below the id of the mod: `[hats.bonnet]` is the `bonnet` of `hats`.
    """
    for key, value in section.items():
        if key in ABOUT_SOURCES:
            continue
        if key in world.mods and isinstance(value, dict):
            for bare, inner in value.items():
                if bare not in ABOUT_SOURCES:
                    yield f"{key}.{bare}", (*path, key, bare), inner
        else:
            yield key, (*path, key), value


def section_of(
    kind: sy.KindInfo, table: MergedTable, world: SymbolTable
) -> tuple[dict[str, object], KeyPath]:
    """Return a kind's section in a file: the whole file, or the table with the kind's name."""
    found = table.data.get(kind.name)
    shared = any(is_section(kind, name, world) for name in table.data)
    if isinstance(found, dict) and (
        shared or all(isinstance(each, dict) for each in found.values())
    ):
        return found, (kind.name,)
    if shared:
        return {}, (kind.name,)
    return table.data, ()


def is_section(kind: sy.KindInfo, name: str, world: SymbolTable) -> bool:
    """Return whether a key is the section of another kind in the same file."""
    other = world.kinds.get(name)
    return other is not None and other is not kind and other.table == kind.table


NAME = r"^[a-z][a-z0-9']*(-[a-z0-9']+)*$"
_MAX_COPIES = 1000
_ID = text(r"^[^ :\n\t]+$", "text without spaces or colons")

TITLE = Field(
    "name",
    text(SOMETHING),
    "The title that players read; a `the` before it is used in sentences only.",
)
ID = Field("id", _ID, "The id in saves and scripts; by default, the name of the entry.")
COPIES = Field(
    "copies",
    whole(1, _MAX_COPIES, refused=wording.TOO_MANY_COPIES),
    "The number of copies; by default, 1.",
    1,
)


def list_entries(tables: Tables, kind: sy.KindInfo) -> None:
    """Declare the entries of a kind's table, so that fields can refer to them."""
    if kind.table is None:
        return
    world = tables.world
    table = tables.layers.get(kind.table, kind.table_span)
    if table is None:
        world.broken.update({kind.name, ANY_NAME})
        return
    _, section = section_of(kind, table, world)
    if section:
        _refuse_other_sections(tables, kind, table)
    ids: dict[str, sy.EntryInfo] = {}
    for name, place, raw in tables.entries(kind, table):
        if not section and is_section(kind, name, world):
            continue
        if isinstance(raw, dict):
            _list_entry(tables, kind, place, name, raw, ids)
        else:
            place.wrong(f"a table with the fields of {a_or_an(kind.name)}", raw)
    if not kind.entries:
        wording.NO_ENTRIES.report(
            tables.findings, kind.table_span, kind=kind.name, plural=kind.plural
        )


def _refuse_other_sections(tables: Tables, kind: sy.KindInfo, table: MergedTable) -> None:
    world = tables.world
    here = [each.name for each in world.kinds.values() if each.table == kind.table]
    for name in table.data:
        if name not in {*here, *ABOUT_SOURCES} and not world.doubtful(name):
            known = or_list([f"`{each}`" for each in here])
            tables.place(table, (name,)).unknown(wording.UNKNOWN_SECTION, here, listed=known)


def _list_entry(
    tables: Tables,
    kind: sy.KindInfo,
    place: TablePlace,
    name: str,
    raw: TomlTable,
    ids: dict[str, sy.EntryInfo],
) -> None:
    world, findings = tables.world, tables.findings
    span, a_kind = place.key_span, a_or_an(kind.name)
    check_prefix(name, span, world, findings)
    if not matches(NAME, str(place.path[-1])):
        wording.BAD_ENTRY_NAME.report(findings, span, name=name, a_kind=a_kind)
        return
    if name in kind.index:
        first = Related(kind.entries[kind.index[name]].span, "declared here first")
        said = wording.ENTRY_TWICE
        wording.report_twice(said, findings, span, first, world, name=name, a_kind=a_kind)
        return
    if name in begins("arg"):
        report_word(name, span, world, findings)
    title = TITLE.read(raw, place) or name if TITLE.key in raw else title_of(name)
    bare = title.removeprefix("the ") or title
    article = title[: -len(bare)]
    found = sy.EntryInfo(kind.name, name, bare, ID.read(raw, place) or name, span, article)
    other = ids.setdefault(found.id, found)
    if other is not found:
        related, here = [Related(other.span, "the other one")], place.below(ID.key).span
        wording.ID_TWICE.report(findings, here, related, name=other.name, id=found.id)
    found.copies = _copies(kind, raw, place)
    world.add(kind, found)


def _copies(kind: sy.KindInfo, raw: TomlTable, place: TablePlace) -> int:
    if kind.role == "piece" or COPIES.key not in raw:
        return COPIES.read(raw, place) or 1
    a_kind = a_or_an(kind.name).capitalize()
    place.below(COPIES.key).unknown(wording.NO_COPIES, (), a_kind=a_kind)
    return 1


SOURCES = ("rulebook", "derived", "house")


def check_source_words(tables: Tables, declarations: Iterable[de.Decl]) -> None:
    """Report invalid values of `source` and `sources`, and unknown keys of the latter."""
    files: dict[str, Span] = {}
    for decl in declarations:
        if isinstance(decl, de.SourceDecl):
            _check_word(decl.source, decl.span, tables.findings)
        elif isinstance(decl, de.ConstantsDecl):
            files.setdefault(decl.table.path, decl.table.span)
    kinds = tables.world.kinds.values()
    for kind in kinds:
        if kind.table is not None:
            files.setdefault(kind.table, kind.table_span)
    for path, span in files.items():
        table = tables.layers.get(path, span)
        if table is not None:
            _check_file(tables, table, [kind for kind in kinds if kind.table == path])


def _check_word(word: object, span: Span, findings: Findings) -> None:
    if word not in SOURCES:
        known = or_list([f'"{each}"' for each in SOURCES])
        advice = similar(word, SOURCES) if isinstance(word, str) else ""
        wording.BAD_SOURCE.report(findings, span, advice=advice, known=known)


def _check_file(tables: Tables, table: MergedTable, kinds: Iterable[sy.KindInfo]) -> None:
    _check_part(tables, table.data, tables.place(table, ()))
    for kind in kinds:
        section, path = section_of(kind, table, tables.world)
        if path:
            _check_part(tables, section, tables.place(table, path))
        for name, place, raw in tables.entries(kind, table):
            if name in kind.index and isinstance(raw, dict):
                _check_table(raw, place, [*kind.fields, COPIES.key])


def _check_part(tables: Tables, data: TomlTable, place: TablePlace) -> None:
    """Check a section, and the sections from mods in it."""
    parts = [(data, place)]
    parts += [
        (nested, place.below(mod))
        for mod in tables.world.mods
        if isinstance(nested := data.get(mod), dict)
    ]
    for part, where in parts:
        _check_table(part, where, part.keys() - ABOUT_SOURCES)


def _check_table(data: TomlTable, place: TablePlace, about: Iterable[str]) -> None:
    """Check `source` and `sources` in a table; `about` has the keys that the latter may have."""
    if "source" in data:
        _check_word(data["source"], place.below("source").span, place.findings)
    listed = data.get("sources", {})
    here = place.below("sources")
    if not isinstance(listed, dict):
        here.wrong('a table, such as { price = "house" }', listed)
        return
    for name, word in listed.items():
        there = here.below(name)
        if name in about:
            _check_word(word, there.span, there.findings)
        else:
            there.unknown(wording.NO_SOURCED, about, unquoted(name, word, about))


def add_entry(tables: Tables, decl: de.EntryDecl) -> None:
    """Declare an entry that is written in rules, unless it only extends an existing one."""
    world, name = tables.world, decl.name.text
    kind = world.kinds.get(decl.kind.text)
    tables.noted.noun(decl.kind, world)
    if kind is None or kind.role == "option":
        word = decl.kind
        world.lost.add(name)
        if not world.doubtful(word.text):
            advice = similar(word.text, [*world.kinds, "verb", "step", "value"])
            said, what = wording.UNKNOWN_KIND, "kinds of things"
            wording.report_unknown(said, what, word, world, tables.findings, advice)
    elif name not in kind.index:
        check_prefix(name, decl.name.span, world, tables.findings)
        title = decl.title or title_of(name)
        world.add(kind, sy.EntryInfo(kind.name, name, title, name, decl.name.span))


def add_entry_fields(tables: Tables, decl: de.EntryDecl) -> None:
    """Read the fields of an entry that is written in rules."""
    kind, noted = tables.world.kinds.get(decl.kind.text), tables.noted
    if kind is None or decl.name.text not in kind.index:
        return
    found = kind.entries[kind.index[decl.name.text]]
    role = sy.ReferenceRole.DECLARES if found.span == decl.name.span else sy.ReferenceRole.USES
    noted.word(decl.name, sy.SymbolKind.ENTRY, found.name, kind.name, role)
    for part in decl.fields:
        if not isinstance(part, de.PlainField | de.EffectField):
            continue
        field = kind.fields.get(part.name.text)
        if field is None:
            report_no_field(kind, found, part.name.text, part.name.span, tables)
            continue
        noted.word(part.name, sy.SymbolKind.FIELD, field.name, kind.name)
        if isinstance(part, de.PlainField) and isinstance(part.value, ex.Name):
            noted.value(part.value, field.type, tables.world)
        _field(tables, kind, found, field, part)


def report_no_field(
    kind: sy.KindInfo, found: sy.EntryInfo, name: str, span: Span, tables: Tables
) -> None:
    """Report a field that an entry sets but its kind does not have."""
    found.wrong.update(closest(name, kind.fields)[:1])
    if not tables.world.doubtful(name):
        advice, a_kind = similar(name, kind.fields), a_or_an(kind.name).capitalize()
        wording.UNKNOWN_FIELD.report(
            tables.findings, span, advice=advice, name=name, a_kind=a_kind
        )


def _field(
    tables: Tables,
    kind: sy.KindInfo,
    found: sy.EntryInfo,
    field: sy.FieldInfo,
    part: de.PlainField | de.EffectField,
) -> None:
    world, at, values = tables.world, (field.name, None), found.values_of(field)
    if at in values:
        if not _takes_over(tables, found, field.name, part.name.span):
            return
        del values[at]
    found.spans[field.name] = part.name.span
    if field.type not in SIMPLE_FIELDS and world.singular(field.type) not in world.kinds:
        return  # reported at the field's declaration
    if isinstance(part, de.PlainField):
        _plain_field(tables, kind, found, field, part.value)
    elif field.type in {"effect", "automatic"}:
        body = part.body
        values[at] = Body(body.statements, body.inline, part.title, span=body.span)
    else:
        wording.NOT_EFFECT.report(
            tables.findings, part.name.span, name=field.name, type=field.type
        )


def _takes_over(tables: Tables, found: sy.EntryInfo, name: str, span: Span) -> bool:
    """Return whether a second definition of a field overrides the first; report a conflict.

    A mod's table overrides the rules of its game even though it is read first.
    """
    world, first = tables.world, found.spans[name]
    mine, theirs = world.pack_of(span), world.pack_of(first)
    if _overrides(world, mine, theirs):
        return True
    if _overrides(world, theirs, mine):
        return False
    if at_odds(world, theirs, mine):
        related, what = [Related(first, f"set by `{theirs}` as well")], f"`{found.name}.{name}`"
        mods = [theirs, mine]
        report_order(VALUES_AT_ODDS, tables.findings, span, related, mods, what=what)
    else:
        related = [Related(first, "set here first")]
        wording.SET_TWICE.report(tables.findings, span, related, entry=found.name, field=name)
    return False


def _plain_field(
    tables: Tables, kind: sy.KindInfo, found: sy.EntryInfo, field: sy.FieldInfo, said: ex.Expr
) -> None:
    world = tables.world
    value = field_constant(said, field, world)
    if field.type == "formula" or value is not None:
        found.values_of(field)[field.name, None] = said if field.type == "formula" else value
    elif field.type not in world.broken:  # entries of a broken kind are unknown
        named = world.kinds.get(field.type)
        advice: str | Advice = ""
        if named is not None and isinstance(said, ex.Name):
            advice = similar(said.name, named.index) or f"Name {a_or_an(named.name)}."
        wording.OTHER_TYPE.report(
            tables.findings,
            said.span,
            advice=advice,
            name=field.name,
            a_kind=a_or_an(kind.name),
            type=field.type,
        )


def field_constant(value: ex.Expr, field: sy.FieldInfo, world: SymbolTable) -> object | None:
    """Evaluate a field's value in rules; return None if it does not fit the field's type."""
    match value, field.type:
        case ex.Number(), "number":
            return value.value if value.value <= MAX_NUMBER else None
        case ex.Switch(), "yes-no":
            return int(value.on)
        case ex.Name(), "number" if value.name in world.constants:
            return constant_number(value, world)
        case ex.Name(), name if name in world.kinds:
            return world.kinds[name].index.get(value.name)
    return None


def _overrides(world: sy.SymbolTable, pack: str, other: str) -> bool:
    """Return whether one pack's declarations override another's."""
    if pack not in world.mods:
        return False
    return other not in world.mods or other in world.after.get(pack, ())


def at_odds(world: sy.SymbolTable, pack: str, other: str) -> bool:
    """Return whether two packs are mods with no load order between them."""
    ordered = pack in world.after.get(other, ()) or other in world.after.get(pack, ())
    return pack != other and {pack, other} <= world.mods and not ordered

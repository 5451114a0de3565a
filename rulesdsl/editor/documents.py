"""Names in what lies beside the rules: tables, scenarios, lessons and pages of a rulebook.

The checker reads tables as they are with all mods laid over one another, but names have to be
found in every layer. So their keys and values are read file by file, by the fields that the game
declares. The effects and formulas of scenarios, and what pages say in braces, are resolved like
any others, over the world of the last check, and the resolver records their names.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.book.pages import Page, read_page
from rulesdsl.check.book.texts import Slot, cut
from rulesdsl.check.completion import PLAYERS
from rulesdsl.check.naming import Mention, Role, Sort, Thing
from rulesdsl.check.resolve.bodies import Bodies
from rulesdsl.check.scope import Scope
from rulesdsl.check.tables.files import named_in, section_of
from rulesdsl.check.types import PLAYER, entry
from rulesdsl.packs.toml_file import parse_toml
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax.parser import parse_effect, parse_formula

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.merge import MergedTable
    from rulesdsl.packs.toml_file import TomlFile
    from rulesdsl.packs.toml_spans import Path
    from rulesdsl.source.span import SourceFile
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body

KEPT = 200  # texts whose phrases are kept parsed; the largest game that we ship has 45
EFFECTS, FORMULAS = ("given", "play"), ("expect",)
PICKS = ("do", "offered", "not-offered", "why-not", "open")
_NUMBERED = re.compile(r"-[0-9]+$")
_PICK = re.compile(r"\s*p[0-9]+ +([a-z][a-z0-9'.-]*)(?::([a-z][\w'.-]*))?")


# -------------------------------------------------------------------- tables
def table_mentions(layers: Layered, world: World) -> Iterator[Mention]:
    """Yield the names in the tables of a game with its mods."""
    for kind in world.kinds.values():
        table = None if kind.table is None else layers.get(kind.table, NOWHERE)
        if table is not None:
            yield from _entries(kind, _files(table), table, world)
    for path in dict.fromkeys(world.constant_tables):
        table = layers.get(path, NOWHERE)
        for file in _files(table) if table is not None else ():
            yield from _constants(file, world)


def _files(table: MergedTable) -> list[TomlFile]:
    return [each.file for each in table.layers]


def _entries(
    kind: KindInfo, files: Iterable[TomlFile], table: MergedTable, world: World
) -> Iterator[Mention]:
    _, section = section_of(kind, table, world)
    for file in files:
        here = file.at(section)
        if not isinstance(here, dict):
            continue
        if section:
            yield from _keys(file, section, Thing(Sort.NOUN, kind.name))
        for name, path, raw in named_in(here, section, world):
            if name in kind.index and isinstance(raw, dict):
                found = kind.entries[kind.index[name]]
                yield from _entry(kind, found, file, path, raw, world)
        yield from _sources(kind, file, section, here)


def _entry(
    kind: KindInfo,
    found: EntryInfo,
    file: TomlFile,
    path: Path,
    raw: dict[str, object],
    world: World,
) -> Iterator[Mention]:
    span = file.index.key_span(path)
    role = Role.DECLARES if span == found.span else Role.USES
    thing = Thing(Sort.ENTRY, found.name, kind.name)
    yield Mention(span, thing, role=role)
    yield from _keys(file, path, thing)
    for key, value in raw.items():
        field = kind.fields.get(key)
        if field is None:
            continue
        yield from _keys(file, (*path, key), Thing(Sort.FIELD, key, kind.name))
        per = world.kinds.get(field.per or "")
        if per is not None and isinstance(value, dict):
            for column, each in value.items():
                if column in per.index:
                    named = Thing(Sort.ENTRY, column, per.name)
                    yield from _keys(file, (*path, key, column), named)
                    yield from _value(field, file, (*path, key, column), each, world)
        else:
            yield from _value(field, file, (*path, key), value, world)
    yield from _sources(kind, file, path, raw)


def _value(
    field: FieldInfo, file: TomlFile, path: Path, value: object, world: World
) -> Iterator[Mention]:
    kind = world.kinds.get(world.singular(field.type))
    if field.type == "bundle" and isinstance(value, dict):
        for noun in value:
            if world.declares(noun):
                yield from _keys(file, (*path, noun), Thing(Sort.NOUN, world.singular(noun)))
    elif kind is not None and isinstance(value, str):
        yield from _named(kind, file, path, value)
    elif kind is not None and isinstance(value, list):
        for at, each in enumerate(value):
            yield from _named(kind, file, (*path, at), each)


def _keys(file: TomlFile, path: Path, thing: Thing) -> Iterator[Mention]:
    for span in file.index.key_spans(path):
        yield Mention(span, thing, role=Role.USES)


def _named(kind: KindInfo, file: TomlFile, path: Path, value: object) -> Iterator[Mention]:
    if isinstance(value, str) and value in kind.index:
        yield _quoted(file, path, Thing(Sort.ENTRY, value, kind.name))


def _quoted(file: TomlFile, path: Path, thing: Thing) -> Mention:
    """Return the mention that a string is, without its quotation marks."""
    places = file.index.string_map(path)
    span = Span(file.source.path, *places[0], *places[-1])
    return Mention(span, thing, role=Role.USES)


def _sources(
    kind: KindInfo, file: TomlFile, path: Path, here: dict[str, object]
) -> Iterator[Mention]:
    """Yield the fields whose origin is said: `sources = { reward = "house" }`."""
    said = here.get("sources")
    for key in said if isinstance(said, dict) else ():
        if key in kind.fields:
            yield from _keys(file, (*path, "sources", key), Thing(Sort.FIELD, key, kind.name))
        elif key in kind.index:
            yield from _keys(file, (*path, "sources", key), Thing(Sort.ENTRY, key, kind.name))


def _constants(file: TomlFile, world: World) -> Iterator[Mention]:
    for name, path, value in named_in(file.data, (), world):
        if name in world.constants:
            span = file.index.key_span(path)
            role = Role.DECLARES if world.constant_spans[name] == span else Role.USES
            yield Mention(span, Thing(Sort.NOUN, name), role=role)
            yield from _keys(file, path, Thing(Sort.NOUN, name))
            yield from _rows(file, path, value, world)
    said = file.data.get("sources")
    for name in said if isinstance(said, dict) else ():
        if name in world.constants:
            yield from _keys(file, ("sources", name), Thing(Sort.NOUN, name))


def _rows(file: TomlFile, path: Path, value: object, world: World) -> Iterator[Mention]:
    """Yield the keys of a table of numbers: entries of a kind, or what a price is paid in."""
    for key, below in value.items() if isinstance(value, dict) else ():
        owners = world.owners.get(key, [])
        if world.singular(key) in world.bundle_nouns and isinstance(below, int):
            yield from _keys(file, (*path, key), Thing(Sort.NOUN, world.singular(key)))
        elif owners:
            yield from _keys(file, (*path, key), Thing(Sort.ENTRY, key, owners[0]))
        yield from _rows(file, (*path, key), below, world)


# -------------------------------------------------------------------- documents
@attrs.frozen
class Phrases:
    """What a text says in the language of the rules, parsed: it stays whatever they say."""

    effects: tuple[Body, ...] = ()
    formulas: tuple[Expr, ...] = ()
    file: TomlFile | None = None
    page: Page | None = None


@attrs.define(slots=False, eq=False)
class Documents:
    """The scenarios, lessons and pages of a game with its mods, read when somebody asks."""

    layers: Layered
    world: World

    @cached_property
    def sources(self) -> dict[str, SourceFile]:
        """The texts by their paths."""
        quiet = Findings()
        texts = (each for pack in self.layers.packs for each in pack.texts_beside(quiet))
        return {each.path: each for each in texts}

    def mentions(self, source: SourceFile) -> list[Mention]:
        """Return the names in a text."""
        phrases = phrases_of(source)
        found = [] if phrases.file is None else [*_keys_of_scenario(phrases.file, self.world)]
        bodies = Bodies(self.world, Findings())
        for body in phrases.effects:
            bodies.resolver(_scope()).block(body)
        for expr in phrases.formulas:
            bodies.resolver(_scope()).value(expr)
        for row in phrases.page.rows if phrases.page else ():
            scope = _scope()
            scope.me = ty.Const(0, type=PLAYER)
            for each in row.each:
                scope.locals[each.name] = ty.Const(0, type=entry(each.kind))
                if self.world.declares(each.kind):
                    found.append(Mention(each.span, Thing(Sort.NOUN, each.kind), role=Role.USES))
            wheres = (each.where for each in row.each)
            for slot in (*row.parts, row.when, *wheres):
                parsed = _formula(slot) if isinstance(slot, Slot) else None
                if parsed is not None:
                    bodies.resolver(scope).value(parsed)
        return found + bodies.noted.mentions


def _scope() -> Scope:
    scope = Scope(None)
    scope.locals.update(PLAYERS)
    return scope


@lru_cache(KEPT)
def phrases_of(source: SourceFile) -> Phrases:
    """Return what a text says in the language of the rules."""
    if source.path.endswith(".toml"):
        return _phrases_of_toml(source)
    return Phrases(page=read_page(source.path, source, Findings()))


def _phrases_of_toml(source: SourceFile) -> Phrases:
    file = parse_toml(source.path, source, Findings())
    if file is None:
        return Phrases()
    effects: list[Body | None] = []
    formulas: list[Expr | None] = []
    for path, key, text in strings_of(file):
        if key in EFFECTS:
            places = file.index.string_map(path)
            effects.append(parse_effect(text, source.path, Findings(), places))
        elif key in FORMULAS:
            places = file.index.string_map(path)
            formulas.append(parse_formula(text, source.path, Findings(), places))
        elif key == "say":
            parts = cut(text, source.path, file.index.string_map(path), Findings())
            formulas.extend(_formula(each) for each in parts if isinstance(each, Slot))
    return Phrases(
        tuple(each for each in effects if each is not None),
        tuple(each for each in formulas if each is not None),
        file,
    )


def _formula(slot: Slot) -> Expr | None:
    return parse_formula(slot.words, slot.span.file, Findings(), slot.positions)


def _strings(value: object, path: Path) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _strings(each, (*path, key))
    elif isinstance(value, list):
        for at, each in enumerate(value):
            yield from _strings(each, (*path, at))


def strings_of(file: TomlFile) -> Iterator[tuple[Path, str, str]]:
    """Yield the strings of a file: the way to each, the key that it belongs to, what it says."""
    for path, text in _strings(file.data, ()):
        yield path, _key(path), text


def _key(path: Path) -> str:
    """Return the key that a string belongs to, be it in a list."""
    return next((each for each in reversed(path) if isinstance(each, str)), "")


def _keys_of_scenario(file: TomlFile, world: World) -> Iterator[Mention]:
    for path, key, text in strings_of(file):
        if key in PICKS:
            yield from _pick(file, path, text, world)
        elif key == "after" and text in world.procs:
            yield _quoted(file, path, Thing(Sort.VERB, text))
    for at, table in enumerate(_tables(file)):
        options = table.get("options")
        for name, value in options.items() if isinstance(options, dict) else ():
            path = (next(iter(file.data)), at, "options", name)
            if name in world.options:
                span = file.index.key_span(path)
                yield Mention(span, Thing(Sort.NOUN, name), role=Role.USES)
                if isinstance(value, str):
                    yield _quoted(file, path, Thing(Sort.ENTRY, value, name))


def _tables(file: TomlFile) -> list[dict[str, object]]:
    found = next(iter(file.data.values()), [])
    listed = found if isinstance(found, list) else []
    return [each if isinstance(each, dict) else {} for each in listed]


def _pick(file: TomlFile, path: Path, text: str, world: World) -> Iterator[Mention]:
    """Yield the thing in the id of an option, where it is called by its name: `build:NAME`."""
    found = _PICK.match(text)
    if found is None or found[2] is None:
        return
    places = file.index.string_map(path)
    name = found[2]
    owners = _owners(name, world)
    if not owners:  # one of several that are alike: `build:NAME-2`
        name = _NUMBERED.sub("", name)
        owners = _owners(name, world)
    if owners:
        of = found[1] if found[1] in owners else owners[0]
        start = found.start(2)
        at = Span(file.source.path, *places[start], *places[start + len(name)])
        yield Mention(at, Thing(Sort.ENTRY, name, of), role=Role.USES)
        if found[1] in owners:
            kind = Thing(Sort.NOUN, found[1])
            at = Span(file.source.path, *places[found.start(1)], *places[found.end(1)])
            yield Mention(at, kind, role=Role.USES)


def _owners(name: str, world: World) -> list[str]:
    """Return the kinds of which an entry is called by its name, be it in an option."""
    return [
        kind
        for kind in world.owners.get(name, ())
        if world.kinds[kind].entries[world.kinds[kind].index[name]].id == name
    ]

"""Keys and names in the TOML files of a game: entries, fields, what a price is paid in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.naming import Role, Sort, Thing
from rulesdsl.check.tables.files import named_in, section_of
from rulesdsl.source.span import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.merge import MergedTable
    from rulesdsl.packs.toml_file import TomlFile
    from rulesdsl.packs.toml_spans import Path
    from rulesdsl.source.span import Span

Found = tuple["Span", Thing, Role]


def table_words(layers: Layered, world: World, only: str | None = None) -> Iterator[Found]:
    """Yield what the tables of a game with its mods refer to, or one of their files."""
    for kind in world.kinds.values():
        table = None if kind.table is None else layers.get(kind.table, NOWHERE)
        if table is not None:
            yield from _entries(kind, _files(table, only), table, world)
    for path in dict.fromkeys(world.constant_tables):
        table = layers.get(path, NOWHERE)
        for file in _files(table, only) if table is not None else ():
            yield from _constants(file, world)


def _files(table: MergedTable, only: str | None) -> list[TomlFile]:
    files = [each.file for each in table.layers]
    return [each for each in files if only in {None, each.source.path}]


def _entries(
    kind: KindInfo, files: Iterable[TomlFile], table: MergedTable, world: World
) -> Iterator[Found]:
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
) -> Iterator[Found]:
    span = file.index.key_span(path)
    role = Role.DECLARES if span == found.span else Role.USES
    thing = Thing(Sort.ENTRY, found.name, kind.name)
    yield span, thing, role
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
) -> Iterator[Found]:
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


def _keys(file: TomlFile, path: Path, thing: Thing) -> Iterator[Found]:
    for span in file.index.key_spans(path):
        yield span, thing, Role.USES


def _named(kind: KindInfo, file: TomlFile, path: Path, value: object) -> Iterator[Found]:
    if isinstance(value, str) and value in kind.index:
        yield inner_span(file, path), Thing(Sort.ENTRY, value, kind.name), Role.USES


def inner_span(file: TomlFile, path: Path) -> Span:
    """Return where the characters of a string are, without its quotation marks."""
    places = file.index.string_map(path)
    span = file.index.span(path)
    return type(span)(span.file, *places[0], *places[-1])


def _sources(
    kind: KindInfo, file: TomlFile, path: Path, here: dict[str, object]
) -> Iterator[Found]:
    """Yield the fields whose origin is said: `sources = { reward = "house" }`."""
    said = here.get("sources")
    for key in said if isinstance(said, dict) else ():
        if key in kind.fields:
            yield from _keys(file, (*path, "sources", key), Thing(Sort.FIELD, key, kind.name))
        elif key in kind.index:
            yield from _keys(file, (*path, "sources", key), Thing(Sort.ENTRY, key, kind.name))


def _constants(file: TomlFile, world: World) -> Iterator[Found]:
    for name, path, value in named_in(file.data, (), world):
        if name in world.constants:
            span = file.index.key_span(path)
            role = Role.DECLARES if world.constant_spans[name] == span else Role.USES
            yield span, Thing(Sort.NOUN, name), role
            yield from _keys(file, path, Thing(Sort.NOUN, name))
            yield from _rows(file, path, value, world)
    said = file.data.get("sources")
    for name in said if isinstance(said, dict) else ():
        if name in world.constants:
            yield from _keys(file, ("sources", name), Thing(Sort.NOUN, name))


def _rows(file: TomlFile, path: Path, value: object, world: World) -> Iterator[Found]:
    """Yield the keys of a table of numbers: entries of a kind, or what a price is paid in."""
    for key, below in value.items() if isinstance(value, dict) else ():
        owners = world.owners.get(key, [])
        if world.singular(key) in world.bundle_nouns and isinstance(below, int):
            yield from _keys(file, (*path, key), Thing(Sort.NOUN, world.singular(key)))
        elif owners:
            yield from _keys(file, (*path, key), Thing(Sort.ENTRY, key, owners[0]))
        yield from _rows(file, (*path, key), below, world)

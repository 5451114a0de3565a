"""JSON Schemas for the TOML files of a pack, for TOML tools that do not use the language server.

Readers and schemas share one description, the lists of `Field` and `Shape` (`packs/shapes.py`): a
reader converts values by a shape, and this module emits its schema. Declarations of the game add
the rest: entries, fields and defaults of each kind, options and steps of scenarios.

Schemas use the shared part of draft 4 and draft 7, which TOML tools support. They may accept more
than the checker, such as entries without a mandatory field, but never less.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

import attrs

from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.fields import definitions, shape_of
from rulesdsl.check.symbols.symbol_table import FieldInfo, KindInfo, OptionSymbol, SymbolTable
from rulesdsl.check.symbols.tables import (
    COPIES,
    ID,
    NAME,
    NUMBER,
    SOURCES,
    TITLE,
    field_constant,
    named_in,
    section_of,
)
from rulesdsl.packs.folder import LESSONS, MANIFEST, SCENARIOS
from rulesdsl.packs.manifest import Players, manifest_fields
from rulesdsl.packs.overlay import Layered
from rulesdsl.packs.pack_source import PackSource
from rulesdsl.packs.shapes import (
    SOMETHING,
    YES_NO,
    Field,
    Json,
    array,
    described,
    reference,
    table,
    table_of,
    text,
    whole,
    word,
)
from rulesdsl.scenarios.coverage import CHECKLIST
from rulesdsl.scenarios.lessons import LIST as LESSON_LIST
from rulesdsl.scenarios.lessons import lesson_fields
from rulesdsl.scenarios.reading import CHECKS, LIST
from rulesdsl.scenarios.scenario import scenario_fields
from rulesdsl.source.diagnostics import LintError
from rulesdsl.source.render import escaped

DRAFT = "http://json-schema.org/draft-07/schema#"


def document(title: str, body: Json, definitions: Mapping[str, Json] | None = None) -> Json:
    """Return a self-contained schema."""
    shared: Json = {"definitions": dict(definitions)} if definitions else {}
    return {"$schema": DRAFT, "title": title, **body, **shared}


def named(schema: Json, names: Json, known: Mapping[str, Json] | None = None) -> Json:
    """Return the schema of a table with arbitrary keys, some of them known."""
    keys: Json = {"propertyNames": names} if names else {}
    return {"type": "object", "properties": known or {}, "additionalProperties": schema, **keys}


_SOURCE, _VALUE = reference("source"), reference("number")
_DEFINITIONS: dict[str, Json] = {
    "source": described(word(SOURCES).schema, "The source of numbers."),
    "number": {"anyOf": [NUMBER.schema, named(_VALUE, {})]},
}


@attrs.frozen
class TableSchemas:
    """The schemas of one pack's tables, including entries of the packs below it."""

    layers: Layered
    pack: PackSource
    world: SymbolTable

    def schema(self, path: str) -> Json | None:
        """Return the schema of a table, or None if no declaration reads it."""
        title = f"{path} of {self.pack.manifest.name}"
        kinds = [kind for kind in self.world.kinds.values() if kind.table == path]
        if kinds:
            return self._of_kinds(title, path, kinds)
        if path in self.world.constant_tables:
            return self._of_numbers(title, path)
        return None

    # ---------------------------------------------------------------- named numbers
    def _of_numbers(self, title: str, path: str) -> Json:
        merged = self.layers.get(path, self.world.start)
        every = named_in(merged.data if merged else {}, (), self.world)
        known = [name for name, _, _ in every if name in self.world.constants]
        return document(title, self._names(_VALUE, {}, known), _DEFINITIONS)

    # ---------------------------------------------------------------- entries
    def _of_kinds(self, title: str, path: str, kinds: list[KindInfo]) -> Json:
        merged = self.layers.get(path, self.world.start)
        own = merged is not None and section_of(kinds[0], merged, self.world)[1]
        sections = own or len(kinds) > 1
        known = _DEFINITIONS | definitions(self.world)
        parts = {kind.name: self._entries(kind, known) for kind in kinds}
        if not sections:
            return document(title, parts[kinds[0].name], known)
        sourced = self._sourced(word(parts).schema)
        return document(title, table(sourced | parts), known)

    def _entries(self, kind: KindInfo, defined: dict[str, Json]) -> Json:
        entry = f"entry:{kind.name}"
        defined[entry] = self._entry(kind)
        names = [info.name for info in kind.entries]
        return self._names(reference(entry), text(NAME).schema, names)

    def _names(self, schema: Json, names: Json, known: Iterable[str]) -> Json:
        """Return the schema of a table of names; names from a mod are nested below its id."""
        here: dict[str, Json] = {}
        of_mods: dict[str, dict[str, Json]] = {}
        if self.pack.manifest.is_mod:
            of_mods[self.pack.id] = {}
        for name in known:
            mod, dot, bare = name.rpartition(".")
            below = of_mods.setdefault(mod, {}) if dot else here
            below[bare] = schema
        for mod, below in of_mods.items():
            here[mod] = named(schema, names, self._sourced(names) | below)
        mods = word(of_mods).schema
        either: Json = {"anyOf": [names, mods]} if names and of_mods else names
        return named(schema, either, self._sourced(either) | here)

    def _entry(self, kind: KindInfo) -> Json:
        about = word((*kind.fields, COPIES.key)).schema
        properties = {field.key: field.schema for field in (TITLE, ID)} | self._sourced(about)
        if kind.role == "piece":
            properties[COPIES.key] = COPIES.schema
        for name, field in kind.fields.items():
            properties[name] = self._field(kind, field)
        return described(table(properties), kind.title)

    def _field(self, kind: KindInfo, field: FieldInfo) -> Json:
        found = shape_of(field, self.world)
        assert found, "content without errors has no field of an unknown type"
        schema, words = found[0].schema, found[1]
        per = self.world.kinds.get(field.per or "")
        if per is not None:
            schema = table({entry.name: schema for entry in per.entries})
            words += f", for each {per.title}"
        return described(schema, f"{kind.title}: {field.name}, {words}.", self._default(field))

    def _default(self, field: FieldInfo) -> object:
        if field.default is None or field.per is not None:
            return None
        found = field_constant(field.default, field, self.world)
        if field.type == "yes-no":
            return bool(found)
        kind = self.world.kinds.get(field.type)
        return kind.entries[found].name if kind and isinstance(found, int) else found

    def _sourced(self, about: Json) -> dict[str, Json]:
        single = named(_SOURCE, about)
        return {"source": _SOURCE, "sources": described(single, "The sources of single numbers.")}


def scenario_schema(name: str, players: Players, world: SymbolTable, *, lessons: bool) -> Json:
    """Return the schema for a pack's scenario files, or for its lessons."""
    options = table_of(_option(each) for each in world.options.values())
    steps = word(world.plain_steps).schema
    fields = lesson_fields if lessons else scenario_fields
    one = table_of(fields(players, players.most, options=options, steps=steps))
    if lessons:
        return document(f"Lessons of {name}", table({LESSON_LIST: array(one)}))
    one["anyOf"] = [{"required": [key]} for key in CHECKS]
    return document(f"Scenarios of {name}", table({LIST: array(one)}))


def checklist_schema(name: str) -> Json:
    """Return the schema of the checklist, which lists rules with their text, and exceptions."""
    rules = named(text(SOMETHING).schema, {})
    properties = {
        "ids": described(rules, "Every rule, in a few words."),
        "exempt": described(rules, "Rules that need no scenario, each with the reason."),
        "untold": described(rules, "Rules that the rulebook may omit, each with the reason."),
    }
    return document(f"Checklist of {name}", table(properties))


def _option(option: OptionSymbol) -> Field:
    default: object = option.default
    if option.switch:
        shape, default = YES_NO, bool(default)
    elif option.names:
        shape, default = word(option.names), option.names[option.default]
    else:
        shape = whole(option.low, option.high)
    return Field(option.name, shape, option.title, default=default)


def schema_path(path: str) -> str:
    """Return the path of the schema for a TOML file: scenarios share one, and so do lessons."""
    pure = PurePosixPath(path)
    folder = pure.parts[0]
    is_shared = len(pure.parts) > 1 and folder in {SCENARIOS, LESSONS}
    return f"{folder}/{folder}.json" if is_shared else pure.with_suffix(".json").as_posix()


def schemas_of(
    path: str | Path, mods: Sequence[str | Path] = (), *, of: str | Path | None = None
) -> dict[str, str]:
    """Return the schemas for a game's TOML files, or for those of the mod in the folder `of`.

    The result maps file names to JSON texts: `cards.json` is the schema of `cards.toml`,
    `scenarios/scenarios.json` that of all scenarios, and likewise for lessons. Raises LintError if
    the content has errors.
    """
    layers, checked, report = check_pack(path, mods)
    if layers is None or checked is None or report.errors:
        raise LintError(report.errors, report.sources)
    pack, world = layers.at(of), checked.program.world
    schemas = _schemas(layers, pack, world)
    return {
        name: escaped(json.dumps(schema, ensure_ascii=False, indent=2)) + "\n"
        for name, schema in schemas.items()
        if schema is not None
    }


def _schemas(layers: Layered, pack: PackSource, world: SymbolTable) -> dict[str, Json | None]:
    name = pack.manifest.name
    tables = TableSchemas(layers, pack, world)
    manifest = table_of(manifest_fields(pack.manifest.kind))
    schemas: dict[str, Json | None] = {
        schema_path(MANIFEST): document(f"{MANIFEST} of {name}", manifest)
    }
    for path in pack.toml_paths():
        of_pack = checklist_schema(name) if path == CHECKLIST else tables.schema(path)
        schemas[schema_path(path)] = of_pack
    for folder, files in ((SCENARIOS, pack.scenario_files()), (LESSONS, pack.lesson_files())):
        if files:
            one = scenario_schema(name, layers.players, world, lessons=folder == LESSONS)
            schemas[f"{folder}/{folder}.json"] = one
    return schemas


__all__ = ["schemas_of"]

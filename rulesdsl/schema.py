"""JSON Schemas for the TOML files of a pack, used by editors for completion and validation.

Readers and schemas share one description, the lists of `Field` and `Shape` (`packs/shapes.py`): a
reader converts values by a shape, and this module emits its schema, so no bound, pattern or word
is stated twice. Declarations of the game add the rest: entries, fields and defaults of each
kind, options and steps of scenarios. So each file of a pack has its own schema in the folder
`schema`, named by its first line (`#:schema ./schema/cards.json`).

Schemas use the shared part of draft 4 and draft 7, which the TOML plugins of all editors support.
They may accept more than the checker, such as names from other files, but never less.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path, PurePosixPath

import attrs

from rulesdsl.check.frontend import check_pack
from rulesdsl.check.symbols.fields import NEEDED, definitions, shape_of
from rulesdsl.check.symbols.symbol_table import (
    EntryInfo,
    FieldInfo,
    KindInfo,
    OptionSymbol,
    SymbolTable,
)
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
from rulesdsl.packs.folder import LESSONS, MANIFEST, MAX_BYTES, SCENARIOS
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
from rulesdsl.source.files import read_inside

DRAFT = "http://json-schema.org/draft-07/schema#"
MARK = "Written by `coloma schema` from the declarations of the pack."


def document(
    title: str, body: Mapping[str, object], definitions: Mapping[str, Json] | None = None
) -> Json:
    """Return a self-contained schema, with the definitions that it uses."""
    found: Json = {"$schema": DRAFT, "$comment": MARK, "title": title, **body}
    known = definitions or {}
    used: set[str] = set()
    left: list[object] = [body]
    while left:
        written = json.dumps(left.pop())
        fresh = {name for name in known if json.dumps(reference(name)) in written} - used
        left += [known[name] for name in fresh]
        used |= fresh
    kept = {name: each for name, each in known.items() if name in used}
    return {**found, "definitions": kept} if kept else found


def named(
    schema: Json, names: Json | None = None, known: Mapping[str, Json] | None = None
) -> Json:
    """Return the schema of a table with arbitrary keys, some of them known."""
    properties: Json = {"properties": dict(known)} if known else {}
    keys: Json = {"propertyNames": names} if names else {}
    return {"type": "object", **properties, "additionalProperties": schema, **keys}


_SOURCE, _VALUE = reference("source"), reference("number")
_DEFINITIONS: dict[str, Json] = {
    "source": described(word(SOURCES).schema, "The source of numbers."),
    "number": {"anyOf": [NUMBER.schema, named(_VALUE)]},
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
        known = {name: _VALUE for name, _, _ in every if name in self.world.constants}
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
        new = f"entry:{kind.name}"
        defined[new] = self._entry(kind, kind.fields)
        known: dict[str, Json] = {}
        for entry in kind.entries:
            if self._is_from_below(entry):
                change = f"change:{kind.name}"
                defined.setdefault(change, self._entry(kind, ()))
                known[entry.name] = reference(change)
            elif said := self._said_in_rules(entry):
                own = f"{new}:{entry.name}"
                defined[own] = self._entry(kind, kind.fields.keys() - said)
                known[entry.name] = reference(own)
        return self._names(reference(new), text(NAME).schema, known)

    def _names(self, new: Json, names: Json, known: Mapping[str, Json]) -> Json:
        """Return the schema of a table of names; names from a mod are nested below its id."""
        here: dict[str, Json] = {}
        of_mods: dict[str, dict[str, Json]] = {}
        for name, schema in known.items():
            mod, dot, bare = name.rpartition(".")
            if dot:
                of_mods.setdefault(mod, {})[bare] = schema
            else:
                here[name] = schema
        if self.pack.manifest.is_mod:
            of_mods.setdefault(self.pack.id, {})
        for mod, brought in of_mods.items():
            inside = self._sourced(names) | brought
            here[mod] = named(new, names, inside) if mod == self.pack.id else table(inside)
        mods = word(of_mods).schema
        either: Json = {"anyOf": [names, mods]} if names and of_mods else names
        return named(new, either, self._sourced(either) | here)

    def _is_from_below(self, entry: EntryInfo) -> bool:
        """Return true if a lower pack defines the entry, so this one only changes fields."""
        others = (each for each in self.layers.packs if each is not self.pack)
        return any(entry.span.file in each.sources for each in others)

    def _said_in_rules(self, entry: EntryInfo) -> set[str]:
        return {name for name, span in entry.spans.items() if span.file.endswith(".rules")}

    def _entry(self, kind: KindInfo, whole: Collection[str]) -> Json:
        """Return the schema of an entry; the mandatory fields in `whole` are required."""
        about = word((*kind.fields, COPIES.key)).schema
        properties = {each.key: each.schema for each in (TITLE, ID)} | self._sourced(about)
        if kind.role == "piece":
            properties[COPIES.key] = COPIES.schema
        needed = [
            name
            for name, field in kind.fields.items()
            if name in whole and field.type in NEEDED and field.default is None
        ]
        for name, field in kind.fields.items():
            properties[name] = self._field(kind, field, needed=name in needed)
        return described(table(properties, needed), kind.title)

    def _field(self, kind: KindInfo, field: FieldInfo, *, needed: bool) -> Json:
        """Return the schema of a field; if the field is required, all its keys are."""
        found = shape_of(field, self.world)
        assert found, "content without errors has no field of an unknown type"
        schema, words = found[0].schema, found[1]
        per = self.world.kinds.get(field.per or "")
        if per is not None:
            keys = [each.name for each in per.entries]
            schema = table(dict.fromkeys(keys, schema), keys if needed else ())
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
        single = named(_SOURCE, about or None)
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
    rules = named(text(SOMETHING).schema)
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


FOLDER = "schema"
"""The folder of schemas within a pack."""

SCENARIO_SCHEMA = f"{SCENARIOS}/scenarios.json"
LESSON_SCHEMA = f"{LESSONS}/lessons.json"
_SHARED = {SCENARIOS: SCENARIO_SCHEMA, LESSONS: LESSON_SCHEMA}
BEGINNING = "#:schema "


def schema_path(path: str) -> str:
    """Return the path of the schema for a TOML file, relative to the schema folder."""
    pure = PurePosixPath(path)
    shared = _SHARED.get(pure.parts[0]) if len(pure.parts) > 1 else None
    return shared or pure.with_suffix(".json").as_posix()


def schema_line(path: str) -> str:
    """Return the first line of a pack's TOML file: `#:schema ./schema/cards.json`.

    `path` is relative to the folder of the pack.
    """
    up = "../" * (len(PurePosixPath(path).parts) - 1) or "./"
    return f"{BEGINNING}{up}{FOLDER}/{schema_path(path)}"


@attrs.frozen
class Schemas:
    """The schemas of a pack. `unmarked` maps files without a schema line to the line to add."""

    folder: Path
    texts: dict[str, str] = attrs.field(repr=False)
    unmarked: dict[str, str]


def schemas_of(
    path: str | Path, mods: Sequence[str | Path] = (), *, of: str | Path | None = None
) -> Schemas:
    """Return the schemas for a game's TOML files, or for those of the mod in the folder `of`.

    Every file of the pack has its own schema, except that all scenarios share one. Raises
    LintError if the content has errors.
    """
    layers, checked, report = check_pack(path, mods)
    if layers is None or checked is None or report.errors:
        raise LintError(report.errors, report.sources)
    pack = layers.at(of)
    schemas = _schemas(layers, pack, checked.program.world)
    texts = {
        name: json.dumps(schema, ensure_ascii=False, indent=2) + "\n"
        for name, schema in schemas.items()
        if schema is not None
    }
    return Schemas(pack.folder, texts, _unmarked(pack, texts))


def _schemas(layers: Layered, pack: PackSource, world: SymbolTable) -> dict[str, Json | None]:
    name = pack.manifest.name
    tables = TableSchemas(layers, pack, world)
    manifest = table_of(manifest_fields(pack.manifest.kind))
    found: dict[str, Json | None] = {
        schema_path(MANIFEST): document(f"{MANIFEST} of {name}", manifest)
    }
    for path in pack.toml_paths():
        of_pack = checklist_schema(name) if path == CHECKLIST else tables.schema(path)
        found[schema_path(path)] = of_pack
    if pack.scenario_files():
        found[SCENARIO_SCHEMA] = scenario_schema(name, layers.players, world, lessons=False)
    if pack.lesson_files():
        found[LESSON_SCHEMA] = scenario_schema(name, layers.players, world, lessons=True)
    return found


def _unmarked(pack: PackSource, texts: dict[str, str]) -> dict[str, str]:
    beside = (*pack.scenario_files(), *pack.lesson_files())
    paths = [MANIFEST, *pack.toml_paths()]
    paths += [each.relative_to(pack.folder).as_posix() for each in beside]
    return {
        path: schema_line(path)
        for path in paths
        if schema_path(path) in texts and not _is_marked(pack.folder, path)
    }


def _is_marked(folder: Path, path: str) -> bool:
    try:
        text = read_inside(folder, folder / path, MAX_BYTES).decode("utf-8-sig", errors="replace")
    except OSError:
        return True
    for line in text.splitlines():
        if line.startswith(BEGINNING):
            return True
        if line.strip() and not line.startswith("#"):
            return False
    return False


__all__ = ["FOLDER", "Schemas", "schema_line", "schemas_of"]

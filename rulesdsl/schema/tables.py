"""Schemas of tables: the entries of kinds, and named numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.defaults import NEEDED
from rulesdsl.check.tables.entries import COPIES, ID, NAME, TITLE
from rulesdsl.check.tables.field_shapes import definitions, shape_of
from rulesdsl.check.tables.files import NUMBER, named_in, section_of
from rulesdsl.check.tables.rule_entries import field_constant
from rulesdsl.check.tables.source_words import SOURCES
from rulesdsl.packs.shapes import Json, described, reference, table, text, word
from rulesdsl.schema.parts import document, named

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource

_SOURCE, _VALUE = reference("source"), reference("number")
_DEFINITIONS: dict[str, Json] = {
    "source": described(word(SOURCES).schema, "Where numbers come from."),
    "number": {"anyOf": [NUMBER.schema, named(_VALUE)]},
}


class TableSchemas:
    """The schemas of one pack's tables; the packs below it are there already."""

    def __init__(self, layers: Layered, pack: PackSource, world: World) -> None:
        self.layers = layers
        self.pack = pack
        self.world = world

    def schema(self, path: str) -> Json | None:
        """Return the schema of a table, `None` if no declaration reads it."""
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
        """Return the schema of a kind's entries, new ones and those that are known."""
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
        """Return the schema of a table of names; below a mod's id, of those that it brings."""
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
        """Whether a pack below this one has the entry, and this one changes single fields."""
        others = (each for each in self.layers.packs if each is not self.pack)
        return any(entry.span.file in each.sources for each in others)

    def _said_in_rules(self, entry: EntryInfo) -> set[str]:
        return {name for name, span in entry.spans.items() if span.file.endswith(".rules")}

    def _entry(self, kind: KindInfo, whole: Collection[str]) -> Json:
        """Return the schema of an entry that has to have those of these fields that are needed."""
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
        """Return the schema of a field; all keys of a needed one are needed."""
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
        """Return what holds where an entry says nothing, as TOML has it."""
        if field.default is None or field.per is not None:
            return None
        found = field_constant(field.default, field, self.world)
        if field.type == "yes-no":
            return bool(found)
        kind = self.world.kinds.get(field.type)
        return kind.entries[found].name if kind and isinstance(found, int) else found

    def _sourced(self, about: Json) -> dict[str, Json]:
        """Return the keys that say where numbers come from."""
        single = named(_SOURCE, about or None)
        return {
            "source": _SOURCE,
            "sources": described(single, "Where single numbers come from."),
        }

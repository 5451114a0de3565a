"""Schemas of tables: the entries of kinds, and named numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.tables.entries import MOST_COPIES, NAME
from rulesdsl.check.tables.files import Said
from rulesdsl.check.tables.source_words import SOURCES, WITH_SOURCE
from rulesdsl.schema.fields import FieldSchemas
from rulesdsl.schema.parts import (
    SOMETHING,
    Json,
    described,
    document,
    named,
    number,
    reference,
    table,
    text,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulesdsl.check.world import EntryInfo, KindInfo, World
    from rulesdsl.packs.layers import Layered
    from rulesdsl.packs.pack_source import PackSource

_WHOLE_NAME = f"^{NAME}$"
_SOURCE, _VALUE = reference("source"), reference("number")
_DEFINITIONS: dict[str, Json] = {
    "source": described(words(SOURCES), "Where numbers come from."),
    "number": {"anyOf": [number(), named(_VALUE)]},
}


class TableSchemas:
    """The schemas of one pack's tables; the packs below it are there already."""

    def __init__(self, layers: Layered, pack: PackSource, world: World) -> None:
        self.layers = layers
        self.pack = pack
        self.world = world
        self.fields = FieldSchemas(world)

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
        every = Said(merged, (), merged.data).named(self.world) if merged else ()
        known = {name: _VALUE for name, _ in every if name in self.world.constants}
        return document(title, self._names(_VALUE, {}, known), _DEFINITIONS)

    # ---------------------------------------------------------------- entries
    def _of_kinds(self, title: str, path: str, kinds: list[KindInfo]) -> Json:
        merged = self.layers.get(path, self.world.start)
        sections = len(kinds) > 1 or (merged is not None and _is_section(merged.data, kinds[0]))
        definitions = _DEFINITIONS | self.fields.definitions()
        parts = {kind.name: self._entries(kind, definitions) for kind in kinds}
        if not sections:
            return document(title, parts[kinds[0].name], definitions)
        return document(title, table(self._sourced(words(parts)) | parts), definitions)

    def _entries(self, kind: KindInfo, definitions: dict[str, Json]) -> Json:
        """Return the schema of a kind's entries, new ones and those that are known."""
        new = f"entry:{kind.name}"
        definitions[new] = self._entry(kind, kind.fields)
        known: dict[str, Json] = {}
        for entry in kind.entries:
            if self._is_from_below(entry):
                change = f"change:{kind.name}"
                definitions.setdefault(change, self._entry(kind, ()))
                known[entry.name] = reference(change)
            elif said := self._said_in_rules(entry):
                own = f"{new}:{entry.name}"
                definitions[own] = self._entry(kind, kind.fields.keys() - said)
                known[entry.name] = reference(own)
        return self._names(reference(new), text(_WHOLE_NAME), known)

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
        either: Json = {"anyOf": [names, words(of_mods)]} if names and of_mods else names
        return named(new, either, self._sourced(either) | here)

    def _is_from_below(self, entry: EntryInfo) -> bool:
        """Whether a pack below this one has the entry, and this one changes single fields."""
        others = (each for each in self.layers.packs if each is not self.pack)
        return any(entry.span.file in each.sources for each in others)

    def _said_in_rules(self, entry: EntryInfo) -> set[str]:
        return {name for name, span in entry.spans.items() if span.file.endswith(".rules")}

    def _entry(self, kind: KindInfo, needed: Iterable[str]) -> Json:
        """Return the schema of an entry that has to have these fields if they are needed."""
        whole = set(needed)
        properties = {
            "name": described(text(SOMETHING), "The title that players read."),
            "id": described(
                text(r"^[^ :\n\t]+$"), "What saves and scripts call it; otherwise its name."
            ),
            **self._sourced(words([*kind.fields, WITH_SOURCE])),
        }
        if kind.role == "piece":
            how_many = described(number(1, MOST_COPIES), "How many there are, if not one.", 1)
            properties[WITH_SOURCE] = how_many
        required = []
        for name, field in kind.fields.items():
            properties[name] = self.fields.field(kind, field, whole=name in whole)
            if name in whole and self.fields.is_needed(field):
                required.append(name)
        return described(table(properties, required), kind.title)

    def _sourced(self, about: Json) -> dict[str, Json]:
        """Return the keys that say where numbers come from."""
        single = named(_SOURCE, about or None)
        return {"source": _SOURCE, "sources": described(single, "Where single numbers come from.")}


def _is_section(data: dict[str, object], kind: KindInfo) -> bool:
    """Whether a file has a part of its own for a kind, as the reader of tables sees it."""
    found = data.get(kind.name)
    return isinstance(found, dict) and all(isinstance(each, dict) for each in found.values())

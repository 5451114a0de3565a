"""The fields of entries in tables, every value checked for the type of its field."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.tables.entries import COPIES, ID, TITLE
from rulesdsl.check.tables.field_shapes import shape_of
from rulesdsl.check.types import a_or_an
from rulesdsl.source.suggest import closest

if TYPE_CHECKING:
    from rulesdsl.check.tables.files import Tables
    from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World
    from rulesdsl.packs.place import Place
    from rulesdsl.packs.shapes import Shape

RESERVED = {TITLE.key, ID.key, COPIES.key, "source", "sources"}


def read_fields(tables: Tables, kind: KindInfo) -> None:
    """Take in the fields of all entries that are in a kind's table."""
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
    """Reads fields of the entries of a kind, each by its shape."""

    world: World
    kind: KindInfo
    shapes: dict[str, tuple[Shape, str] | None]

    def field(self, found: EntryInfo, key: str, place: Place, raw: object) -> None:
        """Take in a field of an entry."""
        field = self.kind.fields.get(key)
        if field is None:
            found.wrong.update(closest(key, self.kind.fields)[:1])
            if not self.world.doubtful(key):
                message = f"{a_or_an(self.kind.name).capitalize()} has no field `{key}`."
                advice = "Declare it in the rules, or remove the line."
                place.unknown(message, [*self.kind.fields, *RESERVED], advice)
            return
        found.spans[key] = place.key_span
        if field.per is None or field.type == field.per == "number":
            self._value(found, field, None, place, raw)
            return
        per = self.world.kinds.get(field.per)
        if per is None:
            return  # reported where the field is declared
        if not isinstance(raw, dict):
            place.wrong(f"a table: one value for each {field.per}", raw)
            found.wrong.add(key)
            return
        for name, each in raw.items():
            if name in per.index:
                self._value(found, field, name, place.below(name), each)
                continue
            found.wrong.add(key)
            if per.name not in self.world.broken:
                place.below(name).unknown(f"There is no {field.per} `{name}`.", per.index)

    def _value(
        self, found: EntryInfo, field: FieldInfo, key: str | None, place: Place, raw: object
    ) -> None:
        at = (field.name, key)
        found.spans["/".join(part for part in at if part)] = place.span
        shape = self.shapes[field.name]
        value = shape[0].read(raw, place) if shape else None
        if value is None:
            return
        match field.type:
            case "effect" | "automatic":
                found.effects[at] = value
            case "formula":
                found.formulas[at] = value
            case _:
                found.values[at] = value

"""The fields of entries in tables, every value checked for the type of its field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.tables.entries import EntryLister
from rulesdsl.check.tables.files import Path, Table, named_in, section_of
from rulesdsl.check.types import a_or_an
from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo
from rulesdsl.source.suggest import closest, did_you_mean
from rulesdsl.syntax.parser import parse_effect, parse_formula

if TYPE_CHECKING:
    from rulesdsl.syntax.statements import Body


RESERVED = {"name", "copies", "source", "sources", "id"}


class ValueReader(EntryLister):
    """Takes in the fields of entries that stand in tables."""

    def read_fields(self, kind: KindInfo) -> None:
        """Take in the fields of all entries that stand in a kind's table."""
        if kind.table is None or kind.name in self.world.broken:
            return
        table = self.tables.get(kind.table, kind.table_span)
        if table is None:
            return
        section, path = section_of(kind, table, self.world)
        for name, where, raw in named_in(section, path, self.world):
            if isinstance(raw, dict) and name in kind.index:
                found = kind.entries[kind.index[name]]
                for key in raw:
                    if key not in RESERVED:
                        self._field(kind, found, table, where, key, raw[key])

    def _field(
        self,
        kind: KindInfo,
        found: EntryInfo,
        table: Table,
        where: Path,
        key: str,
        raw: object,
    ) -> None:
        field = kind.fields.get(key)
        here = (*where, key)
        if field is None:
            self._unknown_field(kind, found, table, here, key)
            return
        found.spans[key] = table.key_span(here)
        if field.per is None or (field.type == "number" and field.per == "number"):
            self._value(found, field, None, table, here, raw)
            return
        per = self.world.kinds.get(field.per)
        if per is None:
            return  # reported where the field is declared
        if not isinstance(raw, dict):
            self._wrong(table, here, f"a table: one value for each {field.per}")
            found.wrong.add(key)
            return
        for name, each in raw.items():
            if name in per.index:
                self._value(found, field, name, table, (*here, name), each)
                continue
            found.wrong.add(key)
            if per.name not in self.world.broken:
                self.findings.report(
                    "E004",
                    table.key_span((*here, name)),
                    f"There is no {field.per} `{name}`.",
                    did_you_mean(name, per.index),
                )

    def _unknown_field(
        self, kind: KindInfo, found: EntryInfo, table: Table, here: Path, key: str
    ) -> None:
        near = closest(key, kind.fields)
        found.wrong.update(near[:1])
        if not self.world.doubtful(key):
            self.findings.report(
                "E004",
                table.key_span(here),
                f"{a_or_an(kind.name).capitalize()} has no field `{key}`.",
                did_you_mean(key, [*kind.fields, *RESERVED])
                or "Declare it in the rules, or leave the line out.",
            )

    def _value(  # noqa: C901, PLR0912 - one case for each type of field
        self,
        found: EntryInfo,
        field: FieldInfo,
        key: str | None,
        table: Table,
        here: Path,
        raw: object,
    ) -> None:
        at = (field.name, key)
        found.spans["/".join(part for part in at if part)] = table.span(here)
        match field.type:
            case "number" if field.per == "number":
                self._chart(found, at, table, here, raw)
            case "number":
                if isinstance(raw, bool) or not isinstance(raw, int):
                    self._wrong(table, here, "a whole number")
                elif self._in_bounds(table, here, raw):
                    found.values[at] = raw
            case "yes-no":
                if isinstance(raw, bool):
                    found.values[at] = int(raw)
                else:
                    self._wrong(table, here, "true or false")
            case "text":
                if isinstance(raw, str):
                    found.values[at] = raw
                else:
                    self._wrong(table, here, "a text")
            case "bundle":
                self._bundle(found, at, table, here, raw)
            case "effect" | "automatic":
                body = self._effect(table, here, raw)
                if body is not None:
                    found.effects[at] = body
            case "formula":
                self._formula(found, at, table, here, raw)
            case _:
                self._reference(found, field, at, table, here, raw)

    def _chart(
        self, found: EntryInfo, at: tuple[str, str | None], table: Table, here: Path, raw: object
    ) -> None:
        if not isinstance(raw, dict) or not raw:
            self._wrong(table, here, "a table from numbers to numbers, such as { 2 = 5, 3 = 7 }")
            return
        points: list[tuple[int, int]] = []
        for key, value in raw.items():
            if not _is_number(key) or isinstance(value, bool) or not isinstance(value, int):
                self._wrong(table, (*here, key), "a number for each number")
            elif self._in_bounds(table, (*here, key), value):
                points.append((int(key), value))
        found.values[at] = tuple(sorted(points))

    def _bundle(
        self, found: EntryInfo, at: tuple[str, str | None], table: Table, here: Path, raw: object
    ) -> None:
        if not isinstance(raw, dict):
            self._wrong(table, here, "a price, such as { coins = 2 }")
            return
        amounts: dict[str, int] = {}
        for noun, value in raw.items():
            singular = self.world.singular(noun)
            if singular not in self.world.bundle_nouns:
                if self.world.doubtful(noun):
                    continue
                known = [*self.world.plurals, *self.world.bundle_nouns]
                payable = [
                    each for each in known if self.world.singular(each) in self.world.bundle_nouns
                ]
                self.findings.report(
                    "E004",
                    table.key_span((*here, noun)),
                    f"Nothing that could be paid is called `{noun}`.",
                    did_you_mean(noun, payable),
                )
            elif isinstance(value, bool) or not isinstance(value, int) or value < 0:
                self._wrong(table, (*here, noun), "a whole number")
            elif self._in_bounds(table, (*here, noun), value):
                amounts[singular] = value
        found.values[at] = amounts

    def _effect(self, table: Table, here: Path, raw: object) -> Body | None:
        pieces: list[tuple[str, tuple[tuple[int, int], ...]]] = []
        if isinstance(raw, str):
            pieces.append((raw, table.string_map(here)))
        elif isinstance(raw, list) and raw and all(isinstance(each, str) for each in raw):
            pieces.extend(
                (line, table.string_map((*here, number))) for number, line in enumerate(raw)
            )
        else:
            self._wrong(table, here, "an effect: a text, or a list of texts")
            return None
        text = "\n".join(piece for piece, _ in pieces)
        places = tuple(place for _, positions in pieces for place in positions)
        if not text.strip():
            self._wrong(table, here, "an effect, such as `nothing`")
            return None
        return parse_effect(text, table.span(here).file, self.findings, places)

    def _formula(
        self, found: EntryInfo, at: tuple[str, str | None], table: Table, here: Path, raw: object
    ) -> None:
        if not isinstance(raw, str) or not raw.strip():
            self._wrong(table, here, "a value as a text")
            return
        positions = table.string_map(here)
        formula = parse_formula(raw, table.span(here).file, self.findings, positions)
        if formula is not None:
            found.formulas[at] = formula

    def _reference(
        self,
        found: EntryInfo,
        field: FieldInfo,
        at: tuple[str, str | None],
        table: Table,
        here: Path,
        raw: object,
    ) -> None:
        single = self.world.kinds.get(field.type)
        many = self.world.kinds.get(self.world.plurals.get(field.type, ""))
        if single is not None:
            if isinstance(raw, str):
                found.values[at] = self._entry_index(single, table, here, raw)
            else:
                self._wrong(table, here, f"the name of {a_or_an(single.name)}")
        elif many is not None:
            if isinstance(raw, list) and all(isinstance(each, str) for each in raw):
                indexes = [
                    self._entry_index(many, table, (*here, number), str(each))
                    for number, each in enumerate(raw)
                ]
                found.values[at] = tuple(each for each in indexes if each >= 0)
            else:
                self._wrong(table, here, f"a list of {many.plural}")

    def _entry_index(self, kind: KindInfo, table: Table, here: Path, name: str) -> int:
        if name in kind.index:
            return kind.index[name]
        if not self.world.doubtful(name) and kind.name not in self.world.broken:
            self.findings.report(
                "E201",
                table.span(here),
                f"There is no {kind.name} `{name}`.",
                did_you_mean(name, kind.index),
            )
        return -1


def _is_number(key: str) -> bool:
    return key.isascii() and key.isdigit()

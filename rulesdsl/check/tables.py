"""From TOML tables and entries in rules to the entries of kinds, every value checked."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rulesdsl.check.declare.things import SIMPLE_FIELDS
from rulesdsl.check.types import a_or_an
from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.suggest import closest, did_you_mean
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.parser import parse_effect, parse_formula

if TYPE_CHECKING:
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span
    from rulesdsl.syntax.statements import Body

Path = tuple[str | int, ...]
RESERVED = {"name", "copies", "source", "sources", "id"}
MOST_NUMBER = 1_000_000
MOST_COPIES = 1000


class Table(Protocol):
    """A TOML file, or several laid over each other, with the place of everything."""

    @property
    def data(self) -> dict[str, object]:
        """What the table holds."""
        ...

    def span(self, path: Path) -> Span:
        """Return the place of a value."""
        ...

    def key_span(self, path: Path) -> Span:
        """Return the place of a key."""
        ...

    def string_map(self, path: Path) -> tuple[tuple[int, int], ...]:
        """Return the place of every character of a text."""
        ...


class Tables(Protocol):
    """The TOML files of a pack."""

    def get(self, path: str, span: Span) -> Table | None:
        """Return a table; a missing one is reported at the place that asks for it."""
        ...


class TableReader:
    """Fills the kinds of a world with entries."""

    def __init__(self, world: World, tables: Tables, findings: Findings) -> None:
        self.world = world
        self.tables = tables
        self.findings = findings

    # ---------------------------------------------------------------- named numbers
    def read_constants(self, decl: de.ConstantsDecl) -> None:
        """Take in the named numbers of a file."""
        table = self.tables.get(decl.table.path, decl.table.span)
        if table is None:
            self.world.unread = True
            return
        for name, value in table.data.items():
            if name in {"source", "sources"}:
                continue
            span = table.key_span((name,))
            self.world.lost.add(name)
            if not isinstance(value, int | dict) or isinstance(value, bool):
                self._wrong(table, (name,), "a whole number or a table of numbers")
                continue
            if name in self.world.constants:
                self.findings.report(
                    "E202", span, f"`{name}` is named twice.", "Give one of them another name."
                )
                continue
            if self._numbers_only(table, (name,), value):
                self.world.lost.discard(name)
                self.world.constants[name] = value
                self.world.constant_spans[name] = span

    def _numbers_only(self, table: Table, path: Path, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, int | dict):
            self._wrong(table, path, "a whole number")
            return False
        if isinstance(value, int):
            return self._in_bounds(table, path, value)
        return all(self._numbers_only(table, (*path, key), each) for key, each in value.items())

    def _in_bounds(self, table: Table, path: Path, value: int) -> bool:
        if abs(value) <= MOST_NUMBER:
            return True
        self.findings.report(
            "E407",
            table.span(path),
            f"{value} is too large.",
            f"Numbers go up to {MOST_NUMBER}.",
        )
        return False

    # ---------------------------------------------------------------- entries: who there is
    def list_entries(self, kind: KindInfo) -> None:
        """Take in the names of a kind's entries, so that fields can refer to them."""
        if kind.table is None:
            return
        table = self.tables.get(kind.table, kind.table_span)
        if table is None:
            self.world.broken.add(kind.name)
            self.world.unread = True
            return
        section, path = self._section(kind, table)
        for name, raw in section.items():
            if not path and (name in {"source", "sources"} or self._is_section(kind, name)):
                continue
            where = (*path, name)
            if not isinstance(raw, dict):
                self._wrong(table, where, f"a table with the fields of {a_or_an(kind.name)}")
                continue
            self._list_entry(kind, table, where, name, raw)
        if not kind.entries:
            self.findings.report(
                "E006", kind.table_span, f"This file holds no {kind.plural}.", "Add one."
            )

    def _is_section(self, kind: KindInfo, name: str) -> bool:
        other = self.world.kinds.get(name)
        return other is not None and other is not kind and other.table == kind.table

    def _section(self, kind: KindInfo, table: Table) -> tuple[dict[str, object], Path]:
        """Return the part of a file that is about a kind: all of it, or the part of its name."""
        found = table.data.get(kind.name)
        shared = any(self._is_section(kind, name) for name in table.data)
        if isinstance(found, dict) and (
            shared or all(isinstance(each, dict) for each in found.values())
        ):
            return found, (kind.name,)
        if shared:
            return {}, (kind.name,)
        return table.data, ()

    def _list_entry(
        self, kind: KindInfo, table: Table, where: Path, name: str, raw: dict[str, object]
    ) -> None:
        span = table.key_span(where)
        if not _is_name(name):
            self.findings.report(
                "E005",
                span,
                f"`{name}` cannot be the name of {a_or_an(kind.name)}.",
                'Names are small letters, digits and hyphens; `id = "3"` gives it another id.',
            )
            return
        if name in kind.index:
            first = kind.entries[kind.index[name]].span
            self.findings.report(
                "E202",
                span,
                f"There is {a_or_an(kind.name)} `{name}` already.",
                "Give one of them another name.",
                [Related(first, "declared here first")],
            )
            return
        title = raw.get("name", name.replace("-", " ").capitalize())
        if not isinstance(title, str) or not title.strip():
            self._wrong(table, (*where, "name"), "a text")
            title = name
        found = EntryInfo(kind.name, name, title, self._id(table, where, raw, name), span)
        self._unique_id(kind, found, table.span((*where, "id")))
        found.copies = self._copies(kind, table, where, raw)
        kind.add(found)
        self.world.owners.setdefault(name, []).append(kind.name)

    def _unique_id(self, kind: KindInfo, found: EntryInfo, span: Span) -> None:
        other = next((each for each in kind.entries if each.id == found.id), None)
        if other is not None:
            self.findings.report(
                "E202",
                span,
                f"`{other.name}` has the id `{found.id}` already.",
                "Give one of them another id.",
                [Related(other.span, "the other one")],
            )

    def _id(self, table: Table, where: Path, raw: dict[str, object], name: str) -> str:
        given = raw.get("id", name)
        if isinstance(given, str) and given and not set(given) & set(" :\n\t"):
            return given
        self._wrong(table, (*where, "id"), "a text without blanks and colons")
        return name

    def _copies(self, kind: KindInfo, table: Table, where: Path, raw: dict[str, object]) -> int:
        if "copies" not in raw:
            return 1
        copies = raw["copies"]
        if kind.role != "piece":
            self.findings.report(
                "E004",
                table.key_span((*where, "copies")),
                f"{a_or_an(kind.name).capitalize()} is not a piece: there are no copies of it.",
                "Leave the line out.",
            )
            return 1
        if isinstance(copies, bool) or not isinstance(copies, int):
            self._wrong(table, (*where, "copies"), "a whole number")
            return 1
        if not 1 <= copies <= MOST_COPIES:
            self.findings.report(
                "E407",
                table.span((*where, "copies")),
                f"{copies} copies cannot be.",
                f"From 1 to {MOST_COPIES}.",
            )
            return 1
        return copies

    # ---------------------------------------------------------------- entries: their fields
    def read_fields(self, kind: KindInfo) -> None:
        """Take in the fields of all entries that stand in a kind's table."""
        if kind.table is None or kind.name in self.world.broken:
            return
        table = self.tables.get(kind.table, kind.table_span)
        if table is None:
            return
        section, path = self._section(kind, table)
        for found in kind.entries:
            raw = section.get(found.name)
            if isinstance(raw, dict):
                for key in raw:
                    if key not in RESERVED:
                        self._field(kind, found, table, (*path, found.name), key, raw[key])

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
            if not key.isdigit() or isinstance(value, bool) or not isinstance(value, int):
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
            if singular not in self.world.pieces and singular not in self.world.tracks:
                known = [info.plural for info in self.world.pieces.values()]
                if self.world.doubtful(noun):
                    continue
                self.findings.report(
                    "E004",
                    table.key_span((*here, noun)),
                    f"Nothing that could be paid is called `{noun}`.",
                    did_you_mean(noun, [*known, *self.world.tracks]),
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

    def _wrong(self, table: Table, here: Path, wanted: str) -> None:
        self.findings.report("E005", table.span(here), f"Here must stand {wanted}.")

    # ---------------------------------------------------------------- entries in rules
    def add_entry(self, decl: de.EntryDecl) -> None:
        """Take in an entry that is written in the rules, or more fields of one."""
        kind = self.world.kinds.get(decl.kind.text)
        if kind is None or kind.role == "option":
            self.world.lost.add(decl.name.text)
            if not self.world.doubtful(decl.kind.text):
                self.findings.report(
                    "E201",
                    decl.kind.span,
                    f"There is no kind of things called `{decl.kind.text}`.",
                    did_you_mean(decl.kind.text, [*self.world.kinds, "verb", "step", "value"]),
                )
            return
        if decl.name.text in kind.index:
            return
        title = decl.title or decl.name.text.replace("-", " ").capitalize()
        kind.add(EntryInfo(kind.name, decl.name.text, title, decl.name.text, decl.name.span))
        self.world.owners.setdefault(decl.name.text, []).append(kind.name)

    def add_entry_fields(self, decl: de.EntryDecl) -> None:
        """Take in the fields of an entry that is written in the rules."""
        kind = self.world.kinds.get(decl.kind.text)
        if kind is None or decl.name.text not in kind.index:
            return
        found = kind.entries[kind.index[decl.name.text]]
        for part in decl.fields:
            if isinstance(part, de.PlainField | de.EffectField):
                self._rules_field(kind, found, part)

    def _rules_field(
        self, kind: KindInfo, found: EntryInfo, part: de.PlainField | de.EffectField
    ) -> None:
        name = part.name.text
        field = kind.fields.get(name)
        if field is None:
            found.wrong.update(closest(name, kind.fields)[:1])
        if field is None and self.world.doubtful(name):
            return
        if field is None:
            self.findings.report(
                "E004",
                part.name.span,
                f"{a_or_an(kind.name).capitalize()} has no field `{name}`.",
                did_you_mean(name, kind.fields) or "Declare it with its kind.",
            )
            return
        at = (name, None)
        if at in found.values or at in found.effects:
            self.findings.report(
                "E202",
                part.name.span,
                f"`{found.name}` says its `{name}` twice.",
                "Leave one of them out.",
            )
            return
        found.spans[name] = part.name.span
        if not self._is_type(field.type):
            return  # reported where the field is declared
        if isinstance(part, de.EffectField):
            if field.type not in {"effect", "automatic"}:
                self._wrong_field(part.name.span, name, field)
            else:
                found.effects[at] = part.body
            return
        self._plain_field(kind, found, field, part)

    def _is_type(self, name: str) -> bool:
        return name in SIMPLE_FIELDS or self.world.singular(name) in self.world.kinds

    def _wrong_field(self, span: Span, name: str, field: FieldInfo) -> None:
        how = f"`{name}: ...`" if field.type in {"effect", "automatic"} else f"`{name} = ...`"
        self.findings.report(
            "E005", span, f"`{name}` is declared as {field.type}.", f"Write {how}."
        )

    def _plain_field(
        self, kind: KindInfo, found: EntryInfo, field: FieldInfo, part: de.PlainField
    ) -> None:
        value = field_constant(part.value, field, self.world)
        if field.type == "formula":
            found.formulas[field.name, None] = part.value
        elif value is None and field.type in self.world.broken:
            pass  # what it could name is not known
        elif value is None:
            self.findings.report(
                "E005",
                part.value.span,
                f"`{field.name}` of {a_or_an(kind.name)} is declared as {field.type}.",
                self._what_fits(part.value, field),
            )
        else:
            found.values[field.name, None] = value

    def _what_fits(self, value: ex.Expr, field: FieldInfo) -> str:
        kind = self.world.kinds.get(field.type)
        if kind is not None and isinstance(value, ex.Name):
            return did_you_mean(value.name, kind.index) or f"Name {a_or_an(kind.name)}."
        return "Write a value of that kind."


def field_constant(value: ex.Expr, field: FieldInfo, world: World) -> object | None:
    """Return what a plain value in the rules stands for, None where it does not fit."""
    match value:
        case ex.Number() if field.type == "number" and value.value <= MOST_NUMBER:
            return value.value
        case ex.Switch() if field.type == "yes-no":
            return int(value.on)
        case ex.Name() if field.type in world.kinds:
            return world.kinds[field.type].index.get(value.name)
        case ex.Name() if field.type == "number":
            found = world.constants.get(value.name)
            world.constants_used.add(value.name)
            return found if isinstance(found, int) else None
        case _:
            return None


def _is_name(name: str) -> bool:
    parts = name.split("-")
    return name[:1].isalpha() and all(
        part and all(sign.isdigit() or "a" <= sign <= "z" or sign == "'" for sign in part)
        for part in parts
    )

"""The fields of entries in tables, every value checked for the type of its field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.tables.files import section_of
from rulesdsl.check.types import a_or_an
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax.parser import parse_effect, parse_formula

if TYPE_CHECKING:
    from rulesdsl.check.tables.files import Reader, Said
    from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import Body


RESERVED = {"name", "copies", "source", "sources", "id"}


def read_fields(reader: Reader, kind: KindInfo) -> None:
    """Take in the fields of all entries that stand in a kind's table."""
    if kind.table is None or kind.name in reader.world.broken:
        return
    table = reader.tables.get(kind.table, kind.table_span)
    if table is None:
        return
    for name, entry in section_of(kind, table, reader.world).named(reader.world):
        if name in kind.index:
            for key, said in entry.items:
                if key not in RESERVED:
                    _field(reader, kind, kind.entries[kind.index[name]], key, said)


def _field(reader: Reader, kind: KindInfo, found: EntryInfo, key: str, said: Said) -> None:
    field = kind.fields.get(key)
    if field is None:
        advice = did_you_mean(key, [*kind.fields, *RESERVED])
        otherwise = "Declare it in the rules, or leave the line out."
        reader.unknown_field(kind, found, key, said.key_span, advice or otherwise)
        return
    found.spans[key] = said.key_span
    if field.per is None or (field.type == "number" and field.per == "number"):
        _value(reader, found, field, None, said)
        return
    per = reader.world.kinds.get(field.per)
    if per is None:
        return  # reported where the field is declared
    if not isinstance(said.raw, dict):
        reader.wrong(said, f"a table: one value for each {field.per}")
        found.wrong.add(key)
    for name, each in said.items:
        if name in per.index:
            _value(reader, found, field, name, each)
            continue
        found.wrong.add(key)
        if per.name not in reader.world.broken:
            message = f"There is no {field.per} `{name}`."
            advice = did_you_mean(name, per.index)
            reader.findings.report("E004", each.key_span, message, advice)


def _value(
    reader: Reader, found: EntryInfo, field: FieldInfo, key: str | None, said: Said
) -> None:
    """Take in the value of a field, or of one of its columns."""
    at = (field.name, key)
    found.spans["/".join(part for part in at if part)] = said.span
    match field.type:
        case "effect" | "automatic":
            body = _effect(reader, said)
            if body is not None:
                found.effects[at] = body
        case "formula":
            formula = _formula(reader, said)
            if formula is not None:
                found.formulas[at] = formula
        case _:
            value = _plain(reader, field, said)
            if value is not None:
                found.values[at] = value


def _plain(reader: Reader, field: FieldInfo, said: Said) -> object | None:
    """Return a value that is no piece of rules; reported and None where it is none."""
    raw = said.raw
    match field.type:
        case "number" if field.per == "number":
            return _chart(reader, said)
        case "number":
            return reader.number(said)
        case "yes-no" if isinstance(raw, bool):
            return int(raw)
        case "text" if isinstance(raw, str):
            return raw
        case "bundle" if isinstance(raw, dict):
            return _bundle(reader, said)
        case "yes-no" | "text" | "bundle":
            wanted = {
                "yes-no": "true or false",
                "text": "a text",
                "bundle": "a price, such as { coins = 2 }",
            }
            reader.wrong(said, wanted[field.type])
            return None
        case _:
            return _reference(reader, field.type, said)


def _chart(reader: Reader, said: Said) -> tuple[tuple[int, int], ...] | None:
    if not said.items:
        reader.wrong(said, "a table from numbers to numbers, such as { 2 = 5, 3 = 7 }")
        return None
    points: list[tuple[int, int]] = []
    for key, each in said.items:
        if not (key.isascii() and key.isdigit()):
            reader.wrong(each, "a number for each number")
            continue
        value = reader.number(each, "a number for each number")
        if value is not None:
            points.append((int(key), value))
    return tuple(sorted(points))


def _bundle(reader: Reader, said: Said) -> dict[str, int]:
    world = reader.world
    amounts: dict[str, int] = {}
    for noun, each in said.items:
        singular = world.singular(noun)
        if singular not in world.bundle_nouns:
            known = [*world.plurals, *world.bundle_nouns]
            payable = [word for word in known if world.singular(word) in world.bundle_nouns]
            if not world.doubtful(noun):
                message = f"Nothing that could be paid is called `{noun}`."
                advice = did_you_mean(noun, payable)
                reader.findings.report("E004", each.key_span, message, advice)
        elif isinstance(each.raw, int) and each.raw < 0:
            reader.wrong(each, "a whole number")
        else:
            value = reader.number(each)
            if value is not None:
                amounts[singular] = value
    return amounts


def _effect(reader: Reader, said: Said) -> Body | None:
    """Return the effect that a text says, or a list of texts, one a line."""
    raw = said.raw
    lines = [said.inner(at, each) for at, each in enumerate(raw)] if isinstance(raw, list) else []
    texts = [str(each.raw) for each in (lines or [said]) if isinstance(each.raw, str)]
    if not texts or len(texts) < len(lines):
        reader.wrong(said, "an effect: a text, or a list of texts")
        return None
    text = "\n".join(texts)
    if not text.strip():
        reader.wrong(said, "an effect, such as `nothing`")
        return None
    places = [place for each in lines or [said] for place in each.places]
    return parse_effect(text, said.span.file, reader.findings, tuple(places))


def _formula(reader: Reader, said: Said) -> Expr | None:
    if not isinstance(said.raw, str) or not said.raw.strip():
        reader.wrong(said, "a value as a text")
        return None
    return parse_formula(said.raw, said.span.file, reader.findings, said.places)


def _reference(reader: Reader, named: str, said: Said) -> int | tuple[int, ...] | None:
    """Return the entry that is named, or those of a list."""
    raw, kinds = said.raw, reader.world.kinds
    single, many = kinds.get(named), kinds.get(reader.world.plurals.get(named, ""))
    if single is not None and isinstance(raw, str):
        return _entry_index(reader, single, said)
    if single is not None:
        reader.wrong(said, f"the name of {a_or_an(single.name)}")
    elif many is not None:
        if isinstance(raw, list) and all(isinstance(each, str) for each in raw):
            every = (said.inner(at, each) for at, each in enumerate(raw))
            indexes = [_entry_index(reader, many, each) for each in every]
            return tuple(each for each in indexes if each >= 0)
        reader.wrong(said, f"a list of {many.plural}")
    return None


def _entry_index(reader: Reader, kind: KindInfo, said: Said) -> int:
    name = str(said.raw)
    if name in kind.index:
        return kind.index[name]
    if not reader.world.doubtful(name) and kind.name not in reader.world.broken:
        message = f"There is no {kind.name} `{name}`."
        reader.findings.report("E201", said.span, message, did_you_mean(name, kind.index))
    return -1

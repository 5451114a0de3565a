"""Entries that are written in the rules, or more fields of those that a table lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import check_prefix, title_of
from rulesdsl.check.declare.things import SIMPLE_FIELDS
from rulesdsl.check.types import a_or_an
from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.suggest import did_you_mean
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from rulesdsl.check.tables.files import Reader
    from rulesdsl.source.span import Span


def add_entry(reader: Reader, decl: de.EntryDecl) -> None:
    """Take in an entry that is written in the rules, or more fields of one."""
    kind = reader.world.kinds.get(decl.kind.text)
    if kind is None or kind.role == "option":
        reader.world.lost.add(decl.name.text)
        if not reader.world.doubtful(decl.kind.text):
            reader.findings.report(
                "E201",
                decl.kind.span,
                f"There is no kind of things called `{decl.kind.text}`.",
                did_you_mean(decl.kind.text, [*reader.world.kinds, "verb", "step", "value"]),
            )
        return
    if decl.name.text in kind.index:
        return
    check_prefix(decl.name.text, decl.name.span, reader.world, reader.findings)
    title = decl.title or title_of(decl.name.text)
    found = EntryInfo(kind.name, decl.name.text, title, decl.name.text, decl.name.span)
    reader.world.add(kind, found)


def add_entry_fields(reader: Reader, decl: de.EntryDecl) -> None:
    """Take in the fields of an entry that is written in the rules."""
    kind = reader.world.kinds.get(decl.kind.text)
    if kind is None or decl.name.text not in kind.index:
        return
    found = kind.entries[kind.index[decl.name.text]]
    for part in decl.fields:
        if isinstance(part, de.PlainField | de.EffectField):
            _rules_field(reader, kind, found, part)


def _rules_field(
    reader: Reader, kind: KindInfo, found: EntryInfo, part: de.PlainField | de.EffectField
) -> None:
    world, name = reader.world, part.name.text
    field = kind.fields.get(name)
    if field is None:
        advice = did_you_mean(name, kind.fields) or "Declare it with its kind."
        reader.unknown_field(kind, found, name, part.name.span, advice)
        return
    at = (name, None)
    if at in {**found.values, **found.effects, **found.formulas}:
        if not _takes_over(reader, found, name, part.name.span):
            return
        for said in (found.values, found.effects, found.formulas):
            said.pop(at, None)
    found.spans[name] = part.name.span
    if field.type not in SIMPLE_FIELDS and world.singular(field.type) not in world.kinds:
        return  # reported where the field is declared
    if isinstance(part, de.PlainField):
        _plain_field(reader, kind, found, field, part)
    elif field.type in {"effect", "automatic"}:
        found.effects[at] = part.body
    else:
        message = f"`{name}` is declared as {field.type}."
        reader.findings.report("E005", part.name.span, message, f"Write `{name} = ...`.")


def _takes_over(reader: Reader, found: EntryInfo, name: str, span: Span) -> bool:
    """Whether a field takes the place of what is said already, as mods may; reported if not.

    What a mod says in a table stays where the rules of its game say something else.
    """
    first = found.spans[name]
    mine, theirs = reader.world.pack_of(span), reader.world.pack_of(first)
    if reader.world.comes_over(mine, theirs):
        return True
    if reader.world.comes_over(theirs, mine):
        return False
    if reader.world.at_odds(theirs, mine):
        reader.findings.report(
            "E506",
            span,
            f"These mods each change `{found.name}.{name}`: `{theirs}`, `{mine}`.",
            f'If `{mine}` shall count, add to its pack.toml: after = ["{theirs}"]',
            [Related(first, f"set by `{theirs}` as well")],
        )
    else:
        reader.findings.report(
            "E202",
            span,
            f"`{found.name}` says its `{name}` twice.",
            "Leave one of them out.",
            [Related(first, "said here first")],
        )
    return False


def _plain_field(
    reader: Reader, kind: KindInfo, found: EntryInfo, field: FieldInfo, part: de.PlainField
) -> None:
    value = field_constant(part.value, field, reader.world)
    if field.type == "formula":
        found.formulas[field.name, None] = part.value
    elif value is None and field.type in reader.world.broken:
        pass  # what it could name is not known
    elif value is None:
        message = f"`{field.name}` of {a_or_an(kind.name)} is declared as {field.type}."
        help_text = _what_fits(reader, part.value, field)
        reader.findings.report("E005", part.value.span, message, help_text)
    else:
        found.values[field.name, None] = value


def _what_fits(reader: Reader, value: ex.Expr, field: FieldInfo) -> str:
    kind = reader.world.kinds.get(field.type)
    if kind is not None and isinstance(value, ex.Name):
        return did_you_mean(value.name, kind.index) or f"Name {a_or_an(kind.name)}."
    return "Write a value of that kind."


def field_constant(value: ex.Expr, field: FieldInfo, world: World) -> object | None:
    """Return what a plain value in the rules stands for, None where it does not fit."""
    if isinstance(value, ex.Number):
        return value.value if field.type == "number" and value.value <= MAX_NUMBER else None
    if isinstance(value, ex.Switch):
        return int(value.on) if field.type == "yes-no" else None
    if isinstance(value, ex.Name) and field.type in world.kinds:
        return world.kinds[field.type].index.get(value.name)
    if isinstance(value, ex.Name) and field.type == "number":
        found = world.constants.get(value.name)
        world.constants_used.add(value.name)
        return found if isinstance(found, int) else None
    return None

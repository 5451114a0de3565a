"""Entries that are written in the rules, and fields of others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import check_prefix, title_of
from rulesdsl.check.declare.things import SIMPLE_FIELDS
from rulesdsl.check.naming import Role, Sort
from rulesdsl.check.types import a_or_an
from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.facts import LoadAfter
from rulesdsl.source.suggest import closest, similar
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from rulesdsl.check.tables.files import Tables
    from rulesdsl.source.span import Span
    from rulesdsl.source.suggest import Advice


def add_entry(tables: Tables, decl: de.EntryDecl) -> None:
    """Take in an entry that is written in the rules, or more fields of one."""
    world, name = tables.world, decl.name.text
    kind = world.kinds.get(decl.kind.text)
    tables.noted.noun(decl.kind, world)
    if kind is None or kind.role == "option":
        world.lost.add(name)
        if not world.doubtful(decl.kind.text):
            message = f"There is no kind of things called `{decl.kind.text}`."
            advice = similar(decl.kind.text, [*world.kinds, "verb", "step", "value"])
            tables.findings.report("E201", decl.kind.span, message, advice)
    elif name not in kind.index:
        check_prefix(name, decl.name.span, world, tables.findings)
        title = decl.title or title_of(name)
        world.add(kind, EntryInfo(kind.name, name, title, name, decl.name.span))


def add_entry_fields(tables: Tables, decl: de.EntryDecl) -> None:
    """Take in the fields of an entry that is written in the rules."""
    kind = tables.world.kinds.get(decl.kind.text)
    if kind is None or decl.name.text not in kind.index:
        return
    found = kind.entries[kind.index[decl.name.text]]
    role = Role.DECLARES if found.span == decl.name.span else Role.USES
    tables.noted.word(decl.name, Sort.ENTRY, found.name, kind.name, role)
    for part in decl.fields:
        if isinstance(part, de.PlainField | de.EffectField):
            _record(tables, kind, part)
            _field(tables, kind, found, part)


def _record(tables: Tables, kind: KindInfo, part: de.PlainField | de.EffectField) -> None:
    """Record the names of a field and of its fixed value."""
    field = kind.fields.get(part.name.text)
    if field is not None:
        tables.noted.word(part.name, Sort.FIELD, field.name, kind.name)
        if isinstance(part, de.PlainField) and isinstance(part.value, ex.Name):
            tables.noted.value(part.value, field.type, tables.world)


def _field(
    tables: Tables, kind: KindInfo, found: EntryInfo, part: de.PlainField | de.EffectField
) -> None:
    world, findings = tables.world, tables.findings
    name, span = part.name.text, part.name.span
    field = kind.fields.get(name)
    if field is None:
        found.wrong.update(closest(name, kind.fields)[:1])
        if not world.doubtful(name):
            message = f"{a_or_an(kind.name).capitalize()} has no field `{name}`."
            advice = similar(name, kind.fields) or "Declare it with its kind."
            findings.report("E004", span, message, advice)
        return
    at = (name, None)
    said = (found.values, found.effects, found.formulas)
    if any(at in each for each in said):
        if not _takes_over(tables, found, name, span):
            return
        for each in said:
            each.pop(at, None)
    found.spans[name] = span
    if field.type not in SIMPLE_FIELDS and world.singular(field.type) not in world.kinds:
        return  # reported where the field is declared
    match part:
        case de.PlainField():
            _plain_field(tables, kind, found, field, part.value)
        case de.EffectField() if field.type in {"effect", "automatic"}:
            found.effects[at] = part.body
        case de.EffectField():
            message = f"`{name}` is declared as {field.type}."
            findings.report("E005", span, message, f"Write `{name} = ...`.")


def _takes_over(tables: Tables, found: EntryInfo, name: str, span: Span) -> bool:
    """Whether a field takes the place of what is said already, as mods may; reported if not.

    What a mod says in a table stays where the rules of its game say something else.
    """
    world, first = tables.world, found.spans[name]
    mine, theirs = world.pack_of(span), world.pack_of(first)
    if world.comes_over(mine, theirs):
        return True
    if world.comes_over(theirs, mine):
        return False
    if world.at_odds(theirs, mine):
        message = f"These mods each change `{found.name}.{name}`: `{theirs}`, `{mine}`."
        advice = f'To give `{mine}` precedence, add to its pack.toml: after = ["{theirs}"]'
        related = [Related(first, f"set by `{theirs}` as well")]
        facts = LoadAfter(mine, theirs)
        tables.findings.report("E506", span, message, advice, related, facts=facts)
    else:
        message = f"`{found.name}` sets its `{name}` twice."
        related = [Related(first, "set here first")]
        tables.findings.report("E202", span, message, "Remove one of them.", related)
    return False


def _plain_field(
    tables: Tables, kind: KindInfo, found: EntryInfo, field: FieldInfo, said: ex.Expr
) -> None:
    world = tables.world
    value = field_constant(said, field, world)
    if field.type == "formula":
        found.formulas[field.name, None] = said
    elif value is not None:
        found.values[field.name, None] = value
    elif field.type not in world.broken:  # of what is broken, nobody knows what it could name
        named = world.kinds.get(field.type)
        advice: str | Advice = "Write a value of that kind."
        if named is not None and isinstance(said, ex.Name):
            advice = similar(said.name, named.index) or f"Name {a_or_an(named.name)}."
        message = f"`{field.name}` of {a_or_an(kind.name)} is declared as {field.type}."
        tables.findings.report("E005", said.span, message, advice)


def field_constant(value: ex.Expr, field: FieldInfo, world: World) -> object | None:
    """Return what a plain value in the rules stands for, None where it does not fit."""
    match value, field.type:
        case ex.Number(), "number":
            return value.value if value.value <= MAX_NUMBER else None
        case ex.Switch(), "yes-no":
            return int(value.on)
        case ex.Name(), "number":
            world.constants_used.add(value.name)
            found = world.constants.get(value.name)
            return found if isinstance(found, int) else None
        case ex.Name(), name if name in world.kinds:
            return world.kinds[name].index.get(value.name)
    return None

"""From tables and entries in rules to the entries of kinds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check.declare.names import check_prefix, title_of
from rulesdsl.check.declare.things import SIMPLE_FIELDS
from rulesdsl.check.tables.values import ValueReader
from rulesdsl.check.types import a_or_an
from rulesdsl.check.world import EntryInfo, FieldInfo, KindInfo, World
from rulesdsl.source.diagnostic import Related
from rulesdsl.source.suggest import closest, did_you_mean
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.size import MAX_NUMBER

if TYPE_CHECKING:
    from rulesdsl.source.span import Span


class TableReader(ValueReader):
    """Fills the kinds of a world with entries."""

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
        check_prefix(decl.name.text, decl.name.span, self.world, self.findings)
        title = decl.title or title_of(decl.name.text)
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
        if at in {**found.values, **found.effects, **found.formulas}:
            if not self._takes_over(found, name, part.name.span):
                return
            for said in (found.values, found.effects, found.formulas):
                said.pop(at, None)
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

    def _takes_over(self, found: EntryInfo, name: str, span: Span) -> bool:
        """Whether a field takes the place of what is said already, as mods may; reported if not.

        What a mod says in a table stays where the rules of its game say something else.
        """
        first = found.spans[name]
        mine, theirs = self.world.pack_of(span), self.world.pack_of(first)
        if self.world.comes_over(mine, theirs):
            return True
        if self.world.comes_over(theirs, mine):
            return False
        if self.world.at_odds(theirs, mine):
            self.findings.report(
                "E506",
                span,
                f"These mods each change `{found.name}.{name}`: `{theirs}`, `{mine}`.",
                f'If `{mine}` shall count, add to its pack.toml: after = ["{theirs}"]',
                [Related(first, f"set by `{theirs}` as well")],
            )
        else:
            self.findings.report(
                "E202",
                span,
                f"`{found.name}` says its `{name}` twice.",
                "Leave one of them out.",
                [Related(first, "said here first")],
            )
        return False

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

"""The slots of a text resolved: each becomes a value of the program, or words that stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.book.texts import Slot
from rulesdsl.check.program import TypedValue
from rulesdsl.check.resolve.amounts import amount_of
from rulesdsl.check.resolve.bodies import Bodies
from rulesdsl.check.scope import Scope
from rulesdsl.check.types import PLAYER, Type
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.english import spoken
from rulesdsl.syntax.parser import parse_formula
from rulesdsl.syntax.printer import print_expression, print_label

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.check.book.texts import Parts
    from rulesdsl.check.world import EntryInfo, World
    from rulesdsl.syntax.expressions import Expr


@attrs.frozen
class Fill:
    """What takes the place of a slot: a value by its name in the program.

    `noun` is what there are so many of, where the value is an amount of something.
    """

    value: str
    type: Type
    noun: str = ""


Filled = tuple[str | Fill, ...]


class Filler:
    """Resolves slots; `values` are what they have become, by names that no rule can say."""

    def __init__(
        self, world: World, findings: Findings, players: int, prefix: str = "text"
    ) -> None:
        self.world = world
        self.findings = findings
        self.values: dict[tuple[str, int], TypedValue] = {}
        self._players = players
        self._prefix = prefix
        self._bodies = Bodies(world, findings)

    def text(self, parts: Parts, locals_: Mapping[str, ty.Value]) -> Filled:
        """Resolve a text; what cannot be resolved is reported, and left out of it."""
        found = (self._part(part, locals_) for part in parts)
        return tuple(each for each in found if each is not None)

    def condition(self, slot: Slot, locals_: Mapping[str, ty.Value]) -> Fill | None:
        """Resolve what has to hold for a line to be there; of an effect, that there is one."""
        parsed = self._parsed(slot)
        if parsed is None:
            return None
        scope = self._scope(locals_)
        value = self._bodies.resolver(scope).value(parsed)
        if not isinstance(value, ty.HasEffect) and not scope.failed:
            value = self._bodies.resolver(scope).condition(parsed)
        return None if scope.failed else self._named(value)

    def _part(self, part: str | Slot, locals_: Mapping[str, ty.Value]) -> str | Fill | None:
        if isinstance(part, str):
            return part
        parsed = self._parsed(part)
        if parsed is None:
            return None
        scope = self._scope(locals_)
        resolver = self._bodies.resolver(scope)
        amount = amount_of(resolver, parsed)
        value, noun = (resolver.value(parsed), "") if amount is None else amount[:2]
        if scope.failed:
            return None
        if isinstance(value, ty.HasEffect | ty.Formula):
            return self._printed(value, part)
        return self._named(value, noun)

    def _parsed(self, slot: Slot) -> Expr | None:
        mine = Findings()
        found = parse_formula(slot.words, slot.span.file, mine, slot.positions)
        self.findings.extend(mine.sorted())
        return None if mine.has_errors else found

    def _scope(self, locals_: Mapping[str, ty.Value]) -> Scope:
        scope = Scope(ty.Const(0, type=PLAYER), may_choose=False)
        for number in range(self._players):
            scope.locals[f"p{number + 1}"] = ty.Const(number, type=PLAYER)
        scope.locals.update(locals_)
        return scope

    def _named(self, value: ty.Value, noun: str = "") -> Fill:
        name = f"{self._prefix} {len(self.values) + 1}"
        self.values[name, 0] = TypedValue(name, (), None, value, value.span)
        return Fill(name, value.type, noun)

    def _printed(self, value: ty.HasEffect | ty.Formula, slot: Slot) -> str | None:
        """Return an effect or a formula in the words that it is written in."""
        kind, column = self.world.kinds[value.kind], None
        subject, key = value.subject, value.key
        if not isinstance(subject, ty.Const) or not isinstance(key, ty.Const | None):
            message = "A rulebook cannot know whose this is: that depends on the game."
            self.findings.report("E301", slot.span, message, "Name an entry.")
            return None
        entry = kind.entries[int(subject.value)]
        if key is not None:
            per = kind.fields[value.field].per
            column = self.world.kinds[per or ""].entries[int(key.value)].name
        return said(entry, value.field, column)


def said(entry: EntryInfo, field: str, column: str | None) -> str:
    """Return the words of an effect or a formula of an entry, nothing where it has none."""
    for at in ((field, column), (field, None)):
        if at in entry.effects:
            return spoken(print_label(entry.effects[at]))
        if at in entry.formulas:
            return spoken(print_expression(entry.formulas[at]))
    return ""

"""The bodies of a world: each gets a scope and a resolver; named values are resolved on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.mentions import mentions
from rulesdsl.check.naming import Noted
from rulesdsl.check.program import Program
from rulesdsl.check.resolve.formulas import resolve_value
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.scope import Scope
from rulesdsl.check.types import SEAT, UNKNOWN, Type
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.facts import DeclaredTwice

if TYPE_CHECKING:
    from rulesdsl.check import typed as ty
    from rulesdsl.check.world import ParamInfo, World


@attrs.define(eq=False)
class Bodies:
    """Opens scopes for the bodies of a world, and knows the named values that all of them use."""

    world: World
    findings: Findings
    program: Program = attrs.field(
        init=False, default=attrs.Factory(lambda self: Program(self.world), takes_self=True)
    )
    noted: Noted = attrs.Factory(Noted)  # what names refer to, for editors
    _open: list[str] = attrs.Factory(list)  # the values that are being resolved
    _types: dict[str, tuple[Type, bool]] = attrs.Factory(dict)

    def resolver(self, scope: Scope) -> Resolver:
        """Return a resolver for a scope."""
        return Resolver(self.world, self.findings, scope, self)

    def of_nobody(self, *parts: object, may_choose: bool = False) -> Resolver:
        """Return a resolver for parts of the syntax tree in which nobody acts."""
        r = self.resolver(Scope(None, may_choose=may_choose))
        if self._speaks_of_broken(parts):
            r.findings, r.scope.failed = Findings(), True  # of broken things nothing more is said
        return r

    def _speaks_of_broken(self, parts: tuple[object, ...]) -> bool:
        broken = self.world.broken
        if not broken:
            return False
        return any(word in broken for part in parts for word in mentions(part))

    def of_seat(self, *parts: object, may_choose: bool = False) -> Resolver:
        """Return a resolver for parts of the syntax tree in which a seat acts, `me`."""
        r = self.of_nobody(*parts, may_choose=may_choose)
        r.scope.me = r.scope.fresh("me", SEAT)
        return r

    def params(self, r: Resolver, params: tuple[ParamInfo, ...]) -> tuple[ty.Local, ...]:
        """Take parameters into a scope, and return what they stand for."""
        found = tuple(r.scope.fresh(param.name, param.type) for param in params)
        r.bind(params, found)
        for param in params:
            noun = param.name in self.world.pieces or param.name in self.world.plurals
            if noun and param.type != UNKNOWN:  # what is unknown was reported
                message = f"`{param.name}` is a noun of this game: it cannot name a parameter."
                help_text = "Choose another name, such as a single letter."
                facts = DeclaredTwice()
                self.findings.report("E202", param.span, message, help_text, facts=facts)
        return found

    # ---------------------------------------------------------------- named values
    def value_body(self, name: str, layer: int) -> ty.Value | None:
        """Return what a named value is with so many of its hooks, where that is known by now."""
        found = self.program.values.get((name, layer))
        return None if found is None else found.body

    def value_type(self, name: str) -> tuple[Type, bool]:
        """Return the type of a named value, and whether it needs somebody who acts."""
        if name not in self._types and name in self._open:
            self._types[name] = (UNKNOWN, False)
            around = " -> ".join([*self._open[self._open.index(name) :], name])
            message = f"`{name}` is defined in terms of itself: {around}."
            help_text = "Break the circle: a value is computed from others."
            self.findings.report("E404", self.world.values[name].span, message, help_text)
        elif name not in self._types:
            self._open.append(name)
            self._types[name] = resolve_value(self, self.world.values[name])
            self._open.pop()
        return self._types[name]

    def expect_value(self, name: str, kind: Type, *, needs_me: bool) -> None:
        """Note of what type a value is, while its hooks are still to be resolved."""
        self._types[name] = (kind, needs_me)

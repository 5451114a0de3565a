"""Scope of a body: locals, acting seat, candidates, and values proven present."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.types import YES_NO
from rulesdsl.check.typed.conditions import atoms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.symbols.symbol_table import ParamInfo, Symbol
    from rulesdsl.check.symbols.types import Type
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import ChooseOne, Menu


NOTHING_SAID = ty.MessageText(("",))


@attrs.frozen(eq=False)
class Added:
    """Lines that a hook adds to a menu or choice, their condition, and its parameters."""

    lines: Menu | ChooseOne
    when: Expr | None
    params: tuple[ParamInfo, ...]
    values: tuple[ty.Local, ...]


@attrs.define
class Scope:
    """Names and facts in force; one for each procedure, value or effect."""

    me: ty.Value | None
    locals: dict[str, ty.Value] = attrs.Factory(dict)
    candidates: list[ty.Local] = attrs.Factory(list)
    some: set[ty.Value] = attrs.Factory(set)
    beneath_value: tuple[str, int] | None = None
    beneath_proc: tuple[str, int] | None = None
    inside: str = ""  # enclosing procedure, for activations
    heading: ty.MessageText = NOTHING_SAID  # title for prompts without a text
    may_choose: bool = True
    added: tuple[Added, ...] = ()  # lines added to its menu or choice by hooks
    lost_line: bool = False  # an unparsed line may have named the acting seat
    wants_place: bool = False  # expects the name of a place
    failed: bool = False  # contains an error
    binders: dict[tuple[str, str], Symbol] = attrs.Factory(dict)  # by local and name
    _names: dict[str, int] = attrs.Factory(dict)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Resolve a phrase that denotes a place."""
        before, self.wants_place = self.wants_place, True
        yield
        self.wants_place = before

    def fresh(self, name: str, kind: Type) -> ty.Local:
        """Return a new local with a name unique in the procedure."""
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        return ty.Local(name if count == 0 else f"{name}.{count + 1}", type=kind)

    @contextmanager
    def candidate(self, element: Type, name: str | None = None) -> Iterator[ty.Local]:
        """Open a condition on a candidate, bound to `it` and its name."""
        local = self.fresh(name or "it", element)
        before, some = dict(self.locals), set(self.some)
        self.candidates.append(local)
        if name is not None:
            self.locals[name] = local
        try:
            yield local
        finally:
            self.candidates.pop()
            self.locals, self.some = before, some

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open a nested scope; its bindings and facts end with it."""
        before, some, me = dict(self.locals), set(self.some), self.me
        candidates, added = list(self.candidates), self.added
        try:
            yield
        finally:
            self.locals, self.some, self.me = before, some, me
            self.candidates, self.added = candidates, added

    def assume(self, condition: ty.Value) -> None:
        """Record the optional values that a condition proves present."""
        for atom in atoms(condition):
            if isinstance(atom, ty.IsSome):
                self.some.add(atom.value)
            elif isinstance(atom, ty.MemberOf):
                self.some.add(atom.subject)
            elif isinstance(atom, ty.Comparison) and atom.op == "=":
                # two absent values are equal, too
                if not atom.right.type.maybe:
                    self.some.add(atom.left)
                if not atom.left.type.maybe:
                    self.some.add(atom.right)

    def assume_not(self, condition: ty.Value) -> None:
        """Record the optional values that a false condition proves present."""
        self.assume(ty.Negation(condition, type=YES_NO))
        if isinstance(condition, ty.Negation):
            self.assume(condition.value)

    def narrowed(self, value: ty.Value) -> ty.Value:
        """Return a value with a total type if it is proven present."""
        if value.type.maybe and value in self.some:
            return attrs.evolve(value, type=value.type.total())
        return value

    def forget_state(self) -> None:
        """Drop facts about values that a change may have affected."""
        self.some = {value for value in self.some if isinstance(value, ty.Local | ty.SeatNumber)}

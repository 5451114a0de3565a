"""What is known at a place in the rules: locals, who acts, candidates, and what was asked."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import atoms
from rulesdsl.check.types import YES_NO

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.naming import Thing
    from rulesdsl.check.types import Type
    from rulesdsl.check.world import ParamInfo
    from rulesdsl.syntax.expressions import Expr
    from rulesdsl.syntax.statements import ChooseOne, Menu


NOTHING_SAID = ty.Words(("",))


@attrs.frozen(eq=False)
class Added:
    """Lines that a hook adds to a menu or choice, when, and what its parameters stand for."""

    lines: Menu | ChooseOne
    when: Expr | None
    params: tuple[ParamInfo, ...]
    values: tuple[ty.Local, ...]


@attrs.define
class Scope:
    """The names and facts in force; one for each procedure, value or effect."""

    me: ty.Value | None
    locals: dict[str, ty.Value] = attrs.Factory(dict)
    candidates: list[ty.Local] = attrs.Factory(list)
    some: set[ty.Value] = attrs.Factory(set)
    beneath_value: tuple[str, int] | None = None
    beneath_proc: tuple[str, int] | None = None
    inside: str = ""  # the procedure whose activation this belongs to
    heading: ty.Words = NOTHING_SAID  # what is going on, for questions without words
    may_choose: bool = True
    added: tuple[Added, ...] = ()  # lines that hooks add to the menu or choice of this body
    lost_line: bool = False  # a line of it could not be read: who acts may have been there
    wants_place: bool = False  # the name of a place is wanted, not that of a value
    failed: bool = False  # something in it was reported: what follows from it is not known
    binders: dict[tuple[str, str], Thing] = attrs.Factory(dict)  # a local and a name for it
    _names: dict[str, int] = attrs.Factory(dict)

    @contextmanager
    def place(self) -> Iterator[None]:
        """Read a phrase that stands for a place."""
        before, self.wants_place = self.wants_place, True
        yield
        self.wants_place = before

    def fresh(self, name: str, kind: Type) -> ty.Local:
        """Return a new local under a name that nothing else in the procedure has."""
        count = self._names.get(name, 0)
        self._names[name] = count + 1
        return ty.Local(name if count == 0 else f"{name}.{count + 1}", type=kind)

    @contextmanager
    def candidate(self, element: Type, name: str | None = None) -> Iterator[ty.Local]:
        """Open a condition on a candidate, which `it` (and its name) stand for."""
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
        """Open a body: what is bound or learned in it is forgotten after it."""
        before, some, me = dict(self.locals), set(self.some), self.me
        candidates, added = list(self.candidates), self.added
        try:
            yield
        finally:
            self.locals, self.some, self.me = before, some, me
            self.candidates, self.added = candidates, added

    def assume(self, condition: ty.Value) -> None:
        """Remember what a condition that holds tells about one-or-none values."""
        for atom in atoms(condition):
            if isinstance(atom, ty.IsSome):
                self.some.add(atom.value)
            elif isinstance(atom, ty.MemberOf):
                self.some.add(atom.subject)
            elif isinstance(atom, ty.Comparison) and atom.op == "=":
                # two that are both not there are equal too
                if not atom.right.type.maybe:
                    self.some.add(atom.left)
                if not atom.left.type.maybe:
                    self.some.add(atom.right)

    def assume_not(self, condition: ty.Value) -> None:
        """Remember what a condition that does not hold tells."""
        self.assume(ty.Negation(condition, type=YES_NO))
        if isinstance(condition, ty.Negation):
            self.assume(condition.value)

    def narrowed(self, value: ty.Value) -> ty.Value:
        """Return a value without none where it was asked for before."""
        if value.type.maybe and value in self.some:
            return attrs.evolve(value, type=value.type.total())
        return value

    def forget_state(self) -> None:
        """Drop what was learned about values that a change may have touched."""
        self.some = {value for value in self.some if isinstance(value, ty.Local | ty.SeatNumber)}

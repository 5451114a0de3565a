"""What is known at a point of a procedure, and what choices and bindings add to it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.effects import Cells
from rulesdsl.check.known import Facts, facts_of
from rulesdsl.check.proofs import as_filled, atoms
from rulesdsl.check.types import YES_NO

if TYPE_CHECKING:
    from collections.abc import Iterator

Implied = tuple[ty.Value, ty.Value]


@attrs.frozen
class Known:
    """What is known at a point: what has been written, what holds, which locals came too late."""

    facts: Facts
    written: Cells = frozenset()
    late: frozenset[str] = frozenset()
    implied: tuple[Implied, ...] = ()  # the second holds where the first does

    def holding(self, condition: ty.Value) -> Known:
        """Return this with a condition that holds, and what it implies."""
        new = set(atoms(condition))
        new |= set(map(as_filled, new))
        new |= {found for asked, found in self.implied if asked in new}
        return attrs.evolve(self, facts=self.facts | new)

    def with_one(self, name: str, domain: ty.Domain) -> Known:
        """Return this with a local that is a thing of a domain."""
        return attrs.evolve(self, facts=self.facts | facts_of(name, domain))

    def binding(self, step: ty.SetLocal, *, late: bool) -> Known:
        """Return this with a local that is bound to a value."""
        local = ty.Local(step.name, type=step.value.type)
        facts = self.facts | _copies(self.facts, step.value, local)
        implied = (*self.implied, *_implications(local, step.value))
        names = self.late | {step.name} if late else self.late
        return attrs.evolve(self, facts=facts, implied=implied, late=names)


def _copies(facts: Facts, value: ty.Value, local: ty.Local) -> set[ty.Value]:
    """Return what is known of a value, of the local that it is bound to."""
    if not isinstance(value, ty.Local | ty.FieldOf | ty.CallValue) or value == local:
        return set()
    return {
        ty.rewrite(fact, lambda each: local if each == value else each)
        for fact in facts
        if any(each == value for each in ty.walk(fact))
    }


def _implications(local: ty.Local, value: ty.Value) -> Iterator[Implied]:
    """Yield what is known of `the X where C` once it is there."""
    found = value.domain if isinstance(value, ty.BestOf) else value
    if isinstance(found, ty.Filtered | ty.FirstOf):
        there = ty.IsSome(local, type=YES_NO)
        total = ty.Local(local.name, type=local.type.total())
        for atom in atoms(found.condition):
            yield there, ty.substitute(atom, found.variable, total)

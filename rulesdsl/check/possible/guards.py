"""The guard of every procedure, and the proof that nothing gets stuck."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.possible.asking import Known, nothing_more
from rulesdsl.check.possible.steps import StepGuards
from rulesdsl.check.proofs import atoms, both, narrowed, some_of, uses
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.typed.walk import rewrite, substitute
from rulesdsl.check.types import YES_NO, a_or_an
from rulesdsl.source.span import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.source.span import Span


class Guards(StepGuards):
    """Computes guards of procedures and offers; reports what can get stuck."""

    def run(self, order: list[str]) -> None:
        """Compute the guards of procedures, callees first."""
        for key in order:
            if key in self.program.failed:
                continue  # a guess at what was meant would only lead to more complaints
            self._sure = key not in self.unsure
            proc = self.program.procs[key]
            self._key = key
            self.program.guards[key] = self.after(
                proc.block.steps, Known(self.no_facts), nothing_more
            )
            if key in self.program.failed:
                self.program.guards[key] = ty.YES

    def require_free(self, key: str) -> None:
        """Report a procedure that starts the game but may be impossible."""
        guard = self.program.guards.get(key, ty.YES)
        if guard != ty.YES:
            for atom in atoms(guard):
                place = atom.span if atom.span.line else self.program.procs[key].span
                self._stuck(place, atom)

    # ---------------------------------------------------------------- sequences
    def after(
        self, steps: tuple[ty.Step, ...], known: Known, then: Callable[[Known], ty.Value]
    ) -> ty.Value:
        """Return the guard of steps and of what follows them."""
        asked: list[ty.Value] = []
        left = list(reversed(steps))
        while left:
            step = left.pop()
            if isinstance(step, ty.Finish):
                return both(*asked)
            if isinstance(step, ty.SetLocal):
                return both(*asked, self.bind(step, tuple(reversed(left)), known, then))
            if isinstance(step, ty.Decide) and step.choice is not None:
                return both(*asked, self.pick(step, tuple(reversed(left)), known, then))
            if isinstance(step, ty.Block):
                left.extend(reversed(step.steps))
            elif isinstance(step, ty.Require):
                asked.append(self.ask(step.condition, known))
                known = known.holding(step.condition)
            else:
                condition, known = self.one(step, known)
                asked.append(condition)
        return both(*asked, then(known))

    def bind(
        self,
        step: ty.SetLocal,
        rest: tuple[ty.Step, ...],
        known: Known,
        then: Callable[[Known], ty.Value],
    ) -> ty.Value:
        """Take in a local: the guard uses it unless it is computed too late or drawn by chance."""
        late = self.is_late(step.value, known) or _is_random(step.value)
        behind = known
        local = ty.Local(step.name, type=step.value.type)
        for implied in self._implications(local, step.value):
            behind = attrs.evolve(behind, implied=(*behind.implied, implied))
        if late:
            behind = attrs.evolve(behind, late=behind.late | {step.name})
        behind = self._same_facts(step, behind)
        inner = self.after(rest, behind, then)
        if late or not uses(inner, step.name):
            return inner
        asked_at = self.asked_at(inner)  # the local by itself asks for nothing
        span = step.span if asked_at == NOWHERE else asked_at
        return ty.LetIn(step.name, step.value, inner, type=YES_NO, span=span)

    def _same_facts(self, step: ty.SetLocal, known: Known) -> Known:
        """Share what is known of a local with the same one under a new name."""
        if not isinstance(step.value, ty.Local | ty.FieldOf | ty.CallValue):
            return known
        local = ty.Local(step.name, type=step.value.type)
        if step.value == local:
            return known
        copies = {
            rewrite(fact, lambda each: local if each == step.value else each)
            for fact in known.facts
            if any(each == step.value for each in ty.walk(fact))
        }
        return attrs.evolve(known, facts=known.facts | copies)

    def _implications(self, local: ty.Local, value: ty.Value) -> list[tuple[ty.Value, ty.Value]]:
        """Return what is known of `the X where C` once it is there."""
        found = value.domain if isinstance(value, ty.BestOf) else value
        if not isinstance(found, ty.Filtered | ty.FirstOf):
            return []
        there = ty.IsSome(local, type=YES_NO)
        total = ty.Local(local.name, type=local.type.total())
        return [
            (there, substitute(atom, found.variable, total)) for atom in atoms(found.condition)
        ]

    def pick(
        self,
        step: ty.Decide,
        rest: tuple[ty.Step, ...],
        known: Known,
        then: Callable[[Known], ty.Value],
    ) -> ty.Value:
        """Take in a choice: its candidates are those for which the rest can be carried out."""
        assert step.choice is not None
        name, base = step.choice
        facts = self.facts_of(ty.Local(name, type=base.element), base)
        fresh = attrs.evolve(known, written=frozenset(), facts=known.facts | facts)
        inner = self.after(rest, fresh, then)
        domain = self._candidates(step.span, name, base, inner)
        self.domains[id(step)] = domain
        self._kept.append(step)
        found = self.ask(some_of(domain, "", ty.YES), known, step.span)
        apart = (atom for atom in atoms(inner) if not uses(atom, name))
        return both(found, *(self.ask(atom, known) for atom in apart))

    def _candidates(self, span: Span, name: str, domain: ty.Domain, inner: ty.Value) -> ty.Domain:
        about = [atom for atom in atoms(inner) if uses(atom, name)]
        base = domain.base if isinstance(domain, ty.Filtered) else domain
        if isinstance(base, ty.AnyWhere):
            everything = [*about]
            if isinstance(domain, ty.Filtered):
                mine = ty.Local(name, type=domain.element)
                everything += atoms(substitute(domain.condition, domain.variable, mine))
            place = next((each for each in everything if _says_where(each, name)), None)
            if place is None and not self._sure:
                return domain
            if place is None:
                self.findings.report(
                    "E305",
                    span,
                    f"Where is the {base.piece} chosen from?",
                    f"Say it: `{a_or_an(base.piece)} in ...`.",
                )
                self.program.failed.add(self._key)
                return domain
            assert isinstance(place, ty.MemberOf)
            everything.remove(place)
            return narrowed(place.domain, name, both(*everything))
        return narrowed(domain, name, both(*about))


def _says_where(atom: ty.Value, name: str) -> bool:
    return (
        isinstance(atom, ty.MemberOf)
        and isinstance(atom.subject, ty.Local)
        and atom.subject.name == name
        and isinstance(atom.domain, ty.Lying)
        and not uses(atom.domain, name)
    )


def _is_random(value: ty.Value) -> bool:
    return any(FACTS[type(each)].random for each in ty.walk(value))

"""What can be carried out: the guard of every procedure, and the proof that nothing gets stuck.

A guard holds all conditions that are met along a procedure, asked before anything has changed.
Behind a change, a condition is asked beforehand too, as long as the change writes nothing that it
reads.  A condition that can only be asked when it may be too late has to follow from what is
known there; otherwise the content is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.effects import Cells, Effects
from rulesdsl.check.proofs import (
    Facts,
    atoms,
    both,
    call_guard,
    either,
    narrowed,
    negate,
    proved,
    some_of,
    uses,
)
from rulesdsl.check.typed.walk import substitute
from rulesdsl.check.types import NUMBER, YES_NO, a_or_an, piece

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.check.program import Program
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span


@attrs.frozen
class Known:
    """What is known at a point: what has been written, what holds, which locals came too late."""

    written: Cells = frozenset()
    facts: Facts = frozenset()
    late: frozenset[str] = frozenset()
    implied: tuple[tuple[ty.Value, ty.Value], ...] = ()

    def holding(self, condition: ty.Value) -> Known:
        """Return this with a condition that holds, and what it implies."""
        new = set(atoms(condition))
        new |= {found for asked, found in self.implied if asked in new}
        return attrs.evolve(self, facts=self.facts | new)


class Guards:
    """Computes guards of procedures and offers; reports what can get stuck."""

    def __init__(self, program: Program, findings: Findings) -> None:
        self.program = program
        self.findings = findings
        self.effects = Effects(program)
        self.offers: dict[int, ty.Value] = {}  # id of a block -> its guard where it is offered
        self.domains: dict[int, ty.Domain] = {}  # id of a pick -> candidates
        self.unsure: frozenset[str] = frozenset()  # procedures that come to one that failed
        self._sure = True
        self._key = ""
        self._kept: list[object] = []  # keeps the nodes alive whose ids are used

    def run(self, order: list[str]) -> None:
        """Compute the guards of procedures, callees first."""
        for key in order:
            if key in self.program.failed:
                continue  # a guess at what was meant would only lead to more complaints
            self._sure = key not in self.unsure
            proc = self.program.procs[key]
            self._key = key
            self.program.guards[key] = self.after(proc.block.steps, Known(), _done)
            if key in self.program.failed:
                self.program.guards[key] = ty.YES

    def require_free(self, key: str) -> None:
        """Report a procedure that starts the game but may be impossible."""
        guard = self.program.guards.get(key, ty.YES)
        if guard != ty.YES:
            for atom in atoms(guard):
                self._stuck(atom.span if atom.span.line else self.program.procs[key].span)

    # ---------------------------------------------------------------- sequences
    def after(
        self, steps: tuple[ty.Step, ...], known: Known, then: Callable[[Known], ty.Value]
    ) -> ty.Value:
        """Return the guard of steps and of what follows them."""
        if not steps:
            return then(known)
        step, rest = steps[0], steps[1:]
        match step:
            case ty.Finish():
                return ty.YES
            case ty.Block():
                return self.after((*step.steps, *rest), known, then)
            case ty.Require():
                asked = self.ask(step.condition, known)
                return both(asked, self.after(rest, known.holding(step.condition), then))
            case ty.SetLocal():
                return self.bind(step, rest, known, then)
            case ty.Pick():
                return self.pick(step, rest, known, then)
            case _:
                asked, behind = self.one(step, known)
                return both(asked, self.after(rest, behind, then))

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
        return ty.LetIn(step.name, step.value, inner, type=YES_NO, span=step.span)

    def _same_facts(self, step: ty.SetLocal, known: Known) -> Known:
        """Share what is known of a local with the same one under a new name."""
        if not isinstance(step.value, ty.Local | ty.FieldOf | ty.CallValue):
            return known
        local = ty.Local(step.name, type=step.value.type)
        if step.value == local:
            return known
        copies = {
            _replace(fact, step.value, local)
            for fact in known.facts
            if any(each == step.value for each in ty.walk(fact))
        }
        return attrs.evolve(known, facts=known.facts | copies)

    def _implications(self, local: ty.Local, value: ty.Value) -> list[tuple[ty.Value, ty.Value]]:
        """Return what is known of `the X where C` once it is there."""
        match value:
            case ty.BestOf(domain=ty.Filtered() as domain):
                variable, condition = domain.variable, domain.condition
            case ty.FirstOf(variable=variable, condition=condition):
                pass
            case _:
                return []
        there = ty.IsSome(local, type=YES_NO)
        total = ty.Local(local.name, type=local.type.total())
        return [(there, substitute(atom, variable, total)) for atom in atoms(condition)]

    def pick(
        self,
        step: ty.Pick,
        rest: tuple[ty.Step, ...],
        known: Known,
        then: Callable[[Known], ty.Value],
    ) -> ty.Value:
        """Take in a choice: its candidates are those for which the rest can be carried out."""
        local = ty.Local(step.name, type=step.domain.element)
        facts = self._facts_of(local, step.domain)
        fresh = attrs.evolve(known, written=frozenset(), facts=known.facts | facts)
        inner = self.after(rest, fresh, then)
        domain = self._candidates(step, inner)
        self.domains[id(step)] = domain
        self._kept.append(step)
        found = self.ask(some_of(domain, "", ty.YES), known, step.span)
        apart = (atom for atom in atoms(inner) if not uses(atom, step.name))
        return both(found, *(self.ask(atom, known) for atom in apart))

    def _candidates(self, step: ty.Pick, inner: ty.Value) -> ty.Domain:
        about = [atom for atom in atoms(inner) if uses(atom, step.name)]
        domain = step.domain
        base = domain.base if isinstance(domain, ty.Filtered) else domain
        if isinstance(base, ty.AnyWhere):
            everything = [*about]
            if isinstance(domain, ty.Filtered):
                mine = ty.Local(step.name, type=domain.element)
                everything += atoms(substitute(domain.condition, domain.variable, mine))
            place = next((each for each in everything if _says_where(each, step.name)), None)
            if place is None and not self._sure:
                return domain
            if place is None:
                self.findings.report(
                    "E305",
                    step.span,
                    f"Where is the {base.piece} chosen from?",
                    f"Say it: `{a_or_an(base.piece)} in ...`.",
                )
                self.program.failed.add(self._key)
                return domain
            assert isinstance(place, ty.MemberOf)
            everything.remove(place)
            return narrowed(place.domain, step.name, both(*everything))
        return narrowed(domain, step.name, both(*about))

    def _facts_of(self, local: ty.Local, domain: ty.Domain) -> Facts:
        found: set[ty.Value] = {ty.MemberOf(local, domain, type=YES_NO)}
        if isinstance(domain, ty.Filtered):
            found |= set(atoms(substitute(domain.condition, domain.variable, local)))
            found.add(ty.MemberOf(local, domain.base, type=YES_NO))
        if isinstance(domain, ty.Numbers):
            found.add(ty.Comparison(">=", local, domain.low, type=YES_NO))
        return frozenset(found)

    # ---------------------------------------------------------------- single steps
    def one(  # noqa: C901, PLR0912 - one case for each kind of step
        self, step: ty.Step, known: Known
    ) -> tuple[ty.Value, Known]:
        """Return what a step asks for, and what is known behind it."""
        asked: ty.Value = ty.YES
        match step:
            case ty.Run():
                guard = call_guard(self.program, step.proc, step.me, step.arguments)
                asked = self.ask(guard, known, step.span)
            case ty.DoField():
                asked = self.ask(self.field_guard(step), known, step.span)
            case ty.MoveCounted(amount=amount) if amount is not None and not step.up_to:
                lying = ty.Lying(
                    step.piece, step.source, self._owner(step), element=piece(step.piece)
                )
                asked = self.ask(_enough(lying, amount, step.span), known, step.span)
            case ty.MoveSome(amount=amount) if amount is not None and not step.up_to:
                asked = self.ask(_enough(step.domain, amount, step.span), known, step.span)
            case ty.Branching():
                asked = self.branching(step, known)
            case ty.WhereAble():
                self.offer(step.block, known)
                asked = self.inside(step.otherwise, known)
            case ty.ChooseWay():
                ways = [self.offer(way.block, known) for way in step.ways]
                asked = self.ask(either(ways), known, step.span)
            case ty.Optionally():
                self.offer(step.block, known)
            case ty.OptionallyRepeat():
                self.offer(step.block, self.changed(step.block, known))
            case ty.OfferMenu():
                self.menu(step, known)
            case ty.RepeatTimes():
                body = self.inside(step.block, self.changed(step.block, known))
                zero = ty.Const(0, type=NUMBER)
                never = ty.Comparison("<=", step.times, zero, type=YES_NO)
                asked = (
                    ty.YES
                    if body == ty.YES
                    else self.ask(either([never, body]), known, _place(body, step.span))
                )
            case ty.RepeatUntil():
                body = self.inside(step.block, self.changed(step.block, known))
                asked = self.ask(body, known, step.span)
            case ty.ForEach():
                asked = self.for_each(step, known)
            case ty.Secretly():
                asked = self.secretly(step, known)
            case _:
                pass
        return asked, self.changed(step, known)

    def _owner(self, step: ty.MoveCounted) -> ty.Value | None:
        place = self.program.world.places[step.source.place]
        return None if place.owner_dim is not None else step.owner

    def changed(self, step: ty.Typed, known: Known) -> Known:
        """Return what is known behind a step: what it writes is not known any more."""
        written = self.effects.writes(step)
        if not written:
            return known
        facts = frozenset(fact for fact in known.facts if not self.effects.reads(fact) & written)
        implied = tuple(
            (asked, found)
            for asked, found in known.implied
            if not self.effects.reads(found) & written
        )
        return attrs.evolve(known, written=known.written | written, facts=facts, implied=implied)

    def inside(self, block: ty.Block, known: Known) -> ty.Value:
        """Return what a block asks for by itself."""
        return self.after(block.steps, known, _done)

    def offer(self, block: ty.Block, known: Known) -> ty.Value:
        """Return the guard of something that is offered: asked at that moment."""
        now = attrs.evolve(known, written=frozenset(), late=frozenset())
        guard = self.after(block.steps, now, _done)
        self.offers[id(block)] = guard
        self._kept.append(block)
        return guard

    def branching(self, step: ty.Branching, known: Known) -> ty.Value:
        """Return what an if asks for: what the branch asks for that will be taken."""
        guards: list[tuple[ty.Value, ty.Value]] = []
        here = known
        for condition, block in step.branches:
            guards.append((condition, self.inside(block, here.holding(condition))))
            here = here.holding(negate(condition))
        last = self.inside(step.otherwise, here)
        if last == ty.YES and all(guard == ty.YES for _, guard in guards):
            return ty.YES
        chosen = ty.Cases(tuple(guards), last, type=YES_NO, span=step.span)
        return self.ask(chosen, known, step.span)

    def menu(self, step: ty.OfferMenu, known: Known) -> None:
        """Compute the guards of a menu's lines; each is asked when it is offered."""
        here = known
        for entry in step.entries:
            here = self.changed(entry.block, here)
        for entry in step.entries:
            inner = here
            if entry.variable is not None and entry.domain is not None:
                local = ty.Local(entry.variable, type=entry.domain.element)
                inner = attrs.evolve(here, facts=here.facts | self._facts_of(local, entry.domain))
            self.offer(entry.block, inner)

    def for_each(self, step: ty.ForEach, known: Known) -> ty.Value:
        """Return what a loop asks for: its body for each thing."""
        local = ty.Local(step.variable, type=step.domain.element)
        here = self.changed(step.block, known)
        facts = frozenset(
            fact
            for fact in self._facts_of(local, step.domain)
            if not self.effects.reads(fact) & here.written
            or (
                isinstance(fact, ty.MemberOf)
                and not self.effects.reads(fact) & self.effects.writes(step.block)
            )
        )
        here = attrs.evolve(here, facts=here.facts | facts)
        body = self.inside(step.block, here)
        if body == ty.YES:
            return ty.YES
        failing = some_of(step.domain, step.variable, negate(body))
        return self.ask(negate(failing), known, _place(body, step.span))

    def secretly(self, step: ty.Secretly, known: Known) -> ty.Value:
        """Return what a secret choice asks for: an option for everybody."""
        local = ty.Local(step.variable, type=step.domain.element)
        chooser = ty.Local(step.me, type=step.domain.element)
        fresh = Known(facts=self._facts_of(local, step.domain), late=known.late)
        here = self.changed(step.block, fresh)
        body = self.inside(step.block, here)
        domain = narrowed(step.domain, step.variable, body)
        self.domains[id(step)] = domain
        self._kept.append(step)
        found = some_of(domain, "", ty.YES)
        if uses(found, chooser.name):
            if not proved(found, known.facts):
                self._stuck(step.span)
            return ty.YES
        return self.ask(found, known, step.span)

    def field_guard(self, step: ty.DoField) -> ty.Value:
        """Return the guard of `do`: the field is filled, and its effect can be carried out."""
        kind = self.program.world.kinds[step.kind]
        fixed = step.subject.value if isinstance(step.subject, ty.Const) else None
        key = self.effects.key_name(step)
        procs = self.program.column(step.kind, step.field, key, fixed)
        free = all(self.program.guards.get(proc, ty.YES) == ty.YES for proc in procs)
        written = [each for each in kind.entries if step.field not in each.wrong]
        wanted = 1 if fixed is not None else len(written)
        full = len(procs) >= wanted and (step.key is None or key is not None)
        if fixed is not None and len(procs) == 1:
            return call_guard(self.program, procs[0], step.me, ())
        if free and full:
            return ty.YES
        filled = ty.HasEffect(step.kind, step.field, step.subject, step.key, type=YES_NO)
        if free:
            return attrs.evolve(filled, span=step.span)
        return ty.CanDo(
            step.kind, step.field, step.subject, step.key, step.me, type=YES_NO, span=step.span
        )

    # ---------------------------------------------------------------- asking
    def ask(self, condition: ty.Value, known: Known, span: Span | None = None) -> ty.Value:
        """Return a condition for the guard; report it where it may be asked too late."""
        if condition == ty.YES or proved(condition, known.facts):
            return ty.YES
        if isinstance(condition, ty.And):
            return both(*(self.ask(part, known, span) for part in condition.parts))
        if self.is_late(condition, known):
            self._stuck(span or condition.span)
            return ty.YES
        if span is not None and condition.span.line == 0:
            condition = attrs.evolve(condition, span=span)
        return condition

    def is_late(self, value: ty.Value, known: Known) -> bool:
        """Whether a value cannot be known at the beginning."""
        if self.effects.reads(value) & known.written:
            return True
        return any(
            isinstance(each, ty.Local) and each.name in known.late for each in ty.walk(value)
        )

    def _stuck(self, span: Span) -> None:
        self.findings.report(
            "E401",
            span,
            "This may turn out to be impossible when it is too late to say so.",
            "Ask for it before anything changes (`needs`, or `if any ...:` around it), "
            "put `if able:` or `may` before it, or move `up to` so many.",
        )


def _place(condition: ty.Value, otherwise: Span) -> Span:
    """Return where the first part of a condition was asked."""
    places = (atom.span for atom in atoms(condition))
    return next((span for span in places if span.line), otherwise)


def _done(_: Known) -> ty.Value:
    return ty.YES


def _enough(domain: ty.Domain, amount: ty.Value, span: Span) -> ty.Value:
    if isinstance(amount, ty.Const):
        if amount.value <= 0:
            return ty.YES
        if amount.value == 1:
            return ty.AnyOf(domain, type=YES_NO, span=span)
    counted = ty.CountOf(domain, type=NUMBER, span=span)
    return ty.Comparison(">=", counted, amount, type=YES_NO, span=span)


def _says_where(atom: ty.Value, name: str) -> bool:
    return (
        isinstance(atom, ty.MemberOf)
        and isinstance(atom.subject, ty.Local)
        and atom.subject.name == name
        and isinstance(atom.domain, ty.Lying)
        and not uses(atom.domain, name)
    )


def _is_random(value: ty.Value) -> bool:
    return any(isinstance(each, ty.RandomOf) for each in ty.walk(value))


def _replace(value: ty.Value, old: ty.Value, new: ty.Value) -> ty.Value:
    if value == old:
        return new
    changes: dict[str, object] = {}
    for field in attrs.fields(type(value)):
        if field.name in {"span", "type", "element"}:
            continue
        child = getattr(value, field.name)
        if isinstance(child, ty.Typed):
            replaced: object = _replace(child, old, new)  # type: ignore[arg-type]
        elif isinstance(child, tuple):
            replaced = tuple(
                _replace(each, old, new) if isinstance(each, ty.Typed) else each  # type: ignore[arg-type]
                for each in child
            )
        else:
            continue
        if replaced != child:
            changes[field.name] = replaced
    return attrs.evolve(value, **changes) if changes else value  # type: ignore[arg-type]

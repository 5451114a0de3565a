"""What single steps ask for, and what is known behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.possible.asking import Asking, Known
from rulesdsl.check.proofs import (
    atoms,
    both,
    call_guard,
    either,
    lying,
    narrowed,
    negate,
    proved,
    some_of,
    uses,
)
from rulesdsl.check.types import NUMBER, PLAYER, YES_NO, piece

if TYPE_CHECKING:
    from rulesdsl.source.span import Span

EVERYBODY = ty.AllSeats(players=True, element=PLAYER)


class StepGuards(Asking):
    """Computes what a step asks for."""

    def one(  # noqa: C901, PLR0912 - one case for each kind of step
        self, step: ty.Step, known: Known
    ) -> tuple[ty.Value, Known]:
        """Return what a step asks for, and what is known behind it."""
        asked: ty.Value = ty.YES
        match step:
            case ty.Run():
                guard = call_guard(self.program, step.proc, step.me, step.arguments, self.fresh)
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
            case ty.Decide():
                offers = self.lines(step, known)
                if step.stop is None and offers:
                    asked = self.ask(either(offers), known, step.span)
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
            case (
                ty.MoveCounted()
                | ty.MoveSome()
                | ty.MoveSingle()
                | ty.MovePrinted()
                | ty.ChangeTrack()
                | ty.ShiftPiece()
                | ty.SetFlag()
                | ty.ShuffleCells()
                | ty.Peek()
                | ty.Snapshot()
                | ty.EmptyList()
                | ty.Reset()
                | ty.Learn()
            ):
                pass  # it can always be carried out
            case ty.SetLocal() | ty.Require() | ty.Block() | ty.Finish():
                pass  # what follows it has a say: see `after`
            case _:
                assert_never(step)
        return asked, self.changed(step, known)

    def _owner(self, step: ty.MoveCounted) -> ty.Value | None:
        place = self.program.world.places[step.source.place]
        return None if place.owner_dim is not None else step.owner

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
        others = [last, *(guard for _, guard in guards[1:])]
        shared = [
            each for each in lying(guards[0][1]) if all(each in atoms(other) for other in others)
        ]
        return self.ask(both(*shared, chosen), known, step.span)

    def lines(self, step: ty.Decide, known: Known) -> list[ty.Value]:
        """Return the guards of lines; each is asked when the line is offered, perhaps again."""
        here = known
        for block in step.blocks if step.again else ():
            here = self.changed(block, here)
        found: list[ty.Value] = []
        for line in step.lines:
            inner = here
            if line.about is not None:
                name, domain = line.about
                local = ty.Local(name, type=domain.element)
                inner = attrs.evolve(here, facts=here.facts | self.facts_of(local, domain))
            found.append(self.offer(line.block, inner))
        return found

    def for_each(self, step: ty.ForEach, known: Known) -> ty.Value:
        """Return what a loop asks for: its body for each thing."""
        local = ty.Local(step.variable, type=step.domain.element)
        here = self.changed(step.block, known)
        facts = frozenset(
            fact
            for fact in self.facts_of(local, step.domain)
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
        fresh = Known(self.no_facts | self.facts_of(local, step.domain), late=known.late)
        here = self.changed(step.block, fresh)
        body = self.inside(step.block, here)
        domain = narrowed(step.domain, step.variable, body)
        self.domains[id(step)] = domain
        self._kept.append(step)
        found = some_of(domain, "", ty.YES)
        if uses(found, step.me) and not proved(found, known.facts):
            found = negate(some_of(EVERYBODY, step.me, negate(found)))
        return self.ask(found, known, step.span)

    def field_guard(self, step: ty.DoField) -> ty.Value:
        """Return the guard of `do`: the field is filled, and its effect can be carried out."""
        kind = self.program.world.kinds[step.kind]
        fixed = step.subject.value if isinstance(step.subject, ty.Const) else None
        key = self.program.key_name(step)
        procs = self.program.meant(step)
        free = all(self.program.guards.get(proc, ty.YES) == ty.YES for proc in procs)
        written = [each for each in kind.entries if step.field not in each.wrong]
        wanted = 1 if fixed is not None else len(written)
        full = len(procs) >= wanted and (step.key is None or key is not None)
        if fixed is not None and len(procs) == 1:
            return call_guard(self.program, procs[0], step.me, (), self.fresh)
        if free and full:
            return ty.YES
        filled = ty.HasEffect(step.kind, step.field, step.subject, step.key, type=YES_NO)
        if free:
            return attrs.evolve(filled, span=step.span)
        return ty.CanDo(
            step.kind, step.field, step.subject, step.key, step.me, type=YES_NO, span=step.span
        )


def _place(condition: ty.Value, otherwise: Span) -> Span:
    """Return where the first part of a condition was asked."""
    places = (atom.span for atom in atoms(condition))
    return next((span for span in places if span.line), otherwise)


def _enough(domain: ty.Domain, amount: ty.Value, span: Span) -> ty.Value:
    if isinstance(amount, ty.Const):
        if amount.value <= 0:
            return ty.YES
        if amount.value == 1:
            return ty.AnyOf(domain, type=YES_NO, span=span)
    counted = ty.CountOf(domain, type=NUMBER, span=span)
    return ty.Comparison(">=", counted, amount, type=YES_NO, span=span)

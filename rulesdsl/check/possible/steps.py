"""What single steps ask for, and what is known behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.possible.asking import Known, ask, changed
from rulesdsl.check.proofs import (
    atoms,
    both,
    call_guard,
    either,
    facts_of,
    lying,
    narrowed,
    negate,
    proved,
    some_of,
    uses,
)
from rulesdsl.check.types import NUMBER, PLAYER, YES_NO, piece

if TYPE_CHECKING:
    from rulesdsl.check.possible.guards import Guards
    from rulesdsl.source.span import Span

EVERYBODY = ty.AllSeats(players=True, element=PLAYER)


def guard_of(  # noqa: C901, PLR0912 - one case for each kind of step
    g: Guards, step: ty.Step, known: Known
) -> tuple[ty.Value, Known]:
    """Return what a step asks for, and what is known behind it."""
    asked: ty.Value = ty.YES
    match step:
        case ty.Run():
            guard = call_guard(g.program, step.proc, step.me, step.arguments, g.fresh)
            asked = ask(g, guard, known, step.span)
        case ty.DoField():
            asked = ask(g, _field_guard(g, step), known, step.span)
        case ty.MoveCounted(amount=amount) if amount is not None and not step.up_to:
            own = ty.Lying(step.piece, step.source, _owner(g, step), element=piece(step.piece))
            asked = ask(g, _enough(own, amount, step.span), known, step.span)
        case ty.MoveSome(amount=amount) if amount is not None and not step.up_to:
            asked = ask(g, _enough(step.domain, amount, step.span), known, step.span)
        case ty.Branching():
            asked = _branching(g, step, known)
        case ty.WhereAble():
            g.offer(step.block, known)
            asked = g.inside(step.otherwise, known)
        case ty.Decide():
            offers = _lines(g, step, known)
            if step.stop is None and offers:
                asked = ask(g, either(offers), known, step.span)
        case ty.RepeatTimes():
            body = g.inside(step.block, changed(g, step.block, known))
            if body != ty.YES:
                never = ty.Comparison("<=", step.times, ty.Const(0, type=NUMBER), type=YES_NO)
                asked = ask(g, either([never, body]), known, _place(body, step.span))
        case ty.RepeatUntil():
            body = g.inside(step.block, changed(g, step.block, known))
            asked = ask(g, body, known, step.span)
        case ty.ForEach():
            asked = _for_each(g, step, known)
        case ty.Secretly():
            asked = _secretly(g, step, known)
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
    return asked, changed(g, step, known)


def _owner(g: Guards, step: ty.MoveCounted) -> ty.Value | None:
    place = g.program.world.places[step.source.place]
    return None if place.owner_dim is not None else step.owner


def _branching(g: Guards, step: ty.Branching, known: Known) -> ty.Value:
    """Return what an if asks for: what the branch asks for that will be taken."""
    guards: list[tuple[ty.Value, ty.Value]] = []
    here = known
    for condition, block in step.branches:
        guards.append((condition, g.inside(block, here.holding(condition))))
        here = here.holding(negate(condition))
    last = g.inside(step.otherwise, here)
    if last == ty.YES and all(guard == ty.YES for _, guard in guards):
        return ty.YES
    chosen = ty.Cases(tuple(guards), last, type=YES_NO, span=step.span)
    others = [last, *(guard for _, guard in guards[1:])]
    shared = [
        each for each in lying(guards[0][1]) if all(each in atoms(other) for other in others)
    ]
    return ask(g, both(*shared, chosen), known, step.span)


def _lines(g: Guards, step: ty.Decide, known: Known) -> list[ty.Value]:
    """Return the guards of lines; each is asked when the line is offered, perhaps again."""
    here = known
    for block in step.blocks if step.again else ():
        here = changed(g, block, here)
    found: list[ty.Value] = []
    for line in step.lines:
        inner = here
        if line.about is not None:
            inner = attrs.evolve(here, facts=here.facts | facts_of(*line.about))
        found.append(g.offer(line.block, inner))
    return found


def _for_each(g: Guards, step: ty.ForEach, known: Known) -> ty.Value:
    """Return what a loop asks for: its body for each thing."""
    here = changed(g, step.block, known)
    facts = frozenset(
        fact
        for fact in facts_of(step.variable, step.domain)
        if not g.effects.reads(fact) & here.written
        or (
            isinstance(fact, ty.MemberOf)
            and not g.effects.reads(fact) & g.effects.writes(step.block)
        )
    )
    here = attrs.evolve(here, facts=here.facts | facts)
    body = g.inside(step.block, here)
    if body == ty.YES:
        return ty.YES
    failing = some_of(step.domain, step.variable, negate(body))
    return ask(g, negate(failing), known, _place(body, step.span))


def _secretly(g: Guards, step: ty.Secretly, known: Known) -> ty.Value:
    """Return what a secret choice asks for: an option for everybody."""
    fresh = Known(g.no_facts | facts_of(step.variable, step.domain), late=known.late)
    here = changed(g, step.block, fresh)
    body = g.inside(step.block, here)
    domain = narrowed(step.domain, step.variable, body)
    g.choose_from(step, domain)
    found = some_of(domain, "", ty.YES)
    if uses(found, step.me) and not proved(found, known.facts):
        found = negate(some_of(EVERYBODY, step.me, negate(found)))
    return ask(g, found, known, step.span)


def _field_guard(g: Guards, step: ty.DoField) -> ty.Value:
    """Return the guard of `do`: the field is filled, and its effect can be carried out."""
    kind = g.program.world.kinds[step.kind]
    fixed = step.subject.value if isinstance(step.subject, ty.Const) else None
    key = g.program.key_name(step)
    procs = g.program.meant(step)
    free = all(g.program.guards.get(proc, ty.YES) == ty.YES for proc in procs)
    written = [each for each in kind.entries if step.field not in each.wrong]
    wanted = 1 if fixed is not None else len(written)
    full = len(procs) >= wanted and (step.key is None or key is not None)
    if fixed is not None and len(procs) == 1:
        return call_guard(g.program, procs[0], step.me, (), g.fresh)
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

"""What is bound and what is chosen, and what that means for the steps behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.possible.asking import ask, is_late
from rulesdsl.check.possible.late import asked_at
from rulesdsl.check.proofs import atoms, both, facts_of, narrowed, some_of, uses
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.typed.walk import rewrite, substitute
from rulesdsl.check.types import YES_NO, a_or_an
from rulesdsl.source.span import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.check.possible.asking import Known
    from rulesdsl.check.possible.guards import Guards
    from rulesdsl.source.span import Span


def bind(
    g: Guards,
    step: ty.SetLocal,
    rest: tuple[ty.Step, ...],
    known: Known,
    then: Callable[[Known], ty.Value],
) -> ty.Value:
    """Take in a local: the guard uses it unless it is computed too late or drawn by chance."""
    late = is_late(g, step.value, known) or _is_random(step.value)
    behind = known
    local = ty.Local(step.name, type=step.value.type)
    for implied in _implications(local, step.value):
        behind = attrs.evolve(behind, implied=(*behind.implied, implied))
    if late:
        behind = attrs.evolve(behind, late=behind.late | {step.name})
    behind = _same_facts(step, behind)
    inner = g.after(rest, behind, then)
    if late or not uses(inner, step.name):
        return inner
    asked = asked_at(g, inner)  # the local by itself asks for nothing
    span = step.span if asked == NOWHERE else asked
    return ty.LetIn(step.name, step.value, inner, type=YES_NO, span=span)


def _same_facts(step: ty.SetLocal, known: Known) -> Known:
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


def _implications(local: ty.Local, value: ty.Value) -> list[tuple[ty.Value, ty.Value]]:
    """Return what is known of `the X where C` once it is there."""
    found = value.domain if isinstance(value, ty.BestOf) else value
    if not isinstance(found, ty.Filtered | ty.FirstOf):
        return []
    there = ty.IsSome(local, type=YES_NO)
    total = ty.Local(local.name, type=local.type.total())
    return [(there, substitute(atom, found.variable, total)) for atom in atoms(found.condition)]


def pick(
    g: Guards,
    step: ty.Decide,
    rest: tuple[ty.Step, ...],
    known: Known,
    then: Callable[[Known], ty.Value],
) -> ty.Value:
    """Take in a choice: its candidates are those for which the rest can be carried out."""
    assert step.choice is not None
    name, base = step.choice
    facts = facts_of(name, base)
    fresh = attrs.evolve(known, written=frozenset(), facts=known.facts | facts)
    inner = g.after(rest, fresh, then)
    domain = _candidates(g, step.span, name, base, inner)
    g.choose_from(step, domain)
    found = ask(g, some_of(domain, "", ty.YES), known, step.span)
    apart = (atom for atom in atoms(inner) if not uses(atom, name))
    return both(found, *(ask(g, atom, known) for atom in apart))


def _candidates(g: Guards, span: Span, name: str, domain: ty.Domain, inner: ty.Value) -> ty.Domain:
    about = [atom for atom in atoms(inner) if uses(atom, name)]
    base = domain.base if isinstance(domain, ty.Filtered) else domain
    if isinstance(base, ty.AnyWhere):
        everything = [*about]
        if isinstance(domain, ty.Filtered):
            mine = ty.Local(name, type=domain.element)
            everything += atoms(substitute(domain.condition, domain.variable, mine))
        place = next((each for each in everything if _says_where(each, name)), None)
        if place is None and g.key in g.unsure:
            return domain
        if place is None:
            g.findings.report(
                "E305",
                span,
                f"Where is the {base.piece} chosen from?",
                f"Say it: `{a_or_an(base.piece)} in ...`.",
            )
            g.program.failed.add(g.key)
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

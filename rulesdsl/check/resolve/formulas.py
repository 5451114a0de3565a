"""Named values: their formulas by cases, with the hooks laid over them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.program import TypedValue
from rulesdsl.check.resolve.changes import let
from rulesdsl.check.types import NUMBER, SEAT, UNKNOWN, Type, fits
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from rulesdsl.check.resolve.bodies import Bodies
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.world import ValueInfo


def resolve_value(bodies: Bodies, value: ValueInfo) -> tuple[Type, bool]:
    """Resolve a named value; return its type, and whether it needs somebody who acts."""
    hooked = [part for hook in value.hooks for part in (hook.when, hook.formula)]
    r = bodies.of_nobody(value.formula, *hooked)
    scope = r.scope
    params = bodies.params(r, value.params)
    seat = bool(params) and params[0].type.family in {"seat", "player"}
    me = scope.me = params[0] if seat else scope.fresh("me", SEAT)
    body = _formula(r, value.formula)
    kind = body.type if value.score_title is None else NUMBER
    _check_type(r, value.name, kind, body.type, value.formula)
    layers = [body]
    for at, hook in enumerate(value.hooks):
        scope.beneath_value = (value.name, at)
        asks = not seat and any(_speaks_of(me, each) for each in layers)
        bodies.expect_value(value.name, body.type, needs_me=asks)
        with scope.block():
            r.bind(hook.params, params)
            scope.me = me
            replaced = _formula(r, hook.formula)
            _check_type(r, value.name, kind, replaced.type, hook.formula)
            when = None if hook.when is None else r.condition(hook.when)
        if when is not None:
            whose = me if seat or asks else ty.Const(-1, type=SEAT)
            below = ty.CallValue(value.name, whose, params, at, type=body.type)
            replaced = ty.Cases(((when, replaced),), below, type=body.type)
        layers.append(replaced)
    if scope.failed:
        bodies.program.failed_values.add(value.name)
    needs_me = not seat and any(_speaks_of(me, each) for each in layers)
    for at, each in enumerate(layers):
        asked = me if needs_me else None
        found = TypedValue(value.name, params, asked, each, value.span)
        bodies.program.values[value.name, at] = found
    return body.type, needs_me


def _speaks_of(me: ty.Local, value: ty.Value) -> bool:
    """Whether a value looks at who acts, be it as a seat or, as `position of me`, as a number."""
    return any(isinstance(each, ty.Local) and each.name == me.name for each in ty.walk(value))


def _check_type(r: Resolver, name: str, kind: Type, found: Type, formula: st.Formula) -> None:
    """Report a formula that gives something else than its value is asked for."""
    findings = r.bodies.findings
    if not fits(found, kind):
        findings.report(
            "E301",
            formula.span,
            f"`{name}` is {kind.total()}, but this is {found.total()}.",
            "It has to be a number: ask how many, or go by cases."
            if kind == NUMBER
            else "Replace a value by one of the same kind.",
        )
    elif found.maybe and not kind.maybe:
        message = f"`{name}` is always there, but this is {found}."
        help_text = "Give something else where it is not there: `... if any x`, `otherwise ...`."
        findings.report("E302", formula.span, message, help_text)


def _formula(r: Resolver, formula: st.Formula) -> ty.Value:
    """Return the value of a formula by cases."""
    with r.scope.block():
        lets = [each for each in formula.lets if isinstance(each, st.Let)]
        bound = [step for each in lets for step in let(r, each) if isinstance(step, ty.SetLocal)]
        cases: list[tuple[ty.Value, ty.Value]] = []
        want: Type | None = None
        for case in formula.cases:
            condition = r.condition(case.condition)
            with r.scope.block():
                r.scope.assume(condition)
                found = r.value(case.value, want)
            want = want or found.type
            cases.append((condition, found))
            r.scope.assume_not(condition)
        last = r.value(formula.otherwise, want)
        body = _joined(r, cases, last, formula)
    for step in reversed(bound):
        body = ty.LetIn(step.name, step.value, body, type=body.type, span=formula.span)
    return body


def _joined(
    r: Resolver, cases: list[tuple[ty.Value, ty.Value]], last: ty.Value, formula: st.Formula
) -> ty.Value:
    """Return the cases of a formula as one value; those of different types are reported."""
    kinds = [found.type for _, found in cases] + [last.type]
    known = [kind for kind in kinds if kind != UNKNOWN]
    if not cases or not known:
        return last
    first = known[0].total()
    for kind in known:
        if kind.total() != first and {kind.family, first.family} != {"seat", "player"}:
            message = f"One case is {first}, another is {kind.total()}."
            help_text = "All cases of a value are of one kind."
            r.bodies.findings.report("E301", formula.span, message, help_text)
            break
    joined = SEAT if any(kind.family == "seat" for kind in known) else first
    joined = joined.or_none() if any(kind.maybe for kind in known) else joined
    return ty.Cases(tuple(cases), last, type=joined, span=formula.span)

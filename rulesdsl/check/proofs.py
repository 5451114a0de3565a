"""What follows from what is known: simplifying conditions and proving them from facts."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.types import YES_NO, piece

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.known import Facts


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def both(*parts: ty.Value) -> ty.Value:
    """Return the conjunction of conditions, simplified."""
    kept: dict[ty.Value, ty.Value] = {}
    for part in parts:
        for each in part.parts if isinstance(part, ty.And) else (part,):
            if each != ty.YES and kept.setdefault(each, each).why is None:
                kept[each] = each  # of two that are the same, the one that says why it fails
    if ty.NO in kept:
        return ty.NO
    every = tuple(kept.values())
    return ty.And(every, type=YES_NO) if len(every) > 1 else next(iter(every), ty.YES)


def either(parts: Iterable[ty.Value]) -> ty.Value:
    """Return the disjunction of conditions, simplified."""
    kept = dict.fromkeys(each for each in parts if each != ty.NO)
    if ty.YES in kept:
        return ty.YES
    return ty.Or(tuple(kept), type=YES_NO) if len(kept) > 1 else next(iter(kept), ty.NO)


def negate(value: ty.Value) -> ty.Value:
    """Return the opposite of a condition."""
    if value == ty.YES:
        return ty.NO
    if value == ty.NO:
        return ty.YES
    return ty.Negation(value, type=YES_NO)


def uses(value: ty.Node, name: str) -> bool:
    """Whether a local occurs in a value."""
    return any(isinstance(each, ty.Local) and each.name == name for each in ty.walk(value))


def some_of(domain: ty.Domain, variable: str, condition: ty.Value) -> ty.Value:
    """Return whether a domain has a thing that fulfils a condition."""
    if condition == ty.NO:
        return ty.NO
    return ty.AnyOf(narrowed(domain, variable, condition), type=YES_NO)


def narrowed(domain: ty.Domain, variable: str, condition: ty.Value) -> ty.Domain:
    """Return a domain with one more condition."""
    if condition == ty.YES:
        return domain
    if isinstance(domain, ty.Filtered):
        mine = ty.Local(domain.variable, type=domain.element)
        merged = both(domain.condition, ty.substitute(condition, variable, mine))
        return attrs.evolve(domain, condition=merged)
    return ty.Filtered(domain, variable, condition, element=domain.element, span=condition.span)


def lying(guard: ty.Value) -> list[ty.Value]:
    """Return the parts of a guard that say where something lies: choices are made from there."""
    return [
        each
        for each in atoms(guard)
        if isinstance(each, ty.MemberOf) and isinstance(each.domain, ty.Lying)
    ]


# -------------------------------------------------------------------- proving
def atoms(condition: ty.Value) -> list[ty.Value]:
    """Return the conditions that hold when a condition holds."""
    if isinstance(condition, ty.And):
        return [atom for part in condition.parts for atom in atoms(part)]
    if isinstance(condition, ty.Negation) and isinstance(condition.value, ty.Or):
        return [atom for part in condition.value.parts for atom in atoms(negate(part))]
    if isinstance(condition, ty.Negation) and isinstance(condition.value, ty.Negation):
        return atoms(condition.value.value)
    return [condition]


def as_filled(condition: ty.Value) -> ty.Value:
    """Return what `any top 3 of S` and `any top of S` come to: that something lies in S."""
    end: ty.Node = condition
    if isinstance(condition, ty.AnyOf):
        end = condition.domain
    elif isinstance(condition, ty.IsSome):
        end = condition.value
    if not isinstance(end, ty.EndPieces | ty.EndOf):
        return condition
    return ty.AnyOf(ty.Lying(end.piece, end.cells, element=piece(end.piece)), type=YES_NO)


def proved(condition: ty.Value, facts: Facts) -> bool:
    """Whether a condition follows from facts."""
    if condition == ty.YES or condition in facts or as_filled(condition) in facts:
        return True
    if isinstance(condition, ty.And):
        return all(proved(part, facts) for part in condition.parts)
    if isinstance(condition, ty.Or):
        return any(proved(part, facts) for part in condition.parts)
    if isinstance(condition, ty.Negation) and isinstance(condition.value, ty.Negation):
        return proved(condition.value.value, facts)
    if isinstance(condition, ty.Cases):
        return all(proved(each, facts) for each in condition.values)
    if isinstance(condition, ty.AnyOf):
        return _surely_any(condition.domain, facts)
    if isinstance(condition, ty.Comparison) and isinstance(condition.right, ty.Const):
        return _surely_compares(condition.op, condition.left, condition.right.value, facts)
    if isinstance(condition, ty.IsSome):
        return not condition.value.type.maybe
    return isinstance(condition, ty.MemberOf) and _surely_member(
        condition.subject, condition.domain, facts
    )


def _surely_compares(op: str, left: ty.Value, right: int, facts: Facts) -> bool:
    if isinstance(left, ty.Const):
        return holds(op, left.value, right)
    return (
        op == ">="
        and isinstance(left, ty.CountOf)
        and (
            right <= 0
            or (right == 1 and _surely_any(left.domain, facts))
            or any(_at_least(fact, left.domain, right) for fact in facts.about(left.domain))
        )
    )


def holds(op: str, left: int, right: int) -> bool:
    """Return whether a comparison of two numbers holds."""
    return COMPARISONS[op](left, right)


def _at_least(fact: ty.Value, domain: ty.Domain, least: int) -> bool:
    return (
        isinstance(fact, ty.Comparison)
        and isinstance(fact.right, ty.Const)
        and fact.right.value >= least - (fact.op == ">")
        and fact.op in {">", ">="}
        and isinstance(fact.left, ty.CountOf)
        and fact.left.domain == domain
    )


def _surely_any(domain: ty.Domain, facts: Facts) -> bool:
    match domain:
        case ty.Entries() | ty.AllSeats():
            return True
        case ty.Numbers(low=ty.Const(value=low), high=ty.Const(value=high)):
            return low <= high
        case ty.Numbers(low=low, high=high):
            return proved(ty.Comparison("<=", low, high, type=YES_NO), facts)
        case ty.Filtered(base=base, variable=variable, condition=condition):
            local = ty.Local(variable, type=base.element)
            member = ty.MemberOf(local, base, type=YES_NO)
            return _surely_any(base, facts) and proved(condition, facts | [member])
        case ty.Listed() | ty.Lying() | ty.AnyWhere() | ty.EndPieces():
            return ty.AnyOf(domain, type=YES_NO) in facts or any(
                _at_least(fact, domain, 1) for fact in facts.about(domain)
            )
        case _:
            assert_never(domain)


def _surely_member(subject: ty.Value, domain: ty.Domain, facts: Facts) -> bool:
    for fact in facts.about(subject):
        if isinstance(fact, ty.MemberOf):
            base = fact.domain
            while True:
                if base == domain or _wider(base, domain):
                    return True
                if not isinstance(base, ty.Filtered):
                    break
                base = base.base
    return False


def _wider(small: ty.Domain, large: ty.Domain) -> bool:
    """Whether pieces in one cell are provably among those in more cells of the same kind."""
    if not (isinstance(small, ty.Lying) and isinstance(large, ty.Lying)):
        return False
    if (small.piece, small.cells.place) != (large.piece, large.cells.place):
        return False
    if large.owner not in {None, small.owner} or large.entry not in {None, small.entry}:
        return False
    return all(
        wide is None or wide == narrow
        for narrow, wide in zip(small.cells.dims, large.cells.dims, strict=True)
    )

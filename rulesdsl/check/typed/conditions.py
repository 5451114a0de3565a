"""Construction and evaluation of conditions, and their conjuncts."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.symbols.names import compute
from rulesdsl.check.symbols.types import YES_NO, piece
from rulesdsl.source.tree import rewrite

COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

MIRRORED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""The comparison that holds if its sides are exchanged."""


def holds(op: str, left: int, right: int) -> bool:
    """Return whether a comparison of two numbers holds."""
    return COMPARISONS[op](left, right)


def both(*parts: ty.Value) -> ty.Value:
    """Return the simplified conjunction of conditions."""
    kept: dict[ty.Value, ty.Value] = {}
    for part in parts:
        for each in part.parts if isinstance(part, ty.And) else (part,):
            if each != ty.YES and kept.setdefault(each, each).why is None:
                kept[each] = each  # of two equal parts, keep the one with a text
    if ty.NO in kept:
        return ty.NO
    every = tuple(kept.values())
    return ty.And(every, type=YES_NO) if len(every) > 1 else next(iter(every), ty.YES)


def either(parts: Iterable[ty.Value]) -> ty.Value:
    """Return the simplified disjunction of conditions."""
    kept = dict.fromkeys(each for each in parts if each != ty.NO)
    if ty.YES in kept:
        return ty.YES
    return ty.Or(tuple(kept), type=YES_NO) if len(kept) > 1 else next(iter(kept), ty.NO)


def negate(value: ty.Value) -> ty.Value:
    """Return the negation of a condition."""
    if value == ty.YES:
        return ty.NO
    if value == ty.NO:
        return ty.YES
    return ty.Negation(value, type=YES_NO)


def uses(value: ty.Node, name: str) -> bool:
    """Return whether a local occurs in a node."""
    return any(isinstance(each, ty.Local) and each.name == name for each in ty.walk(value))


def some_of(domain: ty.Domain, variable: str, condition: ty.Value) -> ty.Value:
    """Return the condition that a domain has an element for which `condition` holds."""
    if condition == ty.NO:
        return ty.NO
    return ty.AnyOf(_of_pieces(narrowed(domain, variable, condition)), type=YES_NO)


def _of_pieces(domain: ty.Domain) -> ty.Domain:
    """Return the pieces at the positions in a domain; any other domain as it is."""
    numbers = domain.unfiltered
    if not isinstance(numbers, ty.NumberRange) or not isinstance(numbers.high, ty.CountOf):
        return domain
    if not domain.element.of:
        return domain
    pieces = numbers.high.domain
    while isinstance(domain, ty.Filtered):
        piece = ty.Local(domain.variable, type=pieces.element)

        def named(node: ty.Node, piece: ty.Local = piece) -> ty.Node:
            is_there = isinstance(node, ty.EndOf) and node.index is not None
            return piece if is_there and uses(node, piece.name) else node

        pieces = narrowed(pieces, piece.name, rewrite(domain.condition, named))
        domain = domain.base
    return pieces


def narrowed(domain: ty.Domain, variable: str, condition: ty.Value) -> ty.Domain:
    """Return a domain restricted by another condition."""
    if condition == ty.YES:
        return domain
    if isinstance(domain, ty.Filtered):
        mine = ty.Local(domain.variable, type=domain.element)
        merged = both(domain.condition, ty.substitute(condition, variable, mine))
        return attrs.evolve(domain, condition=merged)
    return ty.Filtered(domain, variable, condition, element=domain.element, span=condition.span)


def lying(guard: ty.Value) -> list[ty.Value]:
    """Return the conjuncts of a guard that require a piece to be in certain cells."""
    return [
        each
        for each in atoms(guard)
        if isinstance(each, ty.MemberOf) and isinstance(each.domain, ty.Lying)
    ]


def atoms(condition: ty.Value) -> list[ty.Value]:
    """Return the conjuncts of a condition, with negations pushed inwards."""
    if isinstance(condition, ty.And):
        return [atom for part in condition.parts for atom in atoms(part)]
    if isinstance(condition, ty.Negation) and isinstance(condition.value, ty.Or):
        return [atom for part in condition.value.parts for atom in atoms(negate(part))]
    if isinstance(condition, ty.Negation) and isinstance(condition.value, ty.Negation):
        return atoms(condition.value.value)
    return [condition]


def as_filled(condition: ty.Value) -> ty.Value:
    """Rewrite `any top 3 of S` and `any top of S` to the condition that S is not empty."""
    end: ty.Node = condition
    if isinstance(condition, ty.AnyOf):
        end = condition.domain
    elif isinstance(condition, ty.IsSome):
        end = condition.value
    if not isinstance(end, ty.EndPieces | ty.EndOf):
        return condition
    return ty.AnyOf(ty.Lying(end.piece, end.cells, element=piece(end.piece)), type=YES_NO)


def fixed(value: ty.Value, players: int, options: Mapping[str, int]) -> int | None:
    """Evaluate a value that depends only on player count and options; return None for others."""
    if isinstance(value, ty.Const):
        return value.value
    if isinstance(value, ty.Seats) and value.players:
        return players
    if isinstance(value, ty.SettingValue):
        return options[value.option]
    if not isinstance(value, ty.Negation | ty.And | ty.Or | ty.Comparison | ty.Arith):
        return None
    parts = [fixed(each, players, options) for each in ty.children(value)]  # type: ignore[arg-type]
    known = [each for each in parts if each is not None]
    return _of_fixed(value, known) if len(known) == len(parts) else None


def _of_fixed(
    value: ty.Negation | ty.And | ty.Or | ty.Comparison | ty.Arith, parts: list[int]
) -> int | None:
    match value:
        case ty.Negation():
            return int(not parts[0])
        case ty.And():
            return int(all(parts))
        case ty.Or():
            return int(any(parts))
        case ty.Comparison(op=op):
            return int(holds(op, *parts))
        case ty.Arith(op="min"):
            return min(parts)
        case ty.Arith(op="max"):
            return max(parts)
        case ty.Arith(op=op):
            return compute(op, *parts)

"""Constant folding: flat expressions of which a part is known, made as short as they can be."""

from __future__ import annotations

import operator
from collections.abc import Callable

from rulesdsl.check.proofs import holds
from rulesdsl.lower import flat as fl

MIN_NUMBER, MAX_NUMBER = -(2**63), 2**63 - 1


def signed(bits: int) -> int:
    """Return 64 bits as the number with a sign that they are."""
    return bits - (1 << 64) if bits >> 63 else bits


def known(expr: fl.Expr) -> int | None:
    """Return the number that an expression always is, None where it depends."""
    return expr.value if isinstance(expr, fl.Const) else None


def computed(word: str, left: int, right: int) -> int:
    """Return what an operator makes of two numbers."""
    made = _COMPUTED.get(word.rstrip("."))
    found = int(holds(word, left, right)) if made is None else made(left, right)
    return min(max(found, MIN_NUMBER), MAX_NUMBER)


_COMPUTED: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
    "min": min,
    "max": max,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}


def within(number: fl.Expr, first: int, end: int) -> fl.Expr:
    """Return whether a number is not below the first, and below the end."""
    return logic("and", op(">=", number, fl.Const(first)), op("<", number, fl.Const(end)))


def op(operation: str, left: fl.Expr, right: fl.Expr) -> fl.Expr:
    """Return an operation, or what it comes to."""
    a, b = known(left), known(right)
    if a is not None and b is not None and (operation not in {"/", "%"} or b > 0):
        return fl.Const(computed(operation, a, b))
    word = operation.rstrip(".")
    if (word, a) in _OF_LEFT:
        return right
    if (word, b) in _OF_RIGHT:
        return left
    if word == "*" and 0 in {a, b}:
        return fl.Const(0)
    if left == right and operation in OPPOSITE:
        return fl.Const(int(operation in {"=", "<=", ">="}))
    return _index(left, right) if operation == "+" else fl.Op(operation, left, right)


_OF_LEFT = {("+", 0), ("*", 1)}  # what leaves the other side as it is
_OF_RIGHT = {("+", 0), ("-", 0), ("*", 1), ("/", 1)}


def _index(left: fl.Expr, right: fl.Expr) -> fl.Expr:
    """Return a sum that stays within 64 bits: what is known of it comes last, in one."""
    if isinstance(left, fl.Const):
        left, right = right, left
    more = known(right)
    match left:
        case fl.Op(op="+", left=of, right=fl.Const(value=first)) if more is not None:
            return op("+", of, fl.Const(first + more))
        case _:
            return fl.Op("+", left, right)


def negated(expr: fl.Expr) -> fl.Expr:
    """Return 1 where an expression is 0, else 0."""
    number = known(expr)
    if number is not None:
        return fl.Const(int(not number))
    if isinstance(expr, fl.Not):
        return expr.value
    if isinstance(expr, fl.Op) and expr.op in OPPOSITE:
        return fl.Op(OPPOSITE[expr.op], expr.left, expr.right)
    return fl.Not(expr)


OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def logic(word: str, *parts: fl.Expr) -> fl.Expr:
    """Return whether all (`and`) or any (`or`) of some conditions hold."""
    ends = word == "or"  # what decides the whole
    left: list[fl.Expr] = []
    for part in parts:
        number = known(part)
        if number is not None:
            if bool(number) == ends:
                return fl.Const(int(ends))
            continue
        left += part.parts if isinstance(part, fl.Logic) and part.op == word else [part]
    if not left:
        return fl.Const(int(not ends))
    return left[0] if len(left) == 1 else fl.Logic(word, tuple(left))


def select(condition: fl.Expr, yes: fl.Expr, no: fl.Expr) -> fl.Expr:
    """Return one expression where a condition holds, else another."""
    number = known(condition)
    if number is not None:
        return yes if number else no
    return yes if yes == no else fl.Select(condition, yes, no)

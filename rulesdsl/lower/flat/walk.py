"""Traversals of the flat form, liveness of locals, and constant folding."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from rulesdsl.check.typed.conditions import holds
from rulesdsl.lower import flat as fl
from rulesdsl.source.tree import walk

AnyNode = Any  # any node of the form: statement, expression or list


def change_bodies(flat: fl.Flat, change: Callable[[fl.Body], fl.Body]) -> None:
    """Apply a change to the body of every function and to every block of every machine."""
    for name, function in flat.functions.items():
        flat.functions[name] = attrs.evolve(function, body=change(function.body))
    for name, machine in flat.machines.items():
        blocks = tuple(map(change, machine.blocks))
        flat.machines[name] = attrs.evolve(machine, blocks=blocks)


def bodies(stmt: fl.Stmt) -> tuple[fl.Body, ...]:
    """Return the bodies nested directly in a statement."""
    match stmt:
        case fl.Conditional(yes=yes, no=no):
            return yes, no
        case fl.For(body=body):
            return (body,)
        case _:
            return ()


def with_bodies(stmt: fl.Stmt, change: Callable[[fl.Body], fl.Body]) -> fl.Stmt:
    """Return a statement with a change applied to its nested bodies."""
    match stmt:
        case fl.Conditional(yes=yes, no=no):
            return attrs.evolve(stmt, yes=change(yes), no=change(no))
        case fl.For(body=body):
            return attrs.evolve(stmt, body=change(body))
        case _:
            return stmt


def conjuncts(condition: fl.Expr) -> tuple[fl.Expr, ...]:
    """Return the conjuncts of a condition."""
    match condition:
        case fl.ShortCircuit(op="and", parts=parts):
            return parts
        case _:
            return (condition,)


def ends_in(body: fl.Body) -> Iterator[fl.End]:
    """Yield the terminators of a body, on every path."""
    for stmt in body:
        if isinstance(stmt, fl.Conditional):
            yield from ends_in(stmt.yes)
            yield from ends_in(stmt.no)
        elif isinstance(stmt, fl.Goto | fl.Enter | fl.Leave | fl.Ask):
            yield stmt


def read_first(body: fl.Body) -> set[str]:
    """Return the locals and buffers that a body may read before setting them."""
    found, _ = _read_first(body)
    return found


def _read_first(body: fl.Body) -> tuple[set[str], set[str]]:
    found: set[str] = set()
    surely: set[str] = set()
    for stmt in body:
        match stmt:
            case fl.Conditional(condition=condition, yes=yes, no=no):
                found |= locals_of(condition) - surely
                read_yes, set_yes = _read_first(yes)
                read_no, set_no = _read_first(no)
                found |= (read_yes | read_no) - surely
                surely |= set_yes & set_no
            case fl.For(local=local, source=source, body=inner):
                found |= locals_of(source) - surely
                found |= _read_first(inner)[0] - surely - {local}
            case fl.Clear(buffer=buffer):
                surely.add(buffer.name)
            case _:
                found |= locals_of(stmt) - surely
                surely |= bound_by(stmt)
    return found, surely


def bound_by(stmt: fl.Stmt) -> set[str]:
    """Return the locals that a statement itself sets."""
    match stmt:
        case fl.Set(local=local) | fl.Draw(local=local):
            return {local}
        case fl.Shift(old=old, new=new):
            return {old, new}
        case _:
            return set()


def locals_of(node: AnyNode) -> set[str]:
    """Return the locals and buffers that occur in a node."""
    return {each.name for each in walk(node) if isinstance(each, fl.LocalVar | fl.Buffer)}


MIN_NUMBER, MAX_NUMBER = -(2**63), 2**63 - 1


def signed(bits: int) -> int:
    """Return the signed number with this 64-bit pattern."""
    return bits - (1 << 64) if bits >> 63 else bits


def known(expr: fl.Expr) -> int | None:
    """Return the value of a constant expression, or None."""
    return expr.value if isinstance(expr, fl.Literal) else None


def computed(word: str, left: int, right: int) -> int:
    """Evaluate an operator, saturating at 64 bits."""
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
    """Return the test `first <= number < end`."""
    return logic("and", op(">=", number, fl.Literal(first)), op("<", number, fl.Literal(end)))


def op(operation: str, left: fl.Expr, right: fl.Expr) -> fl.Expr:
    """Return an operation, folded if possible."""
    a, b = known(left), known(right)
    if a is not None and b is not None and (operation not in {"/", "%"} or b > 0):
        return fl.Literal(computed(operation, a, b))
    word = operation.rstrip(".")
    if (word, a) in _OF_LEFT:
        return right
    if (word, b) in _OF_RIGHT:
        return left
    if word == "*" and 0 in {a, b}:
        return fl.Literal(0)
    if left == right and operation in OPPOSITE:
        return fl.Literal(int(operation in {"=", "<=", ">="}))
    return _index(left, right) if operation == "+" else fl.Op(operation, left, right)


_OF_LEFT = {("+", 0), ("*", 1)}  # neutral operands
_OF_RIGHT = {("+", 0), ("-", 0), ("*", 1), ("/", 1)}


def _index(left: fl.Expr, right: fl.Expr) -> fl.Expr:
    """Return a sum, with its constants folded into one last term."""
    if isinstance(left, fl.Literal):
        left, right = right, left
    more = known(right)
    match left:
        case fl.Op(op="+", left=of, right=fl.Literal(value=first)) if more is not None:
            return op("+", of, fl.Literal(first + more))
        case _:
            return fl.Op("+", left, right)


def negated(expr: fl.Expr) -> fl.Expr:
    """Return the negation of a condition."""
    number = known(expr)
    if number is not None:
        return fl.Literal(int(not number))
    if isinstance(expr, fl.Negate):
        return expr.value
    if isinstance(expr, fl.Op) and expr.op in OPPOSITE:
        return fl.Op(OPPOSITE[expr.op], expr.left, expr.right)
    return fl.Negate(expr)


OPPOSITE = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def logic(word: str, *parts: fl.Expr) -> fl.Expr:
    """Return the conjunction (`and`) or disjunction (`or`) of conditions, folded if possible."""
    ends = word == "or"  # the absorbing value
    left: list[fl.Expr] = []
    for part in parts:
        number = known(part)
        if number is not None:
            if bool(number) == ends:
                return fl.Literal(int(ends))
            continue
        left += part.parts if isinstance(part, fl.ShortCircuit) and part.op == word else [part]
    if not left:
        return fl.Literal(int(not ends))
    return left[0] if len(left) == 1 else fl.ShortCircuit(word, tuple(left))


def select(condition: fl.Expr, yes: fl.Expr, no: fl.Expr) -> fl.Expr:
    """Return a conditional expression, folded if possible."""
    number = known(condition)
    if number is not None:
        return yes if number else no
    return yes if yes == no else fl.Select(condition, yes, no)

"""Emitter of flat-form expressions as Python syntax nodes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from typing import assert_never

import attrs

from rulesdsl.interpreter.python import nodes as py
from rulesdsl.interpreter.python import runtime
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.walk import MAX_NUMBER, MIN_NUMBER, OPPOSITE
from rulesdsl.source.span import Span

# Locals map to locals, arrays to lists in the state, piles to lists of lists, buffers to lists.
# Conditions may be any truthy or falsy expression; stored and returned values are plain integers.


@attrs.frozen
class ValueEmitter:
    """Emitter of one program's expressions; records the tables that the code reads."""

    flat: fl.Flat
    row_tables: dict[str, str] = attrs.Factory(dict)
    choices: set[str] = attrs.Factory(set)  # tables of functions and machines
    holding: bool = True  # temporaries (`:=`) are allowed

    def condition(self, expr: fl.Expr) -> ast.expr:
        """Return an expression with the truth value of a condition."""
        match expr:
            case fl.Op(op="<>", left=left, right=fl.Literal(value=0)):
                return self.truth(left)
            case fl.Op(op="=", left=left, right=fl.Literal(value=0)):
                return py.negated(self.truth(left))
            case fl.Negate(value=value):
                return py.negated(self.condition(value))
            case fl.ShortCircuit(op=op, parts=parts):
                return py.joined(op, [self.condition(each) for each in parts])
            case _:
                return self.expr(expr)

    def truth(self, expr: fl.Expr) -> ast.expr:
        """Return an expression that is truthy if a number is not 0."""
        if isinstance(expr, fl.Length):
            return self.source(expr.of)
        return self.expr(expr)

    def plain(self, expr: fl.Expr) -> ast.expr:
        """Return an expression whose value is an int, with booleans converted to 0 or 1."""
        if is_boolean(expr):
            return py.chosen(self.condition(expr), py.const(1), py.const(0))
        if isinstance(expr, fl.Select):  # only one of the two may be boolean
            yes, no = self.plain(expr.yes), self.plain(expr.no)
            return py.chosen(self.condition(expr.condition), yes, no)
        return self.expr(expr)

    def expr(self, expr: fl.Expr) -> ast.expr:  # noqa: C901, PLR0912 - one case each
        """Return the Python equivalent of an expression."""
        match expr:
            case fl.Literal(value=value):
                return py.const(value)
            case fl.LocalVar(name=name):
                return py.name(py.identifier(name))
            case fl.Load(array=array, index=index):
                return self.cell(array, index)
            case fl.TableCell(table=table, index=index):
                return py.item(py.name(table), self.expr(index))
            case fl.ListItem(of=of, index=index):
                return py.item(self.source(of), self.position(of, index))
            case fl.Length(of=of):
                return py.call("len", self.source(of))
            case fl.Contains(of=of, value=value):
                return py.compared("in", self.expr(value), self.source(of))
            case fl.Op():
                return self.operation(expr)
            case fl.Negate():
                return self.condition(expr)
            case fl.ShortCircuit(op=op, parts=parts):
                return py.joined(op, [self.expr(each) for each in parts])
            case fl.Select(condition=condition, yes=yes, no=no):
                return py.chosen(self.condition(condition), self.expr(yes), self.expr(no))
            case fl.CallFunction(function=name, arguments=arguments, index=index):
                return self.call(name, arguments, index)
            case _:
                assert_never(expr)

    def position(self, of: fl.List, index: fl.Expr) -> ast.expr:
        """Return the index of an item in Python; -1 for the last item."""
        if index == fl.Op("-", fl.Length(of), fl.Literal(1)):
            return py.const(-1)
        return self.expr(index)

    def operation(self, expr: fl.Op) -> ast.expr:
        """Return an operation, saturated to 64 bits if it may overflow."""
        op = expr.op.rstrip(".")
        if op in {"min", "max"}:
            return self.bounded(op, expr.left, expr.right)
        left, right = self.expr(expr.left), self.expr(expr.right)
        if op in OPPOSITE:
            return py.compared(op, left, right)
        made = ast.BinOp(left, py.OPERATORS[op], right)
        return self.saturated(made) if expr.op.endswith(".") else made

    def saturated(self, made: ast.expr) -> ast.expr:
        """Return a number saturated to 64 bits, with a call to the runtime only on overflow."""
        number = py.whole(made)
        if number is not None:
            return py.const(runtime.saturated(number))
        if not self.holding:
            return py.call("saturated", made)
        low, high = py.const(MIN_NUMBER), py.const(MAX_NUMBER)
        inside = ast.Compare(low, [ast.LtE(), ast.LtE()], [py.held(made), high])
        return ast.IfExp(inside, py.name(py.HELD), py.call("saturated", py.name(py.HELD)))

    def bounded(self, op: str, left: fl.Expr, right: fl.Expr) -> ast.expr:
        """Return a min or max; a constant bound makes saturation of the other side redundant."""
        if isinstance(left, fl.Op) and left.op.endswith(".") and isinstance(right, fl.Literal):
            left = fl.Op(left.op[:-1], left.left, left.right)
        if op == "min":
            left, right = _below(left), _below(right)
        one, two = self.expr(left), self.expr(right)
        word = "<" if op == "min" else ">"
        if _cheap(left) and _cheap(right):
            return py.chosen(py.compared(word, one, two), one, two)
        if not self.holding or not (_cheap(left) or _cheap(right)):
            return py.call(op, one, two)
        if _cheap(left):
            one, two = two, one
        return ast.IfExp(py.compared(word, py.held(one), two), py.name(py.HELD), two)

    def call(self, name: str, arguments: tuple[fl.Expr, ...], index: fl.Expr | None) -> ast.expr:
        """Return a call to a function, or to an entry in a function table."""
        given = [py.name("st"), *map(self.plain, arguments)]
        if index is None:
            return py.call(function_name(name), *given)
        self.choices.add(name)
        return ast.Call(py.item(py.name(name), self.expr(index)), given, [])

    def cell(self, array: str, index: fl.Expr) -> ast.expr:
        """Return a cell of the state."""
        field = py.field(field_name(array))
        return field if self.flat.arrays[array].single else py.item(field, self.expr(index))

    def source(self, source: fl.Source) -> ast.expr:
        """Return an iterable for the source of a loop."""
        match source:
            case fl.IntRange(low=fl.Literal(value=0), high=high):
                return py.call("range", self.expr(_below(high)))
            case fl.IntRange(low=low, high=high):
                return py.call("range", self.expr(low), self.expr(_below(high)))
            case fl.Bits(value=value):
                return py.call("bits_of", self.expr(value))
            case fl.Buffer(name=name, at=at):
                buffer = py.name(py.identifier(name))
                return buffer if at is None else py.item(buffer, self.expr(at))
            case fl.Pile(piece=piece, cell=cell):
                return py.item(py.field(field_name(f"l:{piece}")), self.expr(cell))
            case fl.ConstRow(number=fl.Literal(value=number)):
                return py.const(self.flat.lists[number])
            case fl.ConstRow(number=fl.TableCell(table=table, index=index)):
                name = f"{table}_rows"
                self.row_tables[name] = table
                return py.item(py.name(name), self.expr(index))
            case fl.ConstRow(number=number):
                return py.item(py.name("rows"), self.expr(number))
            case _:
                assert_never(source)


def _below(expr: fl.Expr) -> fl.Expr:
    """Return an operand of `min` without its saturation: Python's integers do not overflow."""
    match expr:
        case fl.Op(op="+.", left=left, right=fl.Literal(value=more)) if more >= 0:
            return fl.Op("+", left, expr.right)
        case _:
            return expr


def _cheap(expr: fl.Expr) -> bool:
    """Return true if an expression is cheap enough to evaluate twice."""
    match expr:
        case fl.Literal() | fl.LocalVar():
            return True
        case fl.Load(index=index):
            return _cheap(index)
        case _:
            return False


def function_name(name: str) -> str:
    """Return the Python name of a function."""
    return py.identifier(name, "f_")


@lru_cache(16_384)  # as for `identifier`
def field_name(array: str) -> str:
    """Return the state's field for an array."""
    letter, colon, name = array.partition(":")
    return py.identifier(name, f"{letter}_") if colon else array


def is_boolean(expr: fl.Expr) -> bool:
    """Return true if Python evaluates an expression to a bool."""
    match expr:
        case fl.Negate():
            return True
        case fl.Op(op=op):
            return op in OPPOSITE
        case fl.ShortCircuit(parts=parts):
            return any(map(is_boolean, parts))
        case fl.Select(yes=yes, no=no):
            return is_boolean(yes) and is_boolean(no)
        case _:
            return False


@attrs.frozen
class Listing:
    """Buffer that is cleared and then filled by one loop: a list comprehension in Python."""

    buffer: fl.Buffer
    local: str
    source: fl.Source
    condition: fl.Expr | None
    value: fl.Expr
    span: Span


def listed(body: fl.Body) -> Iterator[fl.Stmt | Listing]:
    """Yield statements, with each clear-and-fill pair fused into a `Listing`."""
    left = list(reversed(body))
    while left:
        stmt = left.pop()
        made = _listing(stmt, left[-1]) if left else None
        if made is not None:
            left.pop()
        yield stmt if made is None else made


def _listing(first: fl.Stmt, second: fl.Stmt) -> Listing | None:
    match first, second:
        case (
            fl.Clear(buffer=buffer, many=None),
            fl.For(local=local, source=source, body=(fl.Push(buffer=same, value=value),)),
        ) if same == buffer:
            return Listing(buffer, local, source, None, value, first.span)
        case (
            fl.Clear(buffer=buffer, many=None),
            fl.For(
                local=local,
                source=source,
                body=(
                    fl.Conditional(
                        condition=asked, yes=(fl.Push(buffer=same, value=value),), no=()
                    ),
                ),
            ),
        ) if same == buffer:
            return Listing(buffer, local, source, asked, value, first.span)
        case _:
            return None

"""Values of the flat form as Python syntax nodes.

A local is a local, an array a list in the state, a pile a list of lists, a buffer a list.  A
condition may be any truthy or falsy expression; what is stored or returned is a plain number.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import assert_never

import attrs

from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter import runtime
from rulesdsl.lower import flat as fl
from rulesdsl.lower.fold import MAX_NUMBER, MIN_NUMBER, OPPOSITE


@attrs.frozen
class ValueEmitter:
    """Emits the values of one program, and keeps which tables of rows they read."""

    flat: fl.Flat
    row_tables: dict[str, str] = attrs.Factory(dict)
    holding: bool = True  # whether a value can be held in the middle of an expression

    def condition(self, expr: fl.Expr) -> ast.expr:
        """Return an expression that is truthy where a condition holds."""
        match expr:
            case fl.Op(op="<>", left=left, right=fl.Const(value=0)):
                return self.truth(left)
            case fl.Op(op="=", left=left, right=fl.Const(value=0)):
                return py.negated(self.truth(left))
            case fl.Not(value=value):
                return py.negated(self.condition(value))
            case fl.Logic(op=op, parts=parts):
                return py.joined(op, [self.condition(each) for each in parts])
            case _:
                return self.expr(expr)

    def truth(self, expr: fl.Expr) -> ast.expr:
        """Return an expression that is truthy where a number is not 0."""
        if isinstance(expr, fl.Length):
            return self.source(expr.of)
        return self.expr(expr)

    def plain(self, expr: fl.Expr) -> ast.expr:
        """Return an expression that is a plain number: a yes or no is 0 or 1."""
        if is_boolean(expr):
            return py.chosen(self.condition(expr), py.const(1), py.const(0))
        if isinstance(expr, fl.Select):  # one of them may be a yes or no
            yes, no = self.plain(expr.yes), self.plain(expr.no)
            return py.chosen(self.condition(expr.condition), yes, no)
        return self.expr(expr)

    def expr(self, expr: fl.Expr) -> ast.expr:  # noqa: C901, PLR0912 - one case an expression
        """Return an expression."""
        match expr:
            case fl.Const(value=value):
                return py.const(value)
            case fl.Local(name=name):
                return py.name(py.identifier(name))
            case fl.Load(array=array, index=index):
                return self.cell(array, index)
            case fl.Table(table=table, index=index):
                return py.item(py.name(table), self.expr(index))
            case fl.Item(of=of, index=index):
                return py.item(self.source(of), self.position(of, index))
            case fl.Length(of=of):
                return py.call("len", self.source(of))
            case fl.Contains(of=of, value=value):
                return py.compared("in", self.expr(value), self.source(of))
            case fl.Op():
                return self.operation(expr)
            case fl.Not():
                return self.condition(expr)
            case fl.Logic(op=op, parts=parts):
                return py.joined(op, [self.expr(each) for each in parts])
            case fl.Select(condition=condition, yes=yes, no=no):
                return py.chosen(self.condition(condition), self.expr(yes), self.expr(no))
            case fl.Call(function=name, arguments=arguments, index=index):
                return self.call(name, arguments, index)
            case _:
                assert_never(expr)

    def position(self, of: fl.List, index: fl.Expr) -> ast.expr:
        """Return where an item is; the last one is found from the end."""
        if index == fl.Op("-", fl.Length(of), fl.Const(1)):
            return py.const(-1)
        return self.expr(index)

    def operation(self, expr: fl.Op) -> ast.expr:
        """Return an operation; what may leave 64 bits is held within them."""
        op = expr.op.rstrip(".")
        if op in {"min", "max"}:
            return self.bounded(op, expr.left, expr.right)
        left, right = self.expr(expr.left), self.expr(expr.right)
        if op in OPPOSITE:
            return py.compared(op, left, right)
        made = ast.BinOp(left, py.OPERATORS[op], right)
        return self.saturated(made) if expr.op.endswith(".") else made

    def saturated(self, made: ast.expr) -> ast.expr:
        """Return a number held within 64 bits; a call for those alone that leave them."""
        number = py.whole(made)
        if number is not None:
            return py.const(runtime.saturated(number))
        if not self.holding:
            return py.call("saturated", made)
        low, high = py.const(MIN_NUMBER), py.const(MAX_NUMBER)
        inside = ast.Compare(low, [ast.LtE(), ast.LtE()], [py.held(made), high])
        return ast.IfExp(inside, py.name(py.HELD), py.call("saturated", py.name(py.HELD)))

    def bounded(self, op: str, left: fl.Expr, right: fl.Expr) -> ast.expr:
        """Return the smaller or larger of two; what is bounded so needs no other bound."""
        if isinstance(left, fl.Op) and left.op.endswith(".") and isinstance(right, fl.Const):
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
        """Return the call of a function, or of one of a table."""
        given = [py.name("st"), *map(self.plain, arguments)]
        if index is None:
            return py.call(function_name(name), *given)
        return ast.Call(py.item(py.name(name), self.expr(index)), given, [])

    def cell(self, array: str, index: fl.Expr) -> ast.expr:
        """Return a cell of the state."""
        field = py.field(field_name(array))
        return field if self.flat.arrays[array].single else py.item(field, self.expr(index))

    def source(self, source: fl.Source) -> ast.expr:
        """Return what a loop goes through."""
        match source:
            case fl.Range(low=fl.Const(value=0), high=high):
                return py.call("range", self.expr(_below(high)))
            case fl.Range(low=low, high=high):
                return py.call("range", self.expr(low), self.expr(_below(high)))
            case fl.Bits(value=value):
                return py.call("bits_of", self.expr(value))
            case fl.Buffer(name=name, at=at):
                buffer = py.name(py.identifier(name))
                return buffer if at is None else py.item(buffer, self.expr(at))
            case fl.Pile(piece=piece, cell=cell):
                return py.item(py.field(field_name(f"l:{piece}")), self.expr(cell))
            case fl.Row(number=fl.Const(value=number)):
                return py.const(self.flat.lists[number])
            case fl.Row(number=fl.Table(table=table, index=index)):
                name = f"{table}_rows"
                self.row_tables[name] = table
                return py.item(py.name(name), self.expr(index))
            case fl.Row(number=number):
                return py.item(py.name("rows"), self.expr(number))
            case _:
                assert_never(source)


def _below(expr: fl.Expr) -> fl.Expr:
    """Return what something is below, without the bound of 64 bits if it only grows."""
    match expr:
        case fl.Op(op="+.", left=left, right=fl.Const(value=more)) if more >= 0:
            return fl.Op("+", left, expr.right)
        case _:
            return expr


def _cheap(expr: fl.Expr) -> bool:
    """Whether computing an expression twice costs next to nothing."""
    match expr:
        case fl.Const() | fl.Local():
            return True
        case fl.Load(index=index):
            return _cheap(index)
        case _:
            return False


def function_name(name: str) -> str:
    """Return the Python name of a function."""
    return py.identifier(name, "f_")


@lru_cache(16_384)  # house: as of `identifier`
def field_name(array: str) -> str:
    """Return the name of a field of the state."""
    letter, colon, name = array.partition(":")
    return py.identifier(name, f"{letter}_") if colon else array


def is_boolean(expr: fl.Expr) -> bool:
    """Whether Python computes an expression as a yes or no."""
    match expr:
        case fl.Not():
            return True
        case fl.Op(op=op):
            return op in OPPOSITE
        case fl.Logic(parts=parts):
            return any(map(is_boolean, parts))
        case fl.Select(yes=yes, no=no):
            return is_boolean(yes) and is_boolean(no)
        case _:
            return False

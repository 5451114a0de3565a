"""Loops over a few known numbers written out: no generator to set up, and constants worked out."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rulesdsl.interpreter import pynodes as py

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_ROUNDS = 10
MOST_NODES = 260
BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "/", ast.Mod: "%"}


def rounds_of(made: Sequence[ast.comprehension]) -> list[int] | None:
    """Return the numbers that a single loop goes through where they are few and known."""
    if len(made) != 1:
        return None
    match made[0].iter:
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(stop))]):
            numbers = range(stop)
        case ast.Call(
            func=ast.Name(id="range"),
            args=[ast.Constant(value=int(start)), ast.Constant(value=int(stop))],
        ):
            numbers = range(start, stop)
        case _:
            return None
    size = sum(1 for each in made[0].ifs for _ in ast.walk(each))
    if len(numbers) > MOST_ROUNDS or len(numbers) * size > MOST_NODES:
        return None
    return list(numbers)


def put_in(node: ast.expr, name: str, number: int) -> ast.expr:
    """Return an expression with a number in the place of a name."""
    made: ast.expr = _PutIn(name, number).visit(py.copied([node])[0])
    return made


class _PutIn(ast.NodeTransformer):
    def __init__(self, name: str, number: int) -> None:
        self.name = name
        self.number = number

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return py.const(self.number) if node.id == self.name else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        left, right = self.visit(node.left), self.visit(node.right)
        return py.binary(BINARY[type(node.op)], left, right)

    def visit_comprehension(self, node: ast.comprehension) -> ast.comprehension:
        assert not (isinstance(node.target, ast.Name) and node.target.id == self.name)
        self.generic_visit(node)
        return node


def binds(node: ast.AST, name: str) -> bool:
    """Whether an expression binds a name anew within itself."""
    return any(
        isinstance(each, ast.comprehension)
        and isinstance(each.target, ast.Name)
        and each.target.id == name
        for each in ast.walk(node)
    )


def as_number(condition: ast.expr) -> ast.expr:
    """Return 1 or 0 (or the like) for a condition that may be any truthy or falsy value."""
    match condition:
        case ast.Constant(value=value):
            return py.const(int(bool(value)))
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return condition
        case _:
            return py.chosen(condition, py.const(1), py.const(0))

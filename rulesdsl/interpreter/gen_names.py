"""Which names generated code reads, and which it binds before."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def names_read(node: ast.AST) -> set[str]:
    """Return the names that a piece of code reads and does not bind within itself before."""
    match node:
        case ast.Name():
            return {node.id} if isinstance(node.ctx, ast.Load) else set()
        case ast.ListComp() | ast.GeneratorExp():
            inner = names_read(node.elt)
            for each in reversed(node.generators):
                for condition in each.ifs:
                    inner |= names_read(condition)
                assert isinstance(each.target, ast.Name)
                inner.discard(each.target.id)
                inner |= names_read(each.iter)
            return inner
        case ast.Lambda():
            return names_read(node.body) - {each.arg for each in node.args.args}
        case ast.For(target=ast.Name(id=target)):
            return names_read(node.iter) | (names_read_in(node.body) - {target})
        case ast.If():
            inner = names_read_in(node.body) | names_read_in(node.orelse)
            return names_read(node.test) | inner
        case ast.While():
            return names_read_in(node.body)
        case _:
            found: set[str] = set()
            for child in ast.iter_child_nodes(node):
                found |= names_read(child)
            return found


def names_read_in(code: Iterable[ast.stmt]) -> set[str]:
    """Return the names that statements in order read before they surely bind them."""
    found: set[str] = set()
    bound: set[str] = set()
    for stmt in code:
        found |= names_read(stmt) - bound
        if isinstance(stmt, ast.Assign) and isinstance(stmt.targets[0], ast.Name):
            bound.add(stmt.targets[0].id)
    return found

"""What stays the same is looked up once: before a loop, or at the beginning of a function."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_moves import Code
from rulesdsl.interpreter.straight.searches import Looking, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

PURE = (
    ast.Name,
    ast.Constant,
    ast.Attribute,
    ast.Subscript,
    ast.IfExp,
    ast.Compare,
    ast.BoolOp,
    ast.UnaryOp,
    ast.BinOp,
)
SAFE = (ast.Add, ast.Sub, ast.Mult)  # a division may only be reached behind a test
INSIDE_LOOP = 8  # how much more a look inside a loop counts
WORTH = 4


class BeforeLoops(ast.NodeTransformer):
    """Computes before a loop what is the same in every round of it."""

    def __init__(self, table: Callable[[str], tuple[object, ...] | None]) -> None:
        self.table = table
        self._looks: set[str] = set()

    def visit_Looking(self, node: Looking) -> ast.stmt | Code:
        """Look before a loop that looks for something; ask first what is not about its things."""
        self.generic_visit(node)
        asked = self._asked_first(node)
        finder = _Steady(_bound(node), self._name, self.table)
        match node.body:
            case [ast.If() as only]:
                only.test = finder.seen(only.test)
                self._inner(finder, only.body)
            case _:
                self._inner(finder, node.body)
        code = [*finder.before, node]
        return [ast.If(asked, code, py.copied(node.orelse))] if asked else code

    def _asked_first(self, node: Looking) -> ast.expr | None:
        """Take out of a loop the conditions that are the same for all that it goes through."""
        match node.body:
            case [ast.If(test=test, body=then, orelse=[])]:
                bound, parts = _bound(node), parts_of(test)
            case _:
                return None
        first = [each for each in parts if _pure(each) and not _reads(each, bound)]
        if not first:
            return None
        left = [each for each in parts if each not in first]
        node.body = py.when(py.joined("and", left), then, [])
        return py.joined("and", first)

    def _inner(self, finder: _Steady, code: Code) -> None:
        """Find what is the same in the conditions of a loop inside, if nothing happens before."""
        for stmt in code:
            if isinstance(stmt, Looking):
                finder.bound |= _bound(stmt)
                stmt.iter = finder.seen(stmt.iter)
                if len(stmt.body) == 1 and isinstance(stmt.body[0], ast.If):
                    stmt.body[0].test = finder.seen(stmt.body[0].test)
            if not (isinstance(stmt, ast.Assign) and self._is_look(stmt.targets[0])):
                return

    def _is_look(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Name) and target.id in self._looks

    def _name(self) -> str:
        name = f"i_{len(self._looks) + 1}"
        self._looks.add(name)
        return name


class _Steady(ast.NodeTransformer):
    """Replaces what does not depend on bound names by names that are set before."""

    def __init__(
        self,
        bound: set[str],
        fresh: Callable[[], str],
        table: Callable[[str], tuple[object, ...] | None],
    ) -> None:
        self.bound = bound
        self.fresh = fresh
        self.table = table
        self.before: Code = []
        self._known: dict[str, ast.Name] = {}

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.Lambda):
            return node
        if isinstance(node, ast.Subscript | ast.IfExp) and self._can_come_first(node):
            return self._kept(node)
        return self.generic_visit(node)

    def _can_come_first(self, node: ast.expr) -> bool:
        """Whether it is the same all the time, and does no harm where it is not asked for."""
        empty = any(
            isinstance(each, ast.Name) and self.table(each.id) == () for each in ast.walk(node)
        )
        return _pure(node) and not empty and not _reads(node, self.bound)

    def seen(self, node: ast.expr) -> ast.expr:
        """Return an expression with names for what was looked up before."""
        found = self.visit(node)
        assert isinstance(found, ast.expr)
        return found

    def _kept(self, node: ast.expr) -> ast.Name:
        text = ast.dump(node)
        if text not in self._known:
            self._known[text] = py.name(self.fresh())
            self.before.append(py.assign(self._known[text], node))
        return self._known[text]


def _pure(node: ast.expr) -> bool:
    for each in ast.walk(node):
        if isinstance(each, ast.BinOp) and not isinstance(each.op, SAFE):
            return False
        if isinstance(each, ast.expr) and not isinstance(each, PURE):
            return False
    return True


def _reads(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(node))


def _bound(node: ast.For) -> set[str]:
    """Return the names that a loop and what stands in it bind."""
    return {
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
    }


def fields_first(function: ast.FunctionDef, lists: frozenset[str]) -> None:
    """Read lists of the state that a function looks at often into locals of it."""
    often: Counter[str] = Counter()
    for stmt in function.body:
        _count(stmt, 1, lists, often)
    names = sorted(name for name, looks in often.items() if looks >= WORTH)
    if not names:
        return
    renamer = _Renamer(frozenset(names))
    function.body = [renamer.visit(stmt) for stmt in function.body]
    reads = [py.assign(py.name(f"st_{name}"), py.field(name)) for name in names]
    function.body[:0] = reads


def _count(node: ast.AST, weight: int, lists: frozenset[str], often: Counter[str]) -> None:
    if isinstance(node, ast.Attribute) and node.attr in lists and _of_state(node):
        often[node.attr] += weight
        return
    inside = isinstance(node, ast.For | ast.While | ast.ListComp | ast.GeneratorExp)
    for child in ast.iter_child_nodes(node):
        _count(child, weight * INSIDE_LOOP if inside else weight, lists, often)


def _of_state(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "st"


class _Renamer(ast.NodeTransformer):
    def __init__(self, names: frozenset[str]) -> None:
        self.names = names

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if node.attr in self.names and _of_state(node):
            return py.name(f"st_{node.attr}")
        self.generic_visit(node)
        return node


def lists_that_stay(code: Code, fields: Iterable[str]) -> frozenset[str]:
    """Return the fields whose lists are never replaced by others."""
    replaced = {
        each.attr
        for stmt in code
        for each in ast.walk(stmt)
        if isinstance(each, ast.Attribute) and isinstance(each.ctx, ast.Store) and _of_state(each)
    }
    return frozenset(fields) - replaced

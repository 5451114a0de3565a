"""Searches and lists as loops where they stand in a statement.

There is no call, what is found is at hand, and no local of the function has to be shared with
another one: reading such a local costs more wherever it is read.
"""

from __future__ import annotations

import ast

from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_moves import Code
from rulesdsl.interpreter.gen_names import names_read

LISTED = "l_"
BLOCKS = (ast.For, ast.While, ast.Try)
MOST_BLOCKS = 20  # in one another: Python takes no more


class Search(ast.Call):
    """The call of a function that goes through loops until something is found."""

    made: list[ast.comprehension]
    found: ast.expr
    none: ast.expr


class Looking(ast.For):
    """A loop that changes nothing until it has found what it looks for."""


def search(
    call: ast.Call, made: list[ast.comprehension], found: ast.expr, none: ast.expr
) -> Search:
    """Return a call with the loops that it stands for."""
    node = Search(call.func, call.args, [])
    node.made = py.copied(made)
    node.found, node.none = py.copied([found, none])
    return node


class Plain(ast.NodeTransformer):
    """Makes ordinary calls and loops of what is left of searches: so the code can be printed."""

    def visit_Search(self, node: Search) -> ast.expr:
        """Return the call alone."""
        self.generic_visit(node)
        return ast.Call(node.func, node.args, node.keywords)

    def visit_Looking(self, node: Looking) -> ast.stmt:
        """Return the loop alone."""
        self.generic_visit(node)
        return ast.copy_location(ast.For(node.target, node.iter, node.body, node.orelse), node)


class Expander(ast.NodeTransformer):
    """Writes searches and lists out as loops, as far as Python takes blocks in one another."""

    _around = 0  # blocks around the node in hand

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Go on inside a node."""
        self._around += isinstance(node, BLOCKS)
        super().generic_visit(node)
        self._around -= isinstance(node, BLOCKS)
        return node

    def _fits(self, code: Code) -> bool:
        return self._around + _blocks(code) <= MOST_BLOCKS

    def visit_If(self, node: ast.If) -> ast.stmt | Code:
        """Carry out what hangs on a search where something is found."""
        self.generic_visit(node)
        test, yes, no = node.test, node.body, node.orelse
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, yes, no = test.operand, no or [ast.Pass()], yes
        parts = parts_of(test)
        if not _is_yes_no(parts[-1]) or _breaks(yes) or _breaks(no):
            return node
        asked = py.joined("and", parts[:-1])
        if not isinstance(asked, ast.Constant) and no:
            return node
        loop = _loop(parts[-1], [*yes, ast.Break()], no)
        return py.when(asked, [loop], no) if self._fits([loop]) else node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | Code:
        """Keep what is found, or list all that a condition holds of."""
        target = node.targets[0]
        if isinstance(node.value, Search) and _expandable(node.value):
            assert isinstance(target, ast.Name)
            there = ast.Assign([target], node.value.found)
            missing = ast.Assign([target], node.value.none)
            loop = _loop(node.value, [there, ast.Break()], [missing])
            return loop if self._fits([loop]) else node
        if isinstance(node.value, ast.ListComp) and isinstance(target, ast.Name):
            return self._collected(target.id, node.value) or node
        return node

    def visit_For(self, node: ast.For) -> ast.stmt | Code:
        """Go through all that a condition holds of when the loop begins."""
        self.generic_visit(node)
        if isinstance(node.iter, ast.ListComp) and (made := self._collected(LISTED, node.iter)):
            node.iter = py.name(LISTED)
            return [*made, node]
        return node

    def visit_Return(self, node: ast.Return) -> ast.stmt | Code:
        """Return what is found, or all that a condition holds of."""
        if isinstance(node.value, Search) and _expandable(node.value):
            loop = _loop(node.value, [ast.Return(node.value.found)], [])
            return [loop, ast.Return(node.value.none)]
        if isinstance(node.value, ast.ListComp):
            made = self._collected(LISTED, node.value)
            return [*made, ast.Return(py.name(LISTED))] if made else node
        return node

    def _collected(self, into: str, node: ast.ListComp) -> Code:
        """Return the loops that fill a list, nothing with no condition asked or no room."""
        if not any(made.ifs for made in node.generators):
            return []
        filled: Code = [py.expression(py.method(py.name(into), "append", node.elt))]
        for made in reversed(node.generators):
            filled = [_looking(made, filled, [])]
        code = [py.assign(py.name(into), ast.List([], py.LOAD)), *filled]
        return code if self._fits(code) else []


def parts_of(test: ast.expr) -> list[ast.expr]:
    """Return the conditions that all have to hold."""
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return [each for part in test.values for each in parts_of(part)]
    return [test]


def _is_yes_no(node: ast.expr) -> bool:
    return (
        isinstance(node, Search)
        and _expandable(node)
        and isinstance(node.found, ast.Constant)
        and node.found.value is True
    )


def _expandable(node: Search) -> bool:
    """Whether there is one loop, and nothing was put in the place of a name since it was made."""
    if len(node.made) != 1:
        return False
    given = {each.id if isinstance(each, ast.Name) else "" for each in node.args}
    whole = ast.ListComp(node.found, node.made)
    return {each for each in names_read(whole) if each in given} == given


def _breaks(code: Code) -> bool:
    """Whether statements leave a loop around them."""
    for stmt in code:
        if isinstance(stmt, ast.Break):
            return True
        if isinstance(stmt, ast.If) and (_breaks(stmt.body) or _breaks(stmt.orelse)):
            return True
        if isinstance(stmt, ast.For | ast.While) and _breaks(stmt.orelse):
            return True
    return False


def _loop(node: ast.expr, then: Code, otherwise: Code) -> Looking:
    assert isinstance(node, Search)
    made = node.made[0]
    return _looking(made, then, otherwise)


def _looking(made: ast.comprehension, then: Code, otherwise: Code) -> Looking:
    """Return a loop; its last condition may be a search that is written out in it."""
    parts = [part for each in made.ifs for part in parts_of(each)]
    if parts and _is_yes_no(parts[-1]) and not (then and isinstance(then[-1], ast.Break)):
        last = parts.pop()
        then = [_loop(last, [*then, ast.Break()], [])]
    body = py.when(py.joined("and", parts), then, [])
    return Looking(made.target, made.iter, body or [ast.Pass()], otherwise)


def _blocks(code: Code) -> int:
    """Return how many blocks stand in one another."""
    return max(
        (
            isinstance(stmt, BLOCKS) + _blocks([*stmt.body, *stmt.orelse])
            for stmt in code
            if isinstance(stmt, (*BLOCKS, ast.If))
        ),
        default=0,
    )

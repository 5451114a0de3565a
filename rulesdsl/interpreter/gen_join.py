"""Blocks of a machine joined into functions: what follows without a stop is carried out in one go.

The generator of blocks ends each of them in jumps to others.  Here a block that is reached from
one place only, or that is short, is put in the place of the jump; a jump back to where the
function begins becomes a round of a loop; what is left is a call or, where that could go on and
on, a note for the driver.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rulesdsl.interpreter import pynodes as py

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Code = list[ast.stmt]
SHORT = 40  # nodes of a block that is worth repeating
LONG = 4000  # nodes of a function that takes in no more


class Jump(ast.Pass):
    """A jump to another block of the same machine; it stands at the end of what it ends."""

    target: int


def jump(target: int) -> Jump:
    """Return a jump to a block."""
    made = Jump()
    made.target = target
    return made


class Joiner:
    """Joins the blocks of one machine."""

    def __init__(
        self, bodies: list[Code], name: Callable[[int], str], number: Callable[[int], int]
    ) -> None:
        self.bodies = bodies
        self.name = name
        self.number = number
        self.calls: dict[int, set[int]] = {}
        self.noted: set[int] = set()
        self.next = [[each.target for each in _jumps(body)] for body in bodies]
        self.ways_in = [0] * len(bodies)
        for targets in self.next:
            for target in targets:
                self.ways_in[target] += 1
        self.sizes = [sum(1 for stmt in body for _ in ast.walk(stmt)) for body in bodies]
        self.heads = {target for _, target in self._back_edges()}

    def _back_edges(self) -> set[tuple[int, int]]:
        """Return the jumps that close a circle."""
        found: set[tuple[int, int]] = set()
        done: set[int] = set()
        for first in range(len(self.bodies)):
            path = {} if first in done else {first: iter(self.next[first])}
            while path:
                at, targets = next(reversed(path.items()))
                done.add(at)
                target = next(targets, None)
                if target is None:
                    del path[at]
                elif target in path:
                    found.add((at, target))
                elif target not in done:
                    path[target] = iter(self.next[target])
        return found

    def function(self, root: int) -> Code:
        """Return the body of the function that begins with a block."""
        self._loops = False
        self._size = 0
        made = self._expanded(root, root, [root])
        return [ast.While(py.const(value=True), made, [])] if self._loops else made

    def _expanded(self, at: int, root: int, path: list[int]) -> Code:
        self._size += self.sizes[at]
        return self._replaced(py.copied(self.bodies[at]), root, path)

    def _replaced(self, code: Code, root: int, path: list[int]) -> Code:
        found: Code = []
        for stmt in code:
            if isinstance(stmt, Jump):
                found.extend(self._reached(stmt.target, root, path))
                return found
            if isinstance(stmt, ast.If):
                stmt.body = self._replaced(stmt.body, root, path)
                stmt.orelse = self._replaced(stmt.orelse, root, path)
            found.append(stmt)
        return found

    def _reached(self, target: int, root: int, path: list[int]) -> Code:
        if target == root:
            self._loops = True
            return [ast.Continue()]
        alone = self.ways_in[target] == 1 or self.sizes[target] <= SHORT
        if alone and target not in self.heads and target not in path and self._size < LONG:
            return self._expanded(target, root, [*path, target])
        if self._calls(target, root):  # a call would lead back here: the driver goes on instead
            self.noted.add(target)
            here = py.item(py.name("f"), py.const(0))
            return [py.assign(here, py.const(self.number(target))), ast.Return(None)]
        self.calls.setdefault(root, set()).add(target)
        return [ast.Return(py.call(self.name(target), py.name("st"), py.name("f")))]

    def _calls(self, caller: int, called: int) -> bool:
        """Whether one function calls another, at once or through others."""
        found = {caller}
        left = [caller]
        while left:
            for each in self.calls.get(left.pop(), ()):
                if each not in found:
                    found.add(each)
                    left.append(each)
        return called in found

    @property
    def needed(self) -> set[int]:
        """The blocks that functions so far go to and that need functions of their own."""
        return self.noted.union(*self.calls.values())


def _jumps(code: Iterable[ast.stmt]) -> list[Jump]:
    return [each for stmt in code for each in ast.walk(stmt) if isinstance(each, Jump)]


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

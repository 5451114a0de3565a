"""Loops over printed things carry along what is printed on them.

A loop over known things that reads tables by its variable goes instead through one table whose
rows hold the thing and all that is read; where only those things count that something lies on,
pieces pick the rows.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.straight.searches import Looking, parts_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Row = tuple[object, ...]
MOST_CARRIED = 6
MANY = 24  # things of which pieces pick the rows


class Carrier(ast.NodeTransformer):
    """Rewrites loops over known things."""

    def __init__(
        self, table: Callable[[str], Row | None], keep: Callable[[Row], ast.expr]
    ) -> None:
        self.table = table
        self.keep = keep
        self._count = 0

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """Rewrite a list of things."""
        self.generic_visit(node)
        for made in node.generators:
            made.ifs = [part for each in made.ifs for part in parts_of(each)]
            if made.ifs and picked_by_pieces(made, made.ifs[0]):
                del made.ifs[0]
        self._comprehension(node, node.elt)
        return node

    def visit_Looking(self, node: Looking) -> ast.stmt:
        """Rewrite a loop that looks for something."""
        match node.body:
            case [ast.If(test=test, body=then, orelse=[])]:
                parts = parts_of(test)
                if picked_by_pieces(node, parts[0]):
                    del parts[0]
                parts = self._picked_already(node, parts)
                node.body = py.when(py.joined("and", parts), then, [])
            case _:
                pass
        return self.visit_For(node)

    def visit_For(self, node: ast.For) -> ast.stmt:
        """Rewrite a loop."""
        self.generic_visit(node)  # loops inside come first: they need the tables as they are
        if isinstance(node.target, ast.Name):
            self._rewritten(node, node.body, [])
        return node

    def _comprehension(self, node: ast.ListComp, element: ast.expr) -> None:
        for at, made in enumerate(node.generators):
            if not isinstance(made.target, ast.Name):
                continue
            made.ifs = self._picked_already(made, made.ifs)
            holder = ast.ListComp(element, node.generators[at + 1 :])
            self._rewritten(made, made.ifs, [holder])
            node.generators[at + 1 :] = holder.generators
            element = holder.elt
        node.elt = element

    def _picked_already(
        self, loop: ast.For | ast.comprehension, asked: list[ast.expr]
    ) -> list[ast.expr]:
        """Leave out the things of which a condition is known not to hold; return the others."""
        source = _Source.of(loop.iter, self.table)
        if source is None or source.picking or not isinstance(loop.target, ast.Name):
            return asked
        finder = _Read(loop.target.id, source.things, self.table)
        known = [(each, finder.values(each)) for each in asked]
        holding = [values for _, values in known if values is not None]
        if holding:
            loop.iter = source.only(lambda thing: all(each[thing] for each in holding), self.keep)
        return [each for each, values in known if values is None]

    def _rewritten(
        self,
        loop: ast.For | ast.comprehension,
        body: list[ast.stmt] | list[ast.expr],
        more: list[ast.ListComp],
    ) -> None:
        assert isinstance(loop.target, ast.Name)
        name = loop.target.id
        source = _Source.of(loop.iter, self.table)
        if source is None or any(_writes(each, name) for each in [*body, *more]):
            return
        finder = _Read(name, source.things, self.table)
        for each in [*body, *more]:
            finder.visit(each)
        rows = finder.found
        if not rows or len(rows) > MOST_CARRIED:
            return
        self._count += 1
        names = {text: f"{name}Z{self._count}_{at}" for at, text in enumerate(rows)}
        putter = _Put(names)
        body[:] = [putter.visit(each) for each in body]  # type: ignore[misc]
        for each in more:
            putter.visit(each)
        alone = not finder.bare and len(rows) == 1
        targets: list[ast.expr] = [py.stored(each) for each in names.values()]
        if finder.bare:
            targets.insert(0, py.stored(name))

        def row(thing: int) -> object:
            values = [rows[text][thing] for text in names]
            if alone:
                return values[0]
            return (thing, *values) if finder.bare else tuple(values)

        loop.target = targets[0] if alone else ast.Tuple(targets, py.STORE)
        loop.iter = source.with_rows(row, self.keep)


def picked_by_pieces(loop: ast.For | ast.comprehension, first: ast.expr) -> bool:
    """Let a loop over many things go through those only on which pieces lie, if that is asked."""
    match loop.iter, first:
        case (
            ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))]),
            ast.Subscript(
                value=ast.Attribute(attr=field) as pieces,
                slice=ast.BinOp(
                    left=ast.BinOp(
                        left=ast.Name(id=name),
                        op=ast.Mult(),
                        right=ast.Constant(value=int(stride)),
                    ),
                    op=ast.Add(),
                    right=ast.Constant(value=int(start)),
                ),
            ),
        ) if field.startswith("n_") and count >= MANY:
            pass
        case _:
            return False
    if not (isinstance(loop.target, ast.Name) and loop.target.id == name):
        return False
    stop = start + (count - 1) * stride + 1
    lying = py.item(pieces, ast.Slice(py.const(start), py.const(stop), py.const(stride)))
    loop.iter = py.call("compress", loop.iter, lying)
    return True


class _Source:
    """What a loop goes through: a table, an entry of one, or a range; pieces may pick from it."""

    def __init__(
        self, rows: Row, depth: int, keys: list[ast.expr], picking: ast.expr | None = None
    ) -> None:
        self.rows = rows
        self.picking = picking
        self.depth = depth
        self.keys = keys
        self.things = sorted(set(_leaves(rows, depth)))

    @classmethod
    def of(cls, node: ast.expr, table: Callable[[str], Row | None]) -> _Source | None:
        match node:
            case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(stop))]):
                return cls(tuple(range(stop)), 0, [])
            case ast.Call(func=ast.Name(id="compress"), args=[inner, picking]):
                source = cls.of(inner, table)
                return source and cls(source.rows, source.depth, source.keys, picking)
            case _:
                pass
        keys: list[ast.expr] = []
        while isinstance(node, ast.Subscript):
            keys.insert(0, node.slice)
            node = node.value
        rows = table(node.id) if isinstance(node, ast.Name) else None
        if rows is None or not _uniform(rows, len(keys)):
            return None
        return cls(rows, len(keys), keys)

    def with_rows(
        self, make: Callable[[int], object], keep: Callable[[Row], ast.expr]
    ) -> ast.expr:
        """Return the source with something else in the place of every thing."""
        return self._with(_mapped(self.rows, self.depth, lambda row: tuple(map(make, row))), keep)

    def only(self, wanted: Callable[[int], bool], keep: Callable[[Row], ast.expr]) -> ast.expr:
        """Return the source without the things that are not wanted."""
        return self._with(
            _mapped(self.rows, self.depth, lambda row: tuple(filter(wanted, row))), keep
        )

    def _with(self, rows: Row, keep: Callable[[Row], ast.expr]) -> ast.expr:
        node = keep(rows)
        for key in self.keys:
            node = py.item(node, key)
        return py.call("compress", node, self.picking) if self.picking else node


def _uniform(rows: object, depth: int) -> bool:
    """Whether there are lists of numbers at a depth of a table."""
    if not isinstance(rows, tuple):
        return False
    if depth == 0:
        return all(isinstance(each, int) for each in rows)
    return all(_uniform(each, depth - 1) for each in rows)


def _leaves(rows: Row, depth: int) -> Iterable[int]:
    for each in rows:
        if depth:
            yield from _leaves(each, depth - 1)  # type: ignore[arg-type]
        else:
            yield each  # type: ignore[misc]


def _mapped(rows: Row, depth: int, make: Callable[[Any], Row]) -> Row:
    if depth:
        return tuple(_mapped(each, depth - 1, make) for each in rows)  # type: ignore[arg-type]
    return make(rows)


class _Read(ast.NodeVisitor):
    """Finds the largest expressions that depend on nothing but a thing."""

    def __init__(self, name: str, things: list[int], table: Callable[[str], Row | None]) -> None:
        self.name = name
        self.things = things
        self.table = table
        self.found: dict[str, dict[int, object]] = {}
        self.bare = False

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Name) and node.id == self.name:
            self.bare = True
        elif isinstance(node, ast.Subscript | ast.BinOp) and self._reads(node):
            values = self.values(node)
            if values is not None:
                self.found[ast.dump(node)] = values
                return
        self.generic_visit(node)

    def _reads(self, node: ast.AST) -> bool:
        return any(isinstance(each, ast.Name) and each.id == self.name for each in ast.walk(node))

    def values(self, node: ast.expr) -> dict[int, object] | None:
        """Return what an expression is for every thing, None where more decides."""
        found: dict[int, object] = {}
        for thing in self.things:
            value = self._value(node, thing)
            if not isinstance(value, int | tuple):
                return None
            found[thing] = value
        return found

    def _value(self, node: ast.expr, thing: int) -> object:
        match node:
            case ast.Constant(value=int(value)):
                return value
            case ast.Name(id=name):
                return thing if name == self.name else self.table(name)
            case ast.Subscript(value=owner, slice=at):
                row, index = self._value(owner, thing), self._value(at, thing)
                inside = isinstance(row, tuple) and isinstance(index, int)
                return row[index] if inside and 0 <= index < len(row) else None  # type: ignore[index,operator,arg-type]
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as op, right=right):
                a, b = self._value(left, thing), self._value(right, thing)
                if not (isinstance(a, int) and isinstance(b, int)):
                    return None
                return py.computed({ast.Add: "+", ast.Sub: "-"}.get(type(op), "*"), a, b)
            case _:
                return None


class _Put(ast.NodeTransformer):
    """Puts names in the place of expressions."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Subscript | ast.BinOp):
            known = self.names.get(ast.dump(node))
            if known is not None:
                return py.name(known)
        return self.generic_visit(node)


def _writes(node: ast.AST, name: str) -> bool:
    return any(
        isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
        for each in ast.walk(node)
    )

"""Candidates that are found in bits: loops over cells, and tests of several cells at once."""

from __future__ import annotations

from functools import reduce
from operator import or_

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import Flat, bound_by, conjuncts, locals_of, with_bodies
from rulesdsl.lower.fold import known, logic, op, signed
from rulesdsl.lower.passes.index_sets.linear import Linear, linear, of_table, terms
from rulesdsl.lower.passes.index_sets.sets import Sets
from rulesdsl.source.tree import rewrite, walk

STEADY = (fl.Push, fl.Set, fl.If, fl.For, fl.Break, fl.Return, fl.Clear)  # changes no array


@attrs.frozen
class Finder:
    """Finds candidates in sets."""

    sets: Sets

    def body(self, body: fl.Body) -> fl.Body:
        """Return statements that find candidates in bits."""
        found: list[fl.Stmt] = []
        for stmt in body:
            made = with_bodies(rewrite(stmt, self._joined), self.body)
            found.append(self._loop(made) if isinstance(made, fl.For) else made)
        return tuple(found)

    def _loop(self, loop: fl.For) -> fl.For:
        match loop:
            case fl.For(
                local=local,
                source=fl.Range(low=fl.Const(value=0), high=fl.Const(value=size)),
                body=(fl.If(condition=condition, yes=yes, no=()),),
            ) if 1 < size <= fl.MAX_BITS and _steady(yes):
                pass
            case _:
                return loop
        changed = {name for stmt in walk(yes) for name in bound_by(stmt)}
        bits: fl.Expr | None = None
        left: list[fl.Expr] = []
        for part in conjuncts(condition):
            found = None if changed & locals_of(part) else self._bits(part, local, size)
            if found is None or left:  # what an earlier part rules out is not even looked at
                left.append(part)
            else:
                bits = found if bits is None else op("&", bits, found)
        if bits is None:
            return loop
        body = (fl.If(logic("and", *left), yes, span=loop.span),) if left else yes
        return attrs.evolve(loop, source=fl.Bits(bits), body=body)

    def _bits(self, part: fl.Expr, local: str, size: int) -> fl.Expr | None:
        """Return the bits of the numbers below a size for which a condition holds."""
        match part:
            case fl.Load():
                return self._cells(part, local, size)
            case fl.Op(op="<>", left=fl.Load() as cell, right=fl.Const(value=0)):
                return self._cells(cell, local, size)
            case fl.Op(op="=", left=fl.Load() as cell, right=fl.Const(value=0)):
                return _others(self._cells(cell, local, size), size)
            case fl.Not(value=value):
                return _others(self._bits(value, local, size), size)
            case fl.Logic(op=word, parts=parts):
                every = [self._bits(each, local, size) for each in parts]
                found = every[0]
                for each in every[1:]:
                    if found is None or each is None:
                        return None
                    found = op("&" if word == "and" else "|", found, each)
                return found
            case fl.Table(table=table, index=index):
                return self._printed(table, index, local, size)
            case _:
                return None

    def _cells(self, cell: fl.Load, local: str, size: int) -> fl.Expr | None:
        """Return the bits of those cells along a local that are not 0."""
        along = linear(cell.index, local)
        name = None if along is None else self.sets.along(cell.array, along, size)
        return None if along is None or name is None else self.sets.word(name, along.rest)

    def _printed(self, table: str, index: fl.Expr, local: str, size: int) -> fl.Expr | None:
        """Return the bits of what is printed: a table of words."""
        along, cells = linear(index, local), self.sets.flat.tables[table]
        if along is None:
            return None
        last = (size - 1) * along.stride
        words = tuple(
            signed(sum(1 << at for at in range(size) if cells[rest + at * along.stride]))
            for rest in range(len(cells) - last)
        )
        if not words:
            return None
        rest = known(along.rest)
        if rest is not None:
            return fl.Const(words[rest])
        return fl.Table(self.sets.table(words), along.rest)

    # ---------------------------------------------------------------- several cells at once
    def _joined(self, node: Flat) -> Flat:
        """Return a test of several cells, which tables name, as one of words."""
        if not isinstance(node, fl.Logic) or node.op != "and":
            return node
        groups: dict[tuple[str, fl.Expr, fl.Expr], list[tuple[str, fl.Expr]]] = {}
        for part in node.parts:
            named = self._named(part)
            if named is not None:
                groups.setdefault(named[:3], []).append((named[3], part))
        found = list(node.parts)
        for (name, rest, at), members in groups.items():
            if len(members) < 2:  # noqa: PLR2004 - one alone is as short as it is
                continue
            tables = [self.sets.flat.tables[table] for table, _ in members]
            masks = tuple(
                signed(reduce(or_, (1 << each for each in cells)))
                for cells in zip(*tables, strict=True)
            )
            mask = fl.Table(self.sets.table(masks), at)
            gone = [part for _, part in members]
            where = found.index(gone[0])
            found = [each for each in found if each not in gone]
            test = fl.Op("=", fl.Op("&", self.sets.word(name, rest), mask), mask)
            found.insert(where, test)
        return logic("and", *found) if len(found) < len(node.parts) else node

    def _named(self, part: fl.Expr) -> tuple[str, fl.Expr, fl.Expr, str] | None:
        """Return the set, rest, index and table of a test of a cell that a table names."""
        match part:
            case fl.Op(op="<>", left=fl.Load(array=array, index=index), right=fl.Const(value=0)):
                pass
            case _:
                return None
        for each in terms(index):
            read = of_table(each)
            if read is None:
                continue
            named, stride = read
            rest: fl.Expr = fl.Const(0)
            for other in terms(index):
                rest = rest if other is each else op("+", rest, other)
            cells = self.sets.flat.tables[named.table]
            name = self._set_of(array, Linear(stride, rest), cells)
            if name is not None:
                return name, rest, named.index, named.table
        return None

    def _set_of(self, array: str, along: Linear, cells: tuple[int, ...]) -> str | None:
        """Return the set of a dimension that all numbers of a table are within."""
        for block in self.sets.flat.arrays[array].blocks:
            for many in block.dims:
                if 0 <= min(cells) <= max(cells) < many <= fl.MAX_BITS:
                    name = self.sets.along(array, along, many)
                    if name is not None:
                        return name
        return None


def _others(bits: fl.Expr | None, size: int) -> fl.Expr | None:
    return None if bits is None else op("^", bits, fl.Const(signed((1 << size) - 1)))


def _steady(body: fl.Body) -> bool:
    """Return whether a body changes nothing that a condition could ask for."""
    return all(isinstance(each, STEADY) for each in walk(body) if isinstance(each, fl.Stmt))

"""Index sets: bitmaps of the non-zero cells of an array."""

from __future__ import annotations

from functools import reduce
from math import prod
from operator import or_

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat import Flat
from rulesdsl.lower.flat.walk import (
    AnyNode,
    bound_by,
    change_bodies,
    conjuncts,
    known,
    locals_of,
    logic,
    op,
    signed,
    with_bodies,
)
from rulesdsl.source.tree import rewrite, walk


@attrs.frozen
class Linear:
    """Index of the form `stride * x + rest`, where `rest` does not depend on `x`."""

    stride: int
    rest: fl.Expr


def linear(index: fl.Expr, local: str) -> Linear | None:
    """Return an index as a linear function of a local, or None."""
    stride = None
    rest: fl.Expr = fl.Literal(0)
    for term in terms(index):
        match term:
            case fl.LocalVar(name=name) if name == local and stride is None:
                stride = 1
            case fl.Op(op="*", left=fl.LocalVar(name=name), right=fl.Literal(value=by)) if (
                name == local and stride is None
            ):
                stride = by
            case _:
                if local in locals_of(term):
                    return None
                rest = op("+", rest, term)
    return None if stride is None or stride < 1 else Linear(stride, rest)


def of_table(term: fl.Expr) -> tuple[fl.TableCell, int] | None:
    """Return the table read by a term of an index, and the factor of the read."""
    match term:
        case fl.Op(op="*", left=fl.TableCell() as named, right=fl.Literal(value=stride)):
            return named, stride
        case fl.TableCell():
            return term, 1
        case _:
            return None


def terms(index: fl.Expr) -> list[fl.Expr]:
    """Return the summands of an index."""
    match index:
        case fl.Op(op="+", left=left, right=right):
            return [*terms(left), *terms(right)]
        case _:
            return [index]


def least(index: fl.Expr) -> int | None:
    """Return an index's constant part (a cell in the same block), or None if it is not evident."""
    every = terms(index)
    if any(isinstance(each, fl.Op) and each.op not in {"*", "%"} for each in every):
        return None
    return sum(known(each) or 0 for each in every)


@attrs.define
class SetDeclarer:
    """Declarer of the index sets that a program needs."""

    flat: fl.Flat
    _tables: dict[tuple[int, ...], str] = attrs.field(init=False)

    @_tables.default
    def _known_tables(self) -> dict[tuple[int, ...], str]:
        return {cells: name for name, cells in reversed(self.flat.tables.items())}

    def along(self, array: str, along: Linear, size: int) -> str | None:
        """Return the array of words for the cells along a dimension, or None."""
        first = least(along.rest)
        if first is None:
            return None
        for block in self.flat.arrays[array].blocks:
            inside = block.first <= first < block.first + prod(block.dims)
            for at, many in enumerate(block.dims):
                stride = prod(block.dims[at + 1 :])
                if inside and (many, stride) == (size, along.stride):
                    return self._declared(array, block, at, stride)
        return None

    def _declared(self, array: str, block: fl.ArrayBlock, at: int, stride: int) -> str:
        name = f"bits:{array}:{block.first}:{at}"
        if name not in self.flat.arrays:
            many = block.dims[at]
            total = prod(block.dims)
            size = total // many
            words, bits = [size] * self.flat.arrays[array].size, [0] * self.flat.arrays[array].size
            for cell in range(total):
                outer, inner = cell // (stride * many), cell % stride
                words[block.first + cell] = outer * stride + inner
                bits[block.first + cell] = signed(1 << (cell // stride % many))
            sets = fl.BitSets(array, self.table(tuple(words)), self.table(tuple(bits)))
            # the last word belongs to no cell of the block, and is never read
            self.flat.arrays[name] = fl.Array(name, size + 1, sets=sets)
        return name

    def table(self, cells: tuple[int, ...]) -> str:
        """Return the name of a constant table, shared with equal tables."""
        if cells not in self._tables:
            name = self._tables[cells] = f"b{len(self.flat.tables)}"
            self.flat.tables[name] = cells
        return self._tables[cells]

    def word(self, name: str, index: fl.Expr) -> fl.Expr:
        """Return the word that contains the bit of a cell."""
        sets = self.flat.arrays[name].sets
        assert sets is not None
        words = self.flat.tables[sets.words]
        number = known(index)
        if number is not None:
            return fl.Load(name, fl.Literal(words[number]))
        first = least(index)
        assert first is not None
        firsts = [at for at, bit in enumerate(self.flat.tables[sets.bits]) if bit == 1]
        if all(words[at] == at - first for at in firsts):
            return fl.Load(name, op("+", index, fl.Literal(-first)))
        return fl.Load(name, fl.TableCell(sets.words, index))


ZERO = fl.Literal(0)


@attrs.define
class Keeper:
    """Inserter of updates to a program's index sets after every store."""

    flat: fl.Flat
    _of: dict[str, list[tuple[fl.Array, fl.BitSets]]] = attrs.field(init=False)
    _number: int = 0

    @_of.default
    def _sets_of_arrays(self) -> dict[str, list[tuple[fl.Array, fl.BitSets]]]:
        found: dict[str, list[tuple[fl.Array, fl.BitSets]]] = {}
        for each in self.flat.arrays.values():
            if each.sets is not None:
                found.setdefault(each.sets.of, []).append((each, each.sets))
        return found

    def body(self, body: fl.Body) -> fl.Body:
        """Return a body with updates to the index sets after its stores."""
        found: list[fl.Stmt] = []
        for stmt in body:
            match stmt:
                case fl.Fill(array=array, value=value):
                    found += [stmt, *self._filled(array, value)]
                case fl.Store() if stmt.array in self._of:
                    found += self._stored(stmt)
                case _:
                    found.append(with_bodies(stmt, self.body))
        return tuple(found)

    def _filled(self, array: str, value: int) -> list[fl.Stmt]:
        found: list[fl.Stmt] = []
        for each, sets in self._of.get(array, ()):
            if not value:
                found.append(fl.Fill(each.name, 0))
                continue
            full = [0] * each.size
            tables = self.flat.tables
            for word, bit in zip(tables[sets.words], tables[sets.bits], strict=True):
                full[word] |= bit
            found += [
                fl.Store(each.name, fl.Literal(at), fl.Literal(word))
                for at, word in enumerate(full)
            ]
        return found

    def _stored(self, stmt: fl.Store) -> list[fl.Stmt]:
        found: list[fl.Stmt] = []
        index = stmt.index
        if not isinstance(index, fl.Literal | fl.LocalVar):
            self._number += 1
            at = fl.LocalVar(f"kept!b{self._number}")
            found.append(fl.Set(at.name, index, span=stmt.span))
            value = rewrite(stmt.value, lambda node: at if node == index else node)
            index, stmt = at, attrs.evolve(stmt, index=at, value=value)
        found.append(stmt)
        cell = fl.Load(stmt.array, index)
        for each, sets in self._of[stmt.array]:
            word, bit = (self._at(table, index) for table in (sets.words, sets.bits))
            others = fl.Op("&", fl.Load(each.name, word), op("^", bit, fl.Literal(-1)))
            mine = fl.Select(fl.Op("<>", cell, ZERO), bit, ZERO)
            if bit != ZERO:
                found.append(fl.Store(each.name, word, fl.Op("|", others, mine), span=stmt.span))
        return found

    def _at(self, table: str, index: fl.Expr) -> fl.Expr:
        at = known(index)
        return (
            fl.TableCell(table, index) if at is None else fl.Literal(self.flat.tables[table][at])
        )


STEADY = (
    fl.Push,
    fl.Set,
    fl.Conditional,
    fl.For,
    fl.Break,
    fl.Return,
    fl.Clear,
)  # statements that change no array


@attrs.frozen
class Finder:
    """Rewriter of loops and tests as operations on index sets."""

    sets: SetDeclarer

    def body(self, body: fl.Body) -> fl.Body:
        """Return a body in which loops run over set bits where possible."""
        found: list[fl.Stmt] = []
        for stmt in body:
            made = with_bodies(rewrite(stmt, self._joined), self.body)
            found.append(self._loop(made) if isinstance(made, fl.For) else made)
        return tuple(found)

    def _loop(self, loop: fl.For) -> fl.For:
        match loop:
            case fl.For(
                local=local,
                source=fl.IntRange(low=fl.Literal(value=0), high=fl.Literal(value=size)),
                body=(fl.Conditional(condition=condition, yes=yes, no=()),),
            ) if 1 < size <= fl.MAX_BITS and _steady(yes):
                pass
            case _:
                return loop
        changed = {name for stmt in walk(yes) for name in bound_by(stmt)}
        bits: fl.Expr | None = None
        left: list[fl.Expr] = []
        for part in conjuncts(condition):
            found = None if changed & locals_of(part) else self._bits(part, local, size)
            if found is None or left:  # preserves the order of evaluation
                left.append(part)
            else:
                bits = found if bits is None else op("&", bits, found)
        if bits is None:
            return loop
        body = (fl.Conditional(logic("and", *left), yes, span=loop.span),) if left else yes
        return attrs.evolve(loop, source=fl.Bits(bits), body=body)

    def _bits(self, part: fl.Expr, local: str, size: int) -> fl.Expr | None:
        """Return the bit set of the numbers below `size` that satisfy a condition, or None."""
        match part:
            case fl.Load():
                return self._cells(part, local, size)
            case fl.Op(op="<>", left=fl.Load() as cell, right=fl.Literal(value=0)):
                return self._cells(cell, local, size)
            case fl.Op(op="=", left=fl.Load() as cell, right=fl.Literal(value=0)):
                return _others(self._cells(cell, local, size), size)
            case fl.Negate(value=value):
                return _others(self._bits(value, local, size), size)
            case fl.ShortCircuit(op=word, parts=parts):
                every = [self._bits(each, local, size) for each in parts]
                found = every[0]
                for each in every[1:]:
                    if found is None or each is None:
                        return None
                    found = op("&" if word == "and" else "|", found, each)
                return found
            case _:
                return None

    def _cells(self, cell: fl.Load, local: str, size: int) -> fl.Expr | None:
        along = linear(cell.index, local)
        name = None if along is None else self.sets.along(cell.array, along, size)
        return None if along is None or name is None else self.sets.word(name, along.rest)

    # ---------------------------------------------------------------- joined tests
    def _joined(self, node: AnyNode) -> AnyNode:
        """Join tests of several cells, selected by tables, into one test of a word."""
        if not isinstance(node, fl.ShortCircuit) or node.op != "and":
            return node
        groups: dict[tuple[str, fl.Expr, fl.Expr], list[tuple[str, fl.Expr]]] = {}
        for part in node.parts:
            named = self._named(part)
            if named is not None:
                groups.setdefault(named[:3], []).append((named[3], part))
        found = list(node.parts)
        for (name, rest, at), members in groups.items():
            if len(members) < 2:  # noqa: PLR2004 - nothing to join
                continue
            tables = [self.sets.flat.tables[table] for table, _ in members]
            masks = tuple(
                signed(reduce(or_, (1 << each for each in cells)))
                for cells in zip(*tables, strict=True)
            )
            mask = fl.TableCell(self.sets.table(masks), at)
            gone = [part for _, part in members]
            where = found.index(gone[0])
            found = [each for each in found if each not in gone]
            test = fl.Op("=", fl.Op("&", self.sets.word(name, rest), mask), mask)
            found.insert(where, test)
        return logic("and", *found) if len(found) < len(node.parts) else node

    def _named(self, part: fl.Expr) -> tuple[str, fl.Expr, fl.Expr, str] | None:
        """Return the set, rest, index and table for a non-zero test; a table selects the cell."""
        match part:
            case fl.Op(op="<>", left=fl.Load(array=array, index=index), right=fl.Literal(value=0)):
                pass
            case _:
                return None
        for each in terms(index):
            read = of_table(each)
            if read is None:
                continue
            named, stride = read
            rest: fl.Expr = fl.Literal(0)
            for other in terms(index):
                rest = rest if other is each else op("+", rest, other)
            cells = self.sets.flat.tables[named.table]
            name = self._set_of(array, Linear(stride, rest), cells)
            if name is not None:
                return name, rest, named.index, named.table
        return None

    def _set_of(self, array: str, along: Linear, cells: tuple[int, ...]) -> str | None:
        """Return the set along a dimension in which all numbers in a table are valid indexes."""
        for block in self.sets.flat.arrays[array].blocks:
            for many in block.dims:
                if 0 <= min(cells) <= max(cells) < many <= fl.MAX_BITS:
                    name = self.sets.along(array, along, many)
                    if name is not None:
                        return name
        return None


def _others(bits: fl.Expr | None, size: int) -> fl.Expr | None:
    return None if bits is None else op("^", bits, fl.Literal(signed((1 << size) - 1)))


def _steady(body: fl.Body) -> bool:
    return all(isinstance(each, STEADY) for each in walk(body) if isinstance(each, fl.Stmt))


# Index sets represent the non-zero cells of an array as bit words; candidates are read off the
# bits.
#
# A loop over all cells of a board that selects those with pieces becomes a loop over bits, and a
# test for pieces in several cells becomes one comparison of words. The words form a separate
# array; every store to the original array also updates the bit of the cell.
#
#     for c in 0 .. 64                               for c in bits @bits:n:coin:2:0[me]
#         if ((@n:coin[c * 2 + me] <> 0) and ...)        if ...
#
# `Finder` rewrites the loops and tests, and `SetDeclarer` declares the sets that they need: one
# for each block of an array and dimension. Then `Keeper` adds an update after each store. `linear`
# splits an index into stride and rest.
#
# The pass pays off for boards that are read more often than written. It needs a loop from 0 to a
# constant of at most 64 whose body is one conditional that leaves arrays unchanged, and an index
# that is linear in the loop variable along one dimension of a block. It does not apply to other
# indexes, larger boards, or conditions after a conjunct that cannot be read off bits.


def index_sets(flat: Flat) -> None:
    """Replace loops over cells with loops over index sets, and keep the sets up to date."""
    change_bodies(flat, Finder(SetDeclarer(flat)).body)
    change_bodies(flat, Keeper(flat).body)

"""Index sets: which cells of an array are not 0 is kept as bits, and candidates are found in them.

A loop over all cells of a board that takes those with pieces on them becomes a loop over bits; a
test whether some cells hold pieces becomes one comparison of words.  The words are an array of
their own, of which every store into the first one keeps its bit.  It pays where boards are looked
at more often than changed, and takes boards of up to 64 cells.

    for c in 0 .. 64                               for c in bits @bits:n:pawn:2:0[me]
        if ((@n:pawn[c * 2 + me] <> 0) and ...)        if ...
"""

from __future__ import annotations

from math import prod

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import Flat, bound_by
from rulesdsl.lower.fold import known, logic, op, signed
from rulesdsl.source.tree import rewrite, walk

ZERO = fl.Const(0)
STEADY = (fl.Push, fl.Set, fl.If, fl.For, fl.Break, fl.Return, fl.Clear)  # changes no array


def index_sets(flat: fl.Flat) -> None:
    """Find candidates in bits, and keep these up to date."""
    sets = _Sets(flat)
    for name, function in flat.functions.items():
        flat.functions[name] = attrs.evolve(function, body=sets.body(function.body))
    for name, machine in flat.machines.items():
        blocks = tuple(map(sets.body, machine.blocks))
        flat.machines[name] = attrs.evolve(machine, blocks=blocks)
    for name, function in flat.functions.items():
        flat.functions[name] = attrs.evolve(function, body=sets.kept(function.body))
    for name, machine in flat.machines.items():
        blocks = tuple(map(sets.kept, machine.blocks))
        flat.machines[name] = attrs.evolve(machine, blocks=blocks)


@attrs.frozen
class _Linear:
    """An index that is so many times something, and a rest without it."""

    stride: int
    rest: fl.Expr


@attrs.define
class _Sets:
    flat: fl.Flat
    _number: int = 0

    # ---------------------------------------------------------------- what is looked at
    def body(self, body: fl.Body) -> fl.Body:
        """Return statements that find candidates in bits."""
        found: list[fl.Stmt] = []
        for stmt in body:
            match rewrite(stmt, self._joined):
                case fl.For() as loop:
                    found.append(self._loop(attrs.evolve(loop, body=self.body(loop.body))))
                case fl.If(yes=yes, no=no) as test:
                    found.append(attrs.evolve(test, yes=self.body(yes), no=self.body(no)))
                case other:
                    found.append(other)
        return tuple(found)

    def _loop(self, loop: fl.For) -> fl.For | fl.If:
        match loop:
            case fl.For(
                local=local,
                source=fl.Range(low=fl.Const(value=0), high=fl.Const(value=size)),
                body=(fl.If(condition=condition, yes=yes, no=()),),
            ) if 1 < size <= fl.MAX_BITS and _steady(yes):
                pass
            case _:
                return loop
        parts = condition.parts if isinstance(condition, fl.Logic) else (condition,)
        if isinstance(condition, fl.Logic) and condition.op == "or":
            parts = (condition,)
        changed = {name for stmt in walk(yes) for name in bound_by(stmt)}
        bits: fl.Expr | None = None
        left: list[fl.Expr] = []
        for part in parts:
            found = None if changed & _locals(part) else self._bits(part, local, size)
            if found is None or left:  # what an earlier part rules out is not even looked at
                left.append(part)
            else:
                bits = found if bits is None else op("&", bits, found)
        if bits is None:
            return loop
        inner = fl.If(logic("and", *left), yes, span=loop.span) if left else None
        return attrs.evolve(loop, source=fl.Bits(bits), body=yes if inner is None else (inner,))

    def _bits(self, part: fl.Expr, local: str, size: int) -> fl.Expr | None:
        """Return the bits of the numbers below a size for which a condition holds."""
        match part:
            case fl.Load():
                return self._cells(part, local, size)
            case fl.Op(op="<>", left=fl.Load() as cell, right=fl.Const(value=0)):
                return self._cells(cell, local, size)
            case fl.Op(op="=", left=fl.Load() as cell, right=fl.Const(value=0)):
                return self._others(self._cells(cell, local, size), size)
            case fl.Not(value=value):
                return self._others(self._bits(value, local, size), size)
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

    def _others(self, bits: fl.Expr | None, size: int) -> fl.Expr | None:
        return None if bits is None else op("^", bits, fl.Const(signed((1 << size) - 1)))

    def _cells(self, cell: fl.Load, local: str, size: int) -> fl.Expr | None:
        """Return the bits of those cells along a local that are not 0."""
        along = _linear(cell.index, local)
        if along is None:
            return None
        name = self._set(cell.array, along, size)
        return None if name is None else self._word(name, along.rest)

    def _printed(self, table: str, index: fl.Expr, local: str, size: int) -> fl.Expr | None:
        """Return the bits of what is printed: a table of words."""
        along, cells = _linear(index, local), self.flat.tables[table]
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
        return fl.Table(self._table(words), along.rest)

    def _set(self, array: str, along: _Linear, size: int) -> str | None:
        """Return the array of the words for the cells along a dimension; None if there is none."""
        info = self.flat.arrays[array]
        least = _least(along.rest)
        if least is None:
            return None
        for block in info.blocks:
            strides = [prod(block.dims[at + 1 :]) for at in range(len(block.dims))]
            inside = block.first <= least < block.first + prod(block.dims)
            for at, (many, stride) in enumerate(zip(block.dims, strides, strict=True)):
                if inside and (many, stride) == (size, along.stride):
                    return self._declared(array, block, at, stride)
        return None

    def _declared(self, array: str, block: fl.Block, at: int, stride: int) -> str:
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
            sets = fl.Sets(array, self._table(tuple(words)), self._table(tuple(bits)))
            # the last word takes what is none of these cells, and nobody reads it
            self.flat.arrays[name] = fl.Array(name, size + 1, sets=sets)
        return name

    def _table(self, cells: tuple[int, ...]) -> str:
        for name, each in self.flat.tables.items():
            if each == cells:
                return name
        name = f"b{len(self.flat.tables)}"
        self.flat.tables[name] = cells
        return name

    def _word(self, name: str, index: fl.Expr) -> fl.Expr:
        """Return the word that has the bit of a cell."""
        sets = self.flat.arrays[name].sets
        assert sets is not None
        words = self.flat.tables[sets.words]
        first = known(index)
        if first is not None:
            return fl.Load(name, fl.Const(words[first]))
        least = _least(index)
        assert least is not None
        firsts = [at for at, bit in enumerate(self.flat.tables[sets.bits]) if bit == 1]
        if all(words[at] == at - least for at in firsts):
            return fl.Load(name, op("+", index, fl.Const(-least)))
        return fl.Load(name, fl.Table(sets.words, index))

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
            tables = [self.flat.tables[table] for table, _ in members]
            masks = tuple(signed(_mask(cells)) for cells in zip(*tables, strict=True))
            mask = fl.Table(self._table(masks), at)
            gone = [part for _, part in members]
            where = found.index(gone[0])
            found = [each for each in found if each not in gone]
            test = fl.Op("=", fl.Op("&", self._word(name, rest), mask), mask)
            found.insert(where, test)
        return logic("and", *found) if len(found) < len(node.parts) else node

    def _named(self, part: fl.Expr) -> tuple[str, fl.Expr, fl.Expr, str] | None:
        """Return the set, rest, index and table of a test of a cell that a table names."""
        match part:
            case fl.Op(op="<>", left=fl.Load(array=array, index=index), right=fl.Const(value=0)):
                pass
            case _:
                return None
        for each in _terms(index):
            named, stride = _of_table(each)
            if named is None:
                continue
            rest: fl.Expr = ZERO
            for other in _terms(index):
                rest = rest if other is each else op("+", rest, other)
            name = self._set_of(array, _Linear(stride, rest), self.flat.tables[named.table])
            if name is not None:
                return name, rest, named.index, named.table
        return None

    def _set_of(self, array: str, along: _Linear, cells: tuple[int, ...]) -> str | None:
        """Return the set of a dimension that all numbers of a table are within."""
        for block in self.flat.arrays[array].blocks:
            for many in block.dims:
                if 0 <= min(cells) <= max(cells) < many <= fl.MAX_BITS:
                    name = self._set(array, along, many)
                    if name is not None:
                        return name
        return None

    # ---------------------------------------------------------------- what is kept
    def kept(self, body: fl.Body) -> fl.Body:
        """Return statements that keep the bits of what they store."""
        found: list[fl.Stmt] = []
        for stmt in body:
            match stmt:
                case fl.If(yes=yes, no=no):
                    found.append(attrs.evolve(stmt, yes=self.kept(yes), no=self.kept(no)))
                case fl.For(body=inner):
                    found.append(attrs.evolve(stmt, body=self.kept(inner)))
                case fl.Fill(array=array, value=value):
                    found += [stmt, *self._filled(array, value)]
                case fl.Store(array=array):
                    found += self._stored(stmt, self._of(array))
                case _:
                    found.append(stmt)
        return tuple(found)

    def _of(self, array: str) -> list[fl.Array]:
        every = self.flat.arrays.values()
        return [each for each in every if each.sets is not None and each.sets.of == array]

    def _filled(self, array: str, value: int) -> list[fl.Stmt]:
        if not value:
            return [fl.Fill(each.name, 0) for each in self._of(array)]
        found: list[fl.Stmt] = []
        for each in self._of(array):
            assert each.sets is not None
            pairs = zip(
                self.flat.tables[each.sets.words], self.flat.tables[each.sets.bits], strict=True
            )
            full = [0] * each.size
            for word, bit in pairs:
                full[word] |= bit
            found += [
                fl.Store(each.name, fl.Const(at), fl.Const(word)) for at, word in enumerate(full)
            ]
        return found

    def _stored(self, stmt: fl.Store, sets: list[fl.Array]) -> list[fl.Stmt]:
        if not sets:
            return [stmt]
        found: list[fl.Stmt] = []
        index = stmt.index
        if not isinstance(index, fl.Const | fl.Local):
            self._number += 1
            at = fl.Local(f"kept!b{self._number}")
            found.append(fl.Set(at.name, index, span=stmt.span))
            value = rewrite(stmt.value, lambda node: at if node == index else node)
            index, stmt = at, attrs.evolve(stmt, index=at, value=value)
        found.append(stmt)
        cell = fl.Load(stmt.array, index)
        for each in sets:
            assert each.sets is not None
            word, bit = (self._at(table, index) for table in (each.sets.words, each.sets.bits))
            others = fl.Op("&", fl.Load(each.name, word), op("^", bit, fl.Const(-1)))
            mine = fl.Select(fl.Op("<>", cell, ZERO), bit, ZERO)
            if bit != ZERO:
                found.append(fl.Store(each.name, word, fl.Op("|", others, mine), span=stmt.span))
        return found

    def _at(self, table: str, index: fl.Expr) -> fl.Expr:
        number = known(index)
        return (
            fl.Table(table, index) if number is None else fl.Const(self.flat.tables[table][number])
        )


# -------------------------------------------------------------------- indexes
def _linear(index: fl.Expr, local: str) -> _Linear | None:
    """Return an index as so many times a local, and a rest without it."""
    stride = None
    rest: fl.Expr = ZERO
    for term in _terms(index):
        match term:
            case fl.Local(name=name) if name == local and stride is None:
                stride = 1
            case fl.Op(op="*", left=fl.Local(name=name), right=fl.Const(value=by)) if (
                name == local and stride is None
            ):
                stride = by
            case _:
                if local in _locals(term):
                    return None
                rest = op("+", rest, term)
    return None if stride is None or stride < 1 else _Linear(stride, rest)


def _of_table(term: fl.Expr) -> tuple[fl.Table | None, int]:
    """Return the table that a term of an index reads, and so many times what is read."""
    match term:
        case fl.Op(op="*", left=fl.Table() as named, right=fl.Const(value=stride)):
            return named, stride
        case fl.Table():
            return term, 1
        case _:
            return None, 1


def _terms(index: fl.Expr) -> list[fl.Expr]:
    match index:
        case fl.Op(op="+", left=left, right=right):
            return [*_terms(left), *_terms(right)]
        case _:
            return [index]


def _least(index: fl.Expr) -> int | None:
    """Return the known part of an index: what the others add is within a place."""
    every = _terms(index)
    if any(isinstance(each, fl.Op) and each.op not in {"*", "%"} for each in every):
        return None
    return sum(known(each) or 0 for each in every)


def _locals(expr: fl.Expr) -> set[str]:
    return {each.name for each in walk(expr) if isinstance(each, fl.Local | fl.Buffer)}


def _steady(body: fl.Body) -> bool:
    """Whether a body changes nothing that a condition could ask for."""
    return all(isinstance(each, STEADY) for each in walk(body) if isinstance(each, fl.Stmt))


def _mask(cells: tuple[int, ...]) -> int:
    found = 0
    for each in cells:
        found |= 1 << each
    return found

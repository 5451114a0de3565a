"""Sets that are kept up to date: every store into an array keeps the bits of its cells."""

from __future__ import annotations

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import with_bodies
from rulesdsl.lower.fold import known, op
from rulesdsl.source.tree import rewrite

ZERO = fl.Const(0)


@attrs.define
class Keeper:
    """Keeps the sets of a program, once all of them are declared."""

    flat: fl.Flat
    _of: dict[str, list[tuple[fl.Array, fl.Sets]]] = attrs.field(init=False)
    _number: int = 0

    @_of.default
    def _sets_of_arrays(self) -> dict[str, list[tuple[fl.Array, fl.Sets]]]:
        found: dict[str, list[tuple[fl.Array, fl.Sets]]] = {}
        for each in self.flat.arrays.values():
            if each.sets is not None:
                found.setdefault(each.sets.of, []).append((each, each.sets))
        return found

    def body(self, body: fl.Body) -> fl.Body:
        """Return statements that keep the bits of what they store."""
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
                fl.Store(each.name, fl.Const(at), fl.Const(word)) for at, word in enumerate(full)
            ]
        return found

    def _stored(self, stmt: fl.Store) -> list[fl.Stmt]:
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
        for each, sets in self._of[stmt.array]:
            word, bit = (self._at(table, index) for table in (sets.words, sets.bits))
            others = fl.Op("&", fl.Load(each.name, word), op("^", bit, fl.Const(-1)))
            mine = fl.Select(fl.Op("<>", cell, ZERO), bit, ZERO)
            if bit != ZERO:
                found.append(fl.Store(each.name, word, fl.Op("|", others, mine), span=stmt.span))
        return found

    def _at(self, table: str, index: fl.Expr) -> fl.Expr:
        at = known(index)
        return fl.Table(table, index) if at is None else fl.Const(self.flat.tables[table][at])

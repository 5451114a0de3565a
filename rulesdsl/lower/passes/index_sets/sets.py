"""The sets of a program: arrays of words, each bit of which says whether a cell is not 0."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.fold import known, op, signed
from rulesdsl.lower.passes.index_sets.linear import least

if TYPE_CHECKING:
    from rulesdsl.lower.passes.index_sets.linear import Linear


@attrs.define
class Sets:
    """Declares the sets that a program needs."""

    flat: fl.Flat
    _tables: dict[tuple[int, ...], str] = attrs.field(init=False)

    @_tables.default
    def _known_tables(self) -> dict[tuple[int, ...], str]:
        return {cells: name for name, cells in reversed(self.flat.tables.items())}

    def along(self, array: str, along: Linear, size: int) -> str | None:
        """Return the array of the words for the cells along a dimension; None if there is none."""
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
            sets = fl.Sets(array, self.table(tuple(words)), self.table(tuple(bits)))
            # the last word takes what is none of these cells, and nobody reads it
            self.flat.arrays[name] = fl.Array(name, size + 1, sets=sets)
        return name

    def table(self, cells: tuple[int, ...]) -> str:
        """Return the name of a constant table; equal ones are kept once."""
        if cells not in self._tables:
            name = self._tables[cells] = f"b{len(self.flat.tables)}"
            self.flat.tables[name] = cells
        return self._tables[cells]

    def word(self, name: str, index: fl.Expr) -> fl.Expr:
        """Return the word that has the bit of a cell."""
        sets = self.flat.arrays[name].sets
        assert sets is not None
        words = self.flat.tables[sets.words]
        number = known(index)
        if number is not None:
            return fl.Load(name, fl.Const(words[number]))
        first = least(index)
        assert first is not None
        firsts = [at for at, bit in enumerate(self.flat.tables[sets.bits]) if bit == 1]
        if all(words[at] == at - first for at in firsts):
            return fl.Load(name, op("+", index, fl.Const(-first)))
        return fl.Load(name, fl.Table(sets.words, index))

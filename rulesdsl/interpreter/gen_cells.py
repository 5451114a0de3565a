"""Python for cells: where pieces lie, and how many of them."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.interpreter import pynodes as py

if TYPE_CHECKING:
    from rulesdsl.interpreter.weights import Weights
    from rulesdsl.lower.layout import Layout


class CellGenerator:
    """Generates expressions for cells of the state."""

    layout: Layout
    weights: Weights

    def value(self, node: ty.Value) -> ast.expr:
        """Return the expression of a value."""
        raise NotImplementedError

    def condition(self, node: ty.Value) -> ast.expr:
        """Return the expression of a condition."""
        raise NotImplementedError

    def keep(self, value: tuple[object, ...]) -> ast.expr:
        """Keep a constant table under a global name and return that."""
        raise NotImplementedError

    def keep_functions(self, names: tuple[object, ...]) -> ast.expr:
        """Keep a table of functions, given by name, and return its global name."""
        raise NotImplementedError

    def formula_table(self, node: ty.Formula) -> ast.expr:
        """Return the table of the functions of a formula field."""
        raise NotImplementedError

    def local(self, name: str) -> str:
        """Return the Python name of a local."""
        return py.identifier(name)

    # ---------------------------------------------------------------- cells
    def flat(self, sizes: tuple[int, ...], indexes: list[ast.expr]) -> ast.expr:
        """Return the flat index of a cell."""
        total: ast.expr = py.const(0)
        for stride, index in zip(self.layout.strides(sizes), indexes, strict=True):
            total = py.binary("+", total, py.binary("*", index, py.const(stride)))
        return total

    def code(self, piece: str, cells: ty.Cells, owner: ty.Value | None = None) -> ast.expr:
        """Return the number of one cell of a kind of pieces."""
        dims = [self.value(dim) for dim in cells.dims if dim is not None]
        sizes = self.layout.cell_dims(piece, cells.place)
        if len(dims) < len(sizes):
            assert owner is not None
            dims.append(self.value(owner))
        base = py.const(self.layout.base(piece, cells.place))
        return py.binary("+", self.flat(sizes, dims), base)

    def codes(
        self, piece: str, cells: ty.Cells, owner: ty.Value | None = None
    ) -> ast.expr | list[ast.expr]:
        """Return the cells that are meant: a list of numbers, or an expression that is one."""
        sizes = self.layout.cell_dims(piece, cells.place)
        strides = self.layout.strides(sizes)
        dims: list[ty.Value | None] = list(cells.dims)
        if len(dims) < len(sizes):
            dims.append(owner)
        found: list[ast.expr] = [py.const(self.layout.base(piece, cells.place))]
        lists: list[tuple[ast.expr, int]] = []
        for dim, size, stride in zip(dims, sizes, strides, strict=True):
            if dim is None:
                found = [
                    py.binary("+", each, py.const(at * stride))
                    for each in found
                    for at in range(size)
                ]
            elif dim.type.family == "list":
                lists.append((self.value(dim), stride))
            else:
                step = py.binary("*", self.value(dim), py.const(stride))
                found = [py.binary("+", step, each) for each in found]
        if not lists:
            return found
        values, stride = lists[0]
        element = py.binary("*", py.name("c_"), py.const(stride))
        choices = [py.binary("+", element, each) for each in found]
        inner: ast.expr = choices[0]
        generators = [py.generator("c_", values, [])]
        if len(choices) > 1:
            generators.append(py.generator("d_", ast.Tuple(choices, py.LOAD), []))
            inner = py.name("d_")
        return py.comprehension(inner, generators)

    def counted(self, node: ty.Lying) -> ast.expr:
        """Return how many like pieces lie in cells."""
        field = py.field(py.identifier(node.piece, "n_"))
        codes = self.codes(node.piece, node.cells, node.owner)
        if not isinstance(codes, list):
            generators = [py.generator("k_", codes, [])]
            return py.call("sum", py.comprehension(py.item(field, py.name("k_")), generators))
        if len(codes) == 1:
            return py.item(field, codes[0])
        run = run_of(codes)
        if run is not None and len(codes) > 3:  # noqa: PLR2004
            return py.call("sum", py.item(field, slice_of(*run)))
        total: ast.expr = py.item(field, codes[0])
        for each in codes[1:]:
            total = py.binary("+", total, py.item(field, each))
        return total

    def any_counted(self, node: ty.Lying) -> ast.expr:
        """Return whether like pieces lie in cells."""
        field = py.field(py.identifier(node.piece, "n_"))
        codes = self.codes(node.piece, node.cells, node.owner)
        if isinstance(codes, list):
            run = run_of(codes)
            if run is not None and len(codes) > 4:  # noqa: PLR2004
                return py.call("any", py.item(field, slice_of(*run)))
            return py.joined("or", [py.item(field, each) for each in codes])
        return self.counted(node)

    # ---------------------------------------------------------------- going through
    def style(self, piece: str) -> str:
        """Return how pieces of a kind are kept."""
        return self.layout.world.pieces[piece].style

    def single_at(self, piece: str, subject: ast.expr) -> ast.expr:
        """Return the cell where a single piece is."""
        field = py.field(py.identifier(piece, "s_"))
        return py.item(field, subject) if self.layout.world.pieces[piece].owned else field

    def single_in(self, piece: str, subject: ast.expr, cells: ty.Cells) -> ast.expr:
        """Return whether a single piece is in cells."""
        return self.code_in(piece, self.single_at(piece, subject), cells)

    def code_in(self, piece: str, code: ast.expr, cells: ty.Cells) -> ast.expr:
        """Return whether a cell is among cells."""
        codes = self.codes(piece, cells)
        if not isinstance(codes, list):
            return py.compared("in", code, codes)
        if len(codes) == 1:
            return py.compared("=", code, codes[0])
        run = run_of(codes)
        if run is not None and isinstance(run[0], ast.Constant):
            low, size = run
            if size == self.layout.cells(piece):
                return py.const(value=True)
            high = py.binary("+", low, py.const(size - 1))
            return ast.Compare(low, [ast.LtE(), ast.LtE()], [code, high])
        return py.compared("in", code, ast.Tuple(codes, py.LOAD))


def run_of(codes: list[ast.expr]) -> tuple[ast.expr, int] | None:
    """Return first cell and length where cells are numbered one after the other."""
    parts: list[tuple[str, int]] = []
    for each in codes:
        match each:
            case ast.Constant(value=int(value)):
                parts.append(("", value))
            case ast.BinOp(op=ast.Add(), left=left, right=ast.Constant(value=int(value))):
                parts.append((ast.dump(left), value))
            case _:
                parts.append((ast.dump(each), 0))
    first = parts[0]
    if all(part == (first[0], first[1] + at) for at, part in enumerate(parts)):
        return codes[0], len(codes)
    return None


def slice_of(low: ast.expr, size: int) -> ast.expr:
    """Return the slice of so many cells."""
    return ast.Slice(low, py.binary("+", low, py.const(size)), None)

"""Loops through domains, and the cells in which pieces lie."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.intervals import MAX_REPEATS
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flatten.writer import ONE, ZERO
from rulesdsl.lower.fold import known, logic, op, within

MAX_FEW = 4  # cells that are named one by one

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.lower.flatten.writer import Writer


def through(w: Writer, domain: ty.Domain, word: str, then: Callable[[fl.Expr], None]) -> None:
    """Write loops through a domain; `then` writes what is done for each thing of it."""
    assert Use.LIST in uses(w.world, domain)
    match domain:
        case ty.Entries() | ty.AllSeats() | ty.AnyWhere():
            w.loop(word, fl.Range(ZERO, fl.Const(most(w, domain))), then)
        case ty.Numbers(low=low, high=high):
            first, last = bounds(w, low, high)
            w.loop(word, fl.Range(first, op("+.", last, ONE)), then)
        case ty.Listed(values=values):
            w.loop(word, fl.Row(w.value(values)), then)
        case ty.Lying():
            _lying(w, domain, word, then)
        case ty.EndPieces():
            _end_pieces(w, domain, word, then)
        case ty.Filtered(base=base, variable=variable, condition=condition):

            def asked(thing: fl.Expr) -> None:
                holds = w.about(variable, thing, condition)
                w.when(holds, lambda: then(thing))

            through(w, base, variable, asked)
        case _:
            assert_never(domain)


def most(w: Writer, domain: ty.Domain) -> int:
    """Return how many things a domain can have at the most."""
    match domain:
        case ty.Entries(kind=kind):
            return w.layout.size(kind)
        case ty.AllSeats(players=players):
            return w.layout.players if players else w.layout.seats
        case ty.Numbers():
            return MAX_REPEATS
        case ty.Listed():
            return max(map(len, w.shared.flat.lists), default=0)
        case ty.Lying(piece=piece) | ty.AnyWhere(piece=piece):
            info = w.world.pieces[piece]
            if info.style == "printed":
                return len(w.layout.instances(piece))
            return w.layout.owners(info)
        case ty.EndPieces(count=count):
            return count
        case ty.Filtered(base=base):
            return most(w, base)
        case _:
            assert_never(domain)


def bounds(w: Writer, low: ty.Value, high: ty.Value) -> tuple[fl.Expr, fl.Expr]:
    """Return the first and the last of the numbers between two: there may be too many."""
    first = w.steady(low, "low")
    return first, op("min", w.value(high), op("+.", first, fl.Const(MAX_REPEATS - 1)))


def listed(w: Writer, domain: ty.Domain, word: str) -> fl.Buffer:
    """Write the things of a domain into a new buffer."""
    buffer = w.buffer("things", most(w, domain))
    through(w, domain, word, lambda thing: w.add(fl.Push(buffer, thing)))
    return buffer


# -------------------------------------------------------------------- cells
def cell(w: Writer, piece: str, cells: ty.Cells, owner: fl.Expr | None = None) -> fl.Expr:
    """Return the number of one cell of a kind of pieces."""
    dims = [w.value(dim) for dim in cells.dims if dim is not None]
    sizes = w.layout.cell_dims(piece, cells.place)
    if len(dims) < len(sizes):
        assert owner is not None
        dims.append(owner)
    total: fl.Expr = ZERO
    for stride, index in zip(w.layout.strides(sizes), dims, strict=True):
        total = op("+", total, op("*", index, fl.Const(stride)))
    return op("+", total, fl.Const(w.layout.base(piece, cells.place)))


def each_cell(
    w: Writer,
    piece: str,
    cells: ty.Cells,
    then: Callable[[fl.Expr], None],
    owner: fl.Expr | None = None,
) -> None:
    """Write loops through cells: a list of entries comes first, what is left open within it."""
    fixed: fl.Expr = ZERO
    lists: list[tuple[ty.Value, int]] = []
    opened: list[tuple[int, int]] = []
    for dim, size, stride in _along(w, piece, cells, owner):
        if dim is None:
            opened.append((size, stride))
        elif isinstance(dim, ty.ValueNode) and dim.type.family == "list":
            lists.append((dim, stride))
        else:
            fixed = op("+", fixed, op("*", _index(w, dim), fl.Const(stride)))
    fixed = op("+", fixed, fl.Const(w.layout.base(piece, cells.place)))
    _loops(w, lists, _runs(opened), fixed, then)


def few_cells(
    w: Writer, piece: str, cells: ty.Cells, owner: fl.Expr | None = None
) -> list[fl.Expr] | None:
    """Return cells one by one where they are few and known; None where a loop is shorter."""
    along = _along(w, piece, cells, owner)
    listed = any(dim is not None and dim.type.family == "list" for dim in cells.dims)
    if listed or prod(size for dim, size, _ in along if dim is None) > MAX_FEW:
        return None
    found: list[fl.Expr] = [fl.Const(w.layout.base(piece, cells.place))]
    with w.body() as written:
        for dim, size, stride in along:
            if dim is None:
                steps: list[fl.Expr] = [fl.Const(at * stride) for at in range(size)]
            else:
                steps = [op("*", _index(w, dim), fl.Const(stride))]
            found = [op("+", step, each) for each in found for step in steps]
    return None if written else found


def _along(
    w: Writer, piece: str, cells: ty.Cells, owner: fl.Expr | None
) -> list[tuple[ty.Value | fl.Expr | None, int, int]]:
    """Return of each dimension of cells what is asked for, None for all, size and stride."""
    sizes = w.layout.cell_dims(piece, cells.place)
    dims: list[ty.Value | fl.Expr | None] = [*cells.dims]
    if len(dims) < len(sizes):
        dims.append(owner)
    return [*zip(dims, sizes, w.layout.strides(sizes), strict=True)]


def _index(w: Writer, dim: ty.Value | fl.Expr) -> fl.Expr:
    return w.value(dim) if isinstance(dim, ty.ValueNode) else dim


def _runs(opened: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return sizes and strides, those joined to one that run on into each other."""
    found: list[tuple[int, int]] = []
    for size, stride in opened:
        if found and found[-1][1] == size * stride:
            found[-1] = (found[-1][0] * size, stride)
        else:
            found.append((size, stride))
    return found


def _loops(
    w: Writer,
    lists: list[tuple[ty.Value, int]],
    opened: list[tuple[int, int]],
    at: fl.Expr,
    then: Callable[[fl.Expr], None],
) -> None:
    if lists:
        (values, stride), *left = lists
        w.loop(
            "entry",
            fl.Row(w.value(values)),
            lambda each: _loops(w, left, opened, _moved(at, each, stride), then),
        )
    elif opened:
        (size, stride), *rest = opened
        if stride == 1:
            every = fl.Range(at, op("+", at, fl.Const(size)))
            w.loop("cell", every, lambda each: _loops(w, [], rest, each, then))
        else:
            w.loop(
                "index",
                fl.Range(ZERO, fl.Const(size)),
                lambda each: _loops(w, [], rest, _moved(at, each, stride), then),
            )
    else:
        then(at)


def _moved(at: fl.Expr, by: fl.Expr, stride: int) -> fl.Expr:
    return op("+", op("*", by, fl.Const(stride)), at)


def is_in(w: Writer, piece: str, code: fl.Expr, cells: ty.Cells) -> fl.Expr:
    """Return whether a cell is among cells."""
    sizes = w.layout.cell_dims(piece, cells.place)
    base, size = w.layout.base(piece, cells.place), prod(sizes)
    if all(dim is None for dim in cells.dims):
        if size == w.layout.cells(piece):
            return ONE
        return within(w.kept(code, "cell"), base, base + size)
    if cells.one:
        return op("=", code, cell(w, piece, cells))
    code, found = w.kept(code, "cell"), w.set("there", ZERO)
    taken = (fl.Set(found.name, ONE), fl.Break())
    with w.search(found):
        each_cell(w, piece, cells, lambda each: w.add(fl.If(op("=", each, code), taken)))
    return found


# -------------------------------------------------------------------- pieces
def where(w: Writer, piece: str, subject: fl.Expr) -> fl.Load:
    """Return the cell where a piece is."""
    info = w.world.pieces[piece]
    if info.style != "single":
        return fl.Load(f"w:{piece}", subject)
    return fl.Load(f"s:{piece}", subject if info.owned else ZERO)


def narrowed(w: Writer, node: ty.Lying, thing: fl.Expr) -> fl.Expr:
    """Return what narrows printed pieces down: their owner, their entry."""
    instances = w.layout.instances(node.piece)
    asked: list[fl.Expr] = []
    if node.entry is not None:
        table = w.shared.table(tuple(entry for entry, _ in instances))
        asked.append(op("=", fl.Table(table, thing), w.value(node.entry)))
    if node.owner is not None:
        table = w.shared.table(tuple(owner for _, owner in instances))
        asked.append(op("=", fl.Table(table, thing), w.value(node.owner)))
    return logic("and", *asked)


def _lying(w: Writer, node: ty.Lying, word: str, then: Callable[[fl.Expr], None]) -> None:
    if w.world.pieces[node.piece].style == "single":
        _singles(w, node, word, then)
        return

    def asked(thing: fl.Expr) -> None:
        w.when(narrowed(w, node, thing), lambda: then(thing))

    each_cell(w, node.piece, node.cells, lambda at: w.loop(word, fl.Pile(node.piece, at), asked))


def _singles(w: Writer, node: ty.Lying, word: str, then: Callable[[fl.Expr], None]) -> None:
    info = w.world.pieces[node.piece]

    def asked(owner: fl.Expr) -> None:
        mine: fl.Expr = ONE
        if info.owned and node.owner is not None:
            mine = op("=", owner, w.value(node.owner))
        there = is_in(w, node.piece, where(w, node.piece, owner), node.cells)
        w.when(logic("and", mine, there), lambda: then(owner))

    w.loop(word, fl.Range(ZERO, fl.Const(w.layout.owners(info))), asked)


def _end_pieces(w: Writer, node: ty.EndPieces, word: str, then: Callable[[fl.Expr], None]) -> None:
    """Write a loop from the end of a stack inwards."""
    pile = fl.Pile(node.piece, w.kept(cell(w, node.piece, node.cells), "cell"))
    length: fl.Expr = fl.Length(pile)
    count = op("min", fl.Const(node.count), length)

    def at_end(at: fl.Expr) -> None:
        index = op("-", op("-", length, ONE), at) if node.top else at
        then(w.set(word, fl.Item(pile, index)))

    if known(count) != 0:
        w.loop("at", fl.Range(ZERO, count), at_end)

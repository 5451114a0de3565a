"""Builder of loops over domains, membership tests, short-circuit conditions and sums."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.intervals import MAX_REPEATS
from rulesdsl.check.symbols.symbol_table import TrackInfo
from rulesdsl.check.symbols.types import Type
from rulesdsl.check.typed.traits import Capability, uses
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder.writer import NONE, ONE, ZERO, Writer
from rulesdsl.lower.flat.walk import (
    MAX_NUMBER,
    MIN_NUMBER,
    known,
    logic,
    negated,
    op,
    select,
    within,
)


def conditions(w: Writer, word: str, parts: Sequence[Callable[[], fl.Expr]]) -> fl.Expr:
    """Return the conjunction or disjunction of conditions, evaluated from left to right.

    The statements that a condition needs are executed only if the conditions before it have not
    decided the result.
    """
    sure: list[fl.Expr] = []
    for at, part_of in enumerate(parts):
        with w.body() as before:
            found = part_of()
        if not before:
            sure.append(found)
            if known(logic(word, found)) == int(word == "or"):
                break
            continue
        asked = logic(word, *sure)
        if known(asked) == int(word == "or"):
            return asked

        def rest(before: list[fl.Stmt] = before, found: fl.Expr = found, at: int = at) -> fl.Expr:
            w.add(*before)
            return conditions(w, word, [lambda: found, *parts[at + 1 :]])

        if known(asked) is not None:  # the conditions so far decide nothing
            return rest()
        local = w.set(word, asked)
        with w.body() as inside:
            w.add(fl.Set(local.name, rest()))
        w.add(fl.Conditional(local if word == "and" else negated(local), tuple(inside)))
        return local
    return logic(word, *sure)


HALF = 2**31
LIMB = fl.Literal(2**32)


@attrs.frozen
class Sum:
    """Sum in one local, or in two halves if it may exceed 64 bits; it saturates at the end."""

    low: fl.LocalVar
    high: fl.LocalVar | None

    @classmethod
    def begin(cls, w: Writer, *, exact: bool) -> Sum:
        """Write the initialization; `exact` if the sum provably fits in 64 bits."""
        return cls(w.set("sum", ZERO), None if exact else w.set("high", ZERO))

    def add(self, w: Writer, amount: fl.Expr) -> None:
        """Write the addition of an amount."""
        if self.high is None:
            w.count_up(self.low, amount)
            return
        amount = w.kept(amount, "amount")
        w.count_up(self.high, op("/", amount, LIMB))
        w.count_up(self.low, op("%", amount, LIMB))

    def total(self, w: Writer) -> fl.Expr:
        """Return the sum, saturated."""
        if self.high is None:
            return self.low
        high = w.set("high", op("+", self.high, op("/", self.low, LIMB)))
        whole = op("+", op("*", high, LIMB), op("%", self.low, LIMB))
        below = select(op("<", high, fl.Literal(-HALF)), fl.Literal(MIN_NUMBER), whole)
        return select(op(">=", high, fl.Literal(HALF)), fl.Literal(MAX_NUMBER), below)


MAX_FEW = 4  # cells that are enumerated without a loop


def through(w: Writer, domain: ty.Domain, word: str, then: Callable[[fl.Expr], None]) -> None:
    """Write loops over a domain; `then` writes the body for each entity."""
    assert Capability.LIST in uses(w.world, domain)
    match domain:
        case ty.Entries() | ty.AllSeats() | ty.AnyWhere():
            w.loop(word, fl.IntRange(ZERO, fl.Literal(most(w, domain))), then)
        case ty.NumberRange(low=low, high=high):
            first, last = bounds(w, low, high)
            w.loop(word, fl.IntRange(first, op("+.", last, ONE)), then)
        case ty.ListedEntries(values=values):
            w.loop(word, fl.ConstRow(w.value(values)), then)
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
    """Return the maximum size of a domain."""
    match domain:
        case ty.Entries(kind=kind):
            return w.layout.size(kind)
        case ty.AllSeats(players=players):
            return w.layout.players if players else w.layout.seats
        case ty.NumberRange():
            return MAX_REPEATS
        case ty.ListedEntries():
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
    """Return the first and last number of a range, truncated to `MAX_REPEATS` numbers."""
    first = w.steady(low, "low")
    return first, op("min", w.value(high), op("+.", first, fl.Literal(MAX_REPEATS - 1)))


def listed(w: Writer, domain: ty.Domain, word: str) -> fl.Buffer:
    """Write code that collects the entities of a domain in a new buffer."""
    buffer = w.buffer("things", most(w, domain))
    through(w, domain, word, lambda thing: w.add(fl.Push(buffer, thing)))
    return buffer


def looks(w: Writer, domain: ty.Domain, buffer: fl.Buffer) -> fl.Distinct | None:
    """Return the statement that removes duplicate pieces, or None if duplicates are impossible."""
    base = domain.unfiltered
    if not isinstance(base, ty.Lying) or base.apart:
        return None
    if w.world.pieces[base.piece].style != "printed":
        return None
    instances = w.layout.instances(base.piece)
    if len(set(instances)) == len(instances) or w.world.places[base.cells.place].stack:
        return None
    prints = w.shared.table(tuple(map(instances.index, instances)))
    marks: list[tuple[str, str, int]] = []
    for mark in w.world.marks(base.piece):
        letter = "t" if isinstance(mark, TrackInfo) else "f"
        rows = w.layout.cells_of_each(mark.dims, base.piece)
        table = w.shared.table(tuple(cell for row in rows for cell in row))
        marks.append((f"{letter}:{mark.name}", table, len(rows[0])))
    return fl.Distinct(buffer, base.piece, prints, not base.cells.one, tuple(marks))


def through_distinct(
    w: Writer, domain: ty.Domain, name: str, then: Callable[[fl.Expr], None]
) -> None:
    """Write a loop over a domain in which equal copies in one place count as one."""
    alike = looks(w, domain, fl.Buffer(""))
    if alike is None:
        through(w, domain, name, then)
    else:
        things = listed(w, domain, name)
        w.add(attrs.evolve(alike, buffer=things))
        w.loop(name, things, then)


# -------------------------------------------------------------------- cells
def cell(w: Writer, piece: str, cells: ty.Cells, owner: fl.Expr | None = None) -> fl.Expr:
    """Return the number of one cell for a kind of piece."""
    dims = [w.value(dim) for dim in cells.dims if dim is not None]
    sizes = w.layout.cell_dims(piece, cells.place)
    if len(dims) < len(sizes):
        assert owner is not None
        dims.append(owner)
    total: fl.Expr = ZERO
    for stride, index in zip(w.layout.strides(sizes), dims, strict=True):
        total = op("+", total, op("*", index, fl.Literal(stride)))
    return op("+", total, fl.Literal(w.layout.base(piece, cells.place)))


def each_cell(
    w: Writer,
    piece: str,
    cells: ty.Cells,
    then: Callable[[fl.Expr], None],
    owner: fl.Expr | None = None,
) -> None:
    """Write nested loops over cells: outer ones over lists, inner ones over whole dimensions."""
    fixed: fl.Expr = ZERO
    lists: list[tuple[ty.Value, int]] = []
    opened: list[tuple[int, int]] = []
    for dim, size, stride in _along(w, piece, cells, owner):
        if dim is None:
            opened.append((size, stride))
        elif isinstance(dim, ty.ValueNode) and dim.type.family == "list":
            lists.append((dim, stride))
        else:
            fixed = op("+", fixed, op("*", _index(w, dim), fl.Literal(stride)))
    fixed = op("+", fixed, fl.Literal(w.layout.base(piece, cells.place)))
    _loops(w, lists, _runs(opened), fixed, then)


def few_cells(
    w: Writer, piece: str, cells: ty.Cells, owner: fl.Expr | None = None
) -> list[fl.Expr] | None:
    """Return the numbers of a few cells, for use without a loop; None if a loop is needed."""
    along = _along(w, piece, cells, owner)
    listed = any(dim is not None and dim.type.family == "list" for dim in cells.dims)
    if listed or prod(size for dim, size, _ in along if dim is None) > MAX_FEW:
        return None
    found: list[fl.Expr] = [fl.Literal(w.layout.base(piece, cells.place))]
    with w.body() as written:
        for dim, size, stride in along:
            if dim is None:
                steps: list[fl.Expr] = [fl.Literal(at * stride) for at in range(size)]
            else:
                steps = [op("*", _index(w, dim), fl.Literal(stride))]
            found = [op("+", step, each) for each in found for step in steps]
    return None if written else found


def _along(
    w: Writer, piece: str, cells: ty.Cells, owner: fl.Expr | None
) -> list[tuple[ty.Value | fl.Expr | None, int, int]]:
    """Return the index (None: all), the size and the stride of each dimension of cells."""
    sizes = w.layout.cell_dims(piece, cells.place)
    dims: list[ty.Value | fl.Expr | None] = [*cells.dims]
    if len(dims) < len(sizes):
        dims.append(owner)
    return [*zip(dims, sizes, w.layout.strides(sizes), strict=True)]


def _index(w: Writer, dim: ty.Value | fl.Expr) -> fl.Expr:
    return w.value(dim) if isinstance(dim, ty.ValueNode) else dim


def _runs(opened: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge contiguous dimensions, given and returned as sizes and strides."""
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
            fl.ConstRow(w.value(values)),
            lambda each: _loops(w, left, opened, _moved(at, each, stride), then),
        )
    elif opened:
        (size, stride), *rest = opened
        if stride == 1:
            every = fl.IntRange(at, op("+", at, fl.Literal(size)))
            w.loop("cell", every, lambda each: _loops(w, [], rest, each, then))
        else:
            w.loop(
                "index",
                fl.IntRange(ZERO, fl.Literal(size)),
                lambda each: _loops(w, [], rest, _moved(at, each, stride), then),
            )
    else:
        then(at)


def _moved(at: fl.Expr, by: fl.Expr, stride: int) -> fl.Expr:
    return op("+", op("*", by, fl.Literal(stride)), at)


def is_in(w: Writer, piece: str, code: fl.Expr, cells: ty.Cells) -> fl.Expr:
    """Return a test for whether a cell is one of the given cells."""
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
        each_cell(w, piece, cells, lambda each: w.add(fl.Conditional(op("=", each, code), taken)))
    return found


# -------------------------------------------------------------------- pieces
def where(w: Writer, piece: str, subject: fl.Expr) -> fl.Load:
    """Return the cell of a piece."""
    info = w.world.pieces[piece]
    if info.style != "single":
        return fl.Load(f"w:{piece}", subject)
    return fl.Load(f"s:{piece}", subject if info.owned else ZERO)


def narrowed(w: Writer, node: ty.Lying, thing: fl.Expr) -> fl.Expr:
    """Return a test on a printed piece's owner and entry."""
    instances = w.layout.instances(node.piece)
    asked: list[fl.Expr] = []
    if node.entry is not None:
        table = w.shared.table(tuple(entry for entry, _ in instances))
        asked.append(op("=", fl.TableCell(table, thing), w.value(node.entry)))
    if node.owner is not None:
        table = w.shared.table(tuple(owner for _, owner in instances))
        asked.append(op("=", fl.TableCell(table, thing), w.value(node.owner)))
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

    w.loop(word, fl.IntRange(ZERO, fl.Literal(w.layout.owners(info))), asked)


def _end_pieces(w: Writer, node: ty.EndPieces, word: str, then: Callable[[fl.Expr], None]) -> None:
    pile = fl.Pile(node.piece, w.kept(cell(w, node.piece, node.cells), "cell"))
    length: fl.Expr = fl.Length(pile)
    count = op("min", fl.Literal(node.count), length)

    def at_end(at: fl.Expr) -> None:
        index = op("-", op("-", length, ONE), at) if node.top else at
        then(w.set(word, fl.ListItem(pile, index)))

    if known(count) != 0:
        w.loop("at", fl.IntRange(ZERO, count), at_end)


def among(w: Writer, subject: fl.Expr, kind: Type, domain: ty.Domain) -> fl.Expr:
    """Return a test for whether an entity belongs to a domain."""
    match domain:
        case ty.Lying():
            return _lies(w, subject, kind, domain)
        case ty.Filtered(base=base, variable=variable, condition=condition):

            def asked() -> fl.Expr:
                return w.about(variable, subject, condition)

            return conditions(w, "and", [lambda: among(w, subject, kind, base), asked])
        case ty.AllSeats(players=True) if kind.family == "seat":  # the seat may be a rival's
            return within(subject, 0, w.layout.players)
        case ty.Entries() | ty.AllSeats() | ty.AnyWhere():
            return op(">=", subject, ZERO)
        case ty.NumberRange(low=low, high=high):
            first, last = bounds(w, low, high)
            return logic("and", op(">=", subject, first), op("<=", subject, last))
        case ty.ListedEntries(values=values):
            return fl.Contains(fl.ConstRow(w.value(values)), subject)
        case ty.EndPieces():
            found = w.set("member", ZERO)

            def compare(thing: fl.Expr) -> None:
                w.when(op("=", thing, subject), lambda: w.take(found, ONE))

            with w.search(found):
                through(w, domain, "each", compare)
            return found
        case _:
            assert_never(domain)


def _lies(w: Writer, subject: fl.Expr, kind: Type, domain: ty.Lying) -> fl.Expr:
    asked: list[Callable[[], fl.Expr]] = []
    if kind.maybe:
        asked.append(lambda: op(">=", subject, ZERO))
    code = where(w, domain.piece, subject)
    if w.world.pieces[domain.piece].style != "single":
        asked.append(lambda: narrowed(w, domain, subject))
    asked.append(lambda: is_in(w, domain.piece, code, domain.cells))
    return conditions(w, "and", asked)


def located(w: Writer, node: ty.Located) -> fl.Expr:
    """Return an entity's cell, counted within a place; `NONE` if the entity lies elsewhere."""
    subject, piece, place = w.value(node.subject), node.piece, node.place
    code: fl.Expr = where(w, piece, subject)
    base, size = w.layout.base(piece, place), prod(w.layout.cell_dims(piece, place))
    if size == w.layout.cells(piece):
        return code
    if not node.type.maybe:
        return op("-", code, fl.Literal(base))
    code = w.kept(code, "cell")
    return select(within(code, base, base + size), op("-", code, fl.Literal(base)), NONE)

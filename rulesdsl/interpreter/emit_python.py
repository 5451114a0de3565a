"""The first back end: flat functions and machines as Python, through syntax nodes only.

A local is a local, an array a list in the state, a pile a list of lists, a buffer a list.  A
condition may be any truthy or falsy expression; what is stored or returned is a plain number.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter import runtime
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import locals_of
from rulesdsl.lower.fold import MAX_NUMBER, MIN_NUMBER, OPPOSITE
from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

Code = list[ast.stmt]


@attrs.frozen
class Listing:
    """A buffer that is cleared, and filled by one loop: in Python, a list comprehension."""

    buffer: fl.Buffer
    local: str
    source: fl.Source
    condition: fl.Expr | None
    value: fl.Expr
    span: Span


def listed(body: fl.Body) -> Iterator[fl.Stmt | Listing]:
    """Yield statements, those that clear a buffer and fill it by one loop as one."""
    left = list(reversed(body))
    while left:
        stmt = left.pop()
        made = _listing(stmt, left[-1]) if left else None
        if made is not None:
            left.pop()
        yield stmt if made is None else made


def _listing(first: fl.Stmt, second: fl.Stmt) -> Listing | None:
    match first, second:
        case (
            fl.Clear(buffer=buffer, many=None),
            fl.For(local=local, source=source, body=(fl.Push(buffer=same, value=value),)),
        ) if same == buffer:
            return Listing(buffer, local, source, None, value, first.span)
        case (
            fl.Clear(buffer=buffer, many=None),
            fl.For(
                local=local,
                source=source,
                body=(fl.If(condition=asked, yes=(fl.Push(buffer=same, value=value),), no=()),),
            ),
        ) if same == buffer:
            return Listing(buffer, local, source, asked, value, first.span)
        case _:
            return None


@attrs.define
class Emitter:
    """Emits the functions of one program."""

    flat: fl.Flat
    _row_tables: dict[str, str] = attrs.Factory(dict)
    marks: list[Span] = attrs.Factory(lambda: [NOWHERE])
    _mark_of: dict[Span, int] = attrs.Factory(dict)
    holding: bool = True  # whether a value can be held in the middle of an expression

    # ---------------------------------------------------------------- functions
    def function(self, function: fl.Function) -> ast.stmt:
        """Return the definition of a function."""
        params = ["st", *map(self.local, function.params)]
        return py.function(function_name(function.name), params, self.body(function.body))

    def tables(self) -> Code:
        """Return the constant tables, after everything else has been emitted."""
        found: Code = [
            py.assign(py.name(name), py.const(cells)) for name, cells in self.flat.tables.items()
        ]
        rows = self.flat.lists
        found.append(py.assign(py.name("rows"), py.const(tuple(rows))))
        for table, name in self._row_tables.items():
            chosen = tuple(rows[at] if at >= 0 else () for at in self.flat.tables[table])
            found.append(py.assign(py.name(name), py.const(chosen)))
        return found

    def local(self, name: str) -> str:
        """Return the Python name of a local."""
        return py.identifier(name)

    # ---------------------------------------------------------------- statements
    def body(self, body: fl.Body) -> Code:
        """Return the code of statements in order."""
        found: Code = []
        for each in listed(body):
            line, code = self._mark(each.span), self.stmt(each)
            for stmt in code:
                if not hasattr(stmt, "lineno"):
                    stmt.lineno = line
            found += code
        return found

    def _mark(self, span: Span) -> int:
        """Return the line of generated code that stands for a rule line."""
        if span not in self._mark_of:
            self._mark_of[span] = len(self.marks)
            self.marks.append(span)
        return max(self._mark_of[span], 1)

    def stmt(self, stmt: fl.Stmt | Listing) -> Code:  # noqa: C901, PLR0912 - one case a statement
        """Return the code of a statement."""
        match stmt:
            case fl.Set(local=local, value=value):
                return [py.assign(py.name(self.local(local)), self.expr(value))]
            case fl.Store():
                return self.store(stmt)
            case fl.Fill(array=array, value=number):
                return [self.fill(self.flat.arrays[array], number)]
            case fl.If(condition=condition, yes=yes, no=no):
                return py.when(self.condition(condition), self.body(yes), self.body(no))
            case fl.For(source=source, body=(fl.Push(buffer=buffer) as push,)) if (
                push.value == fl.Local(stmt.local) and stmt.local not in locals_of(buffer)
            ):
                extending = py.method(self.source(buffer), "extend", self.source(source))
                return [py.expression(extending)]
            case fl.For(local=local, source=source, body=body):
                return [py.loop(self.local(local), self.source(source), self.body(body))]
            case fl.Break():
                return [ast.Break()]
            case fl.Return(value=value):
                return [ast.Return(None if value is None else self.plain(value))]
            case fl.Do(function=name, arguments=arguments, index=index):
                return [py.expression(self.call(name, arguments, index))]
            case Listing(buffer=buffer):
                return [py.assign(self.source(buffer), self.listing(stmt))]
            case fl.Clear(buffer=buffer, many=many):
                empty: list[ast.expr] = [ast.List([], py.LOAD) for _ in range(many or 0)]
                return [py.assign(self.source(buffer), ast.List(empty, py.LOAD))]
            case fl.Push(buffer=buffer, value=value):
                adding = py.method(self.source(buffer), "append", self.expr(value))
                return [py.expression(adding)]
            case fl.Draw(local=local, buffer=buffer):
                drawn = py.call("draw", py.name("st"), self.source(buffer))
                return [py.assign(py.name(self.local(local)), drawn)]
            case fl.Distinct():
                return [self.distinct(stmt)]
            case fl.Place(piece=piece, thing=thing, cell=cell, top=top):
                return self.place(piece, self.expr(thing), self.expr(cell), top=top)
            case fl.Shuffle(pile=pile):
                return [py.expression(py.call("shuffle", py.name("st"), self.source(pile)))]
            case fl.Shift(piece=piece, thing=thing, by=by, old=old, new=new):
                where = py.item(py.field(field_name(f"w:{piece}")), self.expr(thing))
                lying = py.item(py.field(field_name(f"l:{piece}")), where)
                both = ast.Tuple([py.stored(self.local(each)) for each in (old, new)], py.STORE)
                shifted = py.call("shift", lying, self.expr(thing), self.expr(by))
                return [ast.Assign([both], shifted)]
            case fl.Note(event=event, values=values):
                told = [self.note(each) for each in values]
                entry = ast.Tuple([py.const(event), py.field("learned"), *told], py.LOAD)
                return [py.expression(py.method(py.field("log"), "append", entry))]
            case fl.Finish():
                return [ast.Raise(ast.Call(py.name("Finished"), [], []), None)]
            case fl.Goto(block=block):
                return self.goto(block)
            case fl.Enter():
                return self.enter(stmt)
            case fl.Leave():
                popped = py.method(py.field("frames"), "pop")
                return [py.expression(popped), ast.Return(None)]
            case fl.Ask(decision=decision):
                return self.ask(decision)
            case _:
                assert_never(stmt)

    def listing(self, stmt: Listing) -> ast.expr:
        """Return the list of what a loop adds to a buffer."""
        self.holding = False  # Python knows no `:=` there
        over, local = self.source(stmt.source), self.local(stmt.local)
        value = self.expr(stmt.value)
        conditions = [] if stmt.condition is None else [self.condition(stmt.condition)]
        self.holding = True
        if stmt.condition is None and stmt.value == fl.Local(stmt.local):
            return py.call("list", over)
        return py.comprehension(value, [py.generator(local, over, conditions)])

    def store(self, stmt: fl.Store) -> Code:
        """Return the writing of a cell: a change by some amount as such, bounds as tests."""
        cell, value = self.cell(stmt.array, stmt.index), stmt.value
        here = fl.Load(stmt.array, stmt.index)
        if isinstance(value, fl.Op) and value.op in {"+", "-"} and value.left == here:
            return [py.augment(cell, value.op, self.expr(value.right))]
        bounds: list[tuple[str, fl.Const]] = []
        while isinstance(value, fl.Op) and value.op in {"min", "max"}:
            if not isinstance(value.right, fl.Const):
                break
            bounds.insert(0, (value.op, value.right))
            value = value.left
        if not bounds:
            return [py.assign(cell, self.plain(value))]
        if isinstance(value, fl.Op) and value.op.endswith("."):  # it is bounded here
            value = fl.Op(value.op[:-1], value.left, value.right)
        held = py.name(py.HELD)
        code: Code = [py.assign(held, self.expr(value))]
        for word, bound in bounds:
            beyond = py.compared("<" if word == "max" else ">", held, self.expr(bound))
            code.append(ast.If(beyond, [py.assign(held, self.expr(bound))], []))
        return [*code, py.assign(cell, held)]

    def fill(self, array: fl.Array, value: int) -> ast.stmt:
        """Return what sets all cells of an array; a new list is the fastest way."""
        field = py.field(field_name(array.name))
        if array.single:
            return py.assign(field, py.const(value))
        return py.assign(field, py.call("list", py.const((value,) * array.size)))

    def note(self, value: fl.Expr | fl.Buffer) -> ast.expr:
        """Return what is written into the log."""
        return self.source(value) if isinstance(value, fl.Buffer) else self.plain(value)

    def place(self, piece: str, thing: ast.expr, cell: ast.expr, *, top: bool) -> Code:
        """Return the code that takes a piece from the pile in which it lies to another."""
        piles, where = (py.field(field_name(f"{letter}:{piece}")) for letter in "lw")
        at = py.item(where, thing)
        onto = py.item(piles, cell)
        put = (
            py.method(onto, "append", thing)
            if top
            else py.method(onto, "insert", py.const(0), thing)
        )
        return [
            py.expression(py.method(py.item(piles, at), "remove", thing)),
            py.expression(put),
            py.assign(at, cell),
        ]

    def distinct(self, stmt: fl.Distinct) -> ast.stmt:
        """Return what leaves one of those pieces that are alike."""
        buffer = self.source(stmt.buffer)
        where = py.field(field_name(f"w:{stmt.piece}")) if stmt.where else py.const(None)
        marks: list[ast.expr] = []
        for array, table, width in stmt.marks:
            cells = self.flat.tables[table]
            rows = tuple(cells[at : at + width] for at in range(0, len(cells), width))
            field = py.field(field_name(array))
            marks.append(ast.Tuple([field, py.const(rows)], py.LOAD))
        made = py.call("one_of_each", buffer, py.name(stmt.prints), where, *marks)
        return py.assign(buffer, made)

    # ---------------------------------------------------------------- machines
    def goto(self, block: int) -> Code:
        """Return the way on to another block of the machine."""
        raise NotImplementedError

    def enter(self, stmt: fl.Enter) -> Code:
        """Return the beginning of another machine."""
        raise NotImplementedError

    def ask(self, decision: int) -> Code:
        """Return the opening of a question."""
        raise NotImplementedError

    # ---------------------------------------------------------------- expressions
    def condition(self, expr: fl.Expr) -> ast.expr:
        """Return an expression that is truthy where a condition holds."""
        match expr:
            case fl.Op(op="<>", left=left, right=fl.Const(value=0)):
                return self.truth(left)
            case fl.Op(op="=", left=left, right=fl.Const(value=0)):
                return py.negated(self.truth(left))
            case fl.Not(value=value):
                return py.negated(self.condition(value))
            case fl.Logic(op=op, parts=parts):
                return py.joined(op, [self.condition(each) for each in parts])
            case _:
                return self.expr(expr)

    def truth(self, expr: fl.Expr) -> ast.expr:
        """Return an expression that is truthy where a number is not 0."""
        if isinstance(expr, fl.Length):
            return self.source(expr.of)
        return self.expr(expr)

    def plain(self, expr: fl.Expr) -> ast.expr:
        """Return an expression that is a plain number: a yes or no is 0 or 1."""
        if is_boolean(expr):
            return py.chosen(self.condition(expr), py.const(1), py.const(0))
        if isinstance(expr, fl.Select):  # one of them may be a yes or no
            yes, no = self.plain(expr.yes), self.plain(expr.no)
            return py.chosen(self.condition(expr.condition), yes, no)
        return self.expr(expr)

    def expr(self, expr: fl.Expr) -> ast.expr:  # noqa: C901, PLR0912 - one case an expression
        """Return an expression."""
        match expr:
            case fl.Const(value=value):
                return py.const(value)
            case fl.Local(name=name):
                return py.name(self.local(name))
            case fl.Load(array=array, index=index):
                return self.cell(array, index)
            case fl.Table(table=table, index=index):
                return py.item(py.name(table), self.expr(index))
            case fl.Item(of=of, index=index):
                return py.item(self.source(of), self.position(of, index))
            case fl.Length(of=of):
                return py.call("len", self.source(of))
            case fl.Contains(of=of, value=value):
                return py.compared("in", self.expr(value), self.source(of))
            case fl.Op():
                return self.operation(expr)
            case fl.Not():
                return self.condition(expr)
            case fl.Logic(op=op, parts=parts):
                return py.joined(op, [self.expr(each) for each in parts])
            case fl.Select(condition=condition, yes=yes, no=no):
                return py.chosen(self.condition(condition), self.expr(yes), self.expr(no))
            case fl.Call(function=name, arguments=arguments, index=index):
                return self.call(name, arguments, index)
            case _:
                assert_never(expr)

    def position(self, of: fl.List, index: fl.Expr) -> ast.expr:
        """Return where an item is; the last one is found from the end."""
        if index == fl.Op("-", fl.Length(of), fl.Const(1)):
            return py.const(-1)
        return self.expr(index)

    def operation(self, expr: fl.Op) -> ast.expr:
        """Return an operation; what may leave 64 bits is held within them."""
        op = expr.op.rstrip(".")
        if op in {"min", "max"}:
            return self.bounded(op, expr.left, expr.right)
        left, right = self.expr(expr.left), self.expr(expr.right)
        if op in OPPOSITE:
            return py.compared(op, left, right)
        made = ast.BinOp(left, py.OPERATORS[op], right)
        return self.saturated(made) if expr.op.endswith(".") else made

    def saturated(self, made: ast.expr) -> ast.expr:
        """Return a number held within 64 bits; a call for those alone that leave them."""
        number = py.whole(made)
        if number is not None:
            return py.const(runtime.saturated(number))
        if not self.holding:
            return py.call("saturated", made)
        low, high = py.const(MIN_NUMBER), py.const(MAX_NUMBER)
        inside = ast.Compare(low, [ast.LtE(), ast.LtE()], [py.held(made), high])
        return ast.IfExp(inside, py.name(py.HELD), py.call("saturated", py.name(py.HELD)))

    def bounded(self, op: str, left: fl.Expr, right: fl.Expr) -> ast.expr:
        """Return the smaller or larger of two; what is bounded so needs no other bound."""
        if isinstance(left, fl.Op) and left.op.endswith(".") and isinstance(right, fl.Const):
            left = fl.Op(left.op[:-1], left.left, left.right)
        if op == "min":
            left, right = _below(left), _below(right)
        one, two = self.expr(left), self.expr(right)
        word = "<" if op == "min" else ">"
        if _cheap(left) and _cheap(right):
            return py.chosen(py.compared(word, one, two), one, two)
        if not self.holding or not (_cheap(left) or _cheap(right)):
            return py.call(op, one, two)
        if _cheap(left):
            one, two = two, one
        return ast.IfExp(py.compared(word, py.held(one), two), py.name(py.HELD), two)

    def call(self, name: str, arguments: tuple[fl.Expr, ...], index: fl.Expr | None) -> ast.expr:
        """Return the call of a function, or of one of a table."""
        given = [py.name("st"), *map(self.plain, arguments)]
        if index is None:
            return py.call(function_name(name), *given)
        return ast.Call(py.item(py.name(name), self.expr(index)), given, [])

    def cell(self, array: str, index: fl.Expr) -> ast.expr:
        """Return a cell of the state."""
        field = py.field(field_name(array))
        return field if self.flat.arrays[array].single else py.item(field, self.expr(index))

    def source(self, source: fl.Source) -> ast.expr:
        """Return what a loop goes through."""
        match source:
            case fl.Range(low=fl.Const(value=0), high=high):
                return py.call("range", self.expr(_below(high)))
            case fl.Range(low=low, high=high):
                return py.call("range", self.expr(low), self.expr(_below(high)))
            case fl.Bits(value=value):
                return py.call("bits_of", self.expr(value))
            case fl.Buffer(name=name, at=at):
                buffer = py.name(self.local(name))
                return buffer if at is None else py.item(buffer, self.expr(at))
            case fl.Pile(piece=piece, cell=cell):
                return py.item(py.field(field_name(f"l:{piece}")), self.expr(cell))
            case fl.Row(number=fl.Const(value=number)):
                return py.const(self.flat.lists[number])
            case fl.Row(number=fl.Table(table=table, index=index)):
                name = self._row_tables.setdefault(table, f"{table}_rows")
                return py.item(py.name(name), self.expr(index))
            case fl.Row(number=number):
                return py.item(py.name("rows"), self.expr(number))
            case _:
                assert_never(source)


def _below(expr: fl.Expr) -> fl.Expr:
    """Return what something is below, without the bound of 64 bits if it only grows."""
    match expr:
        case fl.Op(op="+.", left=left, right=fl.Const(value=more)) if more >= 0:
            return fl.Op("+", left, expr.right)
        case _:
            return expr


def _cheap(expr: fl.Expr) -> bool:
    """Whether computing an expression twice costs next to nothing."""
    match expr:
        case fl.Const() | fl.Local():
            return True
        case fl.Load(index=index):
            return _cheap(index)
        case _:
            return False


def function_name(name: str) -> str:
    """Return the Python name of a function."""
    return py.identifier(name, "f_")


def field_name(array: str) -> str:
    """Return the name of a field of the state."""
    letter, colon, name = array.partition(":")
    return py.identifier(name, f"{letter}_") if colon else array


def is_boolean(expr: fl.Expr) -> bool:
    """Whether Python computes an expression as a yes or no."""
    match expr:
        case fl.Not():
            return True
        case fl.Op(op=op):
            return op in OPPOSITE
        case fl.Logic(parts=parts):
            return any(map(is_boolean, parts))
        case fl.Select(yes=yes, no=no):
            return is_boolean(yes) and is_boolean(no)
        case _:
            return False

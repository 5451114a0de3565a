"""Statements of the flat form as Python syntax nodes, each on a line that stands for its rule."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.emit_blocks import Block
from rulesdsl.interpreter.emit_values import ValueEmitter, field_name
from rulesdsl.interpreter.listings import Listing, listed
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import locals_of

if TYPE_CHECKING:
    from rulesdsl.interpreter.module import Marks
    from rulesdsl.interpreter.pynodes import Code


@attrs.frozen
class StatementEmitter:
    """Emits the statements of a function, or of a block of a machine."""

    values: ValueEmitter
    marks: Marks
    block: Block | None = None

    def body(self, body: fl.Body) -> Code:
        """Return the code of statements in order."""
        found: Code = []
        for each in listed(body):
            line, code = self.marks.line(each.span), self._stmt(each)
            for stmt in code:
                if not hasattr(stmt, "lineno"):
                    stmt.lineno = line
            found += code
        return found

    def _stmt(self, stmt: fl.Stmt | Listing) -> Code:
        if isinstance(stmt, fl.End):
            assert self.block is not None
            return self.block.end(stmt)
        code = self._plain(stmt)
        return code if self.block is None else [*code, *self.block.writes(stmt)]

    def _plain(self, stmt: fl.Plain | Listing) -> Code:  # noqa: C901, PLR0912 - a case for each
        values = self.values
        match stmt:
            case fl.Set(local=local, value=value):
                return [py.assign(py.name(py.identifier(local)), values.expr(value))]
            case fl.Store():
                return self._store(stmt)
            case fl.Fill(array=array, value=number):
                return [_fill(values.flat.arrays[array], number)]
            case fl.If(condition=condition, yes=yes, no=no):
                return py.when(values.condition(condition), self.body(yes), self.body(no))
            case fl.For(source=source, body=(fl.Push(buffer=buffer) as push,)) if (
                push.value == fl.Local(stmt.local) and stmt.local not in locals_of(buffer)
            ):
                extending = py.method(values.source(buffer), "extend", values.source(source))
                return [py.expression(extending)]
            case fl.For(local=local, source=source, body=body):
                return [py.loop(py.identifier(local), values.source(source), self.body(body))]
            case fl.Break():
                return [ast.Break()]
            case fl.Return(value=value):
                return [ast.Return(None if value is None else values.plain(value))]
            case fl.Do(function=name, arguments=arguments, index=index):
                return [py.expression(values.call(name, arguments, index))]
            case Listing(buffer=buffer):
                return [py.assign(values.source(buffer), self._listing(stmt))]
            case fl.Clear(buffer=buffer, many=many):
                empty: list[ast.expr] = [ast.List([], py.LOAD) for _ in range(many or 0)]
                return [py.assign(values.source(buffer), ast.List(empty, py.LOAD))]
            case fl.Push(buffer=buffer, value=value):
                adding = py.method(values.source(buffer), "append", values.expr(value))
                return [py.expression(adding)]
            case fl.Draw(local=local, buffer=buffer):
                drawn = py.call("draw", py.name("st"), values.source(buffer))
                return [py.assign(py.name(py.identifier(local)), drawn)]
            case fl.Distinct():
                return [self._distinct(stmt)]
            case fl.Place(piece=piece, thing=thing, cell=cell, top=top):
                return _place(piece, values.expr(thing), values.expr(cell), top=top)
            case fl.Shuffle(pile=pile):
                return [py.expression(py.call("shuffle", py.name("st"), values.source(pile)))]
            case fl.Shift(piece=piece, thing=thing, by=by, old=old, new=new):
                where = py.item(py.field(field_name(f"w:{piece}")), values.expr(thing))
                lying = py.item(py.field(field_name(f"l:{piece}")), where)
                both = ast.Tuple([py.stored(py.identifier(each)) for each in (old, new)], py.STORE)
                shifted = py.call("shift", lying, values.expr(thing), values.expr(by))
                return [ast.Assign([both], shifted)]
            case fl.Note(event=event, values=written):
                told = [self._note(each) for each in written]
                entry = ast.Tuple([py.const(event), py.field("learned"), *told], py.LOAD)
                return [py.expression(py.method(py.field("log"), "append", entry))]
            case fl.Finish():
                return [ast.Raise(ast.Call(py.name("Finished"), [], []), None)]
            case _:
                assert_never(stmt)

    def _listing(self, stmt: Listing) -> ast.expr:
        """Return the list of what a loop adds to a buffer."""
        values = attrs.evolve(self.values, holding=False)  # Python knows no `:=` in them
        over, local = values.source(stmt.source), py.identifier(stmt.local)
        if stmt.condition is None and stmt.value == fl.Local(stmt.local):
            return py.call("list", over)
        conditions = [] if stmt.condition is None else [values.condition(stmt.condition)]
        return py.comprehension(values.expr(stmt.value), [py.generator(local, over, conditions)])

    def _store(self, stmt: fl.Store) -> Code:
        """Return the writing of a cell: a change by some amount as such, bounds as tests."""
        cell, value = self.values.cell(stmt.array, stmt.index), stmt.value
        here = fl.Load(stmt.array, stmt.index)
        if isinstance(value, fl.Op) and value.op in {"+", "-"} and value.left == here:
            return [py.augment(cell, value.op, self.values.expr(value.right))]
        bounds: list[tuple[str, fl.Const]] = []
        while isinstance(value, fl.Op) and value.op in {"min", "max"}:
            if not isinstance(value.right, fl.Const):
                break
            bounds.insert(0, (value.op, value.right))
            value = value.left
        if not bounds:
            return [py.assign(cell, self.values.plain(value))]
        if isinstance(value, fl.Op) and value.op.endswith("."):  # it is bounded here
            value = fl.Op(value.op[:-1], value.left, value.right)
        held = py.name(py.HELD)
        code: Code = [py.assign(held, self.values.expr(value))]
        for word, bound in bounds:
            beyond = py.compared("<" if word == "max" else ">", held, self.values.expr(bound))
            code.append(ast.If(beyond, [py.assign(held, self.values.expr(bound))], []))
        return [*code, py.assign(cell, held)]

    def _note(self, value: fl.Expr | fl.Buffer) -> ast.expr:
        """Return what is written into the log."""
        return (
            self.values.source(value) if isinstance(value, fl.Buffer) else self.values.plain(value)
        )

    def _distinct(self, stmt: fl.Distinct) -> ast.stmt:
        """Return what leaves one of those pieces that are alike."""
        buffer = self.values.source(stmt.buffer)
        where = py.field(field_name(f"w:{stmt.piece}")) if stmt.where else py.const(None)
        marks: list[ast.expr] = []
        for array, table, width in stmt.marks:
            cells = self.values.flat.tables[table]
            rows = tuple(cells[at : at + width] for at in range(0, len(cells), width))
            field = py.field(field_name(array))
            marks.append(ast.Tuple([field, py.const(rows)], py.LOAD))
        made = py.call("one_of_each", buffer, py.name(stmt.prints), where, *marks)
        return py.assign(buffer, made)


def _fill(array: fl.Array, value: int) -> ast.stmt:
    """Return what sets all cells of an array; a new list is the fastest way."""
    field = py.field(field_name(array.name))
    if array.single:
        return py.assign(field, py.const(value))
    return py.assign(field, py.call("list", py.const((value,) * array.size)))


def _place(piece: str, thing: ast.expr, cell: ast.expr, *, top: bool) -> Code:
    """Return the code that takes a piece from the pile in which it lies to another."""
    piles, where = (py.field(field_name(f"{letter}:{piece}")) for letter in "lw")
    at = py.item(where, thing)
    onto = py.item(piles, cell)
    put = (
        py.method(onto, "append", thing) if top else py.method(onto, "insert", py.const(0), thing)
    )
    return [
        py.expression(py.method(py.item(piles, at), "remove", thing)),
        py.expression(put),
        py.assign(at, cell),
    ]

"""Emitter of flat-form expressions as WebAssembly."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.interpreter.simulator.functions import FunctionText
from rulesdsl.interpreter.simulator.state_transfer import ArrayRegion
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.walk import OPPOSITE

COMPARED = {"=": "eq", "<>": "ne", "<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}
COMPUTED = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"}
HELPERS = {"+.": "$plus", "-.": "$minus", "*.": "$times", "/": "$over", "%": "$modulo"}
LOADS = {1: "load8_s", 2: "load16_s", 4: "load32_s", 8: "load"}
STORES = {1: "store8", 2: "store16", 4: "store32", 8: "store"}
SHIFTS = {1: 0, 2: 1, 4: 2, 8: 3}


def value(c: FunctionText, expr: fl.Expr) -> None:  # noqa: C901, PLR0912 - one case an expression
    """Emit code that pushes the value (i64) of an expression."""
    match expr:
        case fl.Literal(value=number):
            c.add(f"i64.const {number}")
        case fl.LocalVar(name=name):
            c.add(f"local.get {c.local(name)}")
        case fl.Load(array=array, index=index):
            load(c, c.memory.arrays[array], index)
        case fl.TableCell(table=table, index=index):
            load(c, c.memory.tables[table], index)
        case fl.ListItem(of=of, index=index):
            _item(c, of, index)
        case fl.Length(of=of):
            length(c, of)
            c.add("i64.extend_i32_s")
        case fl.Op(op="min" | "max" as word, left=left, right=right):
            _bounded(c, "lt_s" if word == "min" else "gt_s", left, right)
        case fl.Op(op="/" | "%" as word, left=left, right=fl.Literal(value=by)):
            _divided(c, word, left, by)
        case fl.Op(op=word, left=left, right=right) if word not in OPPOSITE:
            value(c, left)
            value(c, right)
            c.add(f"i64.{COMPUTED[word]}" if word in COMPUTED else f"call {HELPERS[word]}")
        case fl.Op() | fl.Negate() | fl.ShortCircuit() | fl.Contains():
            condition(c, expr)
            c.add("i64.extend_i32_u")
        case fl.Select(condition=asked, yes=yes, no=no):
            _select(c, asked, yes, no)
        case fl.CallFunction(function=name, arguments=arguments, index=index):
            called(c, name, arguments, index, "i64")
        case _:
            assert_never(expr)


def condition(c: FunctionText, expr: fl.Expr) -> None:
    """Emit code that pushes a condition's truth value (i32): 1 if it is nonzero, otherwise 0."""
    match expr:
        case fl.Literal(value=number):
            c.add(f"i32.const {int(number != 0)}")
        case fl.Op(op=word, left=fl.Length(of=of), right=fl.Literal(value=number)) if (
            word in OPPOSITE and abs(number) < 1 << 31
        ):
            length(c, of)
            c.add(f"i32.const {number}", f"i32.{COMPARED[word]}")
        case fl.Op(op="=", left=left, right=fl.Literal(value=0)):
            value(c, left)
            c.add("i64.eqz")
        case fl.Op(op=word, left=left, right=right) if word in OPPOSITE:
            value(c, left)
            value(c, right)
            c.add(f"i64.{COMPARED[word]}")
        case fl.Negate(value=inner):
            condition(c, inner)
            c.add("i32.eqz")
        case fl.ShortCircuit(op=word, parts=parts):
            _logic(c, word, parts)
        case fl.Contains(of=of, value=inner):
            _contains(c, of, inner)
        case _:
            value(c, expr)
            c.add("i64.const 0", "i64.ne")


def _logic(c: FunctionText, word: str, parts: tuple[fl.Expr, ...]) -> None:
    first, *rest = parts
    condition(c, first)
    for each in rest:
        c.add("if (result i32)")
        if word == "or":
            c.add("i32.const 1", "else")
        condition(c, each)
    for _ in rest:
        if word == "and":
            c.add("else", "i32.const 0")
        c.add("end")


def _select(c: FunctionText, asked: fl.Expr, yes: fl.Expr, no: fl.Expr) -> None:
    if isinstance(yes, fl.Literal | fl.LocalVar) and isinstance(no, fl.Literal | fl.LocalVar):
        value(c, yes)
        value(c, no)
        condition(c, asked)
        c.add("select")
        return
    condition(c, asked)
    with c.block("if (result i64)"):
        value(c, yes)
        c.otherwise()
        value(c, no)


def _bounded(c: FunctionText, before: str, left: fl.Expr, right: fl.Expr) -> None:
    with c.held() as one, c.held() as two:
        value(c, left)
        c.add(f"local.set {one}")
        value(c, right)
        c.add(f"local.set {two}", f"local.get {one}", f"local.get {two}")
        c.add(f"local.get {one}", f"local.get {two}", f"i64.{before}", "select")


def _divided(c: FunctionText, word: str, left: fl.Expr, by: int) -> None:
    """Emit floor division or modulo by a constant, correcting the rounding of negative numbers."""
    value(c, left)
    with c.held() as whole, c.held() as rest:
        c.add(f"local.tee {whole}", f"i64.const {by}", "i64.rem_s", f"local.set {rest}")
        below = [f"local.get {rest}", "i64.const 63", "i64.shr_s"]  # -1 if negative, else 0
        if word == "%":
            c.add(f"local.get {rest}", *below, f"i64.const {by}", "i64.and", "i64.add")
        else:
            c.add(f"local.get {whole}", f"i64.const {by}", "i64.div_s", *below, "i64.add")


# -------------------------------------------------------------------- addresses
def index(c: FunctionText, expr: fl.Expr) -> None:
    """Emit code that pushes an index (i32), computed in 32 bits."""
    match expr:
        case fl.Literal(value=number):
            c.add(f"i32.const {number}")
        case fl.Op(op="+" | "-" | "*" as word, left=left, right=right):
            index(c, left)
            index(c, right)
            c.add(f"i32.{COMPUTED[word]}")
        case fl.Length(of=of):
            length(c, of)
        case _:
            value(c, expr)
            c.add("i32.wrap_i64")


def address(c: FunctionText, cells: ArrayRegion, at: fl.Expr) -> int:
    """Emit code that pushes the address of a cell, minus the constant offset that is returned."""
    if isinstance(at, fl.Literal) and 0 <= at.value < cells.size:
        c.add("i32.const 0")
        return cells.address + at.value * cells.width
    index(c, at)
    if SHIFTS[cells.width]:
        c.add(f"i32.const {SHIFTS[cells.width]}", "i32.shl")
    return cells.address


def load(c: FunctionText, cells: ArrayRegion, at: fl.Expr) -> None:
    """Emit code that pushes the value of a cell."""
    offset = address(c, cells, at)
    c.add(f"i64.{LOADS[cells.width]} offset={offset}")


# -------------------------------------------------------------------- lists
def length(c: FunctionText, of: fl.List) -> None:
    """Emit code that pushes the length (i32) of a list."""
    match of:
        case fl.Buffer(name=name, at=None):
            c.add(f"local.get {c.count(name)}")
        case fl.Buffer(at=at):
            assert at is not None
            offset = address(c, c.memory.offered, at)
            c.add(f"i32.load offset={offset}")
        case fl.ConstRow(number=fl.Literal(value=number)):
            c.add(f"i32.const {len(c.shared.flat.lists[number])}")
        case fl.ConstRow():
            row(c, of)
            c.add("i32.load")
        case fl.Pile(piece=piece, cell=cell):
            offset = address(c, c.memory.piles[piece].count, cell)
            c.add(f"i32.load offset={offset}")
        case _:
            assert_never(of)


def row(c: FunctionText, of: fl.ConstRow) -> None:
    """Emit code that pushes the address of a row (its length, then its items at offset 8)."""
    if isinstance(of.number, fl.Literal):
        c.add(f"i32.const {c.memory.rows[of.number.value]}")
        return
    index(c, of.number)
    c.add("i32.const 2", "i32.shl", f"i32.load offset={c.memory.pointers}")


def items(c: FunctionText, of: fl.Buffer | fl.ConstRow) -> tuple[int, int]:
    """Emit code that pushes the address of a list's items, minus an offset.

    Return the offset and the width of an item.
    """
    match of:
        case fl.ConstRow():
            row(c, of)
            return 8, c.memory.row_width
        case fl.Buffer(name=fl.OPTIONS, at=None):
            c.add("i32.const 0")
            return c.memory.options.address, c.memory.options.width
        case fl.Buffer(name=fl.OPTIONS, at=at):
            assert at is not None
            index(c, at)
            c.add(f"i32.const {c.memory.options_each}", "i32.mul")
            return c.memory.options.address, c.memory.options.width
        case fl.Buffer(name=name):
            c.add("i32.const 0")
            return c.items(name).address, c.items(name).width
        case _:
            assert_never(of)


def _item(c: FunctionText, of: fl.List, at: fl.Expr) -> None:
    if isinstance(of, fl.Pile):
        _piece(c, of, at)
        return
    offset, width = items(c, of)
    index(c, at)
    if SHIFTS[width]:
        c.add(f"i32.const {SHIFTS[width]}", "i32.shl")
    c.add("i32.add", f"i64.{LOADS[width]} offset={offset}")


def _piece(c: FunctionText, of: fl.Pile, at: fl.Expr) -> None:
    """Emit code that pushes a piece in a pile: either end directly, others by following links."""
    piles = c.memory.piles[of.piece]
    if at == fl.Literal(0):
        load(c, piles.bottom, of.cell)
    elif at == fl.Op("-", fl.Length(of), fl.Literal(1)):
        load(c, piles.top, of.cell)
    else:
        offset = address(c, piles.bottom, of.cell)
        c.add(f"i32.load offset={offset}")
        index(c, at)
        c.add(f"i32.const {piles.next.address}", "call $along", "i64.extend_i32_s")


def _contains(c: FunctionText, of: fl.List, inner: fl.Expr) -> None:
    if isinstance(of, fl.Pile):
        thing = fl.LocalVar("contained!")
        value(c, inner)
        c.add(f"local.tee {c.local(thing.name)}", "i64.const 0", "i64.ge_s", "if (result i32)")
        load(c, c.memory.arrays[f"w:{of.piece}"], thing)
        value(c, of.cell)
        c.add("i64.eq", "else", "i32.const 0", "end")
        return
    offset, width = items(c, of)
    c.add(f"i32.const {offset}", "i32.add")
    length(c, of)
    value(c, inner)
    c.add(f"call $contains{width}")


# -------------------------------------------------------------------- calls
def called(
    c: FunctionText, name: str, arguments: tuple[fl.Expr, ...], at: fl.Expr | None, result: str
) -> None:
    """Emit a call to a function, or to an entry in a function table."""
    for each in arguments:
        value(c, each)
    if at is None:
        c.add(f"call {c.shared.values[name]}")
        return
    first = c.shared.table(name, c.shared.values)
    index(c, fl.Op("+", at, fl.Literal(first)))
    c.add(f"call_indirect (type {c.shared.type(len(arguments), result)})")

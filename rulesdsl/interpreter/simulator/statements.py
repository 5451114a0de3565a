"""Emitter of flat-form statements as WebAssembly."""

from __future__ import annotations

from typing import assert_never

from rulesdsl.interpreter.simulator.expressions import (
    LOADS,
    STORES,
    address,
    called,
    condition,
    index,
    items,
    length,
    load,
    value,
)
from rulesdsl.interpreter.simulator.functions import FunctionText
from rulesdsl.interpreter.simulator.state_transfer import ArrayRegion
from rulesdsl.lower import flat as fl

MAX_BYTES = 64  # arrays up to this size are filled word by word
STOPPED, FINISHED = 1, 2
"""Status of an unfinished machine: at a decision, or game over."""


def steps(c: FunctionText, body: fl.Body) -> None:
    """Emit statements in order."""
    for stmt in body:
        step(c, stmt)


def step(c: FunctionText, stmt: fl.Stmt) -> None:
    """Emit a statement."""
    match stmt:
        case fl.Set(local=local, value=given):
            value(c, given)
            c.add(f"local.set {c.local(local)}")
        case fl.Store(array=array, index=at, value=given):
            cells = c.memory.arrays[array]
            offset = address(c, cells, at)
            value(c, given)
            c.add(f"i64.{STORES[cells.width]} offset={offset}")
        case fl.Fill(array=array, value=number):
            _fill(c, c.memory.arrays[array], number)
        case fl.Conditional(condition=asked, yes=yes, no=no):
            condition(c, asked)
            with c.block("if"):
                steps(c, yes)
                if no:
                    c.otherwise()
                    steps(c, no)
        case fl.For():
            _loop(c, stmt)
        case fl.Break():
            c.add(f"br {c.breaks[-1]}")
        case fl.Return(value=given):
            if given is not None:
                value(c, given)
            else:
                c.add("i32.const 0")
            c.add("return")
        case fl.RunFunction():
            _do(c, stmt)
        case fl.Clear(buffer=buffer, many=many):
            _clear(c, buffer, many)
        case fl.Push(buffer=buffer, value=given):
            _push(c, buffer, given)
        case fl.Distinct():
            _distinct(c, stmt)
        case fl.Draw(local=local, buffer=buffer):
            _draw(c, local, buffer)
        case fl.PlacePiece(piece=piece, thing=thing, cell=cell, top=top):
            value(c, thing)
            value(c, cell)
            c.add(f"call {c.shared.piles(piece, 'top' if top else 'bottom')}")
        case fl.PermutePile(operation=name, pile=pile):
            index(c, pile.cell)
            c.add(f"call {c.shared.piles(pile.piece, name)}")
        case fl.Shift(piece=piece, thing=thing, by=by, old=old, new=new):
            value(c, thing)
            value(c, by)
            c.add(f"call {c.shared.piles(piece, 'shift')}")
            c.add(f"local.set {c.local(new)}", f"local.set {c.local(old)}")
        case fl.Note():
            pass  # playouts have no log
        case fl.FinishGame():
            c.add(f"i32.const {FINISHED}", "return")
        case fl.Goto() | fl.Enter() | fl.Leave() | fl.Ask():
            assert c.end is not None, "only machines have blocks"
            c.end(stmt)
        case _:
            assert_never(stmt)


def _fill(c: FunctionText, cells: ArrayRegion, number: int) -> None:
    size = cells.size * cells.width
    if size <= MAX_BYTES:
        words = int.from_bytes(cells.pack([number] * cells.size), "little")
        offset = 0
        while offset < size:
            width = next(each for each in (8, 4, 2, 1) if each <= size - offset)
            word = (words >> 8 * offset) & ((1 << 8 * width) - 1)
            c.add(f"i32.const {cells.address + offset}", f"i64.const {word}")
            c.add(f"i64.{STORES[width]}")
            offset += width
    elif number in {0, -1}:  # all bytes are equal
        c.add(f"i32.const {cells.address}", f"i32.const {number & 255}")
        c.add(f"i32.const {size}", "memory.fill")
    else:
        with c.held("i32") as at:
            c.add(f"i32.const {size}", f"local.set {at}")
            with c.block(f"loop {(again := c.label('fill'))}"):
                c.add(f"local.get {at}", f"i32.const {cells.width}", "i32.sub", f"local.tee {at}")
                c.add(f"i64.const {number}", f"i64.{STORES[cells.width]} offset={cells.address}")
                c.add(f"local.get {at}", f"br_if {again}")


def _do(c: FunctionText, stmt: fl.RunFunction) -> None:
    called(c, stmt.function, stmt.arguments, stmt.index, "i32")
    if c.shared.ends.isdisjoint(c.shared.flat.called(stmt.function, stmt.index)):
        c.add("drop")
    else:
        with c.block("if"):
            c.add(f"i32.const {FINISHED}", "return")


# -------------------------------------------------------------------- loops
def _loop(c: FunctionText, stmt: fl.For) -> None:
    ends = c.label("ends")
    c.breaks.append(ends)
    with c.block(f"block {ends}"):
        match stmt.source:
            case fl.IntRange(low=low, high=high):
                _counting(c, stmt, low, high, ends)
            case fl.Pile():
                _along_pile(c, stmt, stmt.source, ends)
            case fl.Bits(value=bits):
                _along_bits(c, stmt, bits, ends)
            case fl.Buffer() | fl.ConstRow():
                _along_list(c, stmt, stmt.source, ends)
    c.breaks.pop()


def _counting(c: FunctionText, stmt: fl.For, low: fl.Expr, high: fl.Expr, ends: str) -> None:
    local, again = c.local(stmt.local), c.label("next")
    with c.held() as last:
        value(c, low)
        c.add(f"local.set {local}")
        if not isinstance(high, fl.Literal):
            value(c, high)
            c.add(f"local.set {last}")
        if c.shared.costs.rounds(stmt.source) is None:
            value(c, fl.Literal(0))  # no iterations if the range is empty
            c.add(f"local.get {last}", f"local.get {local}", "i64.sub", "call $larger")
            c.burn_rounds(stmt.body)

        def go_on(how: str, target: str) -> None:
            c.add(f"local.get {local}")
            c.add(
                f"i64.const {high.value}" if isinstance(high, fl.Literal) else f"local.get {last}"
            )
            c.add(f"i64.{how}", f"br_if {target}")

        if not (
            isinstance(low, fl.Literal) and isinstance(high, fl.Literal) and low.value < high.value
        ):
            go_on("ge_s", ends)
        with c.block(f"loop {again}"):
            steps(c, stmt.body)
            c.add(f"local.get {local}", "i64.const 1", "i64.add", f"local.set {local}")
            go_on("lt_s", again)


def _along_bits(c: FunctionText, stmt: fl.For, bits: fl.Expr, ends: str) -> None:
    local, again = c.local(stmt.local), c.label("next")
    with c.held() as left:
        value(c, bits)
        c.add(f"local.tee {left}", "i64.eqz", f"br_if {ends}")
        with c.block(f"loop {again}"):
            c.add(f"local.get {left}", "i64.ctz", f"local.set {local}")
            steps(c, stmt.body)
            c.add(f"local.get {left}", f"local.get {left}", "i64.const 1", "i64.sub", "i64.and")
            c.add(f"local.tee {left}", "i64.const 0", "i64.ne", f"br_if {again}")


def _along_pile(c: FunctionText, stmt: fl.For, pile: fl.Pile, ends: str) -> None:
    local, again = c.local(stmt.local), c.label("next")
    piles = c.memory.piles[pile.piece]
    value(c, fl.Length(pile))
    c.burn_rounds(stmt.body)
    load(c, piles.bottom, pile.cell)
    c.add(f"local.tee {local}", "i64.const 0", "i64.lt_s", f"br_if {ends}")
    with c.block(f"loop {again}"):
        steps(c, stmt.body)
        load(c, piles.next, fl.LocalVar(stmt.local))
        c.add(f"local.tee {local}", "i64.const 0", "i64.ge_s", f"br_if {again}")


def _along_list(c: FunctionText, stmt: fl.For, source: fl.Buffer | fl.ConstRow, ends: str) -> None:
    local, again = c.local(stmt.local), c.label("next")
    with c.held("i32") as at, c.held("i32") as last:
        if c.shared.costs.rounds(source) is None:
            value(c, fl.Length(source))
            c.burn_rounds(stmt.body)
        offset, width = items(c, source)
        c.add(f"local.set {at}")
        length(c, source)
        c.add(f"i32.const {width}", "i32.mul", f"local.get {at}", "i32.add", f"local.tee {last}")
        c.add(f"local.get {at}", "i32.eq", f"br_if {ends}")
        with c.block(f"loop {again}"):
            c.add(f"local.get {at}", f"i64.{LOADS[width]} offset={offset}", f"local.set {local}")
            steps(c, stmt.body)
            c.add(f"local.get {at}", f"i32.const {width}", "i32.add", f"local.tee {at}")
            c.add(f"local.get {last}", "i32.ne", f"br_if {again}")


# -------------------------------------------------------------------- buffers
def _clear(c: FunctionText, buffer: fl.Buffer, many: int | None) -> None:
    if many is None:
        c.add("i32.const 0", f"local.set {c.count(buffer.name)}")
        return
    c.add(f"i32.const {c.memory.offered.address}", "i32.const 0", f"i32.const {4 * many}")
    c.add("memory.fill")


def _push(c: FunctionText, buffer: fl.Buffer, given: fl.Expr) -> None:
    offset, width = items(c, buffer)
    length(c, buffer)
    c.add(f"i32.const {width}", "i32.mul", "i32.add")
    value(c, given)
    c.add(f"i64.{STORES[width]} offset={offset}")
    if buffer.at is None:
        count = c.count(buffer.name)
        c.add(f"local.get {count}", "i32.const 1", "i32.add", f"local.set {count}")
        return
    offset = address(c, c.memory.offered, buffer.at)
    length(c, buffer)
    c.add("i32.const 1", "i32.add", f"i32.store offset={offset}")


def _draw(c: FunctionText, local: str, buffer: fl.Buffer) -> None:
    """Emit a random choice from a buffer, which counts as revealed information."""
    name = c.local(local)
    c.add("i64.const -1", f"local.set {name}")
    length(c, buffer)
    with c.block("if"):
        step(c, fl.LEARN)
        length(c, buffer)
        c.add("i32.const 1", "i32.eq")
        with c.block("if"):
            c.add("i64.const 0", f"local.set {name}")
            c.otherwise()
            value(c, fl.Length(buffer))
            c.add("call $below", f"local.set {name}")
        value(c, fl.ListItem(buffer, fl.LocalVar(local)))
        c.add(f"local.set {name}")


def _distinct(c: FunctionText, stmt: fl.Distinct) -> None:
    """Emit code that moves the first of each set of duplicates to the buffer's front."""
    offset, _ = items(c, stmt.buffer)
    c.add(f"i32.const {offset}", "i32.add")
    length(c, stmt.buffer)
    c.add(f"call {c.shared.distinct(stmt)}")
    if stmt.buffer.at is None:
        c.add(f"local.set {c.count(stmt.buffer.name)}")
        return
    with c.held("i32") as count:
        c.add(f"local.set {count}")
        offset = address(c, c.memory.offered, stmt.buffer.at)
        c.add(f"local.get {count}", f"i32.store offset={offset}")

"""Emitter of flat-form statements, blocks and machines as a Python module."""

from __future__ import annotations

import ast
import linecache
import weakref
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, assert_never

import attrs

from rulesdsl.interpreter.python import nodes as py
from rulesdsl.interpreter.python.expressions import (
    Listing,
    ValueEmitter,
    field_name,
    function_name,
    listed,
)
from rulesdsl.interpreter.python.nodes import Code
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.walk import bound_by, ends_in, locals_of, read_first
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.source.tree import walk

PLACED = (ast.stmt, ast.expr, ast.arg, ast.excepthandler)


@attrs.frozen
class Marks:
    """Source map of generated code: a map from its line numbers to spans in the rules."""

    spans: list[Span] = attrs.Factory(lambda: [NOWHERE])
    _line_of: dict[Span, int] = attrs.Factory(dict)

    def line(self, span: Span) -> int:
        """Return the generated line number for a span."""
        if span not in self._line_of:
            self._line_of[span] = len(self.spans)
            self.spans.append(span)
        return max(self._line_of[span], 1)


class ListedCode:
    """Code under one pseudo file name, to which modules can be added; its lines map to `marks`.

    The entry in the line cache lives as long as the state class, `owner`.
    """

    def __init__(self, file: str, marks: Sequence[Span], owner: type) -> None:
        self._file = file
        self._marks = marks
        self._lines: list[str] = []
        linecache.cache[file] = entry = (0, None, self._lines, file)
        weakref.finalize(owner, _forget_lines, file, entry)

    def run(self, module: ast.Module, names: dict[str, Any]) -> dict[str, Any]:
        """Execute a module in the namespace `names`, and return it."""
        code = compile(module, self._file, "exec")
        for span in self._marks[len(self._lines) + 1 :]:  # shown in tracebacks
            self._lines.append(f"{span.file}:{span.line}:{span.column}\n")
        names["__builtins__"] = BUILTINS
        exec(code, names)  # noqa: S102 - compiled from our own syntax nodes, never from text
        return names


def _forget_lines(file: str, entry: object) -> None:
    """Remove the source lines of dropped code from the line cache, unless replaced."""
    if linecache.cache.get(file) is entry:
        linecache.cache.pop(file, None)


BUILTINS = {
    each.__name__: each for each in (any, bool, int, len, list, max, min, next, range, sum)
}


def placed(code: py.Code) -> ast.Module:
    """Return a module in which nodes without a line get the line of the enclosing node."""
    module = ast.Module(code, [])
    left: list[tuple[ast.AST, int]] = [(module, 1)]
    while left:
        node, line = left.pop()
        parts = vars(node)
        if isinstance(node, PLACED):
            line = parts.get("lineno") or line
            node.lineno, node.col_offset = line, 0
        for part in parts.values():
            if isinstance(part, list):
                left += [(each, line) for each in part]
            elif isinstance(part, ast.AST) and not isinstance(part, py.WORDS):
                left.append((part, line))
    return module


FRAME_HEAD = 1  # the block number
SHORT = 16  # house: nodes of a block that may be inlined at several jumps
MAX_INLINED = 20  # house: blocks inlined into one another


@attrs.frozen
class MachineBlock:
    """Emitter of the frame accesses and terminators of block `root` of a machine.

    A block function takes the state and its frame (a list: block number, then the slots), loads
    the slots that it reads into locals, and writes changed slots back. It returns True if a
    decision is open, None to return to the driver. A jump to another block is a tail call. A jump
    to the block itself is `continue` in a `while` loop; a jump that would close a cycle of calls
    goes through the driver, so Python's stack depth is bounded. `numbers` are the block numbers of
    all machines; `calls` are the tail calls between blocks of this machine, recorded when emitted.
    """

    machine: fl.Machine
    root: int
    values: ValueEmitter
    numbers: dict[tuple[str, int], int]
    calls: dict[int, set[int]]
    slots: dict[str, int]

    # Inlining of blocks: a jump is replaced by the body of its target if no other jump leads there
    # or the target is short, which halves the block calls of a turn. No block is inlined into
    # itself, so loops remain. The target stays a block of its own, since decisions resume there.
    def body(self, jumps: Counter[int]) -> fl.Body:
        """Return the block with other blocks inlined; `jumps` counts the jumps to each block."""
        return self._inlined(self.machine.blocks[self.root], jumps, (self.root,))

    def _inlined(self, body: fl.Body, jumps: Counter[int], path: tuple[int, ...]) -> fl.Body:
        found: list[fl.Stmt] = []
        for stmt in body:
            if isinstance(stmt, fl.Goto) and self._fits(stmt.block, jumps, path):
                inside = (*path, stmt.block)
                found += self._inlined(self.machine.blocks[stmt.block], jumps, inside)
            elif isinstance(stmt, fl.Conditional):
                yes, no = (self._inlined(each, jumps, path) for each in (stmt.yes, stmt.no))
                found.append(attrs.evolve(stmt, yes=yes, no=no))
            else:
                found.append(stmt)
        return tuple(found)

    def _fits(self, block: int, jumps: Counter[int], path: tuple[int, ...]) -> bool:
        if block in path or len(path) > MAX_INLINED:
            return False
        nodes = islice(walk(self.machine.blocks[block]), SHORT + 1)
        return jumps[block] == 1 or len([*nodes]) <= SHORT

    # ---------------------------------------------------------------- the frame
    def reads(self, body: fl.Body) -> Code:
        """Return code that loads the slots that the block reads before it sets them."""
        read = read_first(body)
        return [
            py.assign(py.name(py.identifier(name)), py.item(py.name("f"), py.const(at)))
            for name, at in self.slots.items()
            if name in read
        ]

    def writes(self, stmt: fl.Plain | Listing) -> Code:
        """Return code that stores the slots set by a statement back into the frame."""
        code: Code = []
        if isinstance(stmt, Listing | fl.Clear) and stmt.buffer.name in self.slots:
            code.append(self._put(stmt.buffer.name, self.values.source(stmt.buffer)))
        if isinstance(stmt, Listing):
            return code
        for name in sorted(bound_by(stmt) & self.slots.keys()):
            code.append(self._put(name, py.name(py.identifier(name))))
        return code

    def _put(self, name: str, value: ast.expr) -> ast.stmt:
        return py.assign(py.item(py.name("f"), py.const(self.slots[name])), value)

    # ---------------------------------------------------------------- terminators
    def end(self, end: fl.End) -> Code:
        """Return the code of a terminator."""
        match end:
            case fl.Goto(block=block):
                return self._goto(block)
            case fl.Enter():
                return self._enter(end)
            case fl.Leave():
                popped = py.method(py.field("frames"), "pop")
                return [py.expression(popped), ast.Return(None)]
            case fl.Ask(decision=decision):
                return self._ask(decision)
            case _:
                assert_never(end)

    def _at(self, block: int) -> ast.stmt:
        here = py.item(py.name("f"), py.const(0))
        return py.assign(here, py.const(self.numbers[self.machine.name, block]))

    def _goto(self, block: int) -> Code:
        if block == self.root:
            return [ast.Continue()]
        if self._leads(block, self.root):  # a tail call would close a cycle
            return [self._at(block), ast.Return(None)]
        self.calls.setdefault(self.root, set()).add(block)
        name = block_name(self.machine.name, block)
        return [ast.Return(py.call(name, py.name("st"), py.name("f")))]

    def _leads(self, caller: int, called: int) -> bool:
        found, left = {caller}, [caller]
        while left:
            for each in self.calls.get(left.pop(), ()):
                if each not in found:
                    found.add(each)
                    left.append(each)
        return called in found

    def _enter(self, stmt: fl.Enter) -> Code:
        """Return the call to another machine; a tail call replaces this frame."""
        given = list(map(self.values.plain, stmt.arguments))
        frames = py.field("frames")
        leaves = self.machine.blocks[stmt.then] == (fl.Leave(),)
        if stmt.index is not None:
            self.values.choices.add(stmt.machine)
            found = py.item(py.name(stmt.machine), self.values.expr(stmt.index))
            entered = ast.Call(found, [py.name("st"), *given], [])
            if leaves:
                return [py.expression(py.method(frames, "pop")), ast.Return(entered)]
            return [self._at(stmt.then), ast.Return(entered)]
        new = py.name("g_")
        made = py.assign(
            new, new_frame(self.values.flat.machines[stmt.machine], self.numbers, given)
        )
        begun = ast.Return(py.call(block_name(stmt.machine, 0), py.name("st"), new))
        if leaves:
            return [made, py.assign(py.item(frames, py.const(-1)), new), begun]
        return [
            self._at(stmt.then),
            made,
            py.expression(py.method(frames, "append", new)),
            begun,
        ]

    def _ask(self, decision: int) -> Code:
        block = self.values.flat.decisions[decision].block
        offered = py.name(py.identifier(fl.OPTIONS))
        return [
            self._at(block),
            py.assign(py.field("options"), offered),
            ast.Return(py.const(value=True)),
        ]


def new_frame(
    machine: fl.Machine, numbers: dict[tuple[str, int], int], given: list[ast.expr]
) -> ast.expr:
    """Return the initial frame of a machine."""
    zeros: list[ast.expr] = [py.const(0)] * (len(machine.slots) - len(machine.params))
    start = py.const(numbers[machine.name, 0])
    return ast.List([start, *given, *zeros], py.LOAD)


def slots_of(machine: fl.Machine) -> dict[str, int]:
    """Return the frame index of each slot in a machine."""
    return {name: at for at, name in enumerate(machine.slots, FRAME_HEAD)}


def block_name(key: str, at: int) -> str:
    """Return the Python name of a block."""
    return f"{py.identifier(key, 'b_')}_{at}"


@attrs.frozen
class StatementEmitter:
    """Emitter of the statements in a function, or in a block of a machine."""

    values: ValueEmitter
    marks: Marks
    block: MachineBlock | None = None

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

    def _plain(self, stmt: fl.Plain | Listing) -> Code:
        values = self.values
        match stmt:
            case fl.Set(local=local, value=value):
                return [py.assign(py.name(py.identifier(local)), values.expr(value))]
            case fl.Store(array=array, index=index, value=value):
                return [py.assign(values.cell(array, index), values.plain(value))]
            case fl.Fill(array=array, value=number):
                return [_fill(values.flat.arrays[array], number)]
            case fl.Conditional(condition=condition, yes=yes, no=no):
                return py.when(values.condition(condition), self.body(yes), self.body(no))
            case fl.For(source=source, body=(fl.Push(buffer=buffer) as push,)) if (
                push.value == fl.LocalVar(stmt.local) and stmt.local not in locals_of(buffer)
            ):
                extending = py.method(values.source(buffer), "extend", values.source(source))
                return [py.expression(extending)]
            case fl.For(local=local, source=source, body=body):
                return [py.loop(py.identifier(local), values.source(source), self.body(body))]
            case fl.Break():
                return [ast.Break()]
            case fl.Return(value=value):
                return [ast.Return(None if value is None else values.plain(value))]
            case fl.RunFunction(function=name, arguments=arguments, index=index):
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
            case fl.PlacePiece(piece=piece, thing=thing, cell=cell, top=top):
                return _place(piece, values.expr(thing), values.expr(cell), top=top)
            case fl.PermutePile(operation=name, pile=pile):
                return [py.expression(py.call(name, py.name("st"), values.source(pile)))]
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
            case fl.FinishGame():
                return [ast.Raise(ast.Call(py.name("Finished"), [], []), None)]
            case _:
                assert_never(stmt)

    def _listing(self, stmt: Listing) -> ast.expr:
        values = attrs.evolve(self.values, holding=False)  # no `:=` there
        over, local = values.source(stmt.source), py.identifier(stmt.local)
        if stmt.condition is None and stmt.value == fl.LocalVar(stmt.local):
            return py.call("list", over)
        conditions = [] if stmt.condition is None else [values.condition(stmt.condition)]
        return ast.ListComp(values.expr(stmt.value), [py.generator(local, over, conditions)])

    def _note(self, value: fl.Expr | fl.Buffer) -> ast.expr:
        return (
            self.values.source(value) if isinstance(value, fl.Buffer) else self.values.plain(value)
        )

    def _distinct(self, stmt: fl.Distinct) -> ast.stmt:
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
    """Return code that sets all cells of an array; a new list is fastest."""
    field = py.field(field_name(array.name))
    if array.single:
        return py.assign(field, py.const(value))
    return py.assign(field, py.call("list", py.const((value,) * array.size)))


def _place(piece: str, thing: ast.expr, cell: ast.expr, *, top: bool) -> Code:
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


@attrs.define
class ModuleEmitter:
    """Emitter of one program as a module, with a function for each function and block.

    `numbers` are the block numbers of its machines.
    """

    flat: fl.Flat
    marks: Marks = attrs.Factory(Marks)
    numbers: dict[tuple[str, int], int] = attrs.Factory(
        lambda self: _numbers(self.flat), takes_self=True
    )
    _values: ValueEmitter = attrs.Factory(lambda self: ValueEmitter(self.flat), takes_self=True)
    _calls: dict[str, dict[int, set[int]]] = attrs.Factory(dict)  # tail calls, by machine
    _jumps: dict[str, Counter[int]] = attrs.Factory(dict)  # jumps to each block, by machine

    def module(self) -> Code:
        """Return all definitions."""
        machines = self._machines()
        functions = [self.function(each) for each in self.flat.functions.values()]
        choices = self._choices()
        return [*self._tables(), *functions, *machines, *choices]

    @property
    def rows_read(self) -> dict[str, str]:
        """The row tables read so far, by the names of their lists."""
        return self._values.row_tables

    def rows_of(self, table: str) -> tuple[tuple[int, ...], ...]:
        """Return the lists whose numbers are in a table."""
        rows = self.flat.lists
        return tuple(rows[at] if at >= 0 else () for at in self.flat.tables[table])

    def _tables(self) -> Code:
        """Return the constant tables; must run after all other emitters, which register tables."""
        found: Code = [
            py.assign(py.name(name), py.const(cells)) for name, cells in self.flat.tables.items()
        ]
        found.append(py.assign(py.name("rows"), py.const(tuple(self.flat.lists))))
        found += [
            py.assign(py.name(name), py.const(self.rows_of(table)))
            for name, table in self.rows_read.items()
        ]
        return found

    def function(self, function: fl.Function) -> ast.stmt:
        """Return the definition of a function."""
        params = ["st", *map(py.identifier, function.params)]
        body = StatementEmitter(self._values, self.marks).body(function.body)
        return py.function(function_name(function.name), params, body)

    # ---------------------------------------------------------------- machines
    def _machines(self) -> Code:
        code: Code = [self.block(self.flat.machines[key], at) for key, at in self.numbers]
        blocks: list[ast.expr] = [py.name(block_name(*key)) for key in self.numbers]
        return [*code, py.assign(py.name("BLOCKS"), ast.List(blocks, py.LOAD))]

    def block(self, machine: fl.Machine, at: int) -> ast.stmt:
        """Return the definition of a block."""
        calls = self._calls.setdefault(machine.name, {})
        block = MachineBlock(machine, at, self._values, self.numbers, calls, slots_of(machine))
        body = block.body(self._jumps_in(machine))
        made = StatementEmitter(self._values, self.marks, block).body(body)
        if any(each == fl.Goto(at) for each in ends_in(body)):
            made = [ast.While(py.const(value=True), made, [])]
        named = block_name(machine.name, at)
        return py.function(named, ["st", "f"], [*block.reads(body), *made])

    def _jumps_in(self, machine: fl.Machine) -> Counter[int]:
        if machine.name not in self._jumps:
            ends = (each for body in machine.blocks for each in ends_in(body))
            found = Counter(each.block for each in ends if isinstance(each, fl.Goto))
            self._jumps[machine.name] = found
        return self._jumps[machine.name]

    def entrance(self, machine: fl.Machine) -> ast.stmt:
        """Return the function that enters a machine through a table."""
        new = py.name("g_")
        params = [*map(py.identifier, machine.params)]
        given: list[ast.expr] = [py.name(each) for each in params]
        body: Code = [
            py.assign(new, new_frame(machine, self.numbers, given)),
            py.expression(py.method(py.field("frames"), "append", new)),
            ast.Return(py.call(block_name(machine.name, 0), py.name("st"), new)),
        ]
        return py.function(entrance_name(machine.name), ["st", *params], body)

    def _choices(self) -> Code:
        """Return the tables of functions and machines in use, preceded by entrance functions."""
        code: Code = []
        for table in sorted(self._values.choices):
            among = self.flat.choices[table]
            name_of: Callable[[str], str] = function_name
            if all(each in self.flat.machines for each in among):
                name_of = entrance_name
                known = {each.name for each in code if isinstance(each, ast.FunctionDef)}
                new = [each for each in among if entrance_name(each) not in known]
                code += [self.entrance(self.flat.machines[each]) for each in new]
            names: list[ast.expr] = [py.name(name_of(each)) for each in among]
            code.append(py.assign(py.name(table), ast.Tuple(names, py.LOAD)))
        return code


def _numbers(flat: fl.Flat) -> dict[tuple[str, int], int]:
    machines = flat.machines.items()
    blocks = [(key, at) for key, each in machines for at, body in enumerate(each.blocks) if body]
    return {block: number for number, block in enumerate(blocks)}


def entrance_name(machine: str) -> str:
    """Return the Python name of a machine's entrance function."""
    return py.identifier(machine, "e_")

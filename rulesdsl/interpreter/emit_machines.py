"""Machines as Python: a function for each block that is entered from outside.

A block function takes the state and its frame (a list: block number, then the slots).  It returns
True where somebody has to choose, None where the driver has to look at the topmost frame again.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.emit_python import Emitter, Listing, function_name
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import bound_by, ends_in, read_first
from rulesdsl.source.tree import walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.interpreter.emit_python import Code

FRAME_HEAD = 1  # the number of the block


@attrs.define
class MachineEmitter(Emitter):
    """Emits machines, and the functions beside them."""

    numbers: dict[tuple[str, int], int] = attrs.Factory(dict)
    _slots: dict[str, int] = attrs.Factory(dict)
    _machine: fl.Machine | None = None
    _root: int = 0
    _calls: dict[int, set[int]] = attrs.Factory(dict)

    def module(self) -> Code:
        """Return all definitions."""
        machines, self._slots = self.machines(), {}
        functions = [self.function(each) for each in self.flat.functions.values()]
        choices = self.choices()
        return [*self.tables(), *functions, *machines, *choices]

    def slots(self, machine: str) -> dict[str, int]:
        """Return where the frame of a machine holds its slots."""
        names = self.flat.machines[machine].slots
        return {name: at for at, name in enumerate(names, FRAME_HEAD)}

    def machines(self) -> Code:
        """Return the functions of all machines, and the table of blocks."""
        merged = self.flat.machines
        for key, machine in merged.items():
            for at, body in enumerate(machine.blocks):
                if body:
                    self.numbers[key, at] = len(self.numbers)
        code: Code = []
        for machine in merged.values():
            code += self._blocks(machine)
        blocks: list[ast.expr] = [py.name(self.block_name(*key)) for key in self.numbers]
        return [*code, py.assign(py.name("BLOCKS"), ast.List(blocks, py.LOAD))]

    def _blocks(self, machine: fl.Machine) -> Code:
        self._machine = machine
        self._slots = self.slots(machine.name)
        self._calls = {}
        code: Code = []
        for at, body in enumerate(machine.blocks):
            if body:
                self._root = at
                made = self.body(body)
                if any(each == fl.Goto(at) for each in ends_in(body)):
                    made = [ast.While(py.const(value=True), made, [])]
                loads = self._loads(body)
                code.append(
                    py.function(self.block_name(machine.name, at), ["st", "f"], [*loads, *made])
                )
        return code

    def _loads(self, body: fl.Body) -> Code:
        """Read from the frame what a block uses before it sets it itself."""
        read = read_first(body)
        return [
            py.assign(py.name(self.local(name)), py.item(py.name("f"), py.const(at)))
            for name, at in self._slots.items()
            if name in read
        ]

    def block_name(self, key: str, at: int) -> str:
        """Return the Python name of a block."""
        return f"{py.identifier(key, 'b_')}_{at}"

    # ---------------------------------------------------------------- statements
    def stmt(self, stmt: fl.Stmt | Listing) -> Code:
        """Return the code of a statement; a slot is written into the frame as well."""
        code = super().stmt(stmt)
        if isinstance(stmt, Listing | fl.Clear) and stmt.buffer.name in self._slots:
            code.append(self._put(stmt.buffer.name, self.source(stmt.buffer)))
        if isinstance(stmt, Listing):
            return code
        for name in sorted(bound_by(stmt) & self._slots.keys()):
            code.append(self._put(name, py.name(self.local(name))))
        return code

    def _put(self, name: str, value: ast.expr) -> ast.stmt:
        return py.assign(py.item(py.name("f"), py.const(self._slots[name])), value)

    def _at(self, block: int) -> ast.stmt:
        assert self._machine is not None
        here = py.item(py.name("f"), py.const(0))
        return py.assign(here, py.const(self.numbers[self._machine.name, block]))

    def goto(self, block: int) -> Code:
        """Return the way on to another block of the machine."""
        assert self._machine is not None
        if block == self._root:
            return [ast.Continue()]
        if self._leads(block, self._root):  # a call would lead back here: the driver goes on
            return [self._at(block), ast.Return(None)]
        self._calls.setdefault(self._root, set()).add(block)
        name = self.block_name(self._machine.name, block)
        return [ast.Return(py.call(name, py.name("st"), py.name("f")))]

    def _leads(self, caller: int, called: int) -> bool:
        found, left = {caller}, [caller]
        while left:
            for each in self._calls.get(left.pop(), ()):
                if each not in found:
                    found.add(each)
                    left.append(each)
        return called in found

    def enter(self, stmt: fl.Enter) -> Code:
        """Return the beginning of another machine; the last thing takes this one's place."""
        assert self._machine is not None
        given = list(map(self.plain, stmt.arguments))
        frames = py.field("frames")
        leaves = self._machine.blocks[stmt.then] == (fl.Leave(),)
        if stmt.index is not None:
            found = py.item(py.name(stmt.machine), self.expr(stmt.index))
            entered = ast.Call(found, [py.name("st"), *given], [])
            if leaves:
                return [py.expression(py.method(frames, "pop")), ast.Return(entered)]
            return [self._at(stmt.then), ast.Return(entered)]
        new = py.name("g_")
        made = py.assign(new, self._frame(self.flat.machines[stmt.machine], given))
        begun = ast.Return(py.call(self.block_name(stmt.machine, 0), py.name("st"), new))
        if leaves:
            return [made, py.assign(py.item(frames, py.const(-1)), new), begun]
        return [
            self._at(stmt.then),
            made,
            py.expression(py.method(frames, "append", new)),
            begun,
        ]

    def _frame(self, machine: fl.Machine, given: list[ast.expr]) -> ast.expr:
        zeros: list[ast.expr] = [py.const(0)] * (len(machine.slots) - len(machine.params))
        start = py.const(self.numbers[machine.name, 0])
        return ast.List([start, *given, *zeros], py.LOAD)

    def entrance(self, machine: fl.Machine) -> ast.stmt:
        """Return the function by which a machine of a table is entered."""
        new = py.name("g_")
        params = [*map(self.local, machine.params)]
        body: Code = [
            py.assign(new, self._frame(machine, [py.name(each) for each in params])),
            py.expression(py.method(py.field("frames"), "append", new)),
            ast.Return(py.call(self.block_name(machine.name, 0), py.name("st"), new)),
        ]
        return py.function(entrance_name(machine.name), ["st", *params], body)

    def choices(self) -> Code:
        """Return the tables of functions and of machines that are used, behind what they name."""
        bodies = [each.body for each in self.flat.functions.values()]
        bodies += [block for each in self.flat.machines.values() for block in each.blocks]
        functions: set[str] = set()
        machines: set[str] = set()
        for node in (each for body in bodies for each in walk(body)):
            if isinstance(node, fl.Call | fl.Do) and node.index is not None:
                functions.add(node.function)
            elif isinstance(node, fl.Enter) and node.index is not None:
                machines.add(node.machine)
        needed = sorted({name for table in machines for name in self.flat.choices[table]})
        code: Code = [self.entrance(self.flat.machines[name]) for name in needed]
        named: list[tuple[str, Callable[[str], str]]] = []
        named += [(table, entrance_name) for table in sorted(machines)]
        named += [(table, function_name) for table in sorted(functions)]
        for table, name_of in named:
            names: list[ast.expr] = [py.name(name_of(each)) for each in self.flat.choices[table]]
            code.append(py.assign(py.name(table), ast.Tuple(names, py.LOAD)))
        return code

    def ask(self, decision: int) -> Code:
        """Return the opening of a question whose options stand in the buffer."""
        block = self.flat.decisions[decision].block
        offered = py.name(self.local(fl.OPTIONS))
        return [
            self._at(block),
            py.assign(py.field("options"), offered),
            ast.Return(py.const(value=True)),
        ]


def entrance_name(machine: str) -> str:
    """Return the Python name of the function by which a machine of a table is entered."""
    return py.identifier(machine, "e_")

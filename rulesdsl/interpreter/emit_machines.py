"""The first back end: a program of the flat form as a module of Python.

A function is a function, a machine one function for each block that is entered from outside.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.emit_blocks import Block, block_name, new_frame, slots_of
from rulesdsl.interpreter.emit_statements import StatementEmitter
from rulesdsl.interpreter.emit_values import ValueEmitter, function_name
from rulesdsl.interpreter.module import Marks
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import ends_in
from rulesdsl.source.tree import walk

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.interpreter.pynodes import Code


@attrs.define
class ModuleEmitter:
    """Emits one program; `numbers` are those of the blocks of its machines."""

    flat: fl.Flat
    marks: Marks = attrs.Factory(Marks)
    numbers: dict[tuple[str, int], int] = attrs.Factory(dict)
    _values: ValueEmitter = attrs.Factory(lambda self: ValueEmitter(self.flat), takes_self=True)
    _calls: dict[str, dict[int, set[int]]] = attrs.Factory(dict)  # of blocks, by machine

    def module(self) -> Code:
        """Return all definitions."""
        machines = self._machines()
        functions = [self.function(each) for each in self.flat.functions.values()]
        choices = self._choices()
        return [*self._tables(), *functions, *machines, *choices]

    @property
    def rows_read(self) -> dict[str, str]:
        """The tables of numbers of lists that are read so far, by the names of those lists."""
        return self._values.row_tables

    def rows_of(self, table: str) -> tuple[tuple[int, ...], ...]:
        """Return the lists whose numbers are in a table."""
        rows = self.flat.lists
        return tuple(rows[at] if at >= 0 else () for at in self.flat.tables[table])

    def _tables(self) -> Code:
        """Return the constant tables, after everything else has been emitted."""
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
    def number_blocks(self) -> None:
        """Give the blocks of all machines their numbers."""
        for key, machine in self.flat.machines.items():
            for at, body in enumerate(machine.blocks):
                if body:
                    self.numbers[key, at] = len(self.numbers)

    def _machines(self) -> Code:
        """Return the functions of all machines, and the table of blocks."""
        self.number_blocks()
        code: Code = [self.block(self.flat.machines[key], at) for key, at in self.numbers]
        blocks: list[ast.expr] = [py.name(block_name(*key)) for key in self.numbers]
        return [*code, py.assign(py.name("BLOCKS"), ast.List(blocks, py.LOAD))]

    def block(self, machine: fl.Machine, at: int) -> ast.stmt:
        """Return the definition of a block."""
        calls = self._calls.setdefault(machine.name, {})
        block = Block(machine, at, self._values, self.numbers, calls, slots_of(machine))
        body = machine.blocks[at]
        made = StatementEmitter(self._values, self.marks, block).body(body)
        if any(each == fl.Goto(at) for each in ends_in(body)):
            made = [ast.While(py.const(value=True), made, [])]
        named = block_name(machine.name, at)
        return py.function(named, ["st", "f"], [*block.reads(body), *made])

    def entrance(self, machine: fl.Machine) -> ast.stmt:
        """Return the function by which a machine of a table is entered."""
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
        """Return the tables of functions and of machines that are used, after what they name."""
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


def entrance_name(machine: str) -> str:
    """Return the Python name of the function by which a machine of a table is entered."""
    return py.identifier(machine, "e_")

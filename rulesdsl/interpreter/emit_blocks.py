"""A block of a machine as Python: what it reads from its frame and writes there, and how it ends.

A block function takes the state and its frame (a list: block number, then the slots).  It returns
True where somebody has to choose, None where the driver has to look at the topmost frame again.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.listings import Listing
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import bound_by, read_first

if TYPE_CHECKING:
    from rulesdsl.interpreter.emit_values import ValueEmitter
    from rulesdsl.interpreter.pynodes import Code

FRAME_HEAD = 1  # the number of the block


@attrs.frozen
class Block:
    """A block that is entered from outside: the number `root` of a machine.

    `numbers` are those of the blocks of all machines, `calls` which blocks of this machine call
    which.
    """

    machine: fl.Machine
    root: int
    values: ValueEmitter
    numbers: dict[tuple[str, int], int]
    calls: dict[int, set[int]]
    slots: dict[str, int]

    # ---------------------------------------------------------------- the frame
    def reads(self, body: fl.Body) -> Code:
        """Read from the frame what the block uses before it sets it itself."""
        read = read_first(body)
        return [
            py.assign(py.name(py.identifier(name)), py.item(py.name("f"), py.const(at)))
            for name, at in self.slots.items()
            if name in read
        ]

    def writes(self, stmt: fl.Plain | Listing) -> Code:
        """Write into the frame which slots a statement has set."""
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

    # ---------------------------------------------------------------- its end
    def end(self, end: fl.End) -> Code:
        """Return the way on."""
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
        """Return the way on to another block of the machine."""
        if block == self.root:
            return [ast.Continue()]
        if self._leads(block, self.root):  # a call would lead back here: the driver goes on
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
        """Return the beginning of another machine; the last thing takes this one's place."""
        given = list(map(self.values.plain, stmt.arguments))
        frames = py.field("frames")
        leaves = self.machine.blocks[stmt.then] == (fl.Leave(),)
        if stmt.index is not None:
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
        """Return the opening of a question whose options are in the buffer."""
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
    """Return the frame with which a machine begins."""
    zeros: list[ast.expr] = [py.const(0)] * (len(machine.slots) - len(machine.params))
    start = py.const(numbers[machine.name, 0])
    return ast.List([start, *given, *zeros], py.LOAD)


def slots_of(machine: fl.Machine) -> dict[str, int]:
    """Return where the frame of a machine holds its slots."""
    return {name: at for at, name in enumerate(machine.slots, FRAME_HEAD)}


def block_name(key: str, at: int) -> str:
    """Return the Python name of a block."""
    return f"{py.identifier(key, 'b_')}_{at}"

"""Python for machines: blocks that go on where a choice left off."""

from __future__ import annotations

import ast
from functools import partial
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_join import Joiner, jump, names_read_in
from rulesdsl.interpreter.gen_moves import Code
from rulesdsl.interpreter.gen_steps import StepGenerator
from rulesdsl.lower import form as fm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.asks import Ask


FRAME_HEAD = 2  # block number, acting seat


class BlockGenerator(StepGenerator):
    """Generates the functions of machines, one for each block that is entered from outside.

    A block function takes the state and its frame (a list: block number, acting seat, slots).  It
    returns True where somebody has to choose, None where the driver has to look at the topmost
    frame again.
    """

    numbers: dict[tuple[str, int], int]
    entries: set[int]

    def key_function(self, step: ty.DoField, slots: dict[str, int]) -> str:
        """Return the name of the function that tells which effect a line would carry out."""
        raise NotImplementedError

    def end(self, at: int, end: fm.End) -> Code:
        """Return the code of the end of a block."""
        raise NotImplementedError

    def keys_of(self, blocks: Sequence[ty.Block]) -> tuple[str, ...]:
        """Return for each line that only does a field's effect the function that tells which."""
        found: list[str] = []
        for block in blocks:
            steps = [step for step in block.steps if not isinstance(step, ty.Require)]
            only = steps[0] if len(steps) == 1 else None
            plain = isinstance(only, ty.DoField)
            found.append(self.key_function(only, self._slots) if plain else "")  # type: ignore[arg-type]
        return tuple(found)

    def declare_ask(self, number: int, ask: Ask) -> None:
        """Note what is asked in a block, for the driver and for labels."""
        raise NotImplementedError

    def machine(self, machine: fm.Machine) -> list[ast.stmt]:
        """Return the functions of a machine: one for each block that is entered from outside."""
        self._machine = machine
        self._slots = {name: FRAME_HEAD + at for at, name in enumerate(machine.slots)}
        self._entered = {self._machine.past(0)}
        bodies = [self._block(at, block) for at, block in enumerate(machine.blocks)]
        joiner = Joiner(bodies, partial(self.block_name, machine.key), self.number)
        found: list[ast.stmt] = []
        made: set[int] = set()
        while left := sorted((self._entered | joiner.needed) - made):
            for at in left:
                made.add(at)
                body = joiner.function(at)
                named = self.block_name(machine.key, at)
                function = py.function(named, ["st", "f"], [*self._loads(body), *body])
                steps = machine.blocks[at].steps
                function.lineno = self.mark(steps[0]) if steps else 1
                found.append(function)
        self.entries |= {self.number(at) for at in made}
        return found

    def enter(self, at: int) -> int:
        """Return the number of a block that is entered from outside, past empty ones."""
        at = self._machine.past(at)
        self._entered.add(at)
        return self.number(at)

    def block_name(self, key: str, at: int) -> str:
        """Return the Python name of a block."""
        return f"{py.identifier(key, 'b_')}_{at}"

    def first_block(self, key: str) -> str:
        """Return the Python name of the block in which a machine begins."""
        return self.block_name(key, self.form.machines[key].past(0))

    def number(self, at: int) -> int:
        """Return the number of a block of the machine in hand."""
        return self.numbers[self._machine.key, at]

    # ---------------------------------------------------------------- blocks
    def _block(self, at: int, block: fm.BasicBlock) -> Code:
        return [*self.steps(block.steps), *self._save(block), *self.end(at, block.end)]

    def _loads(self, body: Code) -> Code:
        """Read from the frame what a function uses before it binds it itself."""
        used = names_read_in(body)
        code: Code = []
        if "me" in used:
            code.append(py.assign(py.name("me"), py.item(py.name("f"), py.const(1))))
        for slot, at in self._slots.items():
            local = self.local(slot)
            if local in used:
                code.append(py.assign(py.name(local), py.item(py.name("f"), py.const(at))))
        return code

    def _save(self, block: fm.BasicBlock) -> Code:
        code: Code = []
        for step in block.steps:
            for name in FACTS[type(step)].binds(step):
                code.append(self.put(name, py.name(self.local(name))))
        return code

    def put(self, name: str, value: ast.expr) -> ast.stmt:
        """Return the writing of a slot."""
        return py.assign(py.item(py.name("f"), py.const(self._slots[name])), value)

    def go(self, at: int) -> Code:
        """Return the way on to another block."""
        return [jump(self._machine.past(at))]

    # ---------------------------------------------------------------- calls
    def frame(self, key: str, me: ast.expr, arguments: list[ast.expr]) -> ast.expr:
        """Return a new frame of a machine."""
        machine = self.form.machines[key]
        empty = len(machine.slots) - len(machine.params)
        start = py.const(self.numbers[key, machine.past(0)])
        zeros: list[ast.expr] = [py.const(0) for _ in range(empty)]
        return ast.List([start, me, *arguments, *zeros], py.LOAD)

    def _call(self, end: fm.Call) -> Code:
        arguments = [self.stored_value(each) for each in end.arguments]
        here = py.item(py.name("f"), py.const(0))
        new = py.name("g_")
        made = py.assign(new, self.frame(end.proc, self.value(end.me), arguments))
        begun = ast.Return(py.call(self.first_block(end.proc), py.name("st"), new))
        if self._machine.returns(end.then):  # the new frame takes this one's place
            last = py.item(py.field("frames"), py.const(-1))
            return [made, py.assign(last, new), begun]
        return [
            py.assign(here, py.const(self.enter(end.then))),
            made,
            py.expression(py.method(py.field("frames"), "append", new)),
            begun,
        ]

    def _call_field(self, end: fm.CallField) -> Code:
        found = self.effect_function(end, self._entrance)
        here = py.item(py.name("f"), py.const(0))
        entered = ast.Call(found, [py.name("st"), self.value(end.me)], [])
        if self._machine.returns(end.then):
            popped = py.expression(py.method(py.field("frames"), "pop"))
            return [popped, ast.Return(entered)]
        return [
            py.assign(here, py.const(self.enter(end.then))),
            ast.Return(entered),
        ]

    def _entrance(self, key: str) -> str:
        if key in self.form.machines:
            return py.identifier(key, "e_")
        return py.identifier(key, "q_")

    def entrance(self, key: str) -> ast.stmt:
        """Return the function by which a field's effect is entered."""
        if key in self.form.machines:
            new = py.name("g_")
            body: Code = [
                py.assign(new, self.frame(key, py.name("me"), [])),
                py.expression(py.method(py.field("frames"), "append", new)),
                ast.Return(py.call(self.first_block(key), py.name("st"), new)),
            ]
            return py.function(py.identifier(key, "e_"), ["st", "me"], body)
        called = py.call(py.identifier(key, "p_"), py.name("st"), py.name("me"))
        body = [py.expression(called), ast.Return(None)]
        return py.function(py.identifier(key, "q_"), ["st", "me"], body)

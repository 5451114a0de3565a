"""A program as Python of which each function is flattened, emitted and compiled when it is named.

Where little is played of a setting, as by a scenario, most of the compiling would be for nothing.
So the globals of the code are a dictionary that makes what it lacks. CPython looks a global up in
a subclass of `dict` as anything else does, by `__getitem__`, and so comes to `__missing__` when a
function is called for the first time. (The manual asks for a plain dictionary in `exec`; without
this, the first call of a function would be a `NameError`.)

Numbers of blocks, slots of frames and names of functions are known from the beginning. Tables,
texts, events and questions appear as what is written needs them; `asks` writes what it is asked
about.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.asks import Ask, ask_of
from rulesdsl.interpreter.emit_blocks import block_name
from rulesdsl.interpreter.emit_machines import ModuleEmitter, entrance_name
from rulesdsl.interpreter.emit_values import function_name
from rulesdsl.interpreter.module import BUILTINS, ListedCode, placed

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from rulesdsl.lower.flatten.program import Planned


class OnDemand(dict[str, Any]):
    """The globals of the code of one program, each made when it is first named."""

    def __init__(
        self, planned: Planned, file: str, owner: type, known: Mapping[str, object]
    ) -> None:
        """Begin with what the code knows, and with the numbers of all blocks."""
        super().__init__({**BUILTINS, **known})
        self.planned = planned
        self.shared = planned.shared
        self.flat = flat = planned.shared.flat
        self.emitter = emitter = ModuleEmitter(flat)
        self.code = ListedCode(file, emitter.marks.spans, owner)
        for key, machine in flat.machines.items():
            for at in range(planned.blocks.get(key, len(machine.blocks))):
                emitter.numbers[key, at] = len(emitter.numbers)
        self._functions = {function_name(each): each for each in planned.functions}
        self._entrances = {entrance_name(key): key for key in flat.machines}
        self._blocks = {block_name(*each): each for each in emitter.numbers}
        self["BLOCKS"] = [partial(self.call, name) for name in self._blocks]
        self["rows"] = flat.lists

    def __missing__(self, name: str) -> Any:  # noqa: ANN401 - functions and tables
        """Make what is named; `KeyError` where the program has no such name."""
        flat = self.flat
        if name in flat.tables:
            self[name] = flat.tables[name]
        elif name in flat.choices:
            among = flat.choices[name]
            name_of = entrance_name if all(e in flat.machines for e in among) else function_name
            self[name] = tuple(partial(self.call, name_of(each)) for each in among)
        elif name in self.emitter.rows_read:
            self[name] = self.emitter.rows_of(self.emitter.rows_read[name])
        else:
            self.code.run(placed([self._definition(name)]), self)
        return self[name]

    def call(self, name: str, *arguments: object) -> Any:  # noqa: ANN401
        """Call a function."""
        return self[name](*arguments)

    def _definition(self, name: str) -> ast.stmt:
        if name in self._blocks:
            key, at = self._blocks[name]
            self.planned.write_machine(key)
            return self.emitter.block(self.flat.machines[key], at)
        if name in self._entrances:
            return self.emitter.entrance(self.flat.machines[self._entrances[name]])
        if name not in self._functions:  # nobody planned it: words, written with what says them
            self._functions |= {function_name(each): each for each in self.flat.functions}
        self.planned.write_function(self._functions[name])
        return self.emitter.function(self.flat.functions[self._functions[name]])


@attrs.define(eq=False)
class AsksOnDemand(Mapping[int, Ask]):
    """What is asked in which block; a machine is written when somebody asks about its blocks."""

    on_demand: OnDemand
    _made: dict[int, Ask] = attrs.Factory(dict)
    _taken: int = 0

    def __getitem__(self, number: int) -> Ask:
        """Return what is asked in a block."""
        if number not in self._made and number < len(self.on_demand.emitter.numbers):
            key, _ = list(self.on_demand.emitter.numbers)[number]
            self.on_demand.planned.write_machine(key)
        return self._all_made()[number]

    def __iter__(self) -> Iterator[int]:
        """Go through the numbers of the blocks in which something is asked."""
        self.on_demand.planned.write_all()
        return iter(self._all_made())

    def __len__(self) -> int:
        """Return in how many blocks something is asked."""
        self.on_demand.planned.write_all()
        return len(self._all_made())

    def _all_made(self) -> dict[int, Ask]:
        """Return what is asked in all machines that are written."""
        flat, numbers = self.on_demand.flat, self.on_demand.emitter.numbers
        for decision in islice(flat.decisions, self._taken, None):
            end = self.on_demand.shared.sources[self._taken]
            ask = ask_of(decision, end, flat, numbers)
            self._made[ask.block] = ask
            self._taken += 1
        return self._made

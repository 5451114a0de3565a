"""Generated Python modules whose functions are compiled on their first calls."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.decision_points import DecisionPoint, ask_of
from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.interpreter.python.machines import (
    BUILTINS,
    ListedCode,
    ModuleEmitter,
    block_name,
    entrance_name,
    placed,
)

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterator

    from rulesdsl.lower.builder.program import Planned


class OnDemand(dict[str, Any]):
    """Globals of a program's generated code, defined on first lookup (`__missing__`)."""

    def __init__(
        self, planned: Planned, file: str, owner: type, known: Mapping[str, object]
    ) -> None:
        """Start with the runtime's names and the numbers of all blocks."""
        super().__init__({**BUILTINS, **known})
        self.planned = planned
        self.shared = planned.shared
        self.flat = flat = planned.shared.flat
        self.emitter = emitter = ModuleEmitter(flat, numbers={})
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
        """Define a name on first use; raise KeyError if the program has no such name."""
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
        """Call a function by name."""
        return self[name](*arguments)

    def _definition(self, name: str) -> ast.stmt:
        if name in self._blocks:
            key, at = self._blocks[name]
            self.planned.write_machine(key)
            return self.emitter.block(self.flat.machines[key], at)
        if name in self._entrances:
            return self.emitter.entrance(self.flat.machines[self._entrances[name]])
        if name not in self._functions:  # functions of texts are built with their statements
            self._functions |= {function_name(each): each for each in self.flat.functions}
        self.planned.write_function(self._functions[name])
        return self.emitter.function(self.flat.functions[self._functions[name]])


@attrs.define(eq=False)
class AsksOnDemand(Mapping[int, DecisionPoint]):
    """Decision points by block; looking one up generates its machine."""

    on_demand: OnDemand
    _made: dict[int, DecisionPoint] = attrs.Factory(dict)
    _taken: int = 0

    def __getitem__(self, number: int) -> DecisionPoint:
        """Return the decision point of a block."""
        if number not in self._made and number < len(self.on_demand.emitter.numbers):
            key, _ = list(self.on_demand.emitter.numbers)[number]
            self.on_demand.planned.write_machine(key)
        return self._all_made()[number]

    def __iter__(self) -> Iterator[int]:
        """Iterate over the numbers of blocks with a decision."""
        self.on_demand.planned.write_all()
        return iter(self._all_made())

    def __len__(self) -> int:
        """Return the number of blocks with a decision."""
        self.on_demand.planned.write_all()
        return len(self._all_made())

    def _all_made(self) -> dict[int, DecisionPoint]:
        flat, numbers = self.on_demand.flat, self.on_demand.emitter.numbers
        for decision in islice(flat.decisions, self._taken, None):
            end = self.on_demand.shared.sources[self._taken]
            ask = ask_of(decision, end, flat, numbers)
            self._made[ask.block] = ask
            self._taken += 1
        return self._made

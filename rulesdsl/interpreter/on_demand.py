"""A program as Python that is flattened, emitted and compiled function by function, when called.

Where little is played of a setting, as by a scenario, most of the compiling would be for nothing.
Every name of the program stands for a function that makes the real one at its first call and takes
its place. `begin` puts them back, and `depends_on` says of what was called since which parts of
the content it depends on.

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
from rulesdsl.interpreter.emit_machines import entrance_name
from rulesdsl.interpreter.emit_values import function_name
from rulesdsl.interpreter.module import ListedCode, placed
from rulesdsl.lower.parts import NotingRow

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable, Iterator

    from rulesdsl.interpreter.emit_machines import ModuleEmitter
    from rulesdsl.lower.flat import Flat
    from rulesdsl.lower.flatten.planned import Planned
    from rulesdsl.lower.flatten.writer import Shared


@attrs.define(eq=False)
class OnDemand:
    """The functions of one program; `names` are their globals."""

    emitter: ModuleEmitter
    code: ListedCode
    names: dict[str, Any]
    planned: Planned
    _called: set[str] = attrs.Factory(set)
    _flat_names: dict[str, str] = attrs.Factory(dict)
    _firsts: dict[str, Callable[..., Any]] = attrs.Factory(dict)
    _made: dict[str, Callable[..., Any]] = attrs.Factory(dict)
    _taken: dict[str, int] = attrs.Factory(lambda: dict.fromkeys(("f", "t", "c", "o", "r"), 0))

    @property
    def shared(self) -> Shared:
        """What the functions share."""
        return self.planned.shared

    @property
    def flat(self) -> Flat:
        """As much of the program as has been written."""
        return self.planned.shared.flat

    def add_all(self) -> None:
        """Let all names of the program stand for what makes them."""
        emitter, machines = self.emitter, self.flat.machines
        for name in self.planned.functions:
            self._add_function(name)
        for key, machine in machines.items():
            self._add(entrance_name(key), key, partial(emitter.entrance, machine))
            known = self.shared.form.machines.get(key)
            for at in range(len(machine.blocks if known is None else known.blocks)):
                emitter.numbers[key, at] = len(emitter.numbers)
                self._add(block_name(key, at), key, partial(self._block, key, at))
        self.names["BLOCKS"] = [self._firsts[block_name(*each)] for each in emitter.numbers]
        self.names["rows"] = self.flat.lists
        self.take_in()

    def begin(self) -> None:
        """Forget what was called and asked for."""
        for name in self._called:
            self.names[name] = self._firsts[name]
        self._called.clear()
        self.shared.asked.afresh()

    def depends_on(self) -> set[str]:
        """Return the parts of the content that all depends on that has happened since `begin`."""
        found = set(self.shared.asked.parts)
        for name in self._called:
            found |= self.shared.asked_for.get(self._flat_names[name], set())
        return found

    def write_machine(self, key: str) -> None:
        """Have a machine written, with the questions in it."""
        self.planned.write_machine(key)
        self.take_in()

    def write_all(self) -> None:
        """Have everything written."""
        self.planned.write_all()
        self.take_in()

    # ---------------------------------------------------------------- what is called
    def _add(self, name: str, flat_name: str, make: Callable[[], ast.stmt]) -> None:
        self._flat_names[name] = flat_name

        def first(*arguments: object) -> object:
            self._called.add(name)
            made = self._made.get(name)
            if made is None:
                made = self._made[name] = self._compiled(name, make())
            self.names[name] = made
            return made(*arguments)

        self._firsts[name] = self.names[name] = first

    def _add_function(self, name: str) -> None:
        self._add(function_name(name), name, partial(self._function, name))

    def _function(self, name: str) -> ast.stmt:
        self.planned.write_function(name)
        self.take_in()
        return self.emitter.function(self.flat.functions[name])

    def _block(self, key: str, at: int) -> ast.stmt:
        self.write_machine(key)
        return self.emitter.block(self.flat.machines[key], at)

    def _compiled(self, name: str, made: ast.stmt) -> Callable[..., Any]:
        for table in self._since("r", self.emitter.rows_read):
            self._tell_rows(table)
        found: Callable[..., Any] = self.code.run(placed([made]), self.names)[name]
        return found

    # ---------------------------------------------------------------- what has been written
    def take_in(self) -> None:
        """Let names stand for what has been written since, too."""
        flat, shared = self.flat, self.shared
        for name in self._since("f", flat.functions):
            if function_name(name) not in self._firsts:  # a value of words: nobody planned it
                self._add_function(name)
        for name in self._since("t", flat.tables):
            self.names[name] = self._noting(name, flat.tables[name])
        for name in self._since("o", shared.told_origins):
            self.names[name] = self._noting(name, flat.tables[name])
            if name in self.emitter.rows_read:
                self._tell_rows(name)
        for table in self._since("c", flat.choices):
            among = flat.choices[table]
            name_of = entrance_name if all(e in flat.machines for e in among) else function_name
            self.names[table] = tuple(self._firsts[name_of(each)] for each in among)

    def _since(self, what: str, names: Mapping[str, object] | list[str]) -> list[str]:
        """Return the names that have been added since this was asked."""
        before, self._taken[what] = self._taken[what], len(names)
        return [*islice(names, before, None)] if len(names) > before else []

    def _tell_rows(self, table: str) -> None:
        name, rows = self.emitter.rows_read[table], self.emitter.rows_of(table)
        self.names[name] = self._noting(table, rows)

    def _noting(self, table: str, cells: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a table that notes what is read of it, where that is of the content."""
        origins = self.shared.origins.get(table)
        return cells if origins is None else NotingRow.of(cells, self.shared.asked, origins)


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
            self.on_demand.write_machine(key)
        return self._all_made()[number]

    def __iter__(self) -> Iterator[int]:
        """Go through the numbers of the blocks in which something is asked."""
        self.on_demand.write_all()
        return iter(self._all_made())

    def __len__(self) -> int:
        """Return in how many blocks something is asked."""
        self.on_demand.write_all()
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

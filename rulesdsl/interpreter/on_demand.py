"""A flat program as Python that is emitted and compiled function by function, when it is called.

Where little is played of a setting, as by a scenario, most of the compiling would be for nothing.
Every name of the program stands for a function that makes the real one at its first call and takes
its place. `begin` puts them back, and `depends_on` says of what was called since which parts of
the content it depends on.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.interpreter.emit_blocks import block_name
from rulesdsl.interpreter.emit_machines import entrance_name
from rulesdsl.interpreter.emit_values import function_name
from rulesdsl.interpreter.module import ListedCode, placed
from rulesdsl.lower.parts import NotingRow

if TYPE_CHECKING:
    import ast
    from collections.abc import Callable

    from rulesdsl.interpreter.emit_machines import ModuleEmitter
    from rulesdsl.lower.flatten.writer import Shared


@attrs.define(eq=False)
class OnDemand:
    """The functions of one program; `names` are their globals."""

    emitter: ModuleEmitter
    code: ListedCode
    names: dict[str, Any]
    shared: Shared
    _called: set[str] = attrs.Factory(set)
    _flat_names: dict[str, str] = attrs.Factory(dict)
    _firsts: dict[str, Callable[..., Any]] = attrs.Factory(dict)
    _made: dict[str, Callable[..., Any]] = attrs.Factory(dict)

    def add_all(self) -> None:
        """Let all names of the program stand for what makes them."""
        flat, emitter = self.emitter.flat, self.emitter
        for function in flat.functions.values():
            made = partial(emitter.function, function)
            self._add(function_name(function.name), function.name, made)
        emitter.number_blocks()
        for key, machine in flat.machines.items():
            self._add(entrance_name(key), key, partial(emitter.entrance, machine))
        for key, at in emitter.numbers:
            block = partial(emitter.block, flat.machines[key], at)
            self._add(block_name(key, at), key, block)
        self.names["BLOCKS"] = [self._firsts[block_name(*each)] for each in emitter.numbers]
        for table, among in flat.choices.items():
            entered = all(each in flat.machines for each in among)
            name_of = entrance_name if entered else function_name
            self.names[table] = tuple(self._firsts[name_of(each)] for each in among)
        self.names.update(rows=tuple(flat.lists))
        for name, cells in flat.tables.items():
            self.names[name] = self._noting(name, cells)

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

    def _noting(self, table: str, cells: tuple[Any, ...]) -> tuple[Any, ...]:
        """Return a table that notes what is read of it, where that is of the content."""
        origins = self.shared.origins.get(table)
        return cells if origins is None else NotingRow.of(cells, self.shared.asked, origins)

    def _compiled(self, name: str, made: ast.stmt) -> Callable[..., Any]:
        for table, (row_name, rows) in self.emitter.row_tables().items():
            if row_name not in self.names:
                self.names[row_name] = self._noting(table, rows)
        found: Callable[..., Any] = self.code.run(placed([made]), self.names)[name]
        return found

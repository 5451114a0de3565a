"""What a program consists of, each function and machine written when somebody asks for it.

A whole program is written at once for a game that is played. A scenario meets a small part of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower.flatten.writer import Writer
from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.lower import flat as fl
    from rulesdsl.lower.flatten.writer import Shared


@attrs.define
class Planned:
    """The functions and machines of a program that are not written yet, by their names.

    The parts that each depends on anyway are noted with those that are asked for meanwhile.
    """

    shared: Shared
    functions: dict[str, Callable[[], None]] = attrs.Factory(dict)
    machines: dict[str, Callable[[], None]] = attrs.Factory(dict)

    def function(
        self,
        name: str,
        write: Callable[[Writer], tuple[str, ...]],
        *parts: str,
        proc: str = "",
        span: Span = NOWHERE,
    ) -> None:
        """Plan a function; what writes its body returns its parameters."""

        def written() -> None:
            self.shared.asked.afresh(*parts)
            w = Writer(self.shared, proc)
            params = write(w)
            w.function(name, params, span)

        self.functions[name] = written

    def machine(self, key: str, write: Callable[[], fl.Machine], *parts: str) -> None:
        """Plan a machine."""
        shared = self.shared

        def written() -> None:
            shared.asked_for[key] = shared.asked.afresh(*parts)
            shared.flat.machines[key] = write()

        self.machines[key] = written

    def write_function(self, name: str) -> None:
        """Write a function, unless that has been done."""
        self._write(self.functions, name)

    def write_machine(self, key: str) -> None:
        """Write a machine, unless that has been done."""
        self._write(self.machines, key)

    def write_all(self) -> None:
        """Write all that is left."""
        for some in (self.functions, self.machines):
            for name in list(some):
                self._write(some, name)

    def _write(self, left: dict[str, Callable[[], None]], name: str) -> None:
        write = left.pop(name, None)
        if write is not None:
            with self.shared.asked.aside():
                write()

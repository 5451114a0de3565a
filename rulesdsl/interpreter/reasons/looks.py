"""Values of the checked tree at a position, by code that is compiled when somebody asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.check import typed as ty
from rulesdsl.interpreter import runtime
from rulesdsl.interpreter.compile import RUNTIME
from rulesdsl.interpreter.emit_values import function_name
from rulesdsl.interpreter.on_demand import OnDemand
from rulesdsl.lower.flatten import values
from rulesdsl.lower.flatten.program import computed
from rulesdsl.lower.flatten.told import functions
from rulesdsl.lower.flatten.writer import Shared

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.compile import Engine

_FILE = "<why not>"


class Looks:
    """Computes values for one setting; each is compiled once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._shared = Shared(engine.layout, values.value)
        self._made: dict[tuple[str, ty.Words], list[str]] = {}
        known = {name: getattr(runtime, name) for name in RUNTIME}
        self._names = OnDemand(computed(self._shared), _FILE, engine.states.cls, known)

    def number(self, proc: str, value: ty.Value, st: Any, frame: Sequence[Any]) -> int:  # noqa: ANN401
        """Return what a value comes to for a frame of a machine."""
        return self.numbers(proc, ty.Words(("", ""), (value,), ("",)), st, frame)[0]

    def numbers(self, proc: str, words: ty.Words, st: Any, frame: Sequence[Any]) -> list[int]:  # noqa: ANN401
        """Return the values in words, as `Labels.say` takes them."""
        made = self._made.get((proc, words))
        if made is None:
            found = functions(self._shared, proc, self._engine.slots(proc), words)
            made = self._made[proc, words] = [*map(function_name, found)]
        return [int(self._names[each](st, *frame[1:])) for each in made]

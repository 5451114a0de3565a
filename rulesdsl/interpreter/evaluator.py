"""Evaluation of typed expressions at a position."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulesdsl.check.typed import Value
from rulesdsl.interpreter.engine import Engine
from rulesdsl.interpreter.python.expressions import function_name
from rulesdsl.interpreter.python.lazy_module import OnDemand
from rulesdsl.interpreter.python.runtime import OPERATIONS
from rulesdsl.lower.builder import values
from rulesdsl.lower.builder.changes import functions
from rulesdsl.lower.builder.program import computed
from rulesdsl.lower.builder.writer import Shared
from rulesdsl.lower.schema import MessageText

_FILE = "<why not>"


class Evaluator:
    """Evaluator of typed expressions at a position, each compiled once."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._shared = Shared(engine.layout, values.value)
        self._made: dict[tuple[str, MessageText], list[str]] = {}
        self._names = OnDemand(computed(self._shared), _FILE, engine.states.cls, OPERATIONS)

    def number(self, proc: str, value: Value, st: Any, frame: Sequence[Any]) -> int:  # noqa: ANN401
        """Return the value of an expression in a machine's frame."""
        return self.numbers(proc, MessageText(("", ""), (value,), ("",)), st, frame)[0]

    def numbers(
        self,
        proc: str,
        words: MessageText,
        st: Any,  # noqa: ANN401 - a state class is generated
        frame: Sequence[Any],
    ) -> list[int]:
        """Return the values interpolated in text, in the form that `Labels.say` takes."""
        made = self._made.get((proc, words))
        if made is None:
            found = functions(self._shared, proc, self._engine.slots(proc), words.values)
            made = self._made[proc, words] = [*map(function_name, found)]
        return [int(self._names[each](st, *frame[1:])) for each in made]

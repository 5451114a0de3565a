"""How much code named values and guards come to, with all that is written out inside them.

What is short is written in the place of its call.  A value that asks twice for the one below it,
which does the same, would come to twice as much code with every level: so what counts is the
weight of everything that a value asks for, and a heavy one is called.
"""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.program import Program

MAX_WEIGHT = 400


@attrs.define
class Weights:
    """Weighs the values and guards of a program, each of them once."""

    program: Program
    _known: dict[str | tuple[str, int], int] = attrs.Factory(dict)

    def of(self, value: ty.Value) -> int:
        """Return the number of nodes of a value, with those of all that it asks for."""
        return sum(1 + self._asked(each) for each in ty.walk(value))

    def light(self, call: ty.CallValue | ty.Can) -> bool:
        """Whether what is called may be written in the place of its call."""
        return self._asked(call) <= MAX_WEIGHT

    def _asked(self, node: ty.Node) -> int:
        if not isinstance(node, ty.CallValue | ty.Can):
            return 0
        key = node.proc if isinstance(node, ty.Can) else (node.name, node.layer)
        if key not in self._known:
            if isinstance(key, str):
                body = self.program.guards.get(key, ty.YES)
            else:
                body = self.program.values[key].body
            self._known[key] = self.of(body)
        return self._known[key]

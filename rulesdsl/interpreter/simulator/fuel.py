"""How much a module may do between two decisions, and what each part of it takes of that.

The checker bounds the rounds and calls between two questions, and refuses packs that come to too
many (E407).  A module counts its own down to 0, as a second lock on the same door.  What is known
when a module is made is taken off once, for a whole block of a machine; only loops whose rounds
are not known take off their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.schema import MAX_GAME
from rulesdsl.lower.sizes import known_rounds
from rulesdsl.source.tree import children

if TYPE_CHECKING:
    from rulesdsl.lower.layout import Layout

MIN_WORK = 1000  # rounds and calls that any rules may come to: a module has some of its own
MAX_COST = 1 << 40  # more than any fuel, and within 64 bits however often it is multiplied
MAX_FIXED = 64  # of a loop that is counted as if it always went round as often
ROUNDS_OF_ONE = 16  # rounds and calls of a module for one of the rules, beside looking at cells


class TooMuchWork(RuntimeError):  # noqa: N818 - it says what is wrong with the rules
    """More was done without a question than the rules can come to: a module was stopped."""


def fuel_of(layout: Layout) -> int:
    """Return what a module may do between two decisions."""
    cells = max((layout.cells(piece) for piece in layout.schema.pieces), default=1)
    return min(layout.schema.work + MIN_WORK, MAX_GAME) * (ROUNDS_OF_ONE + cells)


@attrs.define
class Costs:
    """Counts the rounds and calls of bodies, without those of loops that count their own."""

    flat: fl.Flat
    _functions: dict[str, int] = attrs.Factory(dict)

    def of(self, body: fl.Body) -> int:
        """Return what a body comes to at the most, once it is entered."""
        found = 0
        for stmt in body:
            match stmt:
                case fl.If(condition=condition, yes=yes, no=no):
                    found += self._calls(condition) + max(self.of(yes), self.of(no))
                case fl.For(source=source, body=inner):
                    rounds = self.rounds(source)
                    found += self._calls(source) + (rounds or 0) * (1 + self.of(inner))
                case _:
                    found += self._calls(stmt)
        return min(found, MAX_COST)

    def rounds(self, source: fl.Source) -> int | None:
        """Return how often a loop goes round at the most, None where it counts that itself."""
        known = known_rounds(self.flat, source)
        differs = isinstance(source, fl.Row) and not isinstance(source.number, fl.Const)
        return None if differs and known is not None and known > MAX_FIXED else known

    def _calls(self, node: fl.Stmt | fl.Expr | fl.Source) -> int:
        if isinstance(node, fl.Select):  # only one of the two is computed
            ways = max(self._calls(node.yes), self._calls(node.no))
            return self._calls(node.condition) + ways
        found = sum(map(self._calls, children(node)))
        if isinstance(node, fl.Call | fl.Do):
            found += 1 + max(map(self._function, self.flat.called(node.function, node.index)))
        return found

    def _function(self, name: str) -> int:
        if name not in self._functions:
            self._functions[name] = self.of(self.flat.functions[name].body)
        return self._functions[name]

"""What flat expressions depend on, and what statements change: for passes that move code.

Both are sets of names: a local by its name, an array as `@name`, a buffer as `&name`, the piles of
a kind of printed pieces as `#name`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import Flat, bound_by
from rulesdsl.source.tree import walk

if TYPE_CHECKING:
    from collections.abc import Callable

Names = frozenset[str]
NOTHING: Names = frozenset()


@attrs.define
class Effects:
    """Answers for one program; what a function reads and changes is found once."""

    flat: fl.Flat
    _read: dict[str, Names] = attrs.Factory(dict)
    _changed: dict[str, Names] = attrs.Factory(dict)
    _of: dict[fl.Expr, Names] = attrs.Factory(dict)

    def reads(self, expr: fl.Expr) -> Names:
        """Return what an expression depends on."""
        found = self._of.get(expr)
        if found is None:
            found = self._of[expr] = self._union(expr, self._read_by)
        return found

    def changes(self, stmt: fl.Stmt) -> Names:
        """Return what a statement changes, with all statements inside it."""
        return self._union(stmt, self._changed_by)

    def _union(self, node: Flat, one: Callable[[Flat], Names]) -> Names:
        return NOTHING.union(*map(one, walk(node)))

    def _read_by(self, node: Flat) -> Names:
        match node:
            case fl.Local(name=name):
                return frozenset({name})
            case fl.Load(array=array):
                return frozenset({f"@{array}"})
            case fl.Buffer(name=name):
                return frozenset({f"&{name}"})
            case fl.Pile(piece=piece):
                return frozenset({f"#{piece}"})
            case fl.Call(function=name, index=index):
                return self._called(name, index, self._read, self._read_by)
            case _:
                return NOTHING

    def _changed_by(self, node: Flat) -> Names:
        match node:
            case fl.Store(array=array) | fl.Fill(array=array):
                return frozenset({f"@{array}"})
            case fl.Clear(buffer=buffer) | fl.Push(buffer=buffer) | fl.Distinct(buffer=buffer):
                return frozenset({f"&{buffer.name}"})
            case fl.Shuffle(pile=fl.Pile(piece=piece)) | fl.Shift(piece=piece):
                return frozenset({f"#{piece}", *bound_by(node)})
            case fl.Place(piece=piece):
                return frozenset({f"#{piece}", f"@w:{piece}"})
            case fl.Do(function=name, index=index):
                return self._called(name, index, self._changed, self._changed_by)
            case fl.For(local=local):
                return frozenset({local})
            case _:
                return frozenset(bound_by(node)) if isinstance(node, fl.Stmt) else NOTHING

    def _called(
        self,
        name: str,
        index: fl.Expr | None,
        found: dict[str, Names],
        one: Callable[[Flat], Names],
    ) -> Names:
        """Return what functions read or change outside of themselves."""
        every = NOTHING
        for each in [name] if index is None else self.flat.choices[name]:
            if each not in found:
                found[each] = NOTHING  # none calls itself
                whole = self._union(self.flat.functions[each].body, one)
                found[each] = frozenset(inner for inner in whole if inner[0] in "@#")
            every |= found[each]
        return every

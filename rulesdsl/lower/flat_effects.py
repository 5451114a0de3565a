"""What flat expressions depend on, and what statements change: for passes that move code.

Both are sets of names: a local by its name, an array as `@name`, a buffer as `&name`, the piles of
a kind of printed pieces as `#name`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import Flat, bodies, bound_by
from rulesdsl.source.tree import children

if TYPE_CHECKING:
    from collections.abc import Callable

Names = frozenset[str]
NOTHING: Names = frozenset()


@attrs.define
class Effects:
    """Answers for one program; what is asked for again is known."""

    flat: fl.Flat
    _reads: dict[Flat, Names] = attrs.Factory(dict)
    _changes: dict[fl.Stmt, Names] = attrs.Factory(dict)
    _read_by: dict[str, Names] = attrs.Factory(dict)  # by functions
    _changed_by: dict[str, Names] = attrs.Factory(dict)

    def reads(self, node: Flat) -> Names:
        """Return what an expression, or what is in a statement, depends on."""
        if node not in self._reads:
            self._reads[node] = self._read(node).union(*map(self.reads, children(node)))
        return self._reads[node]

    def changes(self, stmt: fl.Stmt) -> Names:
        """Return what a statement changes, with all statements inside it."""
        if stmt not in self._changes:
            inner = (each for body in bodies(stmt) for each in body)
            self._changes[stmt] = self._changed(stmt).union(*map(self.changes, inner))
        return self._changes[stmt]

    def _read(self, node: Flat) -> Names:
        """Return what a node depends on by itself."""
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
                return self._called(name, index, self._read_by, self.reads)
            case _:
                return NOTHING

    def _changed(self, stmt: fl.Stmt) -> Names:
        """Return what a statement changes by itself."""
        match stmt:
            case fl.Store(array=array) | fl.Fill(array=array):
                return frozenset({f"@{array}"})
            case fl.Clear(buffer=buffer) | fl.Push(buffer=buffer) | fl.Distinct(buffer=buffer):
                return frozenset({f"&{buffer.name}"})
            case fl.Shuffle(pile=fl.Pile(piece=piece)) | fl.Shift(piece=piece):
                return frozenset({f"#{piece}", *bound_by(stmt)})
            case fl.Place(piece=piece):
                return frozenset({f"#{piece}", f"@w:{piece}"})
            case fl.Do(function=name, index=index):
                return self._called(name, index, self._changed_by, self.changes)
            case fl.For(local=local):
                return frozenset({local})
            case fl.Set() | fl.Draw():
                return frozenset(bound_by(stmt))
            case fl.If() | fl.Break() | fl.Return() | fl.Note() | fl.Finish():
                return NOTHING
            case fl.Goto() | fl.Enter() | fl.Leave() | fl.Ask():
                return NOTHING  # nothing of the body is after them
            case _:
                assert_never(stmt)

    def _called(
        self,
        name: str,
        index: fl.Expr | None,
        found: dict[str, Names],
        of: Callable[[Flat], Names],
    ) -> Names:
        """Return what functions read or change outside of themselves; none calls itself."""
        every = NOTHING
        for each in self.flat.called(name, index):
            if each not in found:
                whole = NOTHING.union(*map(of, self.flat.functions[each].body))
                found[each] = frozenset(inner for inner in whole if inner[0] in "@#")
            every |= found[each]
        return every

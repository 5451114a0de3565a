"""Effects of flat statements: the locals, arrays, buffers and piles that a statement changes.

They are sets of names: a local by its name, an array as `@name`, a buffer as `&name`, the piles of
a kind of printed pieces as `#name`.
"""

from __future__ import annotations

from typing import assert_never

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import bodies, bound_by

Names = frozenset[str]
NOTHING: Names = frozenset()


@attrs.define
class Effects:
    """Answers for one program; what is asked for again is known."""

    flat: fl.Flat
    _changes: dict[fl.Stmt, Names] = attrs.Factory(dict)
    _changed_by: dict[str, Names] = attrs.Factory(dict)  # by functions

    def changes(self, stmt: fl.Stmt) -> Names:
        """Return what a statement changes, with all statements inside it."""
        if stmt not in self._changes:
            inner = (each for body in bodies(stmt) for each in body)
            self._changes[stmt] = self._changed(stmt).union(*map(self.changes, inner))
        return self._changes[stmt]

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
                return self._called(name, index)
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

    def _called(self, name: str, index: fl.Expr | None) -> Names:
        """Return what functions change outside of themselves; none calls itself."""
        every = NOTHING
        for each in self.flat.called(name, index):
            if each not in self._changed_by:
                whole = NOTHING.union(*map(self.changes, self.flat.functions[each].body))
                self._changed_by[each] = frozenset(name for name in whole if name[0] in "@#")
            every |= self._changed_by[each]
        return every

"""Between which numbers a flat expression lies, and whether it can be computed at any time.

An expression that looks into an array by a number from outside may be after a test that the
number is one of its cells: it is computed in place.  What is `harmless` is not so: it is
computed early where that saves something.
"""

from __future__ import annotations

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.source.tree import walk

MAX_NODES = 120  # of a function that is computed early

Bounds = tuple[int, int] | None
"""The least and the greatest number; None where nothing is known."""

_YES_NO = (0, 1)
_COMPARED = frozenset({"=", "<>", "<", "<=", ">", ">="})


@attrs.define
class Harmless:
    """Answers for one program; a function is looked at once."""

    flat: fl.Flat
    _functions: dict[str, bool] = attrs.Factory(dict)

    def expr(self, expr: fl.Expr) -> bool:
        """Whether an expression can be computed wherever its locals are set."""
        return all(isinstance(each, fl.Expr) and self._node(each) for each in walk(expr))

    def _node(self, expr: fl.Expr) -> bool:
        match expr:
            case fl.Load(array=array, index=index):
                return self._within(index, self.flat.arrays[array].size)
            case fl.Table(table=table, index=index):
                return self._within(index, len(self.flat.tables[table]))
            case fl.Op(op="/" | "%", right=right):
                return isinstance(right, fl.Const) and right.value > 0
            case fl.Call(function=name, index=None):
                return self._function(name)
            case fl.Call() | fl.Item() | fl.Length() | fl.Contains():
                return False
            case _:
                return True

    def _within(self, index: fl.Expr, size: int) -> bool:
        found = self.bounds(index)
        return found is not None and found[0] >= 0 and found[1] < size

    def _function(self, name: str) -> bool:
        if name not in self._functions:
            body = self.flat.functions[name].body
            nodes = list(walk(body))
            self._functions[name] = len(nodes) <= MAX_NODES and all(
                isinstance(each, fl.Set | fl.If | fl.Return)
                or (isinstance(each, fl.Expr) and self._node(each))
                for each in nodes
            )
        return self._functions[name]

    def bounds(self, expr: fl.Expr) -> Bounds:
        """Return between which numbers an expression lies."""
        match expr:
            case fl.Const(value=value):
                return value, value
            case fl.Not() | fl.Logic() | fl.Contains():
                return _YES_NO
            case fl.Op(op=word) if word in _COMPARED:
                return _YES_NO
            case fl.Op(op="%", right=fl.Const(value=value)) if value > 0:
                return 0, value - 1
            case fl.Op(op="+", left=left, right=fl.Const(value=value)):
                found = self.bounds(left)
                return found and (found[0] + value, found[1] + value)
            case fl.Select(yes=yes, no=no):
                one, other = self.bounds(yes), self.bounds(no)
                return one and other and (min(one[0], other[0]), max(one[1], other[1]))
            case fl.Table(table=table):
                cells = self.flat.tables[table]
                return min(cells, default=0), max(cells, default=0)
            case _:
                return None

"""Bounds of the sizes of buffers: a memory of fixed size has room for so many items.

Between two clearings of a buffer a statement adds one item, a loop as many as it goes round.  A
loop whose end is computed goes round `MAX_REPEATS` times at the most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check.intervals import MAX_REPEATS
from rulesdsl.lower import flat as fl

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.lower.layout import Layout


_Counts = dict[str, int]


def known_rounds(flat: fl.Flat, source: fl.Source) -> int | None:
    """Return how often a loop goes round at the most, as far as its source itself says it."""
    match source:
        case fl.Range(low=fl.Const(value=low), high=fl.Const(value=high)):
            return max(high - low, 0)
        case fl.Row(number=fl.Const(value=number)):
            return len(flat.lists[number])
        case fl.Row(number=fl.Table(table=table)):
            rows = {each for each in flat.tables[table] if each >= 0}
            return max((len(flat.lists[each]) for each in rows), default=0)
        case fl.Bits():
            return fl.MAX_BITS
        case fl.Range() | fl.Row() | fl.Buffer() | fl.Pile():
            return None
        case _:
            assert_never(source)


@attrs.define
class Sizes:
    """The most items of the buffers of one function or machine, by their names."""

    flat: fl.Flat
    layout: Layout
    most: dict[str, int]

    def body(self, body: fl.Body, now: Mapping[str, int]) -> tuple[_Counts, _Counts]:
        """Return the items of buffers after a body, and the most in it, from those before it."""
        after, peak = dict(now), dict(now)
        for stmt in body:
            match stmt:
                case fl.If(yes=yes, no=no):
                    ways = self.body(yes, after), self.body(no, after)
                    after = _larger(ways[0][0], ways[1][0])
                    peak = _larger(peak, _larger(ways[0][1], ways[1][1]))
                case fl.For(source=source, body=inner):
                    rounds = self.source(source)
                    _, more = self.body(inner, {})
                    for name, each in more.items():
                        after[name] = after.get(name, 0) + rounds * each
                case fl.Push(buffer=buffer):
                    after[buffer.name] = after.get(buffer.name, 0) + 1
                case fl.Clear(buffer=buffer):
                    after[buffer.name] = 0
                case _:
                    pass
            peak = _larger(peak, after)
            self.most = _larger(self.most, peak)
        return after, peak

    def source(self, source: fl.Source) -> int:
        """Return how many items a source can have."""
        known = known_rounds(self.flat, source)
        if known is not None:
            return known
        match source:
            case fl.Range(low=low, high=high):
                most = self.number(high) if low == fl.Const(0) else None
                return MAX_REPEATS if most is None else max(most, 0)
            case fl.Buffer(name=name):
                return self.most.get(name, 0)
            case fl.Pile(piece=piece):
                return len(self.layout.instances(piece))
            case fl.Row() | fl.Bits():
                return max(map(len, self.flat.lists), default=0)
            case _:
                assert_never(source)

    def number(self, expr: fl.Expr) -> int | None:
        """Return what a number is at the most, None where that is not seen at once."""
        match expr:
            case fl.Const(value=value):
                return value
            case fl.Length(of=of):
                return self.source(of)
            case fl.Op(op="min", left=left, right=right):
                known = [each for each in map(self.number, (left, right)) if each is not None]
                return min(known, default=None)
            case _:
                return None


def _larger(one: Mapping[str, int], other: Mapping[str, int]) -> _Counts:
    return {name: max(one.get(name, 0), other.get(name, 0)) for name in {**one, **other}}


def most_items(flat: fl.Flat, layout: Layout) -> dict[tuple[str, str], int]:
    """Return the most items of every buffer, by its function or machine and its own name."""
    found: dict[tuple[str, str], int] = {}
    for name, function in flat.functions.items():
        sizes = Sizes(flat, layout, {})
        sizes.body(function.body, {})
        found |= {(name, buffer): most for buffer, most in sizes.most.items()}
    for name, machine in flat.machines.items():
        sizes = Sizes(flat, layout, dict(machine.buffers))
        for block in machine.blocks:
            sizes.body(block, {})
        found |= {(name, buffer): most for buffer, most in sizes.most.items()}
    return found

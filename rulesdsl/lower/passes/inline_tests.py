"""Tests in loops: what a candidate is asked by a call is asked in the place of the call.

A loop that asks each thing by a function with loops of its own is a loop around its body: so what
the function asks first can be found in bits, and nothing is called.

    for c in 0 .. 64                    for c in 0 .. 64
        if can(c)                           if (@n:coin[c] <> 0)
            push &options c                     ...
                                                if any
                                                    push &options c
"""

from __future__ import annotations

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import Flat, conjuncts, read_first
from rulesdsl.lower.fold import logic
from rulesdsl.source.tree import rewrite, walk

MAX_NODES = 150


def inline_tests(flat: fl.Flat) -> None:
    """Write functions that loops ask in the place of their calls."""
    inliner = _Inliner(flat)
    for name, function in flat.functions.items():
        body, buffers = inliner.inlined(function.body, function.buffers)
        flat.functions[name] = attrs.evolve(function, body=body, buffers=buffers)
    for name, machine in flat.machines.items():
        blocks, buffers = [], machine.buffers
        for block in machine.blocks:
            body, buffers = inliner.inlined(block, buffers)
            blocks.append(body)
        flat.machines[name] = attrs.evolve(machine, blocks=tuple(blocks), buffers=buffers)


@attrs.define
class _Inliner:
    flat: fl.Flat
    _number: int = 0
    _buffers: list[tuple[str, int]] = attrs.Factory(list)

    def inlined(
        self, body: fl.Body, buffers: tuple[tuple[str, int], ...]
    ) -> tuple[fl.Body, tuple[tuple[str, int], ...]]:
        """Return a body with the functions that its loops ask, and all its buffers."""
        self._buffers = [*buffers]
        made = tuple(rewrite(stmt, self._loop) for stmt in body)
        return made, tuple(self._buffers)

    def _loop(self, node: Flat) -> Flat:
        match node:
            case fl.For(body=(fl.If(condition=condition, yes=yes, no=()) as test,)):
                pass
            case _:
                return node
        *first, last = conjuncts(condition)
        if not isinstance(last, fl.Call) or last.index is not None:
            return node
        made = self._written(last, yes)
        if made is None:
            return node
        if first:
            made = (attrs.evolve(test, condition=logic("and", *first), yes=made),)
        return attrs.evolve(node, body=made)

    def _written(self, call: fl.Call, then: fl.Body) -> fl.Body | None:
        """Return what a function does, and then what is done where it holds."""
        function = self.flat.functions[call.function]
        if not function.body or sum(1 for _ in walk(function.body)) > MAX_NODES:
            return None
        *before, end = function.body
        returns = [each for each in walk(function.body) if isinstance(each, fl.Return)]
        if not isinstance(end, fl.Return) or end.value is None or len(returns) > 1:
            return None
        self._number += 1
        given = dict(zip(function.params, call.arguments, strict=True))
        if not all(isinstance(each, fl.Local | fl.Const) for each in given.values()):
            return None
        renamed = _Renamed(given, f"~{self._number}")
        self._buffers += [(renamed.name(name), most) for name, most in function.buffers]
        body = tuple(rewrite(each, renamed.node) for each in before)
        return _threaded(body, rewrite(end.value, renamed.node), then)


@attrs.frozen
class _Renamed:
    """Gives the locals of a function names of their own."""

    given: dict[str, fl.Expr]
    suffix: str

    def name(self, name: str) -> str:
        return f"{name}{self.suffix}"

    def node(self, node: Flat) -> Flat:
        match node:
            case fl.Local(name=name):
                return self.given.get(name) or fl.Local(self.name(name))
            case fl.Buffer(name=name):
                return attrs.evolve(node, name=self.name(name))
            case fl.Set(local=local) | fl.For(local=local) | fl.Draw(local=local):
                return attrs.evolve(node, local=self.name(local))
            case fl.Shift(old=old, new=new):
                return attrs.evolve(node, old=self.name(old), new=self.name(new))
            case _:
                return node


def _threaded(body: fl.Body, holds: fl.Expr, then: fl.Body) -> fl.Body:
    """Return a body and what is done where something holds: within the test that it begins with.

    `x := a; if x: (b; x := c); if x: then` is `if a: (b; x := c; if x: then)`.
    """
    match body, holds:
        case (
            (
                fl.Set(local=local, value=value),
                fl.If(condition=fl.Local(name=asked), no=()) as test,
            ),
            fl.Local(name=held),
        ) if local == asked == held:
            inside = (*test.yes, fl.If(holds, then))
            known = (fl.Set(local, fl.Const(1)),) if local in read_first(test.yes) else ()
            return (attrs.evolve(test, condition=value, yes=(*known, *inside)),)
        case _:
            return (*body, fl.If(holds, then))

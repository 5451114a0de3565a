"""Inlining of short functions and of tests in loops."""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.walk import AnyNode, conjuncts, logic, read_first
from rulesdsl.source.tree import rewrite, walk

MAX_INLINED = 40  # nodes of an inlined body


def inline(flat: fl.Flat) -> None:
    """Inline short functions, callees first, so that chains of calls collapse.

    A function is short if its body is one expression or one call of at most `MAX_INLINED` nodes. A
    call is not inlined if it goes through a table, or if that would duplicate an argument other
    than a local or constant. The call graph has no cycles, since the language has no recursion.
    """
    short: dict[str, fl.Function] = {}
    for name in _callees_first(flat):
        function = flat.functions[name]
        function = attrs.evolve(function, body=_inlined(function.body, short))
        flat.functions[name] = function
        if _is_short(function):
            short[name] = function
    for key, machine in flat.machines.items():
        blocks = tuple(_inlined(body, short) for body in machine.blocks)
        flat.machines[key] = attrs.evolve(machine, blocks=blocks)


def _callees_first(flat: fl.Flat) -> list[str]:
    found: dict[str, None] = {}
    for first in flat.functions:
        left = [(first, False)]
        while left:
            name, done = left.pop()
            if done:
                found.setdefault(name)
            elif name not in found:
                left.append((name, True))
                called = {
                    each.function
                    for each in walk(flat.functions[name].body)
                    if isinstance(each, fl.CallFunction | fl.RunFunction) and each.index is None
                }
                left += [(each, False) for each in sorted(called) if each not in found]
    return list(found)


def _is_short(function: fl.Function) -> bool:
    match function.body:
        case (fl.Return(value=value),) if value is not None:
            return sum(1 for _ in walk(value)) <= MAX_INLINED
        case (fl.RunFunction() as only,):
            return sum(1 for _ in walk(only)) <= MAX_INLINED
        case _:
            return False


def _inlined(body: fl.Body, short: Mapping[str, fl.Function]) -> fl.Body:
    return tuple(rewrite(stmt, lambda node: _put_in(node, short)) for stmt in body)


def _put_in(node: AnyNode, short: Mapping[str, fl.Function]) -> AnyNode:
    if not isinstance(node, fl.CallFunction | fl.RunFunction) or node.index is not None:
        return node
    function = short.get(node.function)
    if function is None:
        return node
    (only,) = function.body
    if isinstance(node, fl.RunFunction) and isinstance(only, fl.Return):
        return node  # the call has no effect and is never reached
    given = dict(zip(function.params, node.arguments, strict=True))
    reads = [each.name for each in walk(only) if isinstance(each, fl.LocalVar)]
    for name, value in given.items():
        if reads.count(name) > 1 and not isinstance(value, fl.LocalVar | fl.Literal):
            return node
    return rewrite(
        only.value if isinstance(only, fl.Return) else only,
        lambda each: given.get(each.name, each) if isinstance(each, fl.LocalVar) else each,
    )


# Inlining of tests in loops: a call in the test is replaced by the body of the function, and the
# statements of the loop move into the innermost conditional (jump threading). The index-set pass
# can then read the function's first test off bits, and no call remains.
#
#     for c in 0 .. 64                    for c in 0 .. 64
#         if can(c)                           if (@n:coin[c] <> 0)
#             push &options c                     ...
#                                                 if any
#                                                     push &options c
#
# The loop must consist of one conditional, and the call must be its last conjunct, with locals or
# constants as arguments; the function must have at most `MAX_NODES` nodes and a single return, at
# its end.


MAX_NODES = 150


def inline_tests(flat: fl.Flat) -> None:
    """Inline the functions called by tests inside loops."""
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
        """Return a body with the tests of its loops inlined, and its buffers."""
        self._buffers = [*buffers]
        made = tuple(rewrite(stmt, self._loop) for stmt in body)
        return made, tuple(self._buffers)

    def _loop(self, node: AnyNode) -> AnyNode:
        match node:
            case fl.For(body=(fl.Conditional(condition=condition, yes=yes, no=()) as test,)):
                pass
            case _:
                return node
        *first, last = conjuncts(condition)
        if not isinstance(last, fl.CallFunction) or last.index is not None:
            return node
        made = self._written(last, yes)
        if made is None:
            return node
        if first:
            made = (attrs.evolve(test, condition=logic("and", *first), yes=made),)
        return attrs.evolve(node, body=made)

    def _written(self, call: fl.CallFunction, then: fl.Body) -> fl.Body | None:
        """Return a function's body, followed by statements to execute if its result is true."""
        function = self.flat.functions[call.function]
        if not function.body or sum(1 for _ in walk(function.body)) > MAX_NODES:
            return None
        *before, end = function.body
        returns = [each for each in walk(function.body) if isinstance(each, fl.Return)]
        if not isinstance(end, fl.Return) or end.value is None or len(returns) > 1:
            return None
        self._number += 1
        given = dict(zip(function.params, call.arguments, strict=True))
        if not all(isinstance(each, fl.LocalVar | fl.Literal) for each in given.values()):
            return None
        renamed = _Renamed(given, f"~{self._number}")
        self._buffers += [(renamed.name(name), most) for name, most in function.buffers]
        body = tuple(rewrite(each, renamed.node) for each in before)
        return _threaded(body, rewrite(end.value, renamed.node), then)


@attrs.frozen
class _Renamed:
    """Renaming of a function's locals to fresh names."""

    given: dict[str, fl.Expr]
    suffix: str

    def name(self, name: str) -> str:
        return f"{name}{self.suffix}"

    def node(self, node: AnyNode) -> AnyNode:
        match node:
            case fl.LocalVar(name=name):
                return self.given.get(name) or fl.LocalVar(self.name(name))
            case fl.Buffer(name=name):
                return attrs.evolve(node, name=self.name(name))
            case fl.Set(local=local) | fl.For(local=local) | fl.Draw(local=local):
                return attrs.evolve(node, local=self.name(local))
            case fl.Shift(old=old, new=new):
                return attrs.evolve(node, old=self.name(old), new=self.name(new))
            case _:
                return node


def _threaded(body: fl.Body, holds: fl.Expr, then: fl.Body) -> fl.Body:
    """Append a conditional to a body, inside the test at its beginning if there is one.

    `x := a; if x: (b; x := c); if x: then` becomes `if a: (b; x := c; if x: then)`.
    """
    match body, holds:
        case (
            (
                fl.Set(local=local, value=value),
                fl.Conditional(condition=fl.LocalVar(name=asked), no=()) as test,
            ),
            fl.LocalVar(name=held),
        ) if local == asked == held:
            inside = (*test.yes, fl.Conditional(holds, then))
            known = (fl.Set(local, fl.Literal(1)),) if local in read_first(test.yes) else ()
            return (attrs.evolve(test, condition=value, yes=(*known, *inside)),)
        case _:
            return (*body, fl.Conditional(holds, then))

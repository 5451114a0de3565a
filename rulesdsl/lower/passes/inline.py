"""Inlining: a function that is one short expression, or one call, takes the place of its calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat_walk import Flat
from rulesdsl.source.tree import rewrite, walk

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_INLINED = 40  # nodes of a body that is written in the place of a call


def inline(flat: fl.Flat) -> None:
    """Write short functions in the place of their calls; callees first, so that chains go too."""
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
                    if isinstance(each, fl.Call | fl.Do) and each.index is None
                }
                left += [(each, False) for each in sorted(called) if each not in found]
    return list(found)


def _is_short(function: fl.Function) -> bool:
    """Return whether a function is one short expression, or one call."""
    match function.body:
        case (fl.Return(value=value),) if value is not None:
            return sum(1 for _ in walk(value)) <= MAX_INLINED
        case (fl.Do() as only,):
            return sum(1 for _ in walk(only)) <= MAX_INLINED
        case _:
            return False


def _inlined(body: fl.Body, short: Mapping[str, fl.Function]) -> fl.Body:
    return tuple(rewrite(stmt, lambda node: _put_in(node, short)) for stmt in body)


def _put_in(node: Flat, short: Mapping[str, fl.Function]) -> Flat:
    if not isinstance(node, fl.Call | fl.Do) or node.index is not None:
        return node
    function = short.get(node.function)
    if function is None:
        return node
    (only,) = function.body
    if isinstance(node, fl.Do) and isinstance(only, fl.Return):
        return node  # it does nothing, and is never reached
    given = dict(zip(function.params, node.arguments, strict=True))
    reads = [each.name for each in walk(only) if isinstance(each, fl.Local)]
    for name, value in given.items():
        if reads.count(name) > 1 and not isinstance(value, fl.Local | fl.Const):
            return node
    return rewrite(
        only.value if isinstance(only, fl.Return) else only,
        lambda each: given.get(each.name, each) if isinstance(each, fl.Local) else each,
    )

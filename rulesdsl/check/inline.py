"""Inlining: what a body comes to where it is called, with arguments in the place of parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.facts import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.program import Program


def bindings(
    params: Iterable[ty.Local], me: ty.Value, arguments: Iterable[ty.Value]
) -> Iterator[tuple[str, ty.Value]]:
    """Yield what the locals of something called are bound to."""
    yield "me", me
    yield from zip((each.name for each in params), arguments, strict=True)


def inline(
    program: Program,
    body: ty.Value,
    params: Iterable[ty.Local],
    me: ty.Value,
    arguments: Iterable[ty.Value],
) -> ty.Value:
    """Return a value for given arguments; what it binds is renamed so that nothing is caught.

    The program gives out each new name once.  Names that were new in an earlier inlining stay:
    nothing calls itself, so what was inlined once never comes to lie inside itself.
    """
    given = dict(bindings(params, me, arguments))
    names: dict[str, str] = {}
    for each in ty.walk_all(body):
        for old in FACTS[type(each)].within(each):
            if "~" not in old and old not in names:
                names[old] = program.fresh(old)

    def put_in(node: ty.Node) -> ty.Node:
        match node:
            case ty.Local(name=name) if name in given:
                return given[name]
            case ty.Local(name=name) | ty.LetIn(name=name) if name in names:
                return attrs.evolve(node, name=names[name])
            case (
                ty.SumOf(variable=name)
                | ty.BestOf(variable=name)
                | ty.FirstOf(variable=name)
                | ty.Filtered(variable=name)
            ) if name in names:
                return attrs.evolve(node, variable=names[name])
        return node

    return ty.rewrite(body, put_in)

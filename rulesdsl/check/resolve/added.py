"""Lines that hooks add to a menu or a choice."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.flow import menu_line, way
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.scope import Added


def added_lines(r: Resolver) -> list[ty.Line]:
    """Return the lines that hooks add to a menu, each with what its hook asks for."""
    found: list[ty.Line] = []
    for added in r.scope.added:
        if isinstance(added.lines, st.Menu):
            with _of_hook(r, added) as asked:
                lines = [menu_line(r, line) for line in added.lines.lines]
            found += [attrs.evolve(each, block=_asking(asked, each.block)) for each in lines]
    return found


def added_ways(r: Resolver) -> list[ty.Line]:
    """Return the ways that hooks add to a choice, each with what its hook asks for."""
    found: list[ty.Line] = []
    for added in r.scope.added:
        if isinstance(added.lines, st.ChooseOne):
            with _of_hook(r, added) as asked:
                ways = [way(r, line.label, line.body) for line in added.lines.lines]
            found += [attrs.evolve(each, block=_asking(asked, each.block)) for each in ways]
    return found


@contextmanager
def _of_hook(r: Resolver, added: Added) -> Iterator[list[ty.Step]]:
    """Open the lines of a hook: they know its parameters, and nothing of what they join."""
    with r.scope.block():
        r.scope.locals, r.scope.some = dict(added.locals), set()
        r.scope.candidates, r.scope.added = [], ()
        asked: list[ty.Step] = []
        if added.when is not None:
            condition = r.condition(added.when)
            r.scope.assume(condition)
            asked.append(ty.Require(condition, span=added.when.span))
        yield asked


def _asking(asked: list[ty.Step], block: ty.Block) -> ty.Block:
    return attrs.evolve(block, steps=(*asked, *block.steps))

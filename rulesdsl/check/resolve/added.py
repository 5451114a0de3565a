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


MAX_LINES = 500  # of a menu or choice: the memory that a question takes grows with their square


def lines_of(r: Resolver, stmt: st.Menu | st.ChooseOne) -> tuple[ty.Line, ...]:
    """Return the lines of a menu or choice, and those that hooks add, with what these ask for."""
    found = _own(r, stmt)
    for added in r.scope.added:
        if isinstance(added.lines, type(stmt)):
            with _of_hook(r, added) as asked:
                lines = _own(r, added.lines)
            found += [attrs.evolve(each, block=_asking(asked, each.block)) for each in lines]
    if len(found) > MAX_LINES:
        message = f"There are {len(found)} lines to choose from; the limit is {MAX_LINES}."
        advice = "Put what they are about into a table, and let players choose an entry of it."
        r.report("E407", stmt.span, message, advice)
    return tuple(found[:MAX_LINES])


def _own(r: Resolver, stmt: st.Menu | st.ChooseOne) -> list[ty.Line]:
    if isinstance(stmt, st.Menu):
        return [menu_line(r, line) for line in stmt.lines]
    return [way(r, line) for line in stmt.lines]


@contextmanager
def _of_hook(r: Resolver, added: Added) -> Iterator[list[ty.Step]]:
    """Open the lines of a hook: they know its parameters, and nothing of what they join."""
    with r.scope.block():
        r.scope.locals, r.scope.some = {}, set()
        r.scope.candidates, r.scope.added = [], ()
        r.bind(added.params, added.values)
        asked: list[ty.Step] = []
        if added.when is not None:
            condition = r.condition(added.when)
            r.scope.assume(condition)
            asked.append(ty.Require(condition, span=added.when.span))
        yield asked


def _asking(asked: list[ty.Step], block: ty.Block) -> ty.Block:
    return attrs.evolve(block, steps=(*asked, *block.steps))

"""Lines that hooks add to a menu or a choice."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.flow import FlowResolver
from rulesdsl.syntax import statements as st

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.scope import Added


class AddedResolver(FlowResolver):
    """Resolves what hooks add to the menu or choice of the body that is being resolved."""

    def added_lines(self) -> list[ty.Line]:
        """Return the lines that hooks add to a menu, each with what its hook asks for."""
        found: list[ty.Line] = []
        for added in self.scope.added:
            if isinstance(added.lines, st.Menu):
                with self._of_hook(added) as asked:
                    lines = [self.menu_line(line) for line in added.lines.lines]
                found += [attrs.evolve(each, block=_asking(asked, each.block)) for each in lines]
        return found

    def added_ways(self) -> list[ty.Line]:
        """Return the ways that hooks add to a choice, each with what its hook asks for."""
        found: list[ty.Line] = []
        for added in self.scope.added:
            if isinstance(added.lines, st.ChooseOne):
                with self._of_hook(added) as asked:
                    ways = [self.way(line.label, line.body) for line in added.lines.lines]
                found += [attrs.evolve(each, block=_asking(asked, each.block)) for each in ways]
        return found

    @contextmanager
    def _of_hook(self, added: Added) -> Iterator[list[ty.Step]]:
        """Open the lines of a hook: they know its parameters, and nothing of what they join."""
        with self.scope.block():
            self.scope.locals, self.scope.some = dict(added.locals), set()
            candidates, self.scope.candidates = self.scope.candidates, []
            more, self.scope.added = self.scope.added, ()
            asked: list[ty.Step] = []
            if added.when is not None:
                condition = self.condition(added.when)
                self.scope.assume(condition)
                asked.append(ty.Require(condition, span=added.when.span))
            yield asked
            self.scope.candidates, self.scope.added = candidates, more


def _asking(asked: list[ty.Step], block: ty.Block) -> ty.Block:
    return attrs.evolve(block, steps=(*asked, *block.steps))

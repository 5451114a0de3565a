"""Occasions of questions: the entries, such as cards and places, whose effects ask them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.call_graph import reached
from rulesdsl.check.typed.program import Program
from rulesdsl.source.english import or_list, so_many

_NAMED = 3  # house: entries that are named; the others are counted


@attrs.define(slots=False, eq=False)
class Occasions:
    """The entries whose effects carry out each procedure of a program."""

    program: Program

    def of(self, proc: str) -> str:
        """Return the titles of the entries that a procedure belongs to.

        The text is empty if there are none, or if the course of the game comes to it by itself.
        """
        titles = self._titles.get(proc, {})
        if proc in self._by_itself:
            return ""
        more = so_many(len(titles) - _NAMED, "other", "others")
        return or_list([*titles][:_NAMED] + ([more] if len(titles) > _NAMED else []))

    @cached_property
    def _by_itself(self) -> frozenset[str]:
        return reached(["game"], self._callees)

    @cached_property
    def _titles(self) -> dict[str, dict[str, None]]:
        titles: dict[str, dict[str, None]] = {}
        kinds, places = self.program.world.kinds, self.program.world.places
        effects = sorted(self.program.effects.items(), key=lambda item: item[0][0] not in places)
        for (kind, _, entry, _), effect in effects:  # places come first
            for proc in reached([effect], self._callees):
                titles.setdefault(proc, {})[kinds[kind].entries[entry].title] = None
        return titles

    def _callees(self, proc: str) -> Iterator[str]:
        nodes = self.program.procs[proc].nodes if proc in self.program.procs else ()
        return (node.proc for node in nodes if isinstance(node, ty.Run))

"""What steps may come to: for each way they may go, what is surely taken and what may be given."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.facts import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.program import Program
    from rulesdsl.check.world import Cell
    from rulesdsl.source.span import Span

MOST_WAYS = 60  # beyond, ways are taken together: what all of them take, what any of them gives


@attrs.frozen
class Outcome:
    """One way: the cells that are surely taken from, those that may be added to, whose doing."""

    taken: frozenset[Cell] = frozenset()
    given: frozenset[Cell] = frozenset()
    by: Span | None = None  # the effect of an entry, where one was carried out


Outcomes = tuple[Outcome, ...]
NOTHING = Outcome()


class Ways:
    """Works out the ways that steps may go, calls included. An amount counts as more than none."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._of_entries = frozenset(program.effects.values())
        self._of_procs: dict[str, Outcomes] = {}

    def of_block(self, block: ty.Block) -> Outcomes:
        """Return the ways of steps in order."""
        found: Outcomes = (NOTHING,)
        for step in block.steps:
            found = _then(found, self._of_step(step))
        return found

    def _of_proc(self, key: str) -> Outcomes:
        if key not in self.program.procs:
            return (NOTHING,)
        if key not in self._of_procs:
            self._of_procs[key] = self.of_block(self.program.procs[key].block)
        return self._of_procs[key]

    def _of_step(self, step: ty.Step) -> Outcomes:
        if isinstance(step, ty.Block):
            return self.of_block(step)
        facts = FACTS[type(step)]
        if isinstance(step, ty.Run | ty.DoField):
            return _joined(map(self._of_called, facts.runs(step, self.program))) or (NOTHING,)
        flow = facts.flow(step)
        if flow is None:
            taken, given = facts.takes(step, self.program), facts.gives(step, self.program)
            return (Outcome(frozenset(taken), frozenset(given)),)
        ways = _joined(self.of_block(block) for block in flow.blocks)
        ways = _again(ways) if flow.again else ways
        return ways if flow.surely else _joined([(NOTHING,), ways])

    def _of_called(self, key: str) -> Outcomes:
        """Return the ways of a procedure; that of an entry is to blame for what it does."""
        ways = self._of_proc(key)
        if key not in self._of_entries:
            return ways
        span = self.program.procs[key].span
        return tuple(attrs.evolve(each, by=span) for each in ways)


def _then(first: Outcomes, second: Outcomes) -> Outcomes:
    """Return the ways of one thing after another."""
    if second == (NOTHING,):
        return first
    return _few(
        Outcome(one.taken | two.taken, one.given | two.given, one.by or two.by)
        for one in first
        for two in second
    )


def _again(ways: Outcomes) -> Outcomes:
    """Return the ways of something that is done at least once, each time as it may."""
    given = frozenset(cell for each in ways for cell in each.given)
    return _few(attrs.evolve(each, given=given) for each in ways)


def _joined(groups: Iterable[Outcomes]) -> Outcomes:
    return _few(each for group in groups for each in group)


def _few(ways: Iterable[Outcome]) -> Outcomes:
    found = tuple(dict.fromkeys(ways))
    if len(found) <= MOST_WAYS:
        return found
    taken = frozenset.intersection(*(each.taken for each in found))
    return (Outcome(taken, frozenset(cell for each in found for cell in each.given)),)

"""Which arithmetic provably stays within 64 bits: only the rest is held there as a game goes on.

What a procedure or value is given comes from its callers, so these are looked at before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import Interval, Intervals, fits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.program import Computed, Program

    Body = TypeVar("Body", bound=ty.Node)


def mark_exact(program: Program, procs: Iterable[str], values: Iterable[Computed]) -> None:
    """Mark arithmetic that cannot overflow; procedures and values are given callers first."""
    marking = _Marking(program)
    for key in procs:
        proc = program.procs[key]
        proc.block = marking.body(proc.block, proc.params, key)
    for field, formula in program.formulas.items():
        program.formulas[field] = marking.body(formula)
    for rival, condition in program.rival_conditions.items():
        program.rival_conditions[rival] = marking.body(condition)
    program.ranking = tuple((most, marking.body(value)) for most, value in program.ranking)
    for verdict in program.verdicts:
        verdict.condition = marking.body(verdict.condition)
    for called in values:
        if called in program.values:  # else the formulas of a field, or the ranking
            value = program.values[called]
            value.body = marking.body(value.body, value.params, called)


class _Marking:
    def __init__(self, program: Program) -> None:
        self._intervals = Intervals(program)
        self._given: dict[
            str | Computed, list[Interval]
        ] = {}  # what parameters are given, as seen so far

    def body(
        self, node: Body, params: tuple[ty.Local, ...] = (), key: str | Computed = ""
    ) -> Body:
        """Return a body with its exact arithmetic marked."""
        with self._intervals.inside(params, self._given.get(key, ())):
            for each in ty.walk(node):
                self._intervals.bind(each)
                if isinstance(each, ty.Run):
                    self._note(each.proc, each.arguments)
                elif isinstance(each, ty.CallValue):
                    self._note((each.name, each.layer), each.arguments)
            return ty.rewrite(node, self._marked)

    def _note(self, key: str | Computed, arguments: tuple[ty.Value, ...]) -> None:
        new = [self._intervals.of(each) for each in arguments]
        old = self._given.get(key, new)
        both = zip(old, new, strict=True)
        self._given[key] = [(min(a, c), max(b, d)) for (a, b), (c, d) in both]

    def _marked(self, node: ty.Node) -> ty.Node:
        if isinstance(node, ty.Arith | ty.SumOf):
            exact = fits(self._intervals.exact(node))
            return attrs.evolve(node, exact=True) if exact else node
        if isinstance(node, ty.Numbers):
            return attrs.evolve(node, most=self._intervals.most(node))
        if isinstance(node, ty.RepeatTimes):
            return attrs.evolve(node, most=self._intervals.of(node.times)[1])
        return node

"""Which arithmetic provably stays within 64 bits: only the rest is held there as a game goes on.

What a procedure or value is given comes from its callers, so these are looked at before it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import Interval, Intervals, fits

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulesdsl.check.program import Computed, Program

    Body = TypeVar("Body", bound=ty.Node)


def mark_exact(program: Program, procs: Iterable[str], values: Sequence[Computed]) -> None:
    """Mark arithmetic that cannot overflow; procedures and values are given callers first."""
    marking = _Marking(program, values[::-1])
    for key in procs:
        proc = program.procs[key]
        program.procs[key] = attrs.evolve(proc, block=marking.body(key, proc.block, proc.params))
    for field, formula in program.formulas.items():
        program.formulas[field] = marking.body(None, formula)
    for rival, condition in program.rival_conditions.items():
        program.rival_conditions[rival] = marking.body(None, condition)
    program.ranking = tuple((most, marking.body(None, value)) for most, value in program.ranking)
    for verdict in program.verdicts:
        verdict.condition = marking.body(None, verdict.condition)
    for called in values:
        name, layer = called
        if isinstance(layer, int) and (name, layer) in program.values:
            value = program.values[name, layer]
            body = marking.body(called, value.body, value.params)
            program.values[name, layer] = attrs.evolve(value, body=body)


class _Marking:
    def __init__(self, program: Program, values: Iterable[Computed]) -> None:
        self._program = program
        self._intervals = Intervals(program, values)
        self._given: dict[
            str | Computed, tuple[Interval, ...]
        ] = {}  # what parameters are given, as seen so far

    def body(
        self, key: str | Computed | None, node: Body, params: tuple[ty.Local, ...] = ()
    ) -> Body:
        """Return a body with its arithmetic marked, and note what it gives to what it calls."""
        with self._intervals.inside(params, self._given.get(key, ()) if key else ()):
            for each in ty.walk(node):
                self._intervals.bind(each)
                if isinstance(each, ty.Run):
                    self._gives(each.proc, each.arguments)
                elif isinstance(each, ty.CallValue):
                    self._gives((each.name, each.layer), each.arguments)
            return ty.rewrite(node, self._marked)

    def _gives(self, called: str | Computed, arguments: tuple[ty.Value, ...]) -> None:
        new = tuple(map(self._intervals.of, arguments))
        both = zip(self._given.get(called, new), new, strict=True)
        self._given[called] = tuple((min(a, c), max(b, d)) for (a, b), (c, d) in both)

    def _marked(self, node: ty.Node) -> ty.Node:
        if isinstance(node, ty.Arith | ty.SumOf):
            exact = fits(self._intervals.exact(node))
            return attrs.evolve(node, exact=True) if exact else node
        if isinstance(node, ty.Numbers):
            return attrs.evolve(node, most=self._intervals.most(node))
        if isinstance(node, ty.RepeatTimes):
            return attrs.evolve(node, most=self._intervals.of(node.times)[1])
        return node

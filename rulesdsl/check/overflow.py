"""Which arithmetic provably stays within 64 bits: only the rest is held there as a game goes on.

What a procedure or value is given comes from its callers, so these are looked at before it.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import Interval, Intervals, fits

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from rulesdsl.check.program import Computed, Program, TypedProc, TypedValue

    Body = TypeVar("Body", bound=ty.Node)
    K = TypeVar("K", bound=Hashable)
    _Gives = list[tuple[str | Computed, tuple[Interval, ...]]]  # what is called, and with what

_FILLED = ("typed procs", "typed formulas", "typed rival_conditions", "typed values")


def mark_exact(program: Program, procs: Iterable[str], values: Sequence[Computed]) -> None:
    """Mark arithmetic that cannot overflow; procedures and values are given callers first."""
    marking = _Marking(program, values[::-1])
    with program.world.trace.stage("exact", *_FILLED):
        for key in procs:
            marking.proc(key, program.procs[key])
        for field, formula in program.formulas.items():
            marking.part("formula", program.formulas, field, formula)
        for rival, condition in program.rival_conditions.items():
            marking.part("rival", program.rival_conditions, rival, condition)
        ranking = [
            marking.part("ranking", {}, at, value) for at, (_, value) in enumerate(program.ranking)
        ]
        for at, verdict in enumerate(program.verdicts):
            verdict.condition = marking.part("verdict", {}, at, verdict.condition)
        for called in values:
            name, layer = called
            if isinstance(layer, int) and (name, layer) in program.values:
                marking.value((name, layer), program.values[name, layer])
    sides = (most for most, _ in program.ranking)
    program.ranking = tuple(zip(sides, ranking, strict=True))
    program.world.trace.input("ranking", program.ranking)


class _Marking:
    def __init__(self, program: Program, values: Iterable[Computed]) -> None:
        self._program = program
        self._intervals = Intervals(program, values, "resolved")
        self._given: dict[
            str | Computed, tuple[Interval, ...]
        ] = {}  # what parameters are given, as seen so far

    def proc(self, key: str, proc: TypedProc) -> None:
        """Mark the arithmetic of a procedure."""

        def put(block: ty.Block) -> None:
            self._program.procs[key] = attrs.evolve(proc, block=block)

        given = self._given.get(key, ())
        self._unit(key, (proc, given), partial(self._body, proc.block, put, proc.params, given))

    def value(self, called: tuple[str, int], value: TypedValue) -> None:
        """Mark the arithmetic of a value."""

        def put(body: ty.Value) -> None:
            self._program.values[called] = attrs.evolve(value, body=body)

        given = self._given.get(called, ())
        run = partial(self._body, value.body, put, value.params, given)
        self._unit(called, (value, given), run)

    def part(self, what: str, table: dict[K, ty.Value], key: K, part: ty.Value) -> ty.Value:
        """Mark the arithmetic of something without parameters; put it into its table."""
        run = partial(self._body, part, partial(table.__setitem__, key))
        return self._unit((what, key), (part,), run)

    def _unit(
        self, key: Hashable, given: tuple[object, ...], run: Callable[[], tuple[Body, _Gives]]
    ) -> Body:
        marked, gives = self._program.world.trace.unit(("exact", key), given, None, run)
        for called, new in gives:
            old = self._given.get(called, new)
            both = zip(old, new, strict=True)
            self._given[called] = tuple((min(a, c), max(b, d)) for (a, b), (c, d) in both)
        return marked

    def _body(
        self,
        node: Body,
        put: Callable[[Body], None],
        params: tuple[ty.Local, ...] = (),
        given: tuple[Interval, ...] = (),
    ) -> tuple[Body, _Gives]:
        gives: _Gives = []
        with self._intervals.inside(params, given):
            for each in ty.walk(node):
                self._intervals.bind(each)
                if isinstance(each, ty.Run):
                    gives.append((each.proc, tuple(map(self._intervals.of, each.arguments))))
                elif isinstance(each, ty.CallValue):
                    called = each.name, each.layer
                    gives.append((called, tuple(map(self._intervals.of, each.arguments))))
            marked = ty.rewrite(node, self._marked)
        put(marked)
        return marked, gives

    def _marked(self, node: ty.Node) -> ty.Node:
        if isinstance(node, ty.Arith | ty.SumOf):
            exact = fits(self._intervals.exact(node))
            return attrs.evolve(node, exact=True) if exact else node
        if isinstance(node, ty.Numbers):
            return attrs.evolve(node, most=self._intervals.most(node))
        if isinstance(node, ty.RepeatTimes):
            return attrs.evolve(node, most=self._intervals.of(node.times)[1])
        return node

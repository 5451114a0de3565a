"""Dataflow driver: one walk over steps, branches, loops and calls for several analyses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Generic, TypeAlias, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.intervals import COUNTED, Interval, Intervals
from rulesdsl.check.analysis.prover import Effects, FactSet, facts_of
from rulesdsl.check.typed.conditions import atoms, negate
from rulesdsl.check.typed.program import Program
from rulesdsl.check.typed.traits import TRAITS, Flow


@attrs.frozen
class CallContext:
    """Facts at a call, and the intervals of its numeric arguments; empty if nothing is known."""

    numbers: tuple[Interval, ...] = ()
    facts: frozenset[ty.Value] = frozenset()


ANY_CALL = CallContext()
Call: TypeAlias = ty.Run | ty.DoField
S = TypeVar("S")
R = TypeVar("R")


def _unchanged(_: object, state: S) -> S:
    return state


def _for_all(_: ty.Step, flow: Flow, state: S) -> list[S]:
    return [state] * len(flow.ways)


def _no_facts(*_: object) -> frozenset[ty.Value]:
    return frozenset()


@attrs.frozen
class Analysis(Generic[S, R]):
    """Transfer functions of an analysis; `S` is a state before a step, `R` a summary of steps."""

    nothing: R  # no step
    then: Callable[[R, R], R]  # steps in order
    leaf: Callable[[ty.Step, S], R]  # a step without blocks and calls
    called: Callable[[ty.Step, list[R], S], R]  # a call, from the summaries of possible callees
    joined: Callable[[ty.Step, Flow, list[R], S], R]  # a step, from the summaries of its ways
    entry: Callable[[CallContext], S]  # the state at the beginning of a procedure
    behind: Callable[[ty.Step, S], S] = _unchanged  # the state after a step
    inside: Callable[[ty.Step, Flow, S], Iterable[S]] = _for_all  # at the beginning of each way
    context: Callable[[str, Call, S], frozenset[ty.Value]] = _no_facts  # facts for the callee
    finished: Callable[[ty.Step, R], R] = _unchanged  # a whole step or block
    returned: Callable[[str, R], R] = _unchanged  # a procedure, from the summary of its body


# Dataflow driver: abstract interpretation of procedures, compositional and context-sensitive.
#
# An analysis consists of transfer functions (`Analysis`). The driver threads a state forward
# through the steps of a block, passes to each nested block the state at its beginning, and
# combines summaries upwards: in sequence (`then`), over branches and loops (`joined`), over calls
# (`called`). The structure of a step is the column `flow` of the table in `typed/traits`, so
# neither the driver nor an analysis refers to particular loops or branches.
#
# The summary of a procedure is computed once per calling context (`CallContext`). At most `most`
# contexts of a procedure are distinguished; all further calls share the empty context. The call
# graph is acyclic, since cycles have been reported before, so one pass in callees-first order
# suffices. Loops need no iteration either: at the head of a loop, all facts that its body may
# invalidate are dropped, and a second round would not drop more. A fact that the body restores is
# dropped as well.
#
# `intervals` is the environment of numeric locals of the current body. It only grows, because a
# local is bound once, so it is extended during the walk instead of being part of the state.
#
# Two analyses have their own walk: `preconditions` goes backwards, and a binding encloses the
# steps after it; `information_flow` rewrites steps, and the blocks of a step depend on what the
# step itself reveals. Both get the structure of loops from `flow`. Visibility and intervals
# analyse values, not steps; read and write sets are unions over whole trees.
class Dataflow(Generic[S, R]):
    """Driver of one analysis of procedure bodies."""

    def __init__(
        self,
        analysis: Analysis[S, R],
        program: Program,
        intervals: Intervals,
        bodies: Mapping[str, ty.Block],
        most: int,
    ) -> None:
        self.program = program
        self.intervals = intervals
        self.bodies = bodies
        self._analysis = analysis
        self._most = most
        self._contexts: dict[str, dict[CallContext, None]] = {}
        self._known: dict[tuple[str, CallContext], R] = {}

    def forget(self) -> None:
        """Forget all summaries and contexts."""
        self._contexts, self._known = {}, {}

    def run(self, order: list[str]) -> None:
        """Compute the summaries of procedures in all contexts, in callees-first order.

        The contexts are collected first, in callers-first order, so that no summary depends on a
        later one.
        """
        for key in reversed(order):
            proc = self.program.procs[key]
            for context in [*self._contexts.setdefault(key, {ANY_CALL: None})]:
                with self.intervals.inside(proc.params, context.numbers):
                    for step in proc.nodes:
                        self.intervals.bind(step)
                        for callee in TRAITS[type(step)].runs(step, self.program):
                            self._admitted(callee, CallContext(self._numbers(callee, step)))
        for key in order:
            for context in [*self._contexts[key]]:
                self.call(key, context)

    # ---------------------------------------------------------------- steps
    def block(self, block: ty.Block, state: S) -> R:
        """Return the summary of a block."""
        return self._block(block, state)[0]

    def _block(self, block: ty.Block, state: S) -> tuple[R, S]:
        analysis, found = self._analysis, self._analysis.nothing
        for step in block.steps:
            self.intervals.bind(step)
            if isinstance(step, ty.Block):
                part, state = self._block(step, state)
            else:
                part = analysis.finished(step, self._step(step, state))
                state = analysis.behind(step, state)
            found = analysis.then(found, part)
        return analysis.finished(block, found), state

    def _step(self, step: ty.Step, state: S) -> R:
        facts, analysis = TRAITS[type(step)], self._analysis
        flow: Flow | None = facts.flow(step)
        if flow is not None:
            states = analysis.inside(step, flow, state)
            ways = [self.block(*each) for each in zip(flow.blocks, states, strict=True)]
            return analysis.joined(step, flow, ways, state)
        callees = [key for key in facts.runs(step, self.program) if key in self.program.procs]
        if not callees:
            return analysis.leaf(step, state)
        assert isinstance(step, Call)
        calls = [
            (key, CallContext(self._numbers(key, step), analysis.context(key, step, state)))
            for key in callees
        ]
        return analysis.called(step, [self.call(*each) for each in calls], state)

    # ---------------------------------------------------------------- calls
    def call(self, key: str, context: CallContext = ANY_CALL) -> R:
        """Return a procedure's summary in a context, or for all contexts if there are too many."""
        context = self._admitted(key, context)
        if (key, context) not in self._known:
            with self.intervals.inside(self.program.procs[key].params, context.numbers):
                found = self.block(self.bodies[key], self._analysis.entry(context))
            self._known[key, context] = self._analysis.returned(key, found)
        return self._known[key, context]

    def _admitted(self, key: str, context: CallContext) -> CallContext:
        contexts = self._contexts.setdefault(key, {})
        if context not in contexts and len(contexts) >= self._most:
            context = ANY_CALL
        contexts.setdefault(context, None)
        return context

    def _numbers(self, key: str, step: ty.Node) -> tuple[Interval, ...]:
        params = self.program.procs[key].params
        if isinstance(step, ty.Run) and any(each.type.family in COUNTED for each in params):
            return self.intervals.given(params, step.arguments)
        return ()


# Facts along steps: a forward must-analysis over sets of conditions. A condition that was tested
# on the path, or that a chosen element satisfies, holds until a step may write a cell that it
# reads.
class FactFlow:
    """Transfer functions for the facts that hold before each step."""

    def __init__(self, effects: Effects) -> None:
        self._writes = effects.writes

    def behind(self, step: ty.Step, known: FactSet) -> FactSet:
        """Return the facts after a step."""
        if isinstance(step, ty.Require):
            return known | atoms(step.condition)
        if isinstance(step, ty.Decide) and step.choice is not None:
            return known | facts_of(*step.choice)
        if isinstance(step, ty.SetLocal) and isinstance(step.value, ty.EndOf):
            piece = step.value.type.total()
            lying = ty.Lying(step.value.piece, step.value.cells, element=piece)
            return known | facts_of(step.name, lying)
        return known.without(self._writes(step))

    def inside(self, step: ty.Step, flow: Flow, known: FactSet) -> Iterator[FactSet]:
        """Yield the facts that hold at the start of each block in a step."""
        if flow.each is not None:
            known |= facts_of(*flow.each)
        if flow.again:
            known = known.without(self._writes(step))
        for way in flow.ways:
            yield chosen(known, way.holds, way.element)
            if flow.in_turn:
                known |= atoms(negate(way.holds))


def chosen(known: FactSet, holds: ty.Value, element: tuple[str, ty.Domain] | None) -> FactSet:
    """Return the facts that hold after a condition has been tested on an element of a domain."""
    known = known if holds == ty.YES else known | atoms(holds)
    return known if element is None else known | facts_of(*element)

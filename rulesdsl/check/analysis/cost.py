"""Upper bound on the work between two decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import starmap
from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis import wording
from rulesdsl.check.analysis.dataflow import Analysis, Dataflow
from rulesdsl.check.analysis.intervals import MAX_REPEATS, Intervals
from rulesdsl.check.typed.program import Computed, Program
from rulesdsl.check.typed.traits import TRAITS, Flow, guards_of
from rulesdsl.source.diagnostics import Findings, Related
from rulesdsl.source.span import Span

NEVER = -(10**30)  # cost of an impossible path


@attrs.frozen
class PathCost:
    """Cost of steps: the most rounds and calls on any part of a path between decisions."""

    silent: int  # on a path without a decision
    first: int = NEVER  # before the first decision
    between: int = NEVER  # between two decisions
    last: int = NEVER  # after the last decision

    @property
    def most(self) -> int:
        """The largest cost of any part of a path without a decision."""
        return max(self.silent, self.first, self.between, self.last)

    def then(self, other: PathCost) -> PathCost:
        """Return the cost of these steps followed by `other`."""
        return PathCost(
            self.silent + other.silent,
            max(self.first, self.silent + other.first),
            max(self.between, other.between, self.last + other.first),
            max(other.last, self.last + other.silent),
        )

    def times(self, rounds: int) -> PathCost:
        """Return the cost of a loop over these steps with at most `rounds` rounds."""
        silent = max(self.silent, 0)
        return PathCost(
            rounds * silent,
            self.first + (rounds - 1) * silent,
            max(self.between, self.last + (rounds - 2) * silent + self.first),
            self.last + (rounds - 1) * silent,
        )

    def perhaps(self) -> PathCost:
        """Return the cost of these steps if they may be skipped."""
        return either([NOTHING, self])


NOTHING = PathCost(0)
QUESTION = PathCost(NEVER, first=0, last=0)


def either(ways: Iterable[PathCost]) -> PathCost:
    """Return the cost of a branch: the maximum of its alternatives."""
    every = list(ways) or [NOTHING]
    return PathCost(
        max(each.silent for each in every),
        max(each.first for each in every),
        max(each.between for each in every),
        max(each.last for each in every),
    )


if TYPE_CHECKING:
    Placed = tuple[ty.Node, Span]
    Costs = dict[Placed, int]
    K = TypeVar("K", str, Computed)

MAX_WORK = 1_000_000  # without any possible decision: about a second
MAX_GAME = 100_000_000  # with a possible decision: at most some minutes
MOST_CALLS = 4  # calling contexts that are distinguished for each procedure
MOST_RELATED = 5


def work_of(
    program: Program,
    bodies: Mapping[str, ty.Block],
    order: list[str],
    values: Sequence[Computed],
    findings: Findings,
) -> int:
    """Return a bound on the cost between two decisions; report steps that exceed the limit."""
    return CostBounds(program, bodies, findings, values).check(order, values)


# Cost bound: an upper bound on rounds and calls between two decisions, including callees.
#
# Abstract interpretation with one summary (`PathCost`) per procedure and calling context, composed
# bottom-up over the call graph: `then` for sequences, `either` for branches, `times` for loops. A
# summary has four numbers, because a decision inside a sequence splits it: the cost of paths
# without a decision, before the first, between two, and after the last. Loop bounds are the upper
# bounds of limits, domain sizes or list lengths. A context is the tuple of intervals of the
# numeric arguments; beyond `MOST_CALLS` contexts, a procedure is analysed once for any numbers.
# Contexts are collected callers first; then costs are computed callees first.
#
# Input it must reject: five nested loops of a thousand rounds, or thirty verbs that each call the
# one before twice. A choice with one candidate is made without asking, so a path through it also
# counts as silent; the block of an optional option runs only after a decision. Steps that may ask
# have the larger limit `MAX_GAME`. Bounds do not correlate branches: costly branches of two loops
# are added even if their conditions exclude each other, so such input may be rejected although
# each run is cheap. After a report the cost becomes `NEVER`, so callers are not blamed again.
class CostBounds:
    """Computation of cost bounds; it reports the innermost node that exceeds the limit."""

    def __init__(
        self,
        program: Program,
        bodies: Mapping[str, ty.Block],
        findings: Findings,
        values: Iterable[Computed] | None = None,
    ) -> None:
        self.program = program
        self.bodies = bodies
        self.findings = findings
        self._intervals = Intervals(program, values)
        analysis: Analysis[Costs, PathCost] = Analysis(
            NOTHING,
            then=PathCost.then,
            leaf=self._leaf,
            called=self._call,
            joined=self._joined,
            entry=lambda _: {},
            finished=self._recorded,
        )
        self._flow = Dataflow(analysis, program, self._intervals, bodies, MOST_CALLS)
        self._computed: dict[Computed, int] = {}
        self._guards: dict[str, int] = {}
        self._most: Costs = {}  # largest cost of each node
        self._went: Costs = {}  # most rounds of each loop

    def check(self, order: list[str], values: Iterable[Computed]) -> int:
        """Compute all costs, callees first, and return the bound for the whole game."""
        for computed in values:
            self._of_computed(computed)
        for key in order:
            self._of_guard(key)
        self._flow.run(order)
        return max(self._flow.call("game").most, 0) if "game" in order else 0

    def of(self, block: ty.Block) -> PathCost:
        """Return the cost of a block."""
        return self._flow.block(block, {})

    # ---------------------------------------------------------------- steps
    def _leaf(self, step: ty.Step, here: Costs) -> PathCost:
        if isinstance(step, ty.Decide) and step.choice is not None:
            return self._values(here, step.choice[1]).then(QUESTION.perhaps())
        return self._values(here, *ty.children(step))

    def _call(self, step: ty.Step, ways: list[PathCost], here: Costs) -> PathCost:
        return self._values(here, *ty.children(step)).then(PathCost(1).then(either(ways)))

    def _joined(self, step: ty.Step, flow: Flow, ways: list[PathCost], here: Costs) -> PathCost:
        if isinstance(step, ty.Decide):
            return self._decision(step, ways, here)
        found, asked = either(ways), self._values(here, *flow.asked)
        if flow.again:
            once = PathCost(1).then(self._values(here, *flow.tested)).then(found)
            found = once.times(self._rounds(step))
        return asked.then(QUESTION if TRAITS[type(step)].decides else NOTHING).then(found)

    def _recorded(self, step: ty.Node, found: PathCost) -> PathCost:
        """Record the cost of a node; report excessive cost, and hide it from callers."""
        placed = step, step.span
        self._most[placed] = max(found.most, self._most.get(placed, 0))
        limit = MAX_WORK if found.first < 0 else MAX_GAME
        if found.most <= limit or not step.span.line:
            return found
        wording.TOO_MUCH_WORK.report(
            self.findings, step.span, self._way(step), work=found.most, most=limit
        )
        return PathCost(NEVER)

    def _decision(self, node: ty.Decide, ways: list[PathCost], here: Costs) -> PathCost:
        asked = NOTHING
        for line in node.lines:
            asked = asked.then(self._line(line, here))
        taken = either(starmap(self._recorded, zip(node.lines, ways, strict=True)))
        if node.again:
            once = QUESTION.then(taken).then(asked)
            return asked.then(once.then(once).perhaps())
        if node.stop is not None:
            return asked.then(QUESTION.then(taken).perhaps())
        return asked.then(QUESTION.perhaps()).then(taken)

    def _line(self, line: ty.OptionLine, here: Costs) -> PathCost:
        asked = self._values(here, line.guard)
        if line.domain is None:
            return asked
        rounds = max(self._intervals.most(line.domain), 1)
        return self._values(here, line.domain).then(PathCost(1).then(asked).times(rounds))

    # ---------------------------------------------------------------- values
    def _of_computed(self, computed: Computed) -> int:
        return self._memoized(self._computed, computed, self.program.bodies)

    def _of_guard(self, key: str) -> int:
        guards = self.program.guards
        return self._memoized(self._guards, key, lambda key: [guards.get(key, ty.YES)])

    def _memoized(self, known: dict[K, int], key: K, bodies: Callable[[K], list[ty.Value]]) -> int:
        if key not in known:
            here: Costs = {}
            with self._intervals.inside():
                known[key] = max((self._of_value(each, here) for each in bodies(key)), default=0)
        return known[key]

    def _values(self, here: Costs, *values: ty.Node) -> PathCost:
        return PathCost(sum(self._of_value(each, here) for each in values))

    def _of_value(self, node: ty.Node, here: Costs) -> int:
        if isinstance(node, ty.Const | ty.Local):
            return 0  # half of all nodes
        placed = node, node.span
        found = here.get(placed)
        if found is None:
            facts, program = TRAITS[type(node)], self.program
            parts = ty.children(node)
            if isinstance(node, ty.Cases):
                found = sum(self._of_value(asked, here) for asked, _ in node.cases)
                found += max(self._of_value(each, here) for each in node.values)
            elif (domain := facts.rounds(node)) is not None:
                self._intervals.bind(node)
                inner = sum(self._of_value(each, here) for each in parts if each is not domain)
                found = self._of_value(domain, here) + self._rounds(node) * (1 + inner)
            else:
                found = sum(self._of_value(each, here) for each in parts)
            found += max(map(self._of_guard, facts.asks(node, program)), default=0)
            found += sum(1 + self._of_computed(each) for each in facts.computes(node, program))
            here[placed] = found = self._recorded(node, PathCost(found)).silent
        return found

    def _rounds(self, node: ty.Node) -> int:
        found = TRAITS[type(node)].rounds(node)
        if found is None:
            rounds = self.program.world.most_players  # simultaneous choice: once per player
        elif isinstance(found, ty.DomainNode):
            rounds = self._intervals.most(found)
        elif found.type.family == "list":
            rounds = self._intervals.listed(found)
        else:
            rounds = min(self._intervals.of(found)[1], MAX_REPEATS)
            if isinstance(node, ty.RepeatTimes) and node.most is not None:
                rounds = min(rounds, node.most)
        placed, rounds = (node, node.span), max(rounds, 1)
        self._went[placed] = max(rounds, self._went.get(placed, 1))
        return rounds

    # ---------------------------------------------------------------- reporting
    def _way(self, node: ty.Node) -> list[Related]:
        loops: list[Related] = []
        calls: list[Related] = []
        here: ty.Node | None = node
        while here is not None:
            called = self._called(here)
            inside = [*ty.children(here), *called]
            most = self._most
            further = max(inside, key=lambda e: most.get((e, e.span), 0), default=None)
            rounds = self._went.get((here, here.span), 1)
            if rounds > 1:
                loops.append(Related(here.span, f"{rounds} times"))
            elif further in called:
                calls.append(Related(here.span, "through this"))
            here = further
        return (loops or calls)[:MOST_RELATED]

    def _called(self, node: ty.Node) -> list[ty.Node]:
        facts, program = TRAITS[type(node)], self.program
        bodies = [body for each in facts.computes(node, program) for body in program.bodies(each)]
        run = (self.bodies[key] for key in facts.runs(node, program))
        return [*run, *guards_of(node, program), *bodies]

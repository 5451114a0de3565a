"""Upper bound of the work between two decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis import wording
from rulesdsl.check.analysis.intervals import COUNTED, MAX_REPEATS, Intervals
from rulesdsl.check.typed.traits import TRAITS, guards_of
from rulesdsl.source.diagnostics import Related

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rulesdsl.check.analysis.intervals import Interval
    from rulesdsl.check.program import Computed, Program
    from rulesdsl.source.diagnostics import Findings
    from rulesdsl.source.span import Span


NEVER = -(10**30)  # cost of an impossible path


@attrs.frozen
class Spent:
    """Cost of steps: the most rounds and calls on paths without, around and between decisions."""

    silent: int
    first: int = NEVER  # before the first decision
    between: int = NEVER  # between two decisions
    last: int = NEVER  # after the last decision

    @property
    def most(self) -> int:
        """Return the largest cost of a path segment without a decision."""
        return max(self.silent, self.first, self.between, self.last)

    def then(self, other: Spent) -> Spent:
        """Return the cost of these steps followed by `other`."""
        return Spent(
            self.silent + other.silent,
            max(self.first, self.silent + other.first),
            max(self.between, other.between, self.last + other.first),
            max(other.last, self.last + other.silent),
        )

    def times(self, rounds: int) -> Spent:
        """Return the cost of at most this number of rounds."""
        silent = max(self.silent, 0)
        return Spent(
            rounds * silent,
            self.first + (rounds - 1) * silent,
            max(self.between, self.last + (rounds - 2) * silent + self.first),
            self.last + (rounds - 1) * silent,
        )

    def perhaps(self) -> Spent:
        """Return the cost of steps that may be skipped."""
        return either([NOTHING, self])


NOTHING = Spent(0)
QUESTION = Spent(NEVER, first=0, last=0)


def either(ways: Iterable[Spent]) -> Spent:
    """Return the cost of a branch: the maximum of its alternatives."""
    every = list(ways) or [NOTHING]
    return Spent(
        max(each.silent for each in every),
        max(each.first for each in every),
        max(each.between for each in every),
        max(each.last for each in every),
    )


if TYPE_CHECKING:
    _Loop = ty.RepeatTimes | ty.RepeatUntil | ty.ForEach | ty.Secretly
    Placed = tuple[ty.Node, Span]
    K = TypeVar("K", str, Computed)
    Given = tuple[Interval, ...]  # intervals of a call's arguments; empty: unknown

MAX_WORK = 1_000_000  # without any possible decision: about a second
MAX_GAME = 100_000_000  # with a possible decision: at most some minutes
MOST_CALLS = 4  # calling contexts of a procedure that are kept apart
MOST_RELATED = 5


def work_of(
    program: Program,
    bodies: Mapping[str, ty.Block],
    order: list[str],
    values: Sequence[Computed],
    findings: Findings,
) -> int:
    """Return the cost bound of a game between two decisions; report steps over the limit."""
    return Work(program, bodies, findings, values).check(order, values)


# Cost bound: an upper bound on rounds and calls between two decisions, calls included.
#
# Abstract interpretation with one summary (`Spent`) per procedure and calling context, composed
# bottom-up over the call graph: `then` for sequences, `either` for branches, `times` for loops. A
# summary has four numbers, because a decision inside a sequence splits it: the cost of paths
# without a decision, before the first, between two, and after the last. Loop bounds are the
# intervals of their limits, domain sizes or list lengths. A context is the tuple of intervals of
# the numeric arguments; beyond `MOST_CALLS` contexts, a procedure is analysed once for any
# numbers. Contexts are collected callers first, then costs computed callees first.
#
# Input it must reject: five nested loops of a thousand rounds, or thirty verbs that each call the
# one before twice. A choice with one candidate is made without asking, so a path through it also
# counts as silent; the block of an optional option runs only after a decision. Steps that may ask
# have the larger limit `MAX_GAME`. Bounds do not correlate branches: costly branches of two loops
# are added even if their conditions exclude each other, so such input may be rejected although
# each run is cheap. After a report the cost becomes `NEVER`, so callers are not blamed again.
class Work:
    """Computes cost bounds; reports the innermost node that exceeds the limit."""

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
        self._computed: dict[Computed, int] = {}
        self._guards: dict[str, int] = {}
        self._spent: dict[tuple[str, Given], Spent] = {}
        self._calls: dict[str, dict[Given, None]] = {}  # contexts by procedure
        self._here: dict[Placed, int] = {}  # costs of values in the current body
        self._most: dict[Placed, int] = {}  # largest cost of each node
        self._went: dict[Placed, int] = {}  # most rounds of each loop

    def check(self, order: list[str], values: Iterable[Computed]) -> int:
        """Compute costs, callees first, and return the bound of the whole game."""
        for computed in values:
            self._of_computed(computed)
        for key in order:
            self._of_guard(key)
        for key in reversed(order):  # callers first, so that all contexts are known
            for given in list(self._calls.setdefault(key, {(): None})):
                for each in self._gives(key, given):
                    self._taken(*each)
        for key in order:
            for given in list(self._calls[key]):
                self._of_call(key, given)
        return max(self._of_call("game").most, 0) if "game" in order else 0

    # ---------------------------------------------------------------- calls
    def _gives(self, key: str, given: Given) -> list[tuple[str, Given]]:
        proc = self.program.procs[key]
        found: list[tuple[str, Given]] = []
        with self._intervals.inside(proc.params, given):
            for each in ty.walk(proc.block):
                self._intervals.bind(each)
                if isinstance(each, ty.Run):
                    found.append((each.proc, self._numbers(each)))
        return found

    def _numbers(self, step: ty.Run) -> Given:
        params = self.program.procs[step.proc].params
        counted = any(param.type.family in COUNTED for param in params)
        return self._intervals.given(params, step.arguments) if counted else ()

    def _taken(self, key: str, numbers: Given) -> Given:
        calls = self._calls.setdefault(key, {})
        given = () if numbers not in calls and len(calls) >= MOST_CALLS else numbers
        calls.setdefault(given, None)
        return given

    def _given(self, step: ty.Run) -> Given:
        return self._taken(step.proc, self._numbers(step))

    def _of_call(self, key: str, given: Given = ()) -> Spent:
        if (key, given) not in self._spent:
            self._count_call(key, given)
        return self._spent[key, given]

    def _count_call(self, key: str, given: Given) -> None:
        outer, self._here = self._here, {}
        with self._intervals.inside(self.program.procs[key].params, given):
            self._spent[key, given] = self.of(self.bodies[key])
        self._here = outer

    # ---------------------------------------------------------------- values
    def _of_computed(self, computed: Computed) -> int:
        if computed not in self._computed:
            self._count(self._computed, computed, self.program.bodies)
        return self._computed[computed]

    def _of_guard(self, key: str) -> int:
        if key not in self._guards:
            self._count(self._guards, key, self._guard)
        return self._guards[key]

    def _guard(self, key: str) -> list[ty.Value]:
        return [self.program.guards.get(key, ty.YES)]

    def _count(self, into: dict[K, int], key: K, bodies: Callable[[K], list[ty.Value]]) -> None:
        outer, self._here = self._here, {}
        with self._intervals.inside():
            into[key] = max(map(self._of_value, bodies(key)), default=0)
        self._here = outer

    def _of_value(self, node: ty.Node) -> int:
        placed = node, node.span
        found = self._here.get(placed)
        if found is None:
            facts, program = TRAITS[type(node)], self.program
            parts = ty.children(node)
            if isinstance(node, ty.Cases):
                found = sum(self._of_value(asked) for asked, _ in node.cases)
                found += max(map(self._of_value, node.values))
            elif (domain := facts.rounds(node)) is not None:
                self._intervals.bind(node)
                inner = sum(self._of_value(each) for each in parts if each is not domain)
                found = self._of_value(domain) + self._rounds(node) * (1 + inner)
            else:
                found = sum(map(self._of_value, parts))
            found += max(map(self._of_guard, facts.asks(node, program)), default=0)
            found += sum(1 + self._of_computed(each) for each in facts.computes(node, program))
            self._here[placed] = found = self._kept(node, Spent(found)).silent
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

    # ---------------------------------------------------------------- steps
    def of(self, node: ty.Node) -> Spent:
        """Return the cost of a step, value or domain."""
        if isinstance(node, ty.ValueNode | ty.DomainNode):
            return Spent(self._of_value(node))
        self._intervals.bind(node)
        return self._kept(node, self._of_step(node))

    def _of_step(self, node: ty.Node) -> Spent:
        if isinstance(node, ty.Block):
            return self._in_order(node.steps)
        if isinstance(node, ty.Branching):
            asked = self._values(*(condition for condition, _ in node.branches))
            return asked.then(either(map(self.of, node.blocks)))
        if isinstance(node, ty.WhereAble):
            ways = either([self.of(node.block), self.of(node.otherwise)])
            return self._values(node.guard).then(ways)
        if isinstance(node, ty.Decide):
            return self._decision(node)
        if isinstance(node, ty.RepeatTimes | ty.ForEach):
            return self._loop(node, TRAITS[type(node)].rounds(node), NOTHING)
        if isinstance(node, ty.RepeatUntil):
            return self._loop(node, node.limit, self._values(node.condition))
        if isinstance(node, ty.Secretly):
            asked = self._values(node.domain)
            return asked.then(QUESTION).then(self._loop(node, None, NOTHING))
        if isinstance(node, ty.Run | ty.DoField):
            given = self._given(node) if isinstance(node, ty.Run) else ()
            keys = [*TRAITS[type(node)].runs(node, self.program)]
            called = Spent(1).then(either(self._of_call(key, given) for key in keys))
            return self._values(*ty.children(node)).then(called if keys else NOTHING)
        if isinstance(node, ty.OptionLine):
            return self.of(node.block)
        return self._values(*ty.children(node))

    def _in_order(self, steps: tuple[ty.Step, ...]) -> Spent:
        found = NOTHING
        for step in steps:
            found = found.then(self.of(step))
        return found

    def _values(self, *values: ty.Node) -> Spent:
        return Spent(sum(map(self._of_value, values)))

    def _decision(self, node: ty.Decide) -> Spent:
        if node.choice is not None:
            asked = self._values(node.choice[1])
            return asked.then(QUESTION.perhaps())
        asked = NOTHING
        for line in node.lines:
            asked = asked.then(self._line(line))
        taken = either(map(self.of, node.lines))
        if node.again:
            once = QUESTION.then(taken).then(asked)
            return asked.then(once.then(once).perhaps())
        if node.stop is not None:
            return asked.then(QUESTION.then(taken).perhaps())
        return asked.then(QUESTION.perhaps()).then(taken)

    def _line(self, line: ty.OptionLine) -> Spent:
        asked = self._values(line.guard)
        if line.domain is None:
            return asked
        rounds = max(self._intervals.most(line.domain), 1)
        return self._values(line.domain).then(Spent(1).then(asked).times(rounds))

    def _loop(self, node: _Loop, often: ty.Node | None, asked: Spent) -> Spent:
        before = NOTHING if often is None else self._values(often)
        return before.then(
            Spent(1).then(asked).then(self.of(node.block)).times(self._rounds(node))
        )

    # ---------------------------------------------------------------- reporting
    def _kept(self, node: ty.Node, found: Spent) -> Spent:
        """Record a node's cost; once it is reported, return `NEVER` so callers are not blamed."""
        placed = node, node.span
        self._most[placed] = max(found.most, self._most.get(placed, 0))
        limit = MAX_WORK if found.first < 0 else MAX_GAME
        if found.most <= limit or not node.span.line:
            return found
        said = wording.too_much_work(found.most, limit)
        self.findings.report("E407", node.span, *said, self._way(node))
        return Spent(NEVER)

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

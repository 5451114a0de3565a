"""Cost bound: rounds and calls between two questions, at the most, along all that is called.

A loop of a thousand rounds is quickly done. Five of them in one another never are, nor are thirty
verbs each of which calls the one before it twice. A loop counts as often as it can ever go round:
as far as a track goes, as many pieces as there are, as often as this call says. A choice may be
among one thing, and nobody is asked; but what somebody may do is only done where they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from rulesdsl.check import analysis_wording as wording
from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import COUNTED, MAX_REPEATS, Intervals
from rulesdsl.check.spent import NEVER, NOTHING, QUESTION, Spent, either
from rulesdsl.check.typed.facts import FACTS, guards_of
from rulesdsl.source.diagnostic import Related

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from rulesdsl.check.intervals import Interval
    from rulesdsl.check.program import Computed, Program
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

    _Loop = ty.RepeatTimes | ty.RepeatUntil | ty.ForEach | ty.Secretly
    Placed = tuple[ty.Node, Span]
    K = TypeVar("K", str, Computed)
    Given = tuple[Interval, ...]  # the numbers of a call; none: any that somebody gives

MAX_WORK = 1_000_000  # rounds and calls in which nobody can be asked: about a second
MAX_GAME = 100_000_000  # in which somebody can, but need not: no more than some minutes
MOST_CALLS = 4  # of one procedure, by what they give it
MOST_RELATED = 5


def work_of(
    program: Program,
    bodies: Mapping[str, ty.Block],
    order: list[str],
    values: Sequence[Computed],
    findings: Findings,
) -> int:
    """Return what a game comes to between two questions, at the most; report what is too much."""
    return Work(program, bodies, findings, values).check(order, values)


class Work:
    """Counts rounds and calls; reports the innermost thing that comes to too many."""

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
        self._calls: dict[str, dict[Given, None]] = {}  # what numbers procedures are given
        self._here: dict[Placed, int] = {}  # what values come to in the same body
        self._most: dict[Placed, int] = {}  # what nodes come to at the most
        self._went: dict[Placed, int] = {}  # how often loops go round at the most

    def check(self, order: list[str], values: Iterable[Computed]) -> int:
        """Count values, guards and procedures, what is called before what calls it.

        Return what a whole game comes to between two questions, at the most.
        """
        for computed in values:
            self._of_computed(computed)
        for key in order:
            self._of_guard(key)
        for key in reversed(order):  # what it is given is known from all that call it
            for given in list(self._calls.setdefault(key, {(): None})):
                for each in self._gives(key, given):
                    self._taken(*each)
        for key in order:
            for given in list(self._calls[key]):
                self._of_call(key, given)
        return max(self._of_call("game").most, 0) if "game" in order else 0

    # ---------------------------------------------------------------- calls
    def _gives(self, key: str, given: Given) -> list[tuple[str, Given]]:
        """Return what a procedure calls that is given these numbers, and what it gives."""
        proc = self.program.procs[key]
        found: list[tuple[str, Given]] = []
        with self._intervals.inside(proc.params, given):
            for each in ty.walk(proc.block):
                self._intervals.bind(each)
                if isinstance(each, ty.Run):
                    found.append((each.proc, self._numbers(each)))
        return found

    def _numbers(self, step: ty.Run) -> Given:
        """Return what numbers a call gives; none where it gives no numbers at all."""
        params = self.program.procs[step.proc].params
        counted = any(param.type.family in COUNTED for param in params)
        return self._intervals.given(params, step.arguments) if counted else ()

    def _taken(self, key: str, numbers: Given) -> Given:
        """Return with what numbers a call is looked at: calls with many others are alike."""
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
        """Return what it comes to at the most to work out something that is computed."""
        if computed not in self._computed:
            self._count(self._computed, computed, self.program.bodies)
        return self._computed[computed]

    def _of_guard(self, key: str) -> int:
        """Return what it comes to to ask the guard of a procedure."""
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
        """Return how many rounds and calls a value or domain comes to."""
        placed = node, node.span
        found = self._here.get(placed)
        if found is None:
            facts, program = FACTS[type(node)], self.program
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
        """Return how often a loop goes round at the most."""
        found = FACTS[type(node)].rounds(node)
        if found is None:
            rounds = self.program.world.most_players  # each of them, after a secret choice
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
        """Return how many rounds and calls a step, value or domain comes to."""
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
            return self._loop(node, FACTS[type(node)].rounds(node), NOTHING)
        if isinstance(node, ty.RepeatUntil):
            return self._loop(node, node.limit, self._values(node.condition))
        if isinstance(node, ty.Secretly):
            asked = self._values(node.domain)
            return asked.then(QUESTION).then(self._loop(node, None, NOTHING))
        if isinstance(node, ty.Run | ty.DoField):
            given = self._given(node) if isinstance(node, ty.Run) else ()
            keys = [*FACTS[type(node)].runs(node, self.program)]
            called = Spent(1).then(either(self._of_call(key, given) for key in keys))
            return self._values(*ty.children(node)).then(called if keys else NOTHING)
        if isinstance(node, ty.Line):
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
        """Return what it comes to to be asked, each time again, and to do one of the lines."""
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

    def _line(self, line: ty.Line) -> Spent:
        """Return what it comes to to find out what a line offers."""
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
        """Return what a node comes to; where that is too much, what calls it is not to blame."""
        placed = node, node.span
        self._most[placed] = max(found.most, self._most.get(placed, 0))
        limit = MAX_WORK if found.first < 0 else MAX_GAME
        if found.most <= limit or not node.span.line:
            return found
        said = wording.too_much_work(found.most, limit)
        self.findings.report("E407", node.span, *said, self._way(node))
        return Spent(NEVER)

    def _way(self, node: ty.Node) -> list[Related]:
        """Return the loops, else the calls, through which most of it comes about."""
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
        facts, program = FACTS[type(node)], self.program
        bodies = [body for each in facts.computes(node, program) for body in program.bodies(each)]
        run = (self.bodies[key] for key in facts.runs(node, program))
        return [*run, *guards_of(node, program), *bodies]

"""What is done too often: rounds and calls, counted along all that is called.

A loop of a thousand rounds is quickly done. Five of them in one another never are, nor are thirty
verbs each of which calls the one before it twice. A loop counts as often as it can ever go round:
as far as a track goes, as many pieces as there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import MAX_REPEATS, Intervals
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.source.diagnostic import Related

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.program import Program
    from rulesdsl.source.diagnostic import Findings

MAX_WORK = 1_000_000  # rounds and calls without a question: about a second
MAX_GAME = 10_000_000_000  # with questions between them
MOST_RELATED = 5

Part = tuple[int, tuple[ty.Node, ...]]  # how often, and what: one of these alternatives


class Work:
    """Counts rounds and calls; reports the innermost thing that comes to too many."""

    def __init__(self, program: Program, findings: Findings) -> None:
        self.program = program
        self.findings = findings
        self._intervals = Intervals(program)
        self._known: dict[int, int] = {}  # id of a node -> its rounds and calls
        self._deciding: set[int] = set()  # ids of nodes in which somebody may be asked
        self._told: set[int] = set()  # ids of what was reported, and of all that comes to it

    def check(self, order: Iterable[str]) -> None:
        """Count values and procedures, what is called before what calls it."""
        for value in self.program.values.values():
            self.of(value.body)
        for key in order:
            self.of(self.program.procs[key].block)

    def check_guards(self, guards: Iterable[ty.Value | ty.Domain]) -> None:
        """Count what is asked of a candidate, a line or a procedure before it is offered."""
        for guard in guards:
            self.of(guard)

    def of(self, node: ty.Node) -> int:
        """Return how many rounds and calls a node comes to."""
        if id(node) not in self._known:
            every = list(self._parts(node))
            found = self._own(node) + sum(times * self._most(parts) for times, parts in every)
            told = any(id(part) in self._told for _, parts in every for part in parts)
            if FACTS[type(node)].decides or any(
                id(part) in self._deciding for _, parts in every for part in parts
            ):
                self._deciding.add(id(node))
            limit = MAX_GAME if id(node) in self._deciding else MAX_WORK
            if found > limit and node.span.line and not told:
                self._report(node, found, limit)
                told = True
            if told:
                self._told.add(id(node))
                found = 1  # what calls it is not to blame
            self._known[id(node)] = found
        return self._known[id(node)]

    def _most(self, alternatives: tuple[ty.Node, ...]) -> int:
        return max(map(self.of, alternatives), default=0)

    def _own(self, node: ty.Node) -> int:
        facts, program = FACTS[type(node)], self.program
        called = any(facts.runs(node, program)) or any(facts.computes(node, program))
        return self._rounds(node) + int(called)

    def _rounds(self, node: ty.Node) -> int:
        """Return how often a loop goes round at the most, 0 where a node is none."""
        found = FACTS[type(node)].rounds(node)
        if found is None or isinstance(node, ty.OptionallyRepeat):  # everybody is asked each time
            return 0
        if isinstance(found, ty.DomainNode):
            return max(self._intervals.most(found), 1)
        if found.type.family == "list":
            return len(self.program.world.kinds[found.type.of].entries)
        most = node.most if isinstance(node, ty.RepeatTimes) else None
        return min(max(self._intervals.of(found)[1] if most is None else most, 1), MAX_REPEATS)

    def _parts(self, node: ty.Node) -> Iterator[Part]:
        """Yield what is inside a node, or called by it."""
        rounds = self._rounds(node)
        if isinstance(node, ty.RepeatTimes | ty.ForEach):
            yield rounds, (node.block,)
        elif isinstance(node, ty.RepeatUntil):
            yield rounds, (node.condition,)
            yield rounds, (node.block,)
        elif isinstance(node, ty.SumOf):
            yield 1, (node.domain,)
            yield rounds, (node.amount,)
        elif isinstance(node, ty.Filtered):
            yield 1, (node.base,)
            yield rounds, (node.condition,)
        elif isinstance(node, ty.BestOf):
            yield 1, (node.domain,)
            yield from ((rounds, (value,)) for _, value in node.ranking)
        elif isinstance(node, ty.FirstOf):
            yield rounds, (node.condition,)
        elif isinstance(node, ty.Branching | ty.Cases):
            cases = node.branches if isinstance(node, ty.Branching) else node.cases
            yield from ((1, (condition,)) for condition, _ in cases)
            yield 1, (*(inner for _, inner in cases), node.otherwise)
        elif isinstance(node, ty.WhereAble):
            yield 1, (node.block, node.otherwise)
        elif isinstance(node, ty.ChooseWay | ty.OfferMenu):
            yield 1, node.ways if isinstance(node, ty.ChooseWay) else node.entries
        else:
            yield from ((1, (part,)) for part in ty.parts_of(node))
            yield from self._called(node)

    def _called(self, node: ty.Node) -> Iterator[Part]:
        """Yield what a node calls: one of several procedures, guards or formulas."""
        facts, program = FACTS[type(node)], self.program
        yield 1, tuple(program.procs[key].block for key in facts.runs(node, program))
        yield 1, tuple(program.guards.get(key, ty.YES) for key in facts.asks(node, program))
        for computed in facts.computes(node, program):
            yield 1, tuple(program.bodies(computed))

    # ---------------------------------------------------------------- reporting
    def _report(self, node: ty.Node, found: int, limit: int) -> None:
        self.findings.report(
            "E407",
            node.span,
            f"This comes to {found} rounds and calls, and nothing comes to more than {limit}.",
            "Go round less often, or do not put so many loops and calls into one another.",
            self._way(node),
        )

    def _way(self, node: ty.Node) -> list[Related]:
        """Return the loops, else the calls, through which most of it comes about."""
        loops: list[Related] = []
        calls: list[Related] = []
        here: ty.Node | None = node
        while here is not None:
            inside = [(times, each) for times, parts in self._parts(here) for each in parts]
            rounds, further = max(
                inside, key=lambda part: part[0] * self.of(part[1]), default=(1, None)
            )
            if rounds > 1:
                loops.append(Related(here.span, f"{rounds} times"))
            elif any(further in parts for _, parts in self._called(here)):
                calls.append(Related(here.span, "by way of this"))
            here = further
        return (loops or calls)[:MOST_RELATED]

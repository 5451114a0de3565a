"""What is done too often: rounds of a fixed number and calls, counted along all that is called.

A loop of a thousand rounds is quickly done. Five of them in one another never are, nor are thirty
verbs each of which calls the one before it twice. A number that depends on the game counts as one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import Intervals
from rulesdsl.source.diagnostic import Related

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.check.program import Program
    from rulesdsl.source.diagnostic import Findings

MOST_WORK = 1_000_000  # rounds and calls: about a second
MOST_RELATED = 5

Part = tuple[int, tuple[ty.Node, ...]]  # how often, and what: one of these alternatives


class Work:
    """Counts rounds and calls; reports the innermost thing that comes to too many."""

    def __init__(self, program: Program, findings: Findings) -> None:
        self.program = program
        self.findings = findings
        self._reach = Intervals(program, 1)
        self._known: dict[int, int] = {}  # id of a node -> its rounds and calls
        self._told: set[int] = set()  # ids of what was reported, and of all that comes to it

    def check(self, order: Iterable[str]) -> None:
        """Count values and procedures, what is called before what calls it."""
        for value in self.program.values.values():
            self.of(value.body)
        for key in order:
            self.of(self.program.procs[key].block)

    def of(self, node: ty.Node) -> int:
        """Return how many rounds and calls a node comes to."""
        if id(node) not in self._known:
            every = list(self._parts(node))
            found = self._own(node) + sum(times * self._most(parts) for times, parts in every)
            told = any(id(part) in self._told for _, parts in every for part in parts)
            if found > MOST_WORK and node.span.line and not told:
                self._report(node, found)
                told = True
            if told:
                self._told.add(id(node))
                found = 1  # what calls it is not to blame
            self._known[id(node)] = found
        return self._known[id(node)]

    def _most(self, alternatives: tuple[ty.Node, ...]) -> int:
        return max(map(self.of, alternatives), default=0)

    def _own(self, node: ty.Node) -> int:
        match node:
            case ty.Run() | ty.DoField() | ty.CallValue() | ty.Formula():
                return 1
            case _:
                return self._rounds(node)

    def _rounds(self, node: ty.Node) -> int:
        """Return how often a loop goes round at the least, 0 where a node is none."""
        match node:
            case ty.RepeatTimes(times=times):
                return max(self._reach.of(times)[0], 1)
            case ty.ForEach(domain=domain) | ty.SumOf(domain=domain) | ty.Filtered(base=domain):
                return self._size(domain)
            case _:
                return 0

    def _size(self, domain: ty.Domain) -> int:
        match domain:
            case ty.Entries(kind=kind):
                return len(self.program.world.kinds[kind].entries)
            case ty.Numbers(low=low, high=high):
                return max(self._reach.of(high)[0] - self._reach.of(low)[1] + 1, 1)
            case _:
                return 1

    def _parts(self, node: ty.Node) -> Iterator[Part]:
        """Yield what is inside a node, or called by it."""
        program = self.program
        match node:
            case ty.RepeatTimes(block=inner) | ty.ForEach(block=inner):
                yield self._rounds(node), (inner,)
            case ty.SumOf(domain=domain, amount=inner) | ty.Filtered(base=domain, condition=inner):
                yield 1, (domain,)
                yield self._rounds(node), (inner,)
            case ty.Branching(branches=cases) | ty.Cases(cases=cases):
                yield from ((1, (condition,)) for condition, _ in cases)
                yield 1, (*(inner for _, inner in cases), node.otherwise)
            case ty.WhereAble():
                yield 1, (node.block, node.otherwise)
            case ty.ChooseWay(ways=lines) | ty.OfferMenu(entries=lines):
                yield 1, lines
            case ty.ScoreOf():
                scores = ((line.name, len(line.hooks)) for line in program.world.scores)
                yield from ((1, (program.values[key].body,)) for key in scores)
            case _:
                yield from ((1, (part,)) for part in ty.parts_of(node))
                yield 1, self._called(node)

    def _called(self, node: ty.Node) -> tuple[ty.Node, ...]:
        """Return what a node calls: one of these."""
        program = self.program
        match node:
            case ty.Run(proc=key):
                return (program.procs[key].block,)
            case ty.DoField():
                return tuple(program.procs[each].block for each in program.meant(node))
            case ty.CallValue():
                return (program.values[node.name, node.layer].body,)
            case ty.Formula(kind=kind, field=field):
                every = program.formulas.items()
                return tuple(body for key, body in every if key[:2] == (kind, field))
            case _:
                return ()

    # ---------------------------------------------------------------- reporting
    def _report(self, node: ty.Node, found: int) -> None:
        self.findings.report(
            "E407",
            node.span,
            f"This comes to {found} rounds and calls, and nothing comes to more than {MOST_WORK}.",
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
            elif further in self._called(here):
                calls.append(Related(here.span, "by way of this"))
            here = further
        return (loops or calls)[:MOST_RELATED]

"""How deep calls go: values and verbs that call one another until there is no stack left."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import analysis_wording as wording
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.typed.walk import children

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from rulesdsl.check import typed as ty
    from rulesdsl.check.program import Computed, Program, TypedProc
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span

MAX_DEPTH = 100  # calls, conditions of things and locals in one another; or steps and branches
MANY_BRANCHES = 20  # of a step: they are gone through one by one, of more one is found by halves
MAX_NAMES = 3  # of each end of a chain that is told


class Depth:
    """Measures bodies, callees first; reports the first of a chain that goes too deep."""

    def __init__(self, program: Program, findings: Findings) -> None:
        self.program = program
        self.findings = findings
        self._known: dict[str | Computed, int] = {}
        self._below: dict[str | Computed, str | Computed | None] = {}

    def fits(self, procs: Iterable[str], values: Iterable[Computed]) -> bool:
        """Whether nothing goes too deep; both are given callees first."""
        program, values, procs = self.program, [*values], [*procs]
        if self._surely_fits(procs, values):
            return True
        for computed in values:
            bodies = program.bodies(computed)
            if bodies and not self._measured(computed, bodies, bodies[0].span):
                return False
        return all(
            self._branches(program.procs[key])
            and self._measured(key, [program.procs[key].block], program.procs[key].span)
            for key in procs
        )

    def _surely_fits(self, procs: Iterable[str], values: Iterable[Computed]) -> bool:
        """Whether no chain is too long, by how deep each body calls what: then none is told."""
        program = self.program
        known: dict[str | Computed, int] = {}
        for computed in values:
            known[computed] = _deepest_of(*self._profile(program.bodies(computed)), known)
        for key in procs:
            block = program.procs[key].block
            if nested(block.steps)[1] > MAX_DEPTH:
                return False
            known[key] = _deepest_of(*self._profile([block]), known)
        return all(deepest <= MAX_DEPTH for deepest in known.values())

    def _profile(self, bodies: Iterable[ty.Node]) -> tuple[int, dict[str | Computed, int]]:
        """Return how deep bodies are, and how deep in them each thing is called."""
        own = 0
        called: dict[str | Computed, int] = {}
        for depth, here in self._nodes(bodies):
            for each in here:
                called[each] = max(depth, called.get(each, 0))
            own = max(own, depth)
        return own, called

    def _nodes(self, bodies: Iterable[ty.Node]) -> Iterator[tuple[int, list[str | Computed]]]:
        """Yield for each node of bodies how deep it is, and what it calls."""
        left = [(body, 1) for body in bodies]
        while left:
            node, depth = left.pop()
            facts = FACTS[type(node)]
            binds = any(facts.within(node)) or any(facts.binds(node))
            yield depth, [*facts.runs(node, self.program), *facts.computes(node, self.program)]
            left.extend((part, depth + binds) for part in children(node))

    def _branches(self, proc: TypedProc) -> bool:
        _, levels = nested(proc.block.steps)
        if levels <= MAX_DEPTH:
            return True
        self.findings.report("E407", proc.span, *wording.too_many_levels(levels, MAX_DEPTH))
        return False

    def _measured(self, key: str | Computed, bodies: Iterable[ty.Node], span: Span) -> bool:
        deepest, callee = max((self._deepest(body) for body in bodies), key=lambda found: found[0])
        self._known[key], self._below[key] = deepest, callee
        if deepest <= MAX_DEPTH:
            return True
        chain = self._chain(key)
        names = [*chain[:MAX_NAMES], "...", *chain[-MAX_NAMES:]]
        self.findings.report("E407", span, *wording.too_deep_calls(deepest, MAX_DEPTH, names))
        return False

    def _deepest(self, body: ty.Node) -> tuple[int, str | Computed | None]:
        """Return how deep a body goes, and what it calls there."""
        deepest: tuple[int, str | Computed | None] = (0, None)
        for depth, called in self._nodes([body]):
            for each in called:
                deepest = max(deepest, (depth + self._known.get(each, 0), each), key=_first)
            deepest = max(deepest, (depth, None), key=_first)
        return deepest

    def _chain(self, key: str | Computed | None) -> list[str]:
        names: list[str] = []
        while key is not None:
            names.append(self.program.procs[key].title if isinstance(key, str) else str(key[0]))
            key = self._below.get(key)
        return names


def _deepest_of(
    own: int, called: Mapping[str | Computed, int], known: Mapping[str | Computed, int]
) -> int:
    return max([own, *(depth + known.get(each, 0) for each, depth in called.items())])


def _first(found: tuple[int, object]) -> int:
    return found[0]


def nested(steps: Iterable[ty.Step]) -> tuple[int, int]:
    """Return how many loops are nested, and how many steps with their branches do.

    A branch counts as if it were inside those before it, but only where there are many of them.
    """
    loops = levels = 0
    for step in steps:
        if flow := FACTS[type(step)].flow(step):
            inner = nested(each for block in flow.blocks for each in block.steps)
            loops = max(loops, inner[0] + flow.again)
            levels = max(levels, inner[1] + min(len(flow.blocks), MANY_BRANCHES))
    return loops, levels

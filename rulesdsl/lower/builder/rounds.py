"""Rounds: passes of the outermost loops in which players decide."""

from __future__ import annotations

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.program import Program
from rulesdsl.check.typed.traits import TRAITS
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder import domains
from rulesdsl.lower.builder.writer import Writer
from rulesdsl.source.span import Span

Loop = ty.RepeatTimes | ty.ForEach


def decides(program: Program, node: ty.Node) -> bool:
    """Return whether a step may ask a question."""
    for inner in ty.walk(node):
        facts = TRAITS[type(inner)]
        if facts.decides or any(program.procs[key].decides for key in facts.runs(inner, program)):
            return True
    return False


def round_loops(w: Writer) -> frozenset[tuple[str, Span]]:
    """Return the loops whose passes are the rounds of the game, by procedure and place.

    They are the outermost loops with decisions in the step `game` and the steps that it runs, but
    for loops over players, which are turns. A loop of a single pass, or whose block consists of
    another such loop, counts as part of that one. A loop that is run inside another one elsewhere
    does not count, nor does one that the options of the game rule out.
    """
    search = _Search(w, w.program)
    if fl.START in w.program.procs:
        search.procedure(fl.START, nested=False)
    return frozenset(search.outer - search.nested)


@attrs.define
class _Search:
    w: Writer
    program: Program
    outer: set[tuple[str, Span]] = attrs.Factory(set)
    nested: set[tuple[str, Span]] = attrs.Factory(set)
    _visited: set[tuple[str, bool]] = attrs.Factory(set)

    def procedure(self, key: str, *, nested: bool) -> None:
        if (key, nested) not in self._visited:
            self._visited.add((key, nested))
            self.visit(self.program.procs[key].body, key, nested=nested)

    def visit(self, node: ty.Node, key: str, *, nested: bool) -> None:
        if isinstance(node, Loop) and not _over_seats(node) and decides(self.program, node):
            if nested:
                self.nested.add((key, node.span))
            elif not self._is_single(node) and self._only_loop(node.block) is None:
                self.outer.add((key, node.span))
                nested = True
        nested = nested or isinstance(node, ty.Asking) or _over_seats(node)
        for callee in TRAITS[type(node)].runs(node, self.program):
            self.procedure(callee, nested=nested or self.program.procs[callee].verb)
        for child in self._reachable(node):
            self.visit(child, key, nested=nested)

    def _reachable(self, node: ty.Node) -> list[ty.Node]:
        """Return the children of a node without the blocks that the options rule out."""
        if not isinstance(node, ty.Branching):
            return ty.children(node)
        blocks: list[ty.Node] = []
        for condition, block in node.branches:
            holds = self.w.value(condition)
            if holds != fl.Literal(0):
                blocks.append(block)
            if isinstance(holds, fl.Literal) and holds.value:
                return blocks
        return [*blocks, node.otherwise]

    def _is_single(self, loop: Loop) -> bool:
        if isinstance(loop, ty.ForEach):
            return domains.most(self.w, loop.domain) <= 1
        times = self.w.value(loop.times)
        return isinstance(times, fl.Literal) and times.value <= 1

    def _only_loop(self, block: ty.Block) -> Loop | None:
        """Return the loop that is all of a block, directly or in a step that the block runs."""
        step = block.steps[0] if len(block.steps) == 1 else None
        if isinstance(step, ty.Run) and not self.program.procs[step.proc].verb:
            return self._only_loop(self.program.procs[step.proc].body)
        if isinstance(step, ty.Block):
            return self._only_loop(step)
        asking = isinstance(step, Loop) and not _over_seats(step) and decides(self.program, step)
        return step if isinstance(step, Loop) and asking else None


def _over_seats(node: ty.Node) -> bool:
    return isinstance(node, ty.ForEach) and isinstance(node.domain.unfiltered, ty.AllSeats)

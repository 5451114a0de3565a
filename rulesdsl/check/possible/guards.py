"""The guard of every procedure, and the proof that nothing gets stuck."""

from __future__ import annotations

from functools import cached_property
from itertools import count
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.effects import Effects
from rulesdsl.check.intervals import Intervals
from rulesdsl.check.known import Facts
from rulesdsl.check.possible.asking import Known, ask
from rulesdsl.check.possible.binding import bind, pick
from rulesdsl.check.possible.late import report_late
from rulesdsl.check.possible.steps import guard_of
from rulesdsl.check.proofs import atoms, both

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.check.program import Program
    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.source.span import Span


class Guards:
    """Computes guards of procedures and offers; reports what can get stuck."""

    def __init__(self, program: Program, findings: Findings) -> None:
        self.program = program
        self.findings = findings
        self.effects = Effects(program)
        self.intervals = Intervals(program)
        self.no_facts = Facts(self.effects.reads)
        self.offers: dict[int, ty.Value] = {}  # id of a block -> its guard where it is offered
        self.domains: dict[int, ty.Domain] = {}  # id of a pick -> candidates
        self.unsure: frozenset[str] = frozenset()  # procedures that come to one that failed
        self.key = ""  # the procedure in hand
        self.fresh = count(1)  # numbers the names that guards bind
        self._kept: list[object] = []  # keeps the nodes alive whose ids are used

    def run(self, order: list[str]) -> None:
        """Compute the guards of procedures, callees first."""
        for key in order:
            if key in self.program.failed:
                continue  # a guess at what was meant would only lead to more complaints
            self.key = key
            guard = self.inside(self.program.procs[key].block, Known(self.no_facts))
            self.program.guards[key] = ty.YES if key in self.program.failed else guard

    def require_free(self, key: str) -> None:
        """Report a procedure that starts the game but may be impossible."""
        guard = self.program.guards.get(key, ty.YES)
        for atom in atoms(guard) if guard != ty.YES else ():
            place = atom.span if atom.span.line else self.program.procs[key].span
            report_late(self, place, atom)

    def inside(self, block: ty.Block, known: Known) -> ty.Value:
        """Return what a block asks for by itself."""
        return self.after(block.steps, known, lambda _: ty.YES)

    def offer(self, block: ty.Block, known: Known) -> ty.Value:
        """Return the guard of something that is offered: asked at that moment."""
        now = attrs.evolve(known, written=frozenset(), late=frozenset())
        guard = self.inside(block, now)
        self.offers[id(block)] = guard
        self._kept.append(block)
        return guard

    def choose_from(self, step: ty.Decide | ty.Secretly, domain: ty.Domain) -> None:
        """Note the candidates of a choice."""
        self.domains[id(step)] = domain
        self._kept.append(step)

    @cached_property
    def hooks(self) -> dict[str, list[Span]]:
        """The places of all hooks, by file."""
        found: dict[str, list[Span]] = {}
        for infos in self.program.world.procs.values():
            for hook in (each for info in infos for each in info.hooks):
                found.setdefault(hook.span.file, []).append(hook.span)
        return found

    def after(
        self, steps: tuple[ty.Step, ...], known: Known, then: Callable[[Known], ty.Value]
    ) -> ty.Value:
        """Return the guard of steps and of what follows them."""
        asked: list[ty.Value] = []
        left = list(reversed(steps))
        while left:
            step = left.pop()
            if isinstance(step, ty.Finish):
                return both(*asked)
            if isinstance(step, ty.SetLocal):
                return both(*asked, bind(self, step, tuple(reversed(left)), known, then))
            if isinstance(step, ty.Decide) and step.choice is not None:
                return both(*asked, pick(self, step, tuple(reversed(left)), known, then))
            if isinstance(step, ty.Block):
                left.extend(reversed(step.steps))
            elif isinstance(step, ty.Require):
                asked.append(ask(self, step.condition, known))
                known = known.holding(step.condition)
            else:
                condition, known = guard_of(self, step, known)
                asked.append(condition)
        return both(*asked, then(known))

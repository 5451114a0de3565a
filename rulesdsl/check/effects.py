"""What values read and steps write: the ground for deciding what stays true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.facts import FACTS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.program import Computed, Program
    from rulesdsl.check.world import Cell

Cells = frozenset["Cell"]
NONE: Cells = frozenset()


class Effects:
    """Read and write sets, per kind of places and pieces, per track, per flag."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._reads: dict[str | Computed, Cells] = {}  # of guards and values
        self._writes: dict[str, Cells] = {}  # of procedures

    def beforehand(self, procs: Iterable[str], values: Iterable[Computed]) -> None:
        """Work out what procedures write and values read; both are given callees first."""
        for key in procs:
            self.proc_writes(key)
        for value in values:
            self.called_reads(value)

    def reads(self, node: ty.Node) -> Cells:
        """Return what a value looks at, calls included."""
        found: set[Cell] = set()
        for each in ty.walk(node):
            facts = FACTS[type(each)]
            found.update(facts.reads(each, self.program))
            for asked in facts.computes(each, self.program):
                found |= self.called_reads(asked)
            for proc in facts.asks(each, self.program):
                found |= self.called_reads(proc)
        return frozenset(found)

    def called_reads(self, key: str | Computed) -> Cells:
        """Return what a value looks at, or a guard once it is known."""
        if isinstance(key, str) and key not in self.program.guards:
            return NONE
        if key not in self._reads:
            self._reads[key] = NONE  # where it comes back to itself
            program = self.program
            bodies = [program.guards[key]] if isinstance(key, str) else program.bodies(key)
            self._reads[key] = NONE.union(*map(self.reads, bodies))
        return self._reads[key]

    def writes(self, node: ty.Node) -> Cells:
        """Return what steps may change, calls included."""
        found: set[Cell] = set()
        for each in ty.walk(node):
            facts = FACTS[type(each)]
            found.update(facts.writes(each, self.program))
            for proc in facts.runs(each, self.program):
                found |= self.proc_writes(proc)
        return frozenset(found)

    def proc_writes(self, key: str) -> Cells:
        """Return what a procedure may change."""
        proc = self.program.procs.get(key)
        if proc is None:
            return NONE
        if key not in self._writes:
            self._writes[key] = NONE  # where it comes back to itself
            begun = self.program.world.activation(proc.title)
            self._writes[key] = begun | self.writes(proc.block)
        return self._writes[key]

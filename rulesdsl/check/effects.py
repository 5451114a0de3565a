"""What values read and steps write: the ground for deciding what stays true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.facts import FACTS

if TYPE_CHECKING:
    from rulesdsl.check.program import Computed, Program
    from rulesdsl.check.world import Cell

Cells = frozenset["Cell"]
NONE: Cells = frozenset()


class Effects:
    """Read and write sets, per kind of places and pieces, per track, per flag."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._proc_writes: dict[str, Cells] = {}
        self._value_reads: dict[Computed, Cells] = {}
        self._guard_reads: dict[str, Cells] = {}
        self._open: set[object] = set()

    # ---------------------------------------------------------------- reads
    def reads(self, node: ty.Node) -> Cells:
        """Return what a value looks at."""
        found: set[Cell] = set()
        for each in ty.walk(node):
            facts = FACTS[type(each)]
            found.update(facts.reads(each, self.program))
            for asked in facts.computes(each, self.program):
                found |= self._reads_of_value(asked)
            for proc in facts.asks(each, self.program):
                found |= self._reads_of_guard(proc)
        return frozenset(found)

    def _reads_of_value(self, asked: Computed) -> Cells:
        if asked in self._value_reads:
            return self._value_reads[asked]
        if asked in self._open:
            return NONE
        self._open.add(asked)
        found = NONE.union(*map(self.reads, self.program.bodies(asked)))
        self._open.discard(asked)
        self._value_reads[asked] = found
        return found

    def _reads_of_guard(self, proc: str) -> Cells:
        """Return what a guard looks at, once it is known; guards ask for each other in turn."""
        if proc not in self.program.guards:
            return NONE
        if proc not in self._guard_reads:
            self._guard_reads[proc] = self.reads(self.program.guards[proc])
        return self._guard_reads[proc]

    # ---------------------------------------------------------------- writes
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
        if key in self._proc_writes:
            return self._proc_writes[key]
        if key in self._open or key not in self.program.procs:
            return NONE
        self._open.add(key)
        proc = self.program.procs[key]
        found = self.writes(proc.block) | self.program.world.activation(proc.title)
        self._open.discard(key)
        self._proc_writes[key] = found
        return found

"""Python for steps without decisions: what is done in which order."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.depth import MANY_BRANCHES
from rulesdsl.check.types import NUMBER
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_moves import Code, MoveGenerator
from rulesdsl.lower import form as fm

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class StepGenerator(MoveGenerator):
    """Generates statements for steps."""

    def steps(self, steps: Sequence[ty.Step]) -> Code:
        """Return the code of steps in order."""
        return [stmt for step in steps for stmt in self.step(step)]

    def step(self, step: ty.Step) -> Code:
        """Return the code of a step; it carries the step's place for tracebacks."""
        make: Callable[[ty.Step], Code] = getattr(self, f"_{type(step).__name__}")
        code = make(step)
        line = self.mark(step)
        for stmt in code:
            if not hasattr(stmt, "lineno"):
                stmt.lineno = line
        return code

    # ---------------------------------------------------------------- small steps
    def _Block(self, step: ty.Block) -> Code:
        return self.steps(step.steps)

    def _Require(self, step: ty.Require) -> Code:  # noqa: ARG002 - one shape for all
        return []

    def _SetLocal(self, step: ty.SetLocal) -> Code:
        return [py.assign(py.name(self.local(step.name)), self.stored_value(step.value))]

    def _EmptyList(self, step: ty.EmptyList) -> Code:
        return [py.assign(py.name(self.local(step.name)), ast.List([], py.LOAD))]

    def _Snapshot(self, step: ty.Snapshot) -> Code:
        return [py.assign(py.name(self.local(step.name)), self.snapshot(step.domain, step.start))]

    def snapshot(self, domain: ty.Domain, start: ty.Value | None) -> ast.expr:
        """Return the things of a loop as a list; a circle of seats from its start."""
        if start is None:
            return self.listed(domain)
        base = domain.unfiltered
        players = isinstance(base, ty.AllSeats) and base.players
        count = self.layout.players if players else self.layout.seats
        ring = tuple(tuple((first + at) % count for at in range(count)) for first in range(count))
        # the last row is read for -1, and for a rival who starts among players: the first player
        rows = (*ring, *(ring[0] for _ in range(self.layout.seats - count)), ring[0])
        circle = py.item(self.keep(rows), self.value(start))
        if not isinstance(domain, ty.Filtered):
            return circle
        local = self.local(domain.variable)
        condition = self.condition(domain.condition)
        return py.comprehension(py.name(local), [py.generator(local, circle, [condition])])

    def _Run(self, step: ty.Run) -> Code:
        arguments = [self.stored_value(each) for each in step.arguments]
        function = py.identifier(self.what_runs(step.proc), "p_")
        return [py.expression(py.call(function, py.name("st"), self.value(step.me), *arguments))]

    def what_runs(self, proc: str) -> str:
        """Return the procedure that runs in the end, past hooks that never hold here."""
        function = self.form.functions.get(proc)
        if function is None or len(function.steps) != 1:
            return proc
        only = function.steps[0]
        if not isinstance(only, ty.Branching) or len(only.otherwise.steps) != 1:
            return proc
        below = only.otherwise.steps[0]
        if not isinstance(below, ty.Run) or not below.proc.startswith(
            f"{proc.partition('@')[0]}@"
        ):
            return proc
        conditions = [self.condition(condition) for condition, _ in only.branches]
        if any(not isinstance(each, ast.Constant) or each.value for each in conditions):
            return proc
        return self.what_runs(below.proc)

    def _DoField(self, step: ty.DoField) -> Code:
        # where the key is fixed, effects under other keys may be machines: they are never met here
        found = self.effect_function(
            step, lambda key: py.identifier(key, "p_") if key in self.form.functions else "never"
        )
        return [py.expression(ast.Call(found, [py.name("st"), self.value(step.me)], []))]

    def _Finish(self, step: ty.Finish) -> Code:
        return [
            *self.event(step, "end", py.const(-1)),
            ast.Raise(ast.Call(py.name("Finished"), [], []), None),
        ]

    def _Learn(self, step: ty.Learn) -> Code:
        learned = py.augment(py.field("learned"), "+", py.const(1))
        return py.when(self.condition(step.condition), [learned], [])

    def _Reset(self, step: ty.Reset) -> Code:
        code: Code = []
        for flag in self.layout.world.flags.values():
            if flag.during == step.during:
                size = self.layout.track_size(flag)
                code.append(self._clear(py.identifier(flag.name, "f_"), flag.dims, size, 0))
        for track in self.layout.world.tracks.values():
            if track.during == step.during:
                size = self.layout.track_size(track)
                code.append(
                    self._clear(py.identifier(track.name, "t_"), track.dims, size, track.low)
                )
        return code

    def _clear(self, field: str, dims: tuple[str, ...], size: int, value: int) -> ast.stmt:
        if not dims:
            return py.assign(py.field(field), py.const(value))
        zeros = self.keep((value,) * size)
        return py.assign(py.field(field), py.call("list", zeros))

    # ---------------------------------------------------------------- flow
    def _Branching(self, step: ty.Branching) -> Code:
        if len(step.branches) > MANY_BRANCHES:
            return self._many_branches(step)
        code = self.steps(step.otherwise.steps)
        for condition, block in reversed(step.branches):
            code = py.when(self.condition(condition), self.steps(block.steps), code)
        return code

    def _many_branches(self, step: ty.Branching) -> Code:
        """Return tests that find the number of a branch, some at a time, and then what it does."""
        none = py.const(len(step.branches))
        which = py.name(self.temp("w"))
        code: Code = [py.assign(which, none)]
        conditions = [self.condition(condition) for condition, _ in step.branches]
        for first in range(0, len(conditions), MANY_BRANCHES):
            found: Code = []
            for at in reversed(range(first, min(first + MANY_BRANCHES, len(conditions)))):
                found = py.when(conditions[at], [py.assign(which, py.const(at))], found)
            code += py.when(py.compared("=", which, none), found, [])
        blocks = [*(block for _, block in step.branches), step.otherwise]
        return [*code, *py.one_of(which, [self.steps(block.steps) for block in blocks])]

    def _RepeatTimes(self, step: ty.RepeatTimes) -> Code:
        return self.rounds(step.times, None, step.block)

    def _RepeatUntil(self, step: ty.RepeatUntil) -> Code:
        return self.rounds(step.limit, step.condition, step.block)

    def rounds(self, times: ty.Value, until: ty.Value | None, block: ty.Block) -> Code:
        """Return a bounded loop."""
        most = ty.Const(fm.MOST_REPEATS, type=NUMBER)
        bounded = self.value(ty.Arith("min", times, most, type=NUMBER))
        body = self.steps(block.steps)
        if until is not None:
            body = [ast.If(self.condition(until), [ast.Break()], []), *body]
        if not body:
            return []
        return [py.loop("_", py.call("range", bounded), body)]

    def _ForEach(self, step: ty.ForEach) -> Code:
        local = self.local(step.variable)
        body = self.steps(step.block.steps)
        if not body:
            return []
        domain = step.domain
        if isinstance(domain, ty.Entries | ty.Numbers | ty.Listed) or (
            isinstance(domain, ty.AllSeats) and step.start is None
        ):
            over = self.generators(domain, step.variable)[0].iter
        else:
            over = self.snapshot(domain, step.start)
        return [py.loop(local, over, body)]

"""From checked procedures to functions and machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import MAX_REPEATS
from rulesdsl.check.proofs import both
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.types import NUMBER, PLAYER, YES_NO
from rulesdsl.lower import form as fm
from rulesdsl.lower.settling import Settler

if TYPE_CHECKING:
    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import TypedProc
    from rulesdsl.check.types import Type

ZERO = ty.Const(0, type=NUMBER)
ONE = ty.Const(1, type=NUMBER)
LIMIT = ty.Const(MAX_REPEATS, type=NUMBER)


def lower(checked: Checked) -> fm.Form:
    """Return the intermediate form of a checked program."""
    functions: dict[str, fm.Function] = {}
    machines: dict[str, fm.Machine] = {}
    settler = Settler(checked)
    for key, steps in settler.all().items():
        proc = checked.program.procs[key]
        if key in checked.graph.deciding:
            builder = _MachineBuilder(checked, proc, steps, settler)
            machines[key] = builder.build()
        else:
            params = tuple(param.name for param in proc.params)
            functions[key] = fm.Function(key, params, steps, proc.span)
    return fm.Form(functions, machines, {key: settler.eyes[key] for key in machines})


class _MachineBuilder:
    """Cuts a procedure into blocks at its decisions."""

    def __init__(
        self, checked: Checked, proc: TypedProc, body: tuple[ty.Step, ...], settler: Settler
    ) -> None:
        self.checked = checked
        self.proc = proc
        self.body = body
        self.blocks: list[fm.BasicBlock] = []
        self._temps = 0
        self._eyes, self._rounds = settler.eyes[proc.key], settler.rounds[proc.key]

    def build(self) -> fm.Machine:
        proc = self.proc
        last = self.steps(self.body, self.new())
        self.blocks[last].end = fm.Return()
        params = tuple(param.name for param in proc.params)
        bound = (name for block in self.blocks for name, _, _ in block.bound)
        slots = tuple(dict.fromkeys((*params, *bound)))
        blocks = tuple(self.blocks)
        return fm.Machine(proc.key, params, slots, blocks, proc.span)

    # ---------------------------------------------------------------- parts
    def new(self) -> int:
        self.blocks.append(fm.BasicBlock())
        return len(self.blocks) - 1

    def add(self, at: int, step: ty.Step) -> None:
        self.blocks[at].steps.append(step)

    def temp(self, name: str) -> str:
        self._temps += 1
        return f"{name}%{self._temps}"

    def goto(self, at: int, target: int) -> None:
        self.blocks[at].end = fm.Goto(target)

    def decides(self, step: ty.Node) -> bool:
        """Whether somebody may be asked in a step."""
        deciding = self.checked.graph.deciding
        return any(
            FACTS[type(each)].decides or not deciding.isdisjoint(self.checked.graph.called(each))
            for each in ty.walk(step)
        )

    # ---------------------------------------------------------------- statements
    def steps(self, steps: tuple[ty.Step, ...], at: int) -> int:
        """Lower steps into a block and those after it; return the open block at the end."""
        for step in steps:
            if isinstance(step, ty.Require):
                continue
            if isinstance(step, ty.Leaf) or not (isinstance(step, ty.Block) or self.decides(step)):
                self.add(at, step)
            else:
                at = self.step(step, at)
        return at

    def step(  # noqa: C901 - one case a kind of step
        self, step: ty.Compound, at: int
    ) -> int:
        """Lower a step with a decision inside."""
        match step:
            case ty.Block():
                return self.steps(step.steps, at)
            case ty.Decide():
                return self.decide(step, at)
            case ty.Run():
                then = self.new()
                self.blocks[at].end = fm.Call(step.proc, step.me, step.arguments, then)
                return then
            case ty.DoField():
                then = self.new()
                self.blocks[at].end = fm.CallField(
                    step.kind, step.field, step.subject, step.key, step.me, then
                )
                return then
            case ty.Branching():
                return self.branching(step, at)
            case ty.RepeatTimes():
                return self.repeat(step.times, None, step.block, at)
            case ty.RepeatUntil():
                return self.repeat(step.limit, step.condition, step.block, at)
            case ty.ForEach():
                return self.for_each(step, at)
            case ty.Secretly():
                return self.secretly(step, at)
            case ty.WhereAble():
                raise AssertionError(step)  # a branching since its guard was written into it
            case _:
                assert_never(step)

    def decide(self, step: ty.Decide, at: int) -> int:
        """Lower a decision: its lines lead back to it where it is offered again."""
        ask, join = self.new(), self.new()
        lines, spent, left = step.lines, None, None
        if any(line.once for line in lines):
            spent = self.temp("spent")
            self.add(at, ty.EmptyList(spent))
        if step.again and step.stop == ty.DECLINE:
            left = self.countdown("again", step.limit or LIMIT, at)
            lines = tuple(_while_left(line, left) for line in lines)
        self.goto(at, ask)
        targets: list[int] = []
        for line in lines:
            targets.append(self.new())
            self.fewer(left, targets[-1])
            end = self.steps(line.block.steps, targets[-1])
            self.goto(end, ask if step.again else join)
        if step.stop is not None:
            targets.append(join)
        self.blocks[ask].end = fm.Ask(
            lines,
            tuple(targets),
            step.me,
            step.prompt,
            step.stop,
            step.again,
            step.onward,
            step.secret,
            spent,
            step.span,
        )
        return join

    def countdown(self, name: str, times: ty.Value, at: int) -> ty.Local:
        """Keep how often something is still done in a local."""
        left = ty.Local(self.temp(name), type=NUMBER)
        self.add(at, ty.SetLocal(left.name, times))
        return left

    def fewer(self, left: ty.Local | None, at: int) -> None:
        """Count down, where it is counted."""
        if left is not None:
            self.add(at, ty.SetLocal(left.name, ty.Arith("-", left, ONE, type=NUMBER, exact=True)))

    def branching(self, step: ty.Branching, at: int) -> int:
        join = self.new()
        for condition, block in step.branches:
            yes, no = self.new(), self.new()
            self.blocks[at].end = fm.Test(condition, yes, no)
            self.goto(self.steps(block.steps, yes), join)
            at = no
        self.goto(self.steps(step.otherwise.steps, at), join)
        return join

    def repeat(self, times: ty.Value, until: ty.Value | None, block: ty.Block, at: int) -> int:
        head, body, join = self.new(), self.new(), self.new()
        left = self.countdown(fm.COUNTDOWN, ty.Arith("min", times, LIMIT, type=NUMBER), at)
        self._note(left.name, times)
        self.goto(at, head)
        more = _more(left)
        if until is not None:
            more = both(more, ty.Negation(until, type=YES_NO))
        self.blocks[head].end = fm.Test(more, body, join)
        self.fewer(left, body)
        self.goto(self.steps(block.steps, body), head)
        return join

    def for_each(self, step: ty.ForEach, at: int) -> int:
        things = self.temp("things")
        self.add(at, ty.Snapshot(things, step.domain, step.start))
        self._note(things, step.domain)
        element = step.domain.element
        return self.through(things, [(step.variable, things, element)], step.block, at)

    def _note(self, name: str, rounds: ty.Value | ty.Domain) -> None:
        """Note who sees how often a loop is still to go round, if not everybody does."""
        if rounds in self._rounds:
            self._eyes[name] = self._rounds[rounds]

    def through(
        self, things: str, bound: list[tuple[str, str, Type]], block: ty.Block, at: int
    ) -> int:
        """Lower a loop along a list; other lists may run beside it."""
        head, body, join = self.new(), self.new(), self.new()
        index = self.temp(fm.POSITION)
        here = ty.Local(index, type=NUMBER)
        self.add(at, ty.SetLocal(index, ZERO))
        self.goto(at, head)
        more = ty.Comparison("<", here, ty.Length(things), type=YES_NO)
        self.blocks[head].end = fm.Test(more, body, join)
        for variable, source, kind in bound:
            self.add(body, ty.SetLocal(variable, ty.ItemAt(source, here, type=kind)))
        self.add(body, ty.SetLocal(index, ty.Arith("+", here, ONE, type=NUMBER, exact=True)))
        self.goto(self.steps(block.steps, body), head)
        return join

    def secretly(self, step: ty.Secretly, at: int) -> int:
        ask, then = self.new(), self.new()
        answers, players = self.temp("answers"), self.temp("players")
        self.goto(at, ask)
        self.blocks[ask].end = fm.AskSecret(
            answers,
            step.me,
            step.domain,
            step.prompt,
            step.label,
            step.variable,
            then,
            step.secret,
            step.span,
        )
        everybody = ty.AllSeats(players=True, element=PLAYER)
        self.add(then, ty.Snapshot(players, everybody, None))
        bound = [(step.me, players, PLAYER), (step.variable, answers, step.domain.element)]
        return self.through(players, bound, step.block, then)


def _more(left: ty.Local) -> ty.Value:
    return ty.Comparison(">", left, ZERO, type=YES_NO)


def _while_left(line: ty.Line, left: ty.Local) -> ty.Line:
    more = _more(left)
    return attrs.evolve(line, guard=both(more, line.guard), might=both(more, line.might))

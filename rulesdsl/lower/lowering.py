"""From checked procedures to functions and machines."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.proofs import both
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.types import NUMBER, PLAYER, YES_NO
from rulesdsl.lower import form as fm
from rulesdsl.lower.settling import Settler, guard_of, menu_out, might_of

if TYPE_CHECKING:
    from rulesdsl.check.pack_check import Checked
    from rulesdsl.check.program import TypedProc
    from rulesdsl.check.types import Type

ZERO = ty.Const(0, type=NUMBER)
ONE = ty.Const(1, type=NUMBER)


def lower(checked: Checked) -> fm.Form:
    """Return the intermediate form of a checked program."""
    functions: dict[str, fm.Function] = {}
    machines: dict[str, fm.Machine] = {}
    for key, steps in Settler(checked).all().items():
        proc = checked.program.procs[key]
        if key in checked.graph.deciding:
            machines[key] = _MachineBuilder(checked, proc, steps).build()
        else:
            params = tuple(param.name for param in proc.params)
            functions[key] = fm.Function(key, params, steps, proc.span)
    return fm.Form(functions, machines)


class _MachineBuilder:
    """Cuts a procedure into blocks at its decisions."""

    def __init__(self, checked: Checked, proc: TypedProc, body: tuple[ty.Step, ...]) -> None:
        self.checked = checked
        self.proc = proc
        self.body = body
        self.blocks: list[fm.BasicBlock] = []
        self._temps = 0

    def build(self) -> fm.Machine:
        proc = self.proc
        last = self.steps(self.body, self.new())
        self.blocks[last].end = fm.Return()
        params = tuple(param.name for param in proc.params)
        slots = (*params, *(name for name in self.locals() if name not in params))
        blocks = tuple(self.blocks)
        return fm.Machine(proc.key, proc.title, params, slots, blocks, self.body, proc.span)

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

    def locals(self) -> list[str]:
        """Return all names that blocks bind, in order."""
        found: dict[str, None] = {}
        for block in self.blocks:
            for step in block.steps:
                found |= dict.fromkeys(FACTS[type(step)].binds(step))
            end = block.end
            if isinstance(end, fm.AskOne):
                found[end.name] = None
            elif isinstance(end, fm.AskSecret):
                found[end.answers] = None
            elif isinstance(end, fm.AskMenu):
                found[end.spent] = None
                for line in end.lines:
                    if line.variable is not None:
                        found[line.variable] = None
        return list(found)

    def decides(self, step: ty.Node) -> bool:
        """Whether somebody may be asked in a step."""
        deciding = self.checked.graph.deciding
        return any(
            FACTS[type(each)].decides or not deciding.isdisjoint(self.checked.graph.called(each))
            for each in ty.walk(step)
        )

    # ---------------------------------------------------------------- statements
    def steps(self, steps: tuple[ty.Step, ...], at: int) -> int:
        """Lower steps into a block and those behind it; return the open block at the end."""
        for step in steps:
            if isinstance(step, ty.Require):
                continue
            if isinstance(step, ty.Leaf) or not (isinstance(step, ty.Block) or self.decides(step)):
                self.add(at, step)
            else:
                at = self.step(step, at)
        return at

    def step(  # noqa: C901, PLR0912 - one case a kind of step
        self, step: ty.Compound, at: int
    ) -> int:
        """Lower a step with a decision inside."""
        match step:
            case ty.Block():
                return self.steps(step.steps, at)
            case ty.Pick():
                return self.pick(step, at)
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
            case ty.ChooseWay():
                return self.ways(step, at)
            case ty.Optionally():
                return self.optionally(step, at)
            case ty.OptionallyRepeat():
                return self.optionally_repeat(step, at)
            case ty.RepeatTimes():
                return self.repeat(step.times, None, step.block, at)
            case ty.RepeatUntil():
                return self.repeat(step.limit, step.condition, step.block, at)
            case ty.ForEach():
                return self.for_each(step, at)
            case ty.Secretly():
                return self.secretly(step, at)
            case ty.OfferMenu():
                return self.menu(step, at)
            case ty.WhereAble():
                raise AssertionError(step)  # a branching since its guard was written into it
            case _:
                assert_never(step)

    def pick(self, step: ty.Pick, at: int) -> int:
        ask, then = self.new(), self.new()
        self.goto(at, ask)
        self.blocks[ask].end = fm.AskOne(
            step.name,
            step.domain,
            step.me,
            step.prompt,
            then,
            step.secret,
            step.span,
        )
        return then

    def branching(self, step: ty.Branching, at: int) -> int:
        join = self.new()
        for condition, block in step.branches:
            yes, no = self.new(), self.new()
            self.blocks[at].end = fm.Test(condition, yes, no)
            self.goto(self.steps(block.steps, yes), join)
            at = no
        self.goto(self.steps(step.otherwise.steps, at), join)
        return join

    def ways(self, step: ty.ChooseWay, at: int) -> int:
        ask, join = self.new(), self.new()
        self.goto(at, ask)
        outs: list[fm.WayOut] = []
        for way in step.ways:
            target = self.new()
            outs.append(fm.WayOut(guard_of(way.block), target, way.label, way.text, way.block))
            self.goto(self.steps(way.block.steps, target), join)
        self.blocks[ask].end = fm.AskWay(tuple(outs), step.me, step.span)
        return join

    def optionally(self, step: ty.Optionally, at: int) -> int:
        ask, yes, join = self.new(), self.new(), self.new()
        self.goto(at, ask)
        guard, might = guard_of(step.block), might_of(step.block)
        self.blocks[ask].end = fm.AskMay(
            guard, yes, join, step.text, step.me, step.block, might, span=step.span
        )
        self.goto(self.steps(step.block.steps, yes), join)
        return join

    def optionally_repeat(self, step: ty.OptionallyRepeat, at: int) -> int:
        ask, yes, join = self.new(), self.new(), self.new()
        left = self.temp("again")
        limit = step.limit or ty.Const(fm.MOST_REPEATS, type=NUMBER)
        self.add(at, ty.SetLocal(left, limit))
        self.goto(at, ask)
        remaining = ty.Local(left, type=NUMBER)
        more = ty.Comparison(">", remaining, ZERO, type=YES_NO)
        guard, might = both(more, guard_of(step.block)), both(more, might_of(step.block))
        self.blocks[ask].end = fm.AskMay(
            guard, yes, join, step.text, step.me, step.block, might, again=True, span=step.span
        )
        fewer = ty.Arith("-", remaining, ONE, type=NUMBER, exact=True)
        self.add(yes, ty.SetLocal(left, fewer))
        self.goto(self.steps(step.block.steps, yes), ask)
        return join

    def repeat(self, times: ty.Value, until: ty.Value | None, block: ty.Block, at: int) -> int:
        head, body, join = self.new(), self.new(), self.new()
        left = self.temp(fm.COUNTDOWN)
        most = ty.Const(fm.MOST_REPEATS, type=NUMBER)
        self.add(at, ty.SetLocal(left, ty.Arith("min", times, most, type=NUMBER)))
        self.goto(at, head)
        remaining = ty.Local(left, type=NUMBER)
        more: ty.Value = ty.Comparison(">", remaining, ZERO, type=YES_NO)
        if until is not None:
            more = both(more, ty.Negation(until, type=YES_NO))
        self.blocks[head].end = fm.Test(more, body, join)
        self.add(body, ty.SetLocal(left, ty.Arith("-", remaining, ONE, type=NUMBER, exact=True)))
        self.goto(self.steps(block.steps, body), head)
        return join

    def for_each(self, step: ty.ForEach, at: int) -> int:
        things = self.temp("things")
        self.add(at, ty.Snapshot(things, step.domain, step.start))
        element = step.domain.element
        return self.through(things, [(step.variable, things, element)], step.block, at)

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
            answers, step.me, step.domain, step.prompt, then, step.span
        )
        everybody = ty.AllSeats(players=True, element=PLAYER)
        self.add(then, ty.Snapshot(players, everybody, None))
        bound = [(step.me, players, PLAYER), (step.variable, answers, step.domain.element)]
        return self.through(players, bound, step.block, then)

    def menu(self, step: ty.OfferMenu, at: int) -> int:
        ask, join = self.new(), self.new()
        spent = self.temp("spent")
        self.add(at, ty.EmptyList(spent))
        self.goto(at, ask)
        lines: list[fm.MenuOut] = []
        for entry in step.entries:
            target = self.new()
            lines.append(menu_out(entry, target))
            self.goto(self.steps(entry.block.steps, target), ask)
        self.blocks[ask].end = fm.AskMenu(tuple(lines), spent, step.me, join, step.span)
        return join

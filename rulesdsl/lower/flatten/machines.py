"""Machines: procedures cut into blocks at each decision, and at each call of another machine.

What is half done is the number of a block and the slots of a frame, so it can be saved.  Cutting
walks the body once, in order, with the number of the block that is open.  A step in which nobody
can be asked goes into that block as it is.  A decision, a branch or a loop with a decision inside
ends it and opens others, and a loop keeps how far it is in slots of its own, bounded like any
other loop.  Blocks are numbered as they are opened, and written in that order once all are known:
a jump to a block that only jumps on leads to where that one leads in the end (`past`).

A test whether there is anything to choose, followed by that choice, is written as one look at the
candidates (`asks.test_and_ask`).
"""

from __future__ import annotations

from functools import partial
from operator import itemgetter
from typing import TYPE_CHECKING, assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import MAX_REPEATS
from rulesdsl.check.proofs import both
from rulesdsl.check.typed.facts import FACTS
from rulesdsl.check.types import NUMBER, PLAYER, SEAT, YES_NO
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flatten import asks, domains, fields, values
from rulesdsl.lower.flatten.steps import reset, resets, reveal, snapshot, steps
from rulesdsl.lower.flatten.writer import ONE, ZERO, Writer
from rulesdsl.lower.fold import op

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rulesdsl.check.program import Eyes, TypedProc
    from rulesdsl.check.types import Type
    from rulesdsl.lower.flatten.writer import Shared

MAX_SPENT = 1024
LIMIT = ty.Const(MAX_REPEATS, type=NUMBER)


def _leave(w: Writer) -> None:
    w.add(fl.Leave())


@attrs.define
class CutBlock:
    """A block that is not written yet: what writes its steps and its end, and what it binds."""

    steps: list[Callable[[], None]] = attrs.Factory(list)
    end: Callable[[], None] = attrs.field(kw_only=True)
    next: int | None = None  # the block that it goes on in
    question: asks.BlockQuestion | None = None  # what it asks
    binds: list[tuple[str, fl.FrameSlot]] = attrs.Factory(list)
    binds_at_end: list[tuple[str, fl.FrameSlot]] = attrs.Factory(list)


class MachineBuilder:
    """Cuts a procedure into blocks, and writes them."""

    def __init__(self, shared: Shared, proc: TypedProc) -> None:
        self.shared = shared
        self.proc = proc
        self.key = proc.key
        self.w = Writer(shared, proc.key)
        self.blocks: list[CutBlock] = []
        self._fields: dict[int, ty.DoField] = {}  # by the blocks that end with them
        self._temps = 0
        at = self.new()
        during = resets(self.w, proc)
        if during:
            self.add(at, self._reset)
        at = self.block(proc.body, at)
        if during:
            self.add(at, self._reset)

    def _reset(self) -> None:
        with self.w.at(self.proc.span):
            reset(self.w, self.proc)

    def frame(self) -> fl.Machine:
        """Return the machine in the flat form, with blocks that are not written yet."""
        params = [(each.name, fl.FrameSlot(each.type)) for each in self.proc.params]
        slots: dict[str, fl.FrameSlot] = {}
        for name, slot in (*params, *(each for block in self.blocks for each in _bound(block))):
            slots[name] = slot if name not in slots else slots[name].joined(slot)
        for name in slots.keys() & self.proc.eyes.keys():
            slots[name] = attrs.evolve(slots[name], eyes=self.proc.eyes[name])
        spread = dict(self._spread(slots.items()))
        names = [name for name, _ in self._spread(params)]
        return fl.Machine(
            self.key,
            ("me", *names),
            ("me", *spread),
            (),
            (),
            self.proc.span,
            (fl.FrameSlot(SEAT.or_none()), *spread.values()),
        )

    def _spread(
        self, slots: Iterable[tuple[str, fl.FrameSlot]]
    ) -> Iterator[tuple[str, fl.FrameSlot]]:
        """Yield slots as they lie in the frame: a price as one for each noun."""
        for name, slot in slots:
            parted = slot.kind.family == "bundle"
            parts = self.w.layout.parts(name) if parted else [name]
            yield from ((each, slot) for each in parts)

    def enterable(self) -> None:
        """Add the effects in fields that are entered: what asks nobody is a machine as well."""
        machines = self.shared.flat.machines
        for _, field in sorted(self._fields.items(), key=itemgetter(0)):
            names = _entered(Writer(self.shared), field)
            for key in sorted(names, key=lambda each: each == values.NEVER):
                if key not in machines:
                    does = () if key == values.NEVER else (fl.Do(f"do:{key}", (fl.Local("me"),)),)
                    machines[key] = fl.Machine(key, ("me",), ("me",), ((*does, fl.Leave()),))

    def write(self) -> None:
        """Write all blocks."""
        bodies: list[fl.Body] = []
        for block in self.blocks:
            with self.w.body() as body:
                for each in block.steps:
                    each()
                block.end()
            bodies.append(tuple(body))
        known, buffers = self.shared.flat.machines[self.key], tuple(self.w.buffers.items())
        made = attrs.evolve(known, blocks=tuple(bodies), buffers=buffers)
        self.shared.flat.machines[self.key] = made

    # ---------------------------------------------------------------- blocks
    def new(self) -> int:
        """Open a block, and return its number."""
        self.blocks.append(CutBlock(end=partial(_leave, self.w)))
        return len(self.blocks) - 1

    def past(self, at: int) -> int:
        """Return the block that is reached in the end: some do nothing but go on."""
        block = self.blocks[at]
        while not block.steps and block.next is not None:
            at = block.next
            block = self.blocks[at]
        return at

    def add(self, at: int, write: Callable[[], None], *binds: tuple[str, fl.FrameSlot]) -> None:
        """Add what writes a step to a block."""
        self.blocks[at].steps.append(write)
        self.blocks[at].binds += binds

    def goto(self, at: int, target: int) -> None:
        """Let a block go on in another one."""
        self.blocks[at].next = target
        self.blocks[at].end = lambda: self.w.add(fl.Goto(self.past(target)))

    def test(self, at: int, condition: ty.Value, yes: int, no: int) -> None:
        """Let a block go on in one of two others."""

        def write() -> None:
            if not asks.test_and_ask(self, condition, yes, no):
                self.w.when(
                    self.w.value(condition),
                    lambda: self.w.add(fl.Goto(self.past(yes))),
                    lambda: self.w.add(fl.Goto(self.past(no))),
                )

        self.blocks[at].end = write

    def ask(self, at: int, question: asks.BlockQuestion, *binds: tuple[str, fl.FrameSlot]) -> None:
        """Let a block end with a question."""
        self.blocks[at].question = question
        self.blocks[at].end = lambda: asks.ask(self, at, question)
        self.blocks[at].binds_at_end += binds

    def temp(self, name: str) -> str:
        """Return the name of a new slot: no local of the rules has such a sign."""
        self._temps += 1
        return f"{name}%{self._temps}"

    def let(self, at: int, name: str, slot: fl.FrameSlot, value: Callable[[], fl.Expr]) -> None:
        """Add the setting of a slot."""
        self.add(at, lambda: self.w.add(fl.Set(name, value())), (name, slot))

    # ---------------------------------------------------------------- statements
    def decides(self, node: ty.Node) -> bool:
        """Return whether somebody may be asked in a step."""
        program = self.w.program
        for each in ty.walk(node):
            facts = FACTS[type(each)]
            if facts.decides or any(program.procs[e].decides for e in facts.runs(each, program)):
                return True
        return False

    def block(self, node: ty.Block, at: int) -> int:
        """Cut the steps of a block into the open one and those after it; return the last one."""
        for each in node.steps:
            at = self.step(each, at)
        if node.reveals_at_end:
            self.add(at, partial(reveal, self.w, node.reveals_at_end))
        return at

    def step(self, node: ty.Step, at: int) -> int:
        """Cut a step; return the block that is open after it."""
        if isinstance(node, ty.Require) and not node.reveals:
            return at
        if isinstance(node, ty.Leaf) or not (isinstance(node, ty.Block) or self.decides(node)):
            binds: list[tuple[str, fl.FrameSlot]] = []
            if isinstance(node, ty.SetLocal):
                binds = [(node.name, fl.FrameSlot(node.value.type))]
            self.add(at, partial(steps, self.w, (node,)), *binds)
            return at
        if node.reveals:
            self.add(at, partial(reveal, self.w, node.reveals, node.span))
        return self.cut(node, at)

    def cut(self, node: ty.Compound, at: int) -> int:  # noqa: C901 - one case a kind of step
        """Cut a step with a decision inside."""
        match node:
            case ty.Block():
                return self.block(node, at)
            case ty.Decide():
                return self.decide(node, at)
            case ty.Run():
                then = self.new()
                self.blocks[at].end = lambda: self._enter(node, then)
                return then
            case ty.DoField():
                self._fields[at] = node
                then = self.new()
                self.blocks[at].end = lambda: self._enter_field(node, then)
                return then
            case ty.Branching():
                return self.branching(node.branches, node.otherwise, at)
            case ty.WhereAble():
                return self.branching(((node.guard, node.block),), node.otherwise, at)
            case ty.RepeatTimes():
                return self.repeat(node.times, None, node.block, at, node.eyes)
            case ty.RepeatUntil():
                return self.repeat(node.limit, node.condition, node.block, at)
            case ty.ForEach():
                return self.for_each(node, at)
            case ty.Secretly():
                return self.secretly(node, at)
            case _:
                assert_never(node)

    def _enter(self, node: ty.Run, then: int) -> None:
        given = values.given(self.w, [node.me, *node.arguments])
        self.w.add(fl.Enter(node.proc, given, self.past(then)))

    def _enter_field(self, node: ty.DoField, then: int) -> None:
        index, me = fields.index(self.w, node), self.w.value(node.me)
        name, at = fields.one_of(self.w, _entered(self.w, node), index)
        self.w.add(fl.Enter(name, (me,), self.past(then), at))

    def decide(self, node: ty.Decide, at: int) -> int:
        """Cut a decision: its lines lead back to it where it is offered again."""
        ask, join = self.new(), self.new()
        spent = left = None
        if any(line.once for line in node.lines):
            spent = self.temp("spent")
            clear = partial(_empty, self.w, spent)
            self.add(at, clear, (spent, fl.FrameSlot(NUMBER, many=True)))
        if node.again and node.stop == ty.DECLINE:
            left = self.countdown("again", node.limit or LIMIT, at)
            lines = tuple(_while_left(line, left) for line in node.lines)
            node = attrs.evolve(node, lines=lines)
        self.goto(at, ask)
        targets: list[int] = []
        for line in node.lines:
            targets.append(self.new())
            if left is not None:
                self.fewer(left, targets[-1])
            end = self.block(line.block, targets[-1])
            self.goto(end, ask if node.again else join)
        if node.stop is not None:
            targets.append(join)
        about = [line.about for line in node.lines if line.about is not None]
        binds = [(name, fl.FrameSlot(domain.element)) for name, domain in about]
        self.ask(ask, asks.BlockQuestion(node, tuple(targets), spent), *binds)
        return join

    def countdown(
        self, name: str, times: ty.Value, at: int, slot: fl.FrameSlot | None = None
    ) -> str:
        """Keep how often something is still done in a slot."""
        left = self.temp(name)
        self.let(at, left, slot or fl.FrameSlot(NUMBER), lambda: self.w.value(times))
        return left

    def fewer(self, left: str, at: int) -> None:
        """Count down."""
        less = op("-", fl.Local(left), ONE)
        self.add(at, lambda: self.w.add(fl.Set(left, less)))

    def branching(
        self, branches: tuple[tuple[ty.Value, ty.Block], ...], otherwise: ty.Block, at: int
    ) -> int:
        """Cut tests one after the other."""
        join = self.new()
        for condition, block in branches:
            yes, no = self.new(), self.new()
            self.test(at, condition, yes, no)
            self.goto(self.block(block, yes), join)
            at = no
        self.goto(self.block(otherwise, at), join)
        return join

    def repeat(
        self,
        times: ty.Value,
        until: ty.Value | None,
        block: ty.Block,
        at: int,
        eyes: Eyes = None,
    ) -> int:
        """Cut a bounded loop."""
        head, body, join = self.new(), self.new(), self.new()
        bounded = ty.Arith("min", times, LIMIT, type=NUMBER)
        slot = fl.FrameSlot(NUMBER, role="countdown", eyes=eyes)
        left = self.countdown("left", bounded, at, slot)
        self.goto(at, head)
        more = _more(left)
        if until is not None:
            more = both(more, ty.Negation(until, type=YES_NO))
        self.test(head, more, body, join)
        self.fewer(left, body)
        self.goto(self.block(block, body), head)
        return join

    def for_each(self, node: ty.ForEach, at: int) -> int:
        """Cut a loop over things as they were before it."""
        things, element = self.temp("things"), node.domain.element
        self.keep(at, things, node.domain, node.start, node.eyes)
        return self.through(things, [(node.variable, things, element)], node.block, at)

    def keep(
        self,
        at: int,
        name: str,
        domain: ty.Domain,
        start: ty.Value | None,
        eyes: Eyes = None,
    ) -> None:
        """Add the keeping of the things of a domain in a list."""

        def write() -> None:
            buffer = self.w.list(name, domains.most(self.w, domain))
            self.w.add(fl.Clear(buffer))
            snapshot(self.w, domain, start, buffer)

        self.add(at, write, (name, fl.FrameSlot(domain.element, many=True, eyes=eyes)))

    def through(
        self, things: str, bound: list[tuple[str, str, Type]], block: ty.Block, at: int
    ) -> int:
        """Cut a loop along a list; other lists may run beside it."""
        head, body, join = self.new(), self.new(), self.new()
        index = self.temp("at")
        here, position = fl.Local(index), fl.FrameSlot(NUMBER, role="position")
        self.let(at, index, position, lambda: ZERO)
        self.goto(at, head)
        more = op("<", here, fl.Length(fl.Buffer(things)))
        self.blocks[head].end = lambda: self.w.when(
            more,
            lambda: self.w.add(fl.Goto(self.past(body))),
            lambda: self.w.add(fl.Goto(self.past(join))),
        )
        for variable, source, kind in bound:
            item = fl.Item(fl.Buffer(source), here)
            self.let(body, variable, fl.FrameSlot(kind), lambda item=item: item)  # type: ignore[misc]
        self.let(body, index, position, lambda: op("+", here, ONE))
        self.goto(self.block(block, body), head)
        return join

    def secretly(self, node: ty.Secretly, at: int) -> int:
        """Cut a question to all players at once, and what each of them does then."""
        ask, then = self.new(), self.new()
        answers, players = self.temp("answers"), self.temp("players")
        self.goto(at, ask)
        element = node.domain.element
        held = fl.FrameSlot(element, many=True, length=self.w.layout.players)
        self.ask(ask, asks.BlockQuestion(node, (then,), answers), (answers, held))
        self.keep(then, players, ty.AllSeats(players=True, element=PLAYER), None)
        bound = [(node.me, players, PLAYER), (node.variable, answers, element)]
        return self.through(players, bound, node.block, then)


def _bound(block: CutBlock) -> list[tuple[str, fl.FrameSlot]]:
    return [*block.binds, *block.binds_at_end]


def _empty(w: Writer, name: str) -> None:
    w.add(fl.Clear(w.list(name, MAX_SPENT)))


def _more(left: str) -> ty.Value:
    local = ty.Local(left, type=NUMBER)
    return ty.Comparison(">", local, ty.Const(0, type=NUMBER), type=YES_NO)


def _while_left(line: ty.Line, left: str) -> ty.Line:
    more = _more(left)
    return attrs.evolve(line, guard=both(more, line.guard), might=both(more, line.might))


def _entered(w: Writer, node: ty.DoField) -> tuple[str, ...]:
    """Return the machine of the effect in a field, for all that it may be asked of."""
    return fields.effects(w, node, "entered", lambda key: key, values.NEVER)

"""Builder of machines: procedures split into basic blocks at decisions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from operator import itemgetter
from typing import assert_never

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.analysis.intervals import MAX_REPEATS
from rulesdsl.check.symbols.types import NUMBER, PLAYER, SEAT, YES_NO
from rulesdsl.check.typed.conditions import both
from rulesdsl.check.typed.program import Eyes, TypedProc
from rulesdsl.lower import flat as fl
from rulesdsl.lower.builder import changes, domains, fields, questions, values
from rulesdsl.lower.builder.blocks import BlockGraph, BlockQuestion
from rulesdsl.lower.builder.rounds import decides
from rulesdsl.lower.builder.steps import reset, resets, reveal, snapshot, steps
from rulesdsl.lower.builder.writer import ONE, ZERO, Shared, Writer
from rulesdsl.lower.flat.walk import op

MAX_SPENT = 1024
LIMIT = ty.Const(MAX_REPEATS, type=NUMBER)


class MachineBuilder:
    """Builder of one procedure's machine.

    A suspended effect consists of a block number and the slots of a frame, so it can be saved. The
    builder walks the body once, in order, and appends each step without decisions to the open
    block. A decision, a call to another machine, or a branch or loop with a decision inside
    terminates the block and opens others; such a loop keeps its countdown or position in its own
    slots. Blocks consist of closures that run once all blocks are known; a jump to an empty block
    that only jumps on is redirected to its final target (`past`).

    A test for candidates and the choice among them share one enumeration of the candidates
    (`questions.test_and_ask`).
    """

    def __init__(self, shared: Shared, proc: TypedProc) -> None:
        self.shared = shared
        self.proc = proc
        self.key = proc.key
        self.w = Writer(shared, proc.key)
        self.graph = BlockGraph(self.w)
        self._fields: dict[int, ty.DoField] = {}  # by the blocks that they terminate
        at = self.graph.new()
        during = resets(self.w, proc)
        if during:
            self.graph.add(at, self._reset)
        at = self.block(proc.body, at)
        if during:
            self.graph.add(at, self._reset)

    def _reset(self) -> None:
        with self.w.at(self.proc.span):
            reset(self.w, self.proc)

    def frame(self) -> fl.Machine:
        """Return the machine with its slots, but without its blocks."""
        params = [(each.name, fl.FrameSlot(each.type)) for each in self.proc.params]
        slots: dict[str, fl.FrameSlot] = {}
        bound = (each for block in self.graph.blocks for each in block.binds)
        for name, slot in (*params, *bound):
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
        for name, slot in slots:
            parted = slot.kind.family == "bundle"
            parts = self.w.layout.parts(name) if parted else [name]
            yield from ((each, slot) for each in parts)

    def enterable(self) -> None:
        """Add machines for fields' effects that are entered by index but ask no question."""
        machines = self.shared.flat.machines
        for _, field in sorted(self._fields.items(), key=itemgetter(0)):
            names = _entered(Writer(self.shared), field)
            for key in sorted(names, key=lambda each: each == values.NEVER):
                if key not in machines:
                    does = (
                        ()
                        if key == values.NEVER
                        else (fl.RunFunction(f"do:{key}", (fl.LocalVar("me"),)),)
                    )
                    machines[key] = fl.Machine(key, ("me",), ("me",), ((*does, fl.Leave()),))

    def write(self) -> None:
        """Write all blocks."""
        bodies: list[fl.Body] = []
        for block in self.graph.blocks:
            with self.w.body() as body:
                for each in block.steps:
                    each()
                block.end()
            bodies.append(tuple(body))
        known, buffers = self.shared.flat.machines[self.key], tuple(self.w.buffers.items())
        made = attrs.evolve(known, blocks=tuple(bodies), buffers=buffers)
        self.shared.flat.machines[self.key] = made

    # ---------------------------------------------------------------- terminators
    def test(self, at: int, condition: ty.Value, yes: int, no: int) -> None:
        """Terminate a block with a conditional jump."""

        def write() -> None:
            if not questions.test_and_ask(self.graph, condition, yes, no):
                self.graph.when(self.w.value(condition), yes, no)

        self.graph.end(at, write)

    def ask(self, at: int, question: BlockQuestion, *binds: tuple[str, fl.FrameSlot]) -> None:
        """Terminate a block with a question."""
        self.graph.blocks[at].question = question
        self.graph.end(at, lambda: questions.ask(self.graph, at, question))
        self.graph.blocks[at].binds += binds

    # ---------------------------------------------------------------- statements
    def block(self, node: ty.Block, at: int) -> int:
        """Split the steps of a block; return the last open block."""
        for each in node.steps:
            at = self.step(each, at)
        if node.reveals_at_end:
            self.graph.add(at, partial(reveal, self.w, node.reveals_at_end))
        return at

    def step(self, node: ty.Step, at: int) -> int:
        """Split a step; return the block that is open after it."""
        if isinstance(node, ty.Require) and not node.reveals:
            return at
        if isinstance(node, ty.Leaf) or not (
            isinstance(node, ty.Block) or decides(self.w.program, node)
        ):
            binds: list[tuple[str, fl.FrameSlot]] = []
            if isinstance(node, ty.SetLocal):
                binds = [(node.name, fl.FrameSlot(node.value.type))]
            self.graph.add(at, partial(steps, self.w, (node,)), *binds)
            return at
        if node.reveals:
            self.graph.add(at, partial(reveal, self.w, node.reveals, node.span))
        return self.cut(node, at)

    def cut(self, node: ty.Compound, at: int) -> int:
        """Split a step that contains a decision."""
        match node:
            case ty.Block():
                return self.block(node, at)
            case ty.Decide():
                return self.decide(node, at)
            case ty.Run():
                then = self.graph.new()
                self.graph.end(at, lambda: self._enter(node, then))
                return then
            case ty.DoField():
                self._fields[at] = node
                then = self.graph.new()
                self.graph.end(at, lambda: self._enter_field(node, then))
                return then
            case ty.Branching():
                return self.branching(node.branches, node.otherwise, at)
            case ty.WhereAble():
                return self.branching(((node.guard, node.block),), node.otherwise, at)
            case ty.RepeatTimes():
                return self.repeat(node, at)
            case ty.ForEach():
                return self.for_each(node, at)
            case ty.Secretly():
                return self.secretly(node, at)
            case _:
                assert_never(node)

    def _enter(self, node: ty.Run, then: int) -> None:
        given = values.given(self.w, [node.me, *node.arguments])
        changes.hold_arguments(self.w, node, given[1:])
        self.w.add(fl.Enter(node.proc, given, self.graph.past(then)))

    def _enter_field(self, node: ty.DoField, then: int) -> None:
        index, me = fields.index(self.w, node), self.w.value(node.me)
        name, at = fields.one_of(self.w, _entered(self.w, node), index)
        self.w.add(fl.Enter(name, (me,), self.graph.past(then), at))

    def decide(self, node: ty.Decide, at: int) -> int:
        """Split a decision; lines that may be taken again jump back to it."""
        ask, join = self.graph.new(), self.graph.new()
        spent = left = None
        if any(line.once for line in node.lines):
            spent = self.graph.temp("spent")
            clear = partial(_empty, self.w, spent)
            self.graph.add(at, clear, (spent, fl.FrameSlot(NUMBER, many=True)))
        if node.again and node.stop == ty.DECLINE:
            left = self.graph.countdown("again", node.limit or LIMIT, at, fl.FrameSlot(NUMBER))
            lines = tuple(_while_left(line, left) for line in node.lines)
            node = attrs.evolve(node, lines=lines)
        self.graph.goto(at, ask)
        targets: list[int] = []
        for line in node.lines:
            targets.append(self.graph.new())
            if line.about is not None and line.about[0] in self.w.program.procs[self.w.proc].held:
                self.graph.add(targets[-1], partial(changes.hold, self.w, *line.about))
            if left is not None:
                self.graph.fewer(left, targets[-1])
            end = self.block(line.block, targets[-1])
            self.graph.goto(end, ask if node.again else join)
        if node.stop is not None:
            targets.append(join)
        about = [line.about for line in node.lines if line.about is not None]
        binds = [(name, fl.FrameSlot(domain.element)) for name, domain in about]
        self.ask(ask, BlockQuestion(node, tuple(targets), spent), *binds)
        return join

    def branching(
        self, branches: tuple[tuple[ty.Value, ty.Block], ...], otherwise: ty.Block, at: int
    ) -> int:
        """Split a chain of conditionals."""
        join = self.graph.new()
        for condition, block in branches:
            yes, no = self.graph.new(), self.graph.new()
            self.test(at, condition, yes, no)
            self.graph.goto(self.block(block, yes), join)
            at = no
        self.graph.goto(self.block(otherwise, at), join)
        return join

    def repeat(self, node: ty.RepeatTimes, at: int) -> int:
        """Split a bounded loop."""
        head, body, join = self.graph.new(), self.graph.new(), self.graph.new()
        bounded = ty.Arith("min", node.times, LIMIT, type=NUMBER)
        slot = fl.FrameSlot(NUMBER, role="countdown", eyes=node.eyes)
        left = self.graph.countdown("left", bounded, at, slot)
        self.graph.goto(at, head)
        more = _more(left)
        if node.until is not None:
            more = both(more, ty.Negation(node.until, type=YES_NO))
        self.test(head, more, body, join)
        self.graph.fewer(left, body)
        self.graph.goto(self.block(node.block, body), head)
        self._count_rounds(node, left, body)
        return join

    def _count_rounds(self, node: ty.RepeatTimes | ty.ForEach, counter: str, body: int) -> None:
        if (self.key, node.span) in self.shared.round_loops:
            loop = fl.RoundLoop(self.key, counter, body, len(self.graph.blocks))
            self.shared.flat.rounds.append(loop)

    def for_each(self, node: ty.ForEach, at: int) -> int:
        """Split a loop over a snapshot of a domain."""
        things = self.graph.temp("things")
        self.keep(at, things, node.domain, node.start, node.eyes)
        index, body = self.graph.temp("at"), len(self.graph.blocks) + 1
        bound = [(node.variable, things, node.domain)]
        join = self.through(things, index, bound, node.block, at)
        self._count_rounds(node, index, body)
        return join

    def keep(
        self,
        at: int,
        name: str,
        domain: ty.Domain,
        start: ty.Value | None,
        eyes: Eyes = None,
    ) -> None:
        """Append a step that stores the entities of a domain in a list slot."""

        def write() -> None:
            buffer = self.w.list(name, domains.most(self.w, domain))
            self.w.add(fl.Clear(buffer))
            snapshot(self.w, domain, start, buffer)

        self.graph.add(at, write, (name, fl.FrameSlot(domain.element, many=True, eyes=eyes)))

    def through(
        self,
        things: str,
        index: str,
        bound: list[tuple[str, str, ty.Domain]],
        block: ty.Block,
        at: int,
        unless: str = "",
    ) -> int:
        """Split a loop over the items of a list, and of parallel lists, with an index slot.

        Passes in which the item of the list `unless` is EXCLUDED are skipped.
        """
        head, body, join = self.graph.new(), self.graph.new(), self.graph.new()
        inner = self.graph.new() if unless else body
        here, position = fl.LocalVar(index), fl.FrameSlot(NUMBER, role="position")
        self.graph.let(at, index, position, lambda: ZERO)
        self.graph.goto(at, head)
        more = op("<", here, fl.Length(fl.Buffer(things)))
        self.graph.end(head, lambda: self.graph.when(more, body, join))
        if unless:
            taking = op("<>", fl.ListItem(fl.Buffer(unless), here), fl.Literal(fl.EXCLUDED))
            skipped = self.graph.new()
            self.graph.end(body, lambda: self.graph.when(taking, inner, skipped))
            self.graph.let(skipped, index, position, lambda: op("+", here, ONE))
            self.graph.goto(skipped, head)
        for variable, source, domain in bound:
            item, slot = fl.ListItem(fl.Buffer(source), here), fl.FrameSlot(domain.element)
            self.graph.let(inner, variable, slot, lambda item=item: item)  # type: ignore[misc]
            self.graph.add(inner, partial(changes.hold, self.w, variable, domain))
        self.graph.let(inner, index, position, lambda: op("+", here, ONE))
        self.graph.goto(self.block(block, inner), head)
        return join

    def secretly(self, node: ty.Secretly, at: int) -> int:
        """Split a simultaneous question to all players, and the steps for each of them."""
        ask, then = self.graph.new(), self.graph.new()
        answers, players = self.graph.temp("answers"), self.graph.temp("players")
        self.graph.goto(at, ask)
        seats = ty.AllSeats(players=True, element=PLAYER)
        excludes = node.where != ty.YES
        held = fl.FrameSlot(
            node.domain.element, many=True, length=self.w.layout.players, partial=excludes
        )
        self.ask(ask, BlockQuestion(node, (then,), answers), (answers, held))
        self.keep(then, players, seats, None)
        bound = [(node.me, players, seats), (node.variable, answers, node.domain)]
        block, unless = node.block, answers if excludes else ""
        if node.by_position is not None:
            pieces, kind = self.graph.temp("pieces"), node.by_position.value.type
            slot = attrs.evolve(held, kind=kind)
            self.graph.add(then, partial(self._find, node, answers, pieces), (pieces, slot))
            bound.append((node.by_position.name, pieces, ty.AnyWhere(kind.of, element=kind)))
            block = attrs.evolve(block, steps=block.steps[1:])
        return self.through(players, self.graph.temp("at"), bound, block, then, unless)

    def _find(self, node: ty.Secretly, answers: str, pieces: str) -> None:
        """Write the pieces at the positions that the players chose, before any of them moves."""
        w, buffer = self.w, self.w.list(pieces, self.w.layout.players)
        assert node.by_position is not None
        value = node.by_position.value

        def find(player: fl.Expr) -> None:
            answer = w.set("answer", fl.ListItem(fl.Buffer(answers), player))
            piece = w.set("piece", fl.Literal(fl.EXCLUDED))
            with w.given({node.me: player, node.variable: answer}):
                takes_part = op("<>", answer, fl.Literal(fl.EXCLUDED))
                w.when(takes_part, lambda: w.add(fl.Set(piece.name, w.value(value))))
            w.add(fl.Push(buffer, piece))

        w.add(fl.Clear(buffer))
        w.loop("player", fl.IntRange(ZERO, fl.Literal(w.layout.players)), find)


def _empty(w: Writer, name: str) -> None:
    w.add(fl.Clear(w.list(name, MAX_SPENT)))


def _more(left: str) -> ty.Value:
    local = ty.Local(left, type=NUMBER)
    return ty.Comparison(">", local, ty.Const(0, type=NUMBER), type=YES_NO)


def _while_left(line: ty.OptionLine, left: str) -> ty.OptionLine:
    more = _more(left)
    return attrs.evolve(line, guard=both(more, line.guard), might=both(more, line.might))


def _entered(w: Writer, node: ty.DoField) -> tuple[str, ...]:
    return fields.effects(w, node, "entered", lambda key: key, values.NEVER)

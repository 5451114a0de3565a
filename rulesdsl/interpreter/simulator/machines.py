"""Emitter of machines as WebAssembly functions that can unwind at a decision and resume."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulesdsl.interpreter.simulator.expressions import index, value
from rulesdsl.interpreter.simulator.functions import FunctionText, ModuleContext
from rulesdsl.interpreter.simulator.statements import STOPPED, steps
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flat.walk import ends_in

LEFT = 0
AT, STATUS = "$at!", "$status!"  # `!` occurs in no name of the rules


class MachineCode:
    """Emitter of one machine.

    Slots are locals. Blocks are ordered in reverse postorder and nested so that most jumps are
    forward `br`s to the end of a WebAssembly block; a backward jump sets `$at!` and branches to a
    loop around all of them, where a `br_table` dispatches. To unwind, a machine saves its slots
    and resume point and returns to its caller, which does the same. Each decision is a separate
    node, numbered below 0, so that it can be a resume point.
    """

    def __init__(self, shared: ModuleContext, machine: fl.Machine) -> None:
        self.shared = shared
        self.machine = machine
        self.code = FunctionText(shared, machine.name, end=self.end)
        self.order = _order(shared.flat, machine)
        self.frame = shared.memory.frames[machine.name]
        self.lists = [each for each in self.frame if (machine.name, each) in shared.memory.lists]
        self._places = {node: at for at, node in enumerate(self.order)}
        self._here = 0  # position in the order
        self._asked = 0  # the current decision

    # ---------------------------------------------------------------- function
    def text(self, number: int) -> str:
        """Return the function of the machine; `number` identifies it on the saved stack."""
        c, machine = self.code, self.machine
        params = [c.local(each) for each in machine.params]
        for slot in machine.slots[len(params) :]:
            if slot not in self.lists:
                c.local(slot)
        for each in [*self.lists, *self._asking()]:
            c.count(each)
        c.add(f"local.get {AT}")
        with c.block("if"):
            self._load_frame()
        with c.block("block $unwind"), c.block("loop $blocks"):
            self._blocks()
        c.end = None
        c.add(f"local.get {STATUS}", f"i32.const {STOPPED}", "i32.eq")
        with c.block("if"):
            self._save_frame(number)
        c.add(f"local.get {STATUS}")
        given = "".join(f" (param {each} i64)" for each in params)
        head = f"(func {self.shared.machines[machine.name]} (param {AT} i32){given} (result i32)"
        return "\n".join(
            [f"  {head}", f"    (local {STATUS} i32)", *c.declared(params), *c.lines, "  )"]
        )

    def _asking(self) -> list[str]:
        return [fl.OPTIONS] if any(each < 0 for each in self.order) else []

    def _blocks(self) -> None:
        c = self.code
        for at in reversed(range(len(self.order))):
            c.enter(f"block $b{at}")
        c.enter("block $where")
        places = " ".join(f"$b{at}" for at in range(len(self.order)))
        c.add(f"local.get {AT}", f"br_table {places} $where")
        c.leave()
        c.add("unreachable")
        for at, node in enumerate(self.order):
            c.leave()
            self._here = at
            if node >= 0:
                c.burn(self.shared.costs.of(self.machine.blocks[node]))
                self._round(node)
                steps(c, self.machine.blocks[node])
            else:
                self._asked = -1 - node
                self._decision(self.shared.flat.decisions[-1 - node])
            c.add("unreachable")

    def _round(self, block: int) -> None:
        """Emit code that notes the begin of a round, or that a block lies outside of rounds."""
        loops = [each for each in self.shared.flat.rounds if each.machine == self.machine.name]
        begins = any(block == loop.body for loop in loops)
        if begins or (loops and not any(block in loop for loop in loops)):
            self.code.add(f"i64.const {int(begins)}", "global.set $begun")

    # ---------------------------------------------------------------- unwinding
    def _slots(self) -> Iterator[tuple[str, str, int]]:
        """Yield (local, type, address) for each slot; for a list, those of its length."""
        for slot, cells in self.frame.items():
            if slot in self.lists:
                yield self.code.count(slot), "i32", cells.address
            else:
                yield self.code.local(slot), "i64", cells.address

    def _save_frame(self, number: int) -> None:
        c = self.code
        for local, kind, address in self._slots():
            c.add("i32.const 0", f"local.get {local}", f"{kind}.store offset={address}")
        c.add(f"i32.const {number}", f"local.get {AT}", "call $stack")

    def _load_frame(self) -> None:
        c = self.code
        for local, kind, address in self._slots():
            c.add("i32.const 0", f"{kind}.load offset={address}", f"local.set {local}")
        if self._asking():
            c.add("i32.const 0", f"i32.load offset={c.memory.offered.address}")
            c.add(f"local.set {c.count(fl.OPTIONS)}")

    # ---------------------------------------------------------------- terminators
    def end(self, stmt: fl.End) -> None:
        """Emit the terminator of a block."""
        c = self.code
        match stmt:
            case fl.Goto(block=block):
                self.go(block)
            case fl.Leave():
                c.add(f"i32.const {LEFT}", "return")
            case fl.Enter():
                self._enter(stmt)
            case fl.Ask(decision=decision):
                if self.shared.flat.decisions[decision].sealed:
                    c.add(f"i32.const {c.memory.answers.address}", "i32.const 255")
                    c.add(f"i32.const {4 * c.memory.players}", "memory.fill")
                if self.shared.flat.decisions[decision].partial:
                    self._exclude()
                self.go(-1 - decision)

    def go(self, node: int) -> None:
        """Emit a jump to a block or a decision."""
        at = self._places[node]
        if at > self._here:
            self.code.add(f"br $b{at}")
        else:
            self.code.add(f"i32.const {at}", f"local.set {AT}", "br $blocks")

    def _enter(self, stmt: fl.Enter) -> None:
        c = self.code
        c.add(f"i32.const {LEFT}")
        for each in stmt.arguments:
            value(c, each)
        if stmt.index is None:
            c.add(f"call {self.shared.machines[stmt.machine]}")
        else:
            first = self.shared.table(stmt.machine, self.shared.machines)
            index(c, fl.Op("+", stmt.index, fl.Literal(first)))
            kind = self.shared.type(len(stmt.arguments), "i32", "i32")
            c.add(f"call_indirect (type {kind})")
        if self.machine.blocks[stmt.then] == (fl.Leave(),):  # a tail call
            c.add("return")
            return
        c.add(f"local.tee {STATUS}")
        with c.block("if"):
            c.add(f"i32.const {self._places[stmt.then]}", f"local.set {AT}", "br $unwind")
        self.go(stmt.then)

    # ---------------------------------------------------------------- decisions
    def _decision(self, decision: fl.DecisionTargets) -> None:
        if decision.sealed:
            self._sealed(decision)
            return
        c = self.code
        c.add(f"local.get {c.count(fl.OPTIONS)}")
        self._who(decision)
        self._picked(c.count(fl.OPTIONS))
        with c.held() as option:
            c.add(f"i32.const {c.memory.options.width}", "i32.mul")
            c.add(f"i64.load offset={c.memory.options.address}", f"local.set {option}")
            if decision.plain:
                assert decision.slot is not None
                c.add(f"local.get {option}", f"local.set {c.local(decision.slot)}")
                self.go(decision.targets[0])
            else:
                self._lines(decision, option)

    def _who(self, decision: fl.DecisionTargets) -> None:
        c = self.code
        if isinstance(decision.who, str):
            c.add(f"local.get {c.local(decision.who)}", "i32.wrap_i64")
        else:
            c.add(f"i32.const {decision.who or 0}")

    def _call_pick(self, player: str) -> None:
        c, memory = self.code, self.code.memory
        if memory.offers is None:
            c.add("call $pick")
            return
        offer, lines = memory.offers[self._asked]
        c.add(f"i32.const {memory.options.address}")
        if player:  # one list of options for each player
            c.add(f"local.get {player}", f"i32.const {memory.options_each}", "i32.mul")
            c.add("i32.add")
        c.add(f"i32.const {offer.first}", f"i32.const {lines}", f"i32.const {offer.many}")
        c.add("call $pick_of")

    def _picked(self, offered: str = "", player: str = "") -> None:
        """Emit code that pushes the index of the chosen option, or unwinds."""
        c = self.code
        with c.held("i32") as chosen:
            self._call_pick(player)
            c.add(f"local.tee {chosen}", "i32.const 0", "i32.lt_s")
            with c.block("if"):
                if offered:
                    c.add("i32.const 0", f"local.get {offered}")
                    c.add(f"i32.store offset={c.memory.offered.address}")
                c.add(f"i32.const {STOPPED}", f"local.set {STATUS}")
                c.add(f"i32.const {self._here}", f"local.set {AT}", "br $unwind")
            c.add(f"local.get {chosen}")

    def _lines(self, decision: fl.DecisionTargets, option: str) -> None:
        c = self.code
        if len(decision.targets) > len(decision.variables):
            c.add(f"local.get {option}", "i64.const 0", "i64.lt_s")
            with c.block("if"):
                self.go(decision.targets[-1])
        lines = range(len(decision.variables))
        for line in reversed(lines):
            c.enter(f"block $line{line}")
        c.add(f"local.get {option}", f"i64.const {fl.LINE_BITS}", "i64.shr_u", "i32.wrap_i64")
        c.add(f"br_table {' '.join(f'$line{line}' for line in lines)}")
        for line in lines:
            c.leave()
            variable = decision.variables[line]
            if variable is not None:
                c.add(f"local.get {option}", f"i64.const {(1 << fl.LINE_BITS) - 1}", "i64.and")
                c.add("i64.const 1", "i64.sub", f"local.set {c.local(variable)}")
            if decision.once[line]:
                assert decision.slot is not None
                count, items = c.count(decision.slot), c.items(decision.slot)
                c.add(f"local.get {count}", f"i32.const {items.width}", "i32.mul")
                c.add(f"local.get {option}", f"i64.store offset={items.address}")
                c.add(f"local.get {count}", "i32.const 1", "i32.add", f"local.set {count}")
            self.go(decision.targets[line])

    def _exclude(self) -> None:
        """Emit the answers, 0 for those who take no part in a simultaneous choice, else -1."""
        c, memory = self.code, self.code.memory
        with c.held("i32") as player, self._each_player(player, "$excluded"):
            c.add(f"local.get {player}", "i32.const 2", "i32.shl")
            c.add(f"local.get {player}", f"i32.const {memory.options_each}", "i32.mul")
            c.add(f"i64.load offset={memory.options.address}", f"i64.const {fl.EXCLUDED}")
            c.add("i64.eq", "i32.const 1", "i32.sub")
            c.add(f"i32.store offset={memory.answers.address}")

    def _sealed(self, decision: fl.DecisionTargets) -> None:
        """Emit the simultaneous choices by all players; the last answer reveals all answers."""
        c, memory = self.code, self.code.memory
        assert decision.slot is not None
        count, found = c.count(decision.slot), c.items(decision.slot)
        with c.held("i32") as player, c.held("i32") as chosen:
            with self._each_player(player, "$players"):
                c.add(f"local.get {player}", "i32.const 2", "i32.shl")
                c.add(f"i32.load offset={memory.answers.address}", "i32.const 0", "i32.lt_s")
                with c.block("if"):
                    c.add(f"local.get {player}", "i32.const 2", "i32.shl")
                    c.add(f"i32.load offset={memory.offered.address}", f"local.get {player}")
                    self._picked(player=player)
                    c.add(f"local.set {chosen}")
                    c.add(f"local.get {player}", "i32.const 2", "i32.shl", f"local.get {chosen}")
                    c.add(f"i32.store offset={memory.answers.address}")
            width = memory.options.width
            with self._each_player(player, "$answers"):
                c.add(f"local.get {player}", f"i32.const {found.width}", "i32.mul")
                c.add(f"local.get {player}", f"i32.const {memory.options_each}", "i32.mul")
                c.add(f"local.get {player}", "i32.const 2", "i32.shl")
                c.add(f"i32.load offset={memory.answers.address}", f"i32.const {width}", "i32.mul")
                c.add("i32.add", f"i64.load offset={memory.options.address}")
                c.add(f"i64.store offset={found.address}")
        c.add(f"i32.const {memory.players}", f"local.set {count}")
        steps(c, (fl.LEARN,))
        self.go(decision.targets[0])

    @contextmanager
    def _each_player(self, player: str, label: str) -> Iterator[None]:
        c = self.code
        c.add("i32.const 0", f"local.set {player}")
        with c.block(f"loop {label}"):
            yield
            c.add(f"local.get {player}", "i32.const 1", "i32.add", f"local.tee {player}")
            c.add(f"i32.const {c.memory.players}", "i32.lt_s", f"br_if {label}")


def _order(flat: fl.Flat, machine: fl.Machine) -> list[int]:
    """Return the blocks and decisions (numbered below 0) in reverse postorder."""
    done: dict[int, None] = {}
    seen = {0}
    path = [(0, iter(_ways_on(flat, machine, 0)))]
    while path:
        node, targets = path[-1]
        target = next(targets, None)
        if target is None:
            done[node] = None
            path.pop()
        elif target not in seen:
            seen.add(target)
            path.append((target, iter(_ways_on(flat, machine, target))))
    return [*reversed(done)]


def _ways_on(flat: fl.Flat, machine: fl.Machine, node: int) -> list[int]:
    if node < 0:
        return [*flat.decisions[-1 - node].targets]
    found: list[int] = []
    for end in ends_in(machine.blocks[node]):
        match end:
            case fl.Goto(block=block):
                found.append(block)
            case fl.Enter(then=then):
                if machine.blocks[then] != (fl.Leave(),):
                    found.append(then)
            case fl.Ask(decision=decision):
                found.append(-1 - decision)
            case fl.Leave():
                pass
    return found

"""Python for machines: blocks that go on where a choice left off, and the asking itself."""

from __future__ import annotations

import ast
from functools import partial
from math import prod
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_join import Joiner, jump, names_read, names_read_in
from rulesdsl.interpreter.gen_steps import Code, StepGenerator
from rulesdsl.lower import form as fm

if TYPE_CHECKING:
    from rulesdsl.interpreter.asks import Ask

LINE_BITS = 16
LINE_MASK = (1 << LINE_BITS) - 1
FRAME_HEAD = 2  # block number, acting seat


class BlockGenerator(StepGenerator):
    """Generates the functions of machines, one for each block that is entered from outside.

    A block function takes the state and its frame (a list: block number, acting seat, slots).  It
    returns True where somebody has to choose, None where the driver has to look at the topmost
    frame again.
    """

    numbers: dict[tuple[str, int], int]
    entries: set[int]

    def key_function(self, step: ty.DoField, slots: dict[str, int]) -> str:
        """Return the name of the function that tells which effect a line would carry out."""
        raise NotImplementedError

    def keys_of(self, blocks: list[ty.Block]) -> tuple[str, ...]:
        """Return for each line that only does a field's effect the function that tells which."""
        found: list[str] = []
        for block in blocks:
            steps = [step for step in block.steps if not isinstance(step, ty.Require)]
            only = steps[0] if len(steps) == 1 else None
            plain = isinstance(only, ty.DoField)
            found.append(self.key_function(only, self._slots) if plain else "")  # type: ignore[arg-type]
        return tuple(found)

    def declare_ask(self, number: int, ask: Ask) -> None:
        """Note what is asked in a block, for the driver and for labels."""
        raise NotImplementedError

    def machine(self, machine: fm.Machine) -> list[ast.stmt]:
        """Return the functions of a machine: one for each block that is entered from outside."""
        self._machine = machine
        self._slots = {name: FRAME_HEAD + at for at, name in enumerate(machine.slots)}
        self._entered = {0}
        bodies = [self._block(at, block) for at, block in enumerate(machine.blocks)]
        joiner = Joiner(bodies, partial(self.block_name, machine.key), self.number)
        found: list[ast.stmt] = []
        made: set[int] = set()
        while left := sorted((self._entered | joiner.needed) - made):
            for at in left:
                made.add(at)
                body = joiner.function(at)
                named = self.block_name(machine.key, at)
                function = py.function(named, ["st", "f"], [*self._loads(body), *body])
                steps = machine.blocks[at].steps
                function.lineno = self.mark(steps[0]) if steps else 1
                found.append(function)
        self.entries |= {self.number(at) for at in made}
        return found

    def enter(self, at: int) -> int:
        """Return the number of a block that is entered from outside, past empty ones."""
        at = self._past(at)
        self._entered.add(at)
        return self.number(at)

    def _past(self, at: int) -> int:
        """Return the block that is reached in the end: some do nothing but go on."""
        block = self._machine.blocks[at]
        while not block.steps and isinstance(block.end, fm.Goto):
            at = block.end.target
            block = self._machine.blocks[at]
        return at

    def _ends(self, at: int) -> bool:
        """Whether a block does nothing but return."""
        block = self._machine.blocks[self._past(at)]
        return not block.steps and isinstance(block.end, fm.Return)

    def block_name(self, key: str, at: int) -> str:
        """Return the Python name of a block."""
        return f"{py.identifier(key, 'b_')}_{at}"

    def number(self, at: int) -> int:
        """Return the number of a block of the machine in hand."""
        return self.numbers[self._machine.key, at]

    # ---------------------------------------------------------------- blocks
    def _block(self, at: int, block: fm.BasicBlock) -> Code:
        return [*self.steps(block.steps), *self._save(block), *self._end(at, block.end)]

    def _loads(self, body: Code) -> Code:
        """Read from the frame what a function uses before it binds it itself."""
        used = names_read_in(body)
        code: Code = []
        if "me" in used:
            code.append(py.assign(py.name("me"), py.item(py.name("f"), py.const(1))))
        for slot, at in self._slots.items():
            local = self.local(slot)
            if local in used:
                code.append(py.assign(py.name(local), py.item(py.name("f"), py.const(at))))
        return code

    def _save(self, block: fm.BasicBlock) -> Code:
        code: Code = []
        for step in block.steps:
            if isinstance(step, ty.SetLocal | fm.Snapshot | fm.EmptyList):
                code.append(self.put(step.name, py.name(self.local(step.name))))
        return code

    def put(self, name: str, value: ast.expr) -> ast.stmt:
        """Return the writing of a slot."""
        return py.assign(py.item(py.name("f"), py.const(self._slots[name])), value)

    def go(self, at: int) -> Code:
        """Return the way on to another block."""
        return [jump(self._past(at))]

    def _end(self, at: int, end: fm.End) -> Code:  # noqa: C901, PLR0912 - one case for each end
        match end:
            case fm.Goto(target=target):
                return self.go(target)
            case fm.Test():
                if (asked := self._test_and_ask(end)) is not None:
                    return asked
                yes = self.go(end.yes)
                no = self.go(end.no)
                condition = self.condition(end.condition)
                if isinstance(condition, ast.Constant):
                    return yes if condition.value else no
                return [ast.If(condition, yes, []), *no]
            case fm.Call():
                return self._call(end)
            case fm.CallField():
                return self._call_field(end)
            case fm.Return():
                popped = py.method(py.field("frames"), "pop")
                return [py.expression(popped), ast.Return(None)]
            case fm.AskOne():
                return self._ask_one(at, end)
            case fm.AskWay():
                return self._ask_way(at, end)
            case fm.AskMay():
                return self._ask_may(at, end)
            case fm.AskMenu():
                return self._ask_menu(at, end)
            case fm.AskSecret():
                return self._ask_secret(at, end)
            case _:
                raise AssertionError(end)

    def _test_and_ask(self, end: fm.Test) -> Code | None:
        """Return a test whether there is anything to choose joined with the asking: one look."""
        at = self._past(end.yes)
        block = self._machine.blocks[at]
        if block.steps or not isinstance(block.end, fm.AskOne):
            return None
        test = end.condition
        parts = list(test.parts) if isinstance(test, ty.And) else [test]
        offered = ast.dump(self.listed(block.end.domain, block.end.name))
        for part in parts:
            if not isinstance(part, ty.AnyOf):
                continue
            if ast.dump(self.listed(part.domain, block.end.name)) == offered:
                found, *asking = self._ask_one(at, block.end)
                there = ast.If(py.name("o_"), asking, [])
                rest = py.joined("and", [self.condition(each) for each in parts if each != part])
                return [*py.when(rest, [found, there], []), *self.go(end.no)]
        return None

    # ---------------------------------------------------------------- calls
    def frame(self, key: str, me: ast.expr, arguments: list[ast.expr]) -> ast.expr:
        """Return a new frame of a machine."""
        machine = self.form.machines[key]
        empty = len(machine.slots) - len(machine.params)
        start = py.const(self.numbers[key, 0])
        zeros: list[ast.expr] = [py.const(0) for _ in range(empty)]
        return ast.List([start, me, *arguments, *zeros], py.LOAD)

    def _call(self, end: fm.Call) -> Code:
        arguments = [self.stored_value(each) for each in end.arguments]
        here = py.item(py.name("f"), py.const(0))
        new = py.name("g_")
        made = py.assign(new, self.frame(end.proc, self.value(end.me), arguments))
        begun = ast.Return(py.call(self.block_name(end.proc, 0), py.name("st"), new))
        if self._ends(
            end.then
        ):  # nothing is left to do here: the new frame takes this one's place
            last = py.item(py.field("frames"), py.const(-1))
            return [made, py.assign(last, new), begun]
        return [
            py.assign(here, py.const(self.enter(end.then))),
            made,
            py.expression(py.method(py.field("frames"), "append", new)),
            begun,
        ]

    def _call_field(self, end: fm.CallField) -> Code:
        rows = self.effect_rows(end.kind, end.field, self._entrance)
        probe = ty.HasEffect(end.kind, end.field, end.subject, end.key)
        table = self.keep_functions(self.by_instance(probe, rows))
        found: ast.expr = py.item(table, self.value(end.subject))
        if end.key is not None:
            found = py.item(found, self.value(end.key))
        here = py.item(py.name("f"), py.const(0))
        entered = ast.Call(found, [py.name("st"), self.value(end.me)], [])
        if self._ends(end.then):
            popped = py.expression(py.method(py.field("frames"), "pop"))
            return [popped, ast.Return(entered)]
        return [
            py.assign(here, py.const(self.enter(end.then))),
            ast.Return(entered),
        ]

    def _entrance(self, key: str | None) -> object:
        if key is None:
            return "never"
        if key in self.form.machines:
            return py.identifier(key, "e_")
        return py.identifier(key, "q_")

    def entrance(self, key: str) -> ast.stmt:
        """Return the function by which a field's effect is entered."""
        if key in self.form.machines:
            new = py.name("g_")
            body: Code = [
                py.assign(new, self.frame(key, py.name("me"), [])),
                py.expression(py.method(py.field("frames"), "append", new)),
                ast.Return(py.call(self.block_name(key, 0), py.name("st"), new)),
            ]
            return py.function(py.identifier(key, "e_"), ["st", "me"], body)
        called = py.call(py.identifier(key, "p_"), py.name("st"), py.name("me"))
        body = [py.expression(called), ast.Return(None)]
        return py.function(py.identifier(key, "q_"), ["st", "me"], body)

    # ---------------------------------------------------------------- asking
    def _open(self, at: int) -> Code:
        """Return the opening of a decision whose options stand in `o_`."""
        here = py.item(py.name("f"), py.const(0))
        return [
            py.assign(here, py.const(self.enter(at))),
            py.assign(py.field("options"), py.name("o_")),
            ast.Return(py.const(value=True)),
        ]

    def _ask(self, at: int, kind: str, end: fm.End, **extra: object) -> None:
        from rulesdsl.interpreter.asks import Ask  # noqa: PLC0415 - only the driver needs it

        who, seat = self._chooser(end)
        made = Ask(kind, self._machine.key, end, self._slots, who=who, seat=seat, **extra)  # type: ignore[arg-type]
        self.declare_ask(self.number(at), made)

    def _chooser(self, end: fm.End) -> tuple[int, int]:
        """Return where the frame holds the seat that chooses, and the seat if it is always one."""
        match getattr(end, "me", None):
            case ty.Local(name="me"):
                return 1, 0
            case ty.Local(name=name):
                return self._slots[name], 0
            case ty.Const(value=seat):
                return 0, seat
            case _:
                return -1, 0

    def _ask_one(self, at: int, end: fm.AskOne) -> Code:
        then = self.enter(end.then)
        self._ask(at, "one", end, slot=self._slots[end.name], targets=(then,))
        options: ast.expr = self.listed(end.domain, end.name)
        looks = self.looks(end.domain)
        if looks is not None:
            options = py.call("one_of_each", options, *looks)
        only = py.compared("=", py.call("len", py.name("o_")), py.const(1))
        local = py.name(self.local(end.name))
        taken: Code = [
            py.assign(local, py.item(py.name("o_"), py.const(0))),
            self.put(end.name, local),
            *self.go(end.then),
        ]
        return [
            py.assign(py.name("o_"), options),
            *([] if self.secret(end.domain) else [ast.If(only, taken, [])]),
            *self._open(at),
        ]

    def secret(self, domain: ty.Domain) -> bool:
        """Whether the candidates are hidden from the others: then even one is asked for."""
        base = domain.base if isinstance(domain, ty.Filtered) else domain
        if isinstance(base, ty.EndPieces):
            return True
        if isinstance(base, ty.Lying):
            return self.layout.world.places[base.cells.place].seen_by is not None
        return False

    def looks(self, domain: ty.Domain) -> list[ast.expr] | None:
        """Return what tells pieces apart of which those that are alike are offered only once."""
        base = domain.base if isinstance(domain, ty.Filtered) else domain
        if not isinstance(base, ty.Lying) or self.style(base.piece) != "printed":
            return None
        world = self.layout.world
        instances = self.layout.instances(base.piece)
        if len(set(instances)) == len(instances) or world.places[base.cells.place].stack:
            return None
        where = py.field(py.identifier(base.piece, "w_"))
        found: list[ast.expr] = [
            self.keep(tuple(instances.index(each) for each in instances)),
            py.const(None) if base.cells.one else where,
        ]
        for prefix, infos in (("f_", world.flags.values()), ("t_", world.tracks.values())):
            for info in infos:
                if base.piece in info.dims:
                    cells = py.field(py.identifier(info.name, prefix))
                    own = self.keep(self.cells_of_each(info.dims, base.piece))
                    found.append(ast.Tuple([cells, own], py.LOAD))
        return found

    def cells_of_each(self, dims: tuple[str, ...], piece: str) -> tuple[tuple[int, ...], ...]:
        """Return for every printed piece of a kind its cells of a flag or track."""
        sizes = tuple(self.layout.size(dim) for dim in dims)
        at = dims.index(piece)
        stride = self.layout.strides(sizes)[at]
        every = range(prod(sizes))
        return tuple(
            tuple(cell for cell in every if cell // stride % sizes[at] == number)
            for number in range(sizes[at])
        )

    def _ask_way(self, at: int, end: fm.AskWay) -> Code:
        targets = tuple(self.enter(way.target) for way in end.ways)
        keys = self.keys_of([way.block for way in end.ways])
        self._ask(at, "way", end, targets=targets, keys=keys)
        options: Code = [py.assign(py.name("o_"), ast.List([], py.LOAD))]
        for number, way in enumerate(end.ways):
            adding = py.expression(py.method(py.name("o_"), "append", py.const(number)))
            options.extend(py.when(self.condition(way.guard), [adding], []))
        only = py.compared("=", py.call("len", py.name("o_")), py.const(1))
        taken: Code = self.go(end.ways[-1].target)
        for number, way in reversed(list(enumerate(end.ways[:-1]))):
            this = py.compared("=", py.item(py.name("o_"), py.const(0)), py.const(number))
            taken = [ast.If(this, self.go(way.target), []), *taken]
        return [*options, ast.If(only, taken, []), *self._open(at)]

    def _ask_may(self, at: int, end: fm.AskMay) -> Code:
        targets = (self.enter(end.no), self.enter(end.yes))
        self._ask(at, "may", end, targets=targets, keys=self.keys_of([end.block]))
        no = self.go(end.no)
        asked: Code = [
            py.assign(py.name("o_"), ast.List([py.const(1), py.const(0)], py.LOAD)),
            *self._open(at),
        ]
        guard = self.condition(end.guard)
        if isinstance(guard, ast.Constant):
            return asked if guard.value else no
        return [ast.If(py.negated(guard), no, []), *asked]

    def _ask_menu(self, at: int, end: fm.AskMenu) -> Code:
        targets = tuple(self.enter(line.target) for line in end.lines)
        variables = tuple(
            self._slots[line.variable] if line.variable is not None else 0 for line in end.lines
        )
        once = tuple(line.once for line in end.lines)
        self._ask(
            at,
            "menu",
            end,
            slot=self._slots[end.spent],
            targets=(*targets, self.enter(end.done)),
            variables=variables,
            once=once,
            keys=self.keys_of([line.block for line in end.lines]),
        )
        code: Code = [py.assign(py.name("o_"), ast.List([], py.LOAD))]
        spent = py.name("s_")
        code.append(py.assign(spent, py.item(py.name("f"), py.const(self._slots[end.spent]))))
        for number, line in enumerate(end.lines):
            code.extend(self._menu_line(number, line, spent))
        none = py.negated(py.name("o_"))
        code.append(ast.If(none, self.go(end.done), []))
        code.append(py.expression(py.method(py.name("o_"), "append", py.const(-1))))
        code.extend(self._open(at))
        return code

    def _menu_line(self, number: int, line: fm.MenuOut, spent: ast.expr) -> Code:
        base = number << LINE_BITS
        guard = self.condition(line.guard)
        if line.variable is None or line.domain is None:
            option: ast.expr = py.const(base)
            adding: Code = [py.expression(py.method(py.name("o_"), "append", option))]
            conditions = [guard]
            if line.once:
                conditions.insert(0, py.negated(py.compared("in", option, spent)))
            return py.when(py.joined("and", conditions), adding, [])
        local = py.name(self.local(line.variable))
        option = py.binary("+", local, py.const(base + 1))
        adding = [py.expression(py.method(py.name("o_"), "append", option))]
        conditions = [guard]
        if isinstance(guard, ast.BoolOp) and isinstance(guard.op, ast.And):
            conditions = guard.values
        before = [each for each in conditions if local.id not in names_read(each)]
        conditions = [each for each in conditions if local.id in names_read(each)]
        if line.once:
            conditions.insert(0, py.negated(py.compared("in", option, spent)))
        inner = py.when(py.joined("and", conditions), adding, [])
        asked_before = py.joined("and", before)
        if not inner or (isinstance(asked_before, ast.Constant) and not asked_before.value):
            return []
        for each in reversed(self.generators(line.domain, line.variable)):
            asked = py.joined("and", each.ifs)
            inner = py.when(asked, inner, [])
            assert isinstance(each.target, ast.Name)
            inner = [py.loop(each.target.id, each.iter, inner)]
        return py.when(asked_before, inner, [])

    def _ask_secret(self, at: int, end: fm.AskSecret) -> Code:
        then = self.enter(end.then)
        self._ask(at, "secret", end, slot=self._slots[end.answers], targets=(then,))
        chooser = self.local(end.chooser)
        options = self.listed(end.domain, "option")
        players = py.call("range", py.const(self.layout.players))
        each = py.comprehension(options, [py.generator(chooser, players, [])])
        return [py.assign(py.name("o_"), each), *self._open(at)]

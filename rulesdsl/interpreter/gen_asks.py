"""Python for the ends of blocks: going on, and asking somebody."""

from __future__ import annotations

import ast
from math import prod
from typing import assert_never

from rulesdsl.check import typed as ty
from rulesdsl.check.world import TrackInfo
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.asks import LINE_BITS, STOP, Ask
from rulesdsl.interpreter.gen_blocks import BlockGenerator
from rulesdsl.interpreter.gen_domains import same_things
from rulesdsl.interpreter.gen_join import names_read
from rulesdsl.interpreter.gen_moves import Code
from rulesdsl.lower import form as fm


class AskGenerator(BlockGenerator):
    """Generates the ends of blocks: going on, or opening a decision that is one."""

    def end(self, at: int, end: fm.End) -> Code:
        """Return the code of the end of a block."""
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
            case fm.Ask():
                return self._ask(at, end) if end.choice is None else self._ask_one(at, end)
            case fm.AskSecret():
                return self._ask_secret(at, end)
            case _:
                assert_never(end)

    def _test_and_ask(self, end: fm.Test) -> Code | None:
        """Return a test whether there is anything to choose joined with the asking: one look."""
        at = self._machine.past(end.yes)
        block = self._machine.blocks[at]
        if block.steps or not isinstance(block.end, fm.Ask) or block.end.choice is None:
            return None
        test = end.condition
        parts = list(test.parts) if isinstance(test, ty.And) else [test]
        for part in parts:
            if isinstance(part, ty.AnyOf) and same_things(part.domain, block.end.choice[1]):
                found, *asking = self._ask_one(at, block.end)
                there = ast.If(py.name("o_"), asking, [])
                rest = py.joined("and", [self.condition(each) for each in parts if each != part])
                return [*py.when(rest, [found, there], []), *self.go(end.no)]
        return None

    # ---------------------------------------------------------------- asking
    def _open(self, at: int) -> Code:
        """Return the opening of a decision whose options stand in `o_`."""
        here = py.item(py.name("f"), py.const(0))
        return [
            py.assign(here, py.const(self.enter(at))),
            py.assign(py.field("options"), py.name("o_")),
            ast.Return(py.const(value=True)),
        ]

    def _declare(self, at: int, end: fm.Asking, **more: object) -> None:
        who, seat = self._chooser(end)
        made = Ask(self._machine.key, end, self._slots, who=who, seat=seat, **more)  # type: ignore[arg-type]
        self.declare_ask(self.number(at), made)

    def _chooser(self, end: fm.Asking) -> tuple[int, int]:
        """Return where the frame holds the seat that chooses, and the seat if it is always one."""
        me = getattr(end, "me", None)
        if isinstance(me, ty.Local):
            return 1 if me.name == "me" else self._slots[me.name], 0
        return (0, me.value) if isinstance(me, ty.Const) else (-1, 0)

    def _ask_one(self, at: int, end: fm.Ask) -> Code:
        """Return the asking for a thing: where there is one alone, it is taken, unless secret."""
        assert end.choice is not None
        name, domain = end.choice
        (target,) = end.targets
        then, slot = self.enter(target), self._slots[name]
        self._declare(at, end, plain=True, slot=slot, targets=(then,), hidden=end.secret)
        only = py.compared("=", py.call("len", py.name("o_")), py.const(1))
        local = py.name(self.local(name))
        taken: Code = [
            py.assign(local, py.item(py.name("o_"), py.const(0))),
            self.put(name, local),
            *self.go(target),
        ]
        return [
            py.assign(py.name("o_"), self.candidates(domain, name)),
            *([] if end.secret else [ast.If(only, taken, [])]),
            *self._open(at),
        ]

    def candidates(self, domain: ty.Domain, name: str) -> ast.expr:
        """Return the list of what is offered; of things that are alike, one."""
        things = self.listed(domain, name)
        looks = self.looks(domain)
        return things if looks is None else py.call("one_of_each", things, *looks)

    def looks(self, domain: ty.Domain) -> list[ast.expr] | None:
        """Return what tells pieces apart of which those that are alike are offered only once."""
        base = domain.unfiltered
        if not isinstance(base, ty.Lying) or base.apart or self.style(base.piece) != "printed":
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
        for mark in world.marks(base.piece):
            cells = py.field(
                py.identifier(mark.name, "t_" if isinstance(mark, TrackInfo) else "f_")
            )
            own = self.keep(self.cells_of_each(mark.dims, base.piece))
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

    def _ask(self, at: int, end: fm.Ask) -> Code:
        """Return the asking for a line."""
        lines = end.lines
        self._declare(
            at,
            end,
            plain=False,
            slot=self._slots[end.spent] if end.spent else 0,
            targets=tuple(map(self.enter, end.targets)),
            variables=tuple(self._slots[each.variable] if each.variable else 0 for each in lines),
            once=tuple(each.once for each in lines),
            keys=self.keys_of([each.block for each in lines]),
            hidden=any(each.hidden for each in lines),
        )
        if len(lines) == 1 and lines[0].domain is None and end.stop is not None and not end.spent:
            return self._ask_may(at, end)
        code: Code = [py.assign(py.name("o_"), ast.List([], py.LOAD))]
        spent = py.name("s_")
        if end.spent:
            code.append(py.assign(spent, py.item(py.name("f"), py.const(self._slots[end.spent]))))
        for number, line in enumerate(lines):
            code.extend(self.menu_line(number, line, spent))
        if end.stop is None:
            return [*code, *py.when(self.alone(lines), self._only(end), []), *self._open(at)]
        code.extend(self.nothing_left(lines, spent, self.go(end.targets[-1])))
        code.append(py.expression(py.method(py.name("o_"), "append", py.const(STOP))))
        return [*code, *self._open(at)]

    def _only(self, end: fm.Ask) -> Code:
        """Return the way on to the one line that is offered."""
        *others, last = enumerate(end.targets)
        taken = self.go(last[1])
        for number, target in reversed(others):
            option = py.const(number << LINE_BITS)
            this = py.compared("=", py.item(py.name("o_"), py.const(0)), option)
            taken = [ast.If(this, self.go(target), []), *taken]
        return taken

    def alone(self, lines: tuple[ty.Line, ...]) -> ast.expr:
        """Return whether one line alone is offered, and no other might be as far as all know."""
        offered = py.name("o_")
        others: list[ast.expr] = []
        for at, line in enumerate(lines):
            if line.might != ty.NO:
                missing = py.negated(py.compared("in", py.const(at << LINE_BITS), offered))
                others.append(py.joined("and", [missing, self.condition(line.might)]))
        only = py.compared("=", py.call("len", offered), py.const(1))
        return py.joined("and", [only, py.negated(py.joined("or", others))])

    def _ask_may(self, at: int, end: fm.Ask) -> Code:
        """Return a question of yes and no: as short as it can be."""
        (line,) = end.lines
        no = self.go(end.targets[-1])
        may, only_no = (ast.List([*map(py.const, each)], py.LOAD) for each in ((0, STOP), (STOP,)))
        refused = py.when(self.condition(line.might), [py.assign(py.name("o_"), only_no)], no)
        asked = py.when(self.condition(line.guard), [py.assign(py.name("o_"), may)], refused)
        return asked if asked == no else [*asked, *self._open(at)]

    def nothing_left(self, lines: tuple[ty.Line, ...], spent: ast.expr, done: Code) -> Code:
        """Return the end of a menu that all know to be empty; else `Done` alone is left."""
        none = py.negated(py.name("o_"))
        maybe = [
            each
            for number, line in enumerate(lines)
            if (hidden := line.perhaps) is not None
            for each in self.menu_line(number, hidden, spent)
        ]
        if not maybe:
            return [ast.If(none, done, [])]
        empty = py.assign(py.name("o_"), ast.List([], py.LOAD))
        return [ast.If(none, [*maybe, ast.If(none, done, []), empty], [])]

    def menu_line(self, number: int, line: ty.Line, spent: ast.expr) -> Code:
        """Return the adding of what a line of a menu offers."""
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
        looks = self.looks(line.domain)
        if looks is not None:  # those that are alike make one line
            inner = [py.expression(py.method(py.name("i_"), "append", local))]
            inner = py.when(py.joined("and", conditions), inner, [])
        for each in reversed(self.generators(line.domain, line.variable)):
            asked = py.joined("and", each.ifs)
            inner = py.when(asked, inner, [])
            assert isinstance(each.target, ast.Name)
            inner = [py.loop(each.target.id, each.iter, inner)]
        if looks is not None:
            alike = py.call("one_of_each", py.name("i_"), *looks)
            listed = py.loop(local.id, alike, adding)
            empty = py.assign(py.name("i_"), ast.List([], py.LOAD))
            inner = [empty, *inner, ast.If(py.name("i_"), [listed], [])]
        return py.when(asked_before, inner, [])

    def _ask_secret(self, at: int, end: fm.AskSecret) -> Code:
        then = self.enter(end.then)
        self._declare(
            at, end, plain=True, slot=self._slots[end.answers], targets=(then,), sealed=True
        )
        chooser = self.local(end.chooser)
        options = self.candidates(end.domain, "option")
        players = py.call("range", py.const(self.layout.players))
        each = py.comprehension(options, [py.generator(chooser, players, [])])
        return [py.assign(py.name("o_"), each), *self._open(at)]

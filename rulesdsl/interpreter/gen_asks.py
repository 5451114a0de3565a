"""Python for the ends of blocks: going on, and asking somebody."""

from __future__ import annotations

import ast

from rulesdsl.check import typed as ty
from rulesdsl.check.world import TrackInfo
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_moves import Code
from rulesdsl.interpreter.gen_names import names_read
from rulesdsl.interpreter.gen_steps import StepGenerator
from rulesdsl.lower.flat import LINE_BITS


class AskGenerator(StepGenerator):
    """Generates the ends of blocks: going on, or opening a decision that is one."""

    # ---------------------------------------------------------------- asking
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
            own = self.keep(self.layout.cells_of_each(mark.dims, base.piece))
            found.append(ast.Tuple([cells, own], py.LOAD))
        return found

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

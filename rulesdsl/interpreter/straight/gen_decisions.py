"""Decisions taken at once: candidates are listed, and a number drawn picks one of them."""

from __future__ import annotations

import ast

from rulesdsl.check import typed as ty
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.asks import LINE_BITS, LINE_MASK
from rulesdsl.interpreter.gen_domains import same_things
from rulesdsl.interpreter.gen_moves import Code
from rulesdsl.interpreter.straight.gen_inside import InsideGenerator
from rulesdsl.lower import form as fm
from rulesdsl.lower.settling import guard_of, menu_out, might_of

OFFERED = "o_"
HALF = 0.5


class DecisionGenerator(InsideGenerator):
    """Generates decisions: as in the engine that stops, one candidate alone is no question.

    `dice()` gives a number from 0 to below 1; of n options it takes the one at `int(dice() * n)`.
    """

    def drawn(self, *, always: bool = False) -> ast.expr:
        """Return one of what is offered."""
        count: ast.expr = py.call("len", py.name(OFFERED))
        if always:
            return py.item(py.name(OFFERED), self._at_random(count))
        known = py.name("n_")
        one = py.item(py.name(OFFERED), self._at_random(known))
        alone = py.compared("=", ast.NamedExpr(py.stored("n_"), count), py.const(1))
        return py.chosen(alone, py.item(py.name(OFFERED), py.const(0)), one)

    def _at_random(self, count: ast.expr) -> ast.expr:
        return py.call("int", ast.BinOp(py.call("dice"), ast.Mult(), count))

    def half(self) -> ast.expr:
        """Return whether the first of two options is taken."""
        return py.compared("<", py.call("dice"), ast.Constant(HALF))

    def offered(self, domain: ty.Domain, variable: str) -> Code:
        """Return the listing of candidates."""
        return [py.assign(py.name(OFFERED), self.candidates(domain, variable))]

    # ---------------------------------------------------------------- one of several
    def _Pick(self, step: ty.Pick) -> Code:
        return [*self.offered(step.domain, step.name), *self._picked(step)]

    def _picked(self, step: ty.Pick) -> Code:
        taken = self.drawn(always=step.secret)
        return [py.assign(py.name(self.local(step.name)), taken)]

    def _Branching(self, step: ty.Branching) -> Code:
        if len(step.branches) == 1:
            condition, block = step.branches[0]
            first = block.steps[0] if block.steps else None
            if isinstance(first, ty.Pick):
                made = self._any_then_pick(condition, first, block.steps[1:], step.otherwise)
                if made is not None:
                    return made
        return super()._Branching(step)

    def _any_then_pick(
        self, test: ty.Value, pick: ty.Pick, rest: tuple[ty.Step, ...], otherwise: ty.Block
    ) -> Code | None:
        """Return a test whether there is anything to pick joined with the picking: one look."""
        parts = list(test.parts) if isinstance(test, ty.And) else [test]
        for part in parts:
            if not isinstance(part, ty.AnyOf) or not same_things(part.domain, pick.domain):
                continue
            before = py.joined("and", [self.condition(each) for each in parts if each is not part])
            if otherwise.steps and not isinstance(before, ast.Constant):
                return None
            yes = [*self._picked(pick), *self.steps(rest)]
            no = self.steps(otherwise.steps)
            asked = ast.If(py.name(OFFERED), yes, no)
            return py.when(before, [*self.offered(pick.domain, pick.name), asked], no)
        return None

    def _ChooseWay(self, step: ty.ChooseWay) -> Code:
        code: Code = [py.assign(py.name(OFFERED), ast.List([], py.LOAD))]
        chosen = self.fresh("w")
        bodies = [self.steps(way.block.steps) or [ast.Pass()] for way in reversed(step.ways)]
        for number, way in enumerate(step.ways):
            adding = py.expression(py.method(py.name(OFFERED), "append", py.const(number)))
            code.extend(py.when(self.condition(guard_of(way.block)), [adding], []))
        found = self.drawn()
        blocks = [way.block for way in step.ways]
        if any(might_of(each) != ty.NO for each in blocks):
            found = py.chosen(
                self.alone(blocks), py.item(py.name(OFFERED), py.const(0)), self.drawn(always=True)
            )
        return [*code, py.assign(chosen, found), *py.one_of(chosen, bodies[::-1])]

    # ---------------------------------------------------------------- yes or no
    def _Optionally(self, step: ty.Optionally) -> Code:
        body = self.steps(step.block.steps)
        return py.when(self._said_yes(step.block), body or [ast.Pass()], [])

    def _said_yes(self, block: ty.Block) -> ast.expr:
        """Return whether something is taken up; who can only say no is asked all the same."""
        might = self.condition(might_of(block))
        refused = py.joined("and", [might, ast.BoolOp(ast.And(), [self.half(), py.const(0)])])
        return py.chosen(self.condition(guard_of(block)), self.half(), refused)

    def _OptionallyRepeat(self, step: ty.OptionallyRepeat) -> Code:
        limit = py.const(fm.MOST_REPEATS) if step.limit is None else self.value(step.limit)
        enough: Code = [ast.If(py.negated(self._said_yes(step.block)), [ast.Break()], [])]
        body = [*enough, *self.steps(step.block.steps)]
        return [py.loop("_", py.call("range", limit), body)]

    # ---------------------------------------------------------------- menus
    def _OfferMenu(self, step: ty.OfferMenu) -> Code:
        spent, chosen, taken_line = self.fresh("s"), self.fresh("m"), self.fresh("l")
        code: Code = [py.assign(py.name(OFFERED), ast.List([], py.LOAD))]
        lines = tuple(menu_out(entry, 0) for entry in step.entries)
        for number, line in enumerate(lines):
            code.extend(self.menu_line(number, line, spent))
        code.extend(self.nothing_left(lines, spent, [ast.Break()]))
        code.append(py.expression(py.method(py.name(OFFERED), "append", py.const(-1))))
        code.append(py.assign(chosen, self.drawn(always=True)))
        code.append(ast.If(py.compared("<", chosen, py.const(0)), [ast.Break()], []))
        shifted = ast.BinOp(chosen, ast.RShift(), py.const(LINE_BITS))
        code.append(py.assign(taken_line, shifted))
        bodies = [self._taken(each, chosen, spent) for each in reversed(step.entries)]
        taken = py.one_of(taken_line, [*bodies[::-1], []])
        return [
            py.assign(spent, ast.List([], py.LOAD)),
            ast.While(py.const(value=True), [*code, *taken], []),
        ]

    def _taken(self, entry: ty.Entry, chosen: ast.Name, spent: ast.Name) -> Code:
        code: Code = []
        if entry.variable is not None:
            thing = ast.BinOp(chosen, ast.BitAnd(), py.const(LINE_MASK))
            local = py.name(self.local(entry.variable))
            code.append(py.assign(local, py.binary("-", thing, py.const(1))))
        if entry.once:
            code.append(py.expression(py.method(spent, "append", chosen)))
        return [*code, *self.steps(entry.block.steps)] or [ast.Pass()]

    # ---------------------------------------------------------------- in secret
    def _Secretly(self, step: ty.Secretly) -> Code:
        answers = self.fresh("a")
        players = py.call("range", py.const(self.layout.players))
        chooser = self.local(step.me)
        answer = py.method(answers, "append", self.drawn(always=True))
        asking: Code = [
            py.assign(py.name(OFFERED), self.candidates(step.domain, "option")),
            py.expression(answer),
        ]
        taken = py.item(answers, py.name(chooser))
        body = [
            py.assign(py.name(self.local(step.variable)), taken),
            *self.steps(step.block.steps),
        ]
        return [
            py.assign(answers, ast.List([], py.LOAD)),
            py.loop(chooser, players, asking),
            py.augment(py.field("learned"), "+", py.const(1)),
            py.loop(chooser, players, body),
        ]

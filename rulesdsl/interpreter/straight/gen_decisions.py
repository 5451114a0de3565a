"""Decisions taken at once: candidates are listed, and a number drawn picks one of them."""

from __future__ import annotations

import ast

from rulesdsl.check import typed as ty
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.asks import LINE_MASK, STOP
from rulesdsl.interpreter.gen_moves import Code
from rulesdsl.interpreter.straight.gen_inside import InsideGenerator
from rulesdsl.lower import form as fm
from rulesdsl.lower.flat import LINE_BITS
from rulesdsl.lower.flatten.same import same_things

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
    def _Decide(self, step: ty.Decide) -> Code:
        if step.choice is not None:
            name, domain = step.choice
            return [*self.offered(domain, name), *self._picked(step)]
        if step.stop == ty.DECLINE:
            return self._may(step, step.lines[0])
        return self._again(step) if step.again else self._one_line(step)

    def _picked(self, step: ty.Decide) -> Code:
        assert step.choice is not None
        taken = self.drawn(always=step.secret)
        return [py.assign(py.name(self.local(step.choice[0])), taken)]

    def _Branching(self, step: ty.Branching) -> Code:
        if len(step.branches) == 1:
            condition, block = step.branches[0]
            first = block.steps[0] if block.steps else None
            if isinstance(first, ty.Decide) and first.choice is not None:
                made = self._any_then_pick(condition, first, block.steps[1:], step.otherwise)
                if made is not None:
                    return made
        return super()._Branching(step)

    def _any_then_pick(
        self, test: ty.Value, pick: ty.Decide, rest: tuple[ty.Step, ...], otherwise: ty.Block
    ) -> Code | None:
        """Return a test whether there is anything to pick joined with the picking: one look."""
        assert pick.choice is not None
        name, domain = pick.choice
        parts = list(test.parts) if isinstance(test, ty.And) else [test]
        for part in parts:
            if not isinstance(part, ty.AnyOf) or not same_things(part.domain, domain):
                continue
            before = py.joined("and", [self.condition(each) for each in parts if each is not part])
            if otherwise.steps and not isinstance(before, ast.Constant):
                return None
            yes = [*self._picked(pick), *self.steps(rest)]
            no = self.steps(otherwise.steps)
            asked = ast.If(py.name(OFFERED), yes, no)
            return py.when(before, [*self.offered(domain, name), asked], no)
        return None

    def _listed(self, step: ty.Decide, spent: ast.expr) -> Code:
        code: Code = [py.assign(py.name(OFFERED), ast.List([], py.LOAD))]
        for number, line in enumerate(step.lines):
            code.extend(self.menu_line(number, line, spent))
        return code

    def _one_line(self, step: ty.Decide) -> Code:
        """Return a choice between lines of which one has to be taken."""
        chosen, taken = self.fresh("w"), self.fresh("l")
        found = self.drawn()
        if any(line.might != ty.NO for line in step.lines):
            first = py.item(py.name(OFFERED), py.const(0))
            found = py.chosen(self.alone(step.lines), first, self.drawn(always=True))
        return [
            *self._listed(step, py.name("s_")),
            py.assign(chosen, found),
            *self._line_taken(step, chosen, taken, py.name("s_")),
        ]

    # ---------------------------------------------------------------- yes or no
    def _may(self, step: ty.Decide, line: ty.Line) -> Code:
        """Return an offer, once or again and again."""
        if not step.again:
            body = self.steps(line.block.steps)
            return py.when(self._said_yes(line), body or [ast.Pass()], [])
        limit = py.const(fm.MOST_REPEATS) if step.limit is None else self.value(step.limit)
        enough: Code = [ast.If(py.negated(self._said_yes(line)), [ast.Break()], [])]
        body = [*enough, *self.steps(line.block.steps)]
        return [py.loop("_", py.call("range", limit), body)]

    def _said_yes(self, line: ty.Line) -> ast.expr:
        """Return whether something is taken up; who can only say no is asked all the same."""
        might = self.condition(line.might)
        refused = py.joined("and", [might, ast.BoolOp(ast.And(), [self.half(), py.const(0)])])
        return py.chosen(self.condition(line.guard), self.half(), refused)

    # ---------------------------------------------------------------- again and again
    def _again(self, step: ty.Decide) -> Code:
        spent, chosen, taken_line = self.fresh("s"), self.fresh("m"), self.fresh("l")
        code = self._listed(step, spent)
        code.extend(self.nothing_left(step.lines, spent, [ast.Break()]))
        code.append(py.expression(py.method(py.name(OFFERED), "append", py.const(STOP))))
        code.append(py.assign(chosen, self.drawn(always=True)))
        code.append(ast.If(py.compared("<", chosen, py.const(0)), [ast.Break()], []))
        code += self._line_taken(step, chosen, taken_line, spent)
        return [
            py.assign(spent, ast.List([], py.LOAD)),
            ast.While(py.const(value=True), code, []),
        ]

    def _line_taken(
        self, step: ty.Decide, chosen: ast.Name, number: ast.Name, spent: ast.Name
    ) -> Code:
        shifted = ast.BinOp(chosen, ast.RShift(), py.const(LINE_BITS))
        bodies = [self._taken(each, chosen, spent) for each in reversed(step.lines)][::-1]
        bodies += [[]] if step.stop is not None else []
        return [py.assign(number, shifted), *py.one_of(number, bodies)]

    def _taken(self, line: ty.Line, chosen: ast.Name, spent: ast.Name) -> Code:
        code: Code = []
        if line.variable is not None:
            thing = ast.BinOp(chosen, ast.BitAnd(), py.const(LINE_MASK))
            local = py.name(self.local(line.variable))
            code.append(py.assign(local, py.binary("-", thing, py.const(1))))
        if line.once:
            code.append(py.expression(py.method(spent, "append", chosen)))
        return [*code, *self.steps(line.block.steps)] or [ast.Pass()]

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

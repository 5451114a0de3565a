"""From the intermediate form to Python functions, through syntax nodes only."""

from __future__ import annotations

import ast
from itertools import compress
from typing import TYPE_CHECKING, Any

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import Intervals, fits
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter import runtime
from rulesdsl.interpreter.gen_kept import KeepingGenerator
from rulesdsl.interpreter.module import run_module
from rulesdsl.lower.flatten.fields import read_chart

if TYPE_CHECKING:
    from rulesdsl.interpreter.gen_moves import Code
    from rulesdsl.interpreter.state import StateFactory


RUNTIME = (
    "Finished",
    "saturated",
    "draw",
    "shift",
    "shuffle",
    "sole_best",
    "behind",
    "position",
    "top_of",
    "bottom_of",
    "last_first",
    "within",
    "clamped",
    "item_or_none",
    "player_from",
    "one_of_each",
    "always",
    "never",
)


class Compiler(KeepingGenerator):
    """Generates the whole module of one setting."""

    # ---------------------------------------------------------------- functions
    def values(self) -> Code:
        """Return the functions of named values, formulas and scores."""
        code: Code = []
        program = self.layout.program
        for (name, layer), body in program.values.items():
            params = ["st"]
            if body.me is not None:
                params.append("me")
            params += [py.identifier(param.name) for param in body.params]
            code.append(
                py.function(self.value_name(name, layer), params, self.returning(body.body))
            )
        for at, value in enumerate(program.formulas.values()):
            code.append(py.function(f"y_{at}", ["st", "me"], self.returning(value)))
        for at, (_, value) in enumerate(program.ranking):
            code.append(py.function(f"r_{at}", ["st", "me"], self.returning(value)))
        for at, verdict in enumerate(program.verdicts):
            condition = self.stored_value(verdict.condition)
            code.append(py.function(f"q_{at}", ["st", "me"], [ast.Return(condition)]))
        return [*code, self.total_score(), self.ranking(), self.standing()]

    def total_score(self) -> ast.stmt:
        """Return the function that adds up the lines of the final scoring."""
        total: ast.expr = py.const(0)
        for line in self.layout.world.scores:
            name = self.value_name(line.name, len(line.hooks))
            total = py.binary("+", total, py.call(name, py.name("st"), py.name("seat")))
        if not fits(Intervals(self.layout.program).total_score()):
            total = py.saturated(total)
        return py.function("total_score", ["st", "seat"], [ast.Return(total)])

    def ranking(self) -> ast.stmt:
        """Return the function that gives what a seat is ranked by: more is better."""
        parts: list[ast.expr] = []
        for at, (most, _) in enumerate(self.layout.program.ranking):
            found = py.call(f"r_{at}", py.name("st"), py.name("seat"))
            parts.append(found if most else py.binary("-", py.const(0), found))
        key = ast.Tuple(parts, py.LOAD)
        return py.function("ranking", ["st", "seat"], [ast.Return(key)])

    def standing(self) -> ast.stmt:
        """Return the function that gives the place of a seat among those that score."""
        seats = py.const(self.layout.scoring_seats())
        key = py.name("mine")
        other = py.call("ranking", py.name("st"), py.name("other"))
        ahead = py.generator("other", seats, [py.compared(">", other, key)])
        count = py.call("sum", py.comprehension(py.const(1), [ahead]))
        body: Code = [
            py.assign(key, py.call("ranking", py.name("st"), py.name("seat"))),
            ast.Return(py.binary("+", py.const(1), count)),
        ]
        return py.function("standing", ["st", "seat"], body)

    def returning(self, value: ty.Value) -> Code:
        """Return the code that computes a value and returns it, locals as assignments."""
        if isinstance(value, ty.LetIn):
            bound = py.assign(py.name(self.local(value.name)), self.stored_value(value.bound))
            return [bound, *self.returning(value.inner)]
        if isinstance(value, ty.Cases):
            code: Code = []
            for condition, found in value.cases:
                asked = self.condition(condition)
                if isinstance(asked, ast.Constant):
                    if asked.value:
                        return [*code, *self.returning(found)]
                    continue
                code.append(ast.If(asked, self.returning(found), []))
            return [*code, *self.returning(value.otherwise)]
        if isinstance(value, ty.And) and isinstance(value.parts[-1], ty.LetIn):
            *before, last = value.parts
            first = self.condition(ty.And(tuple(before), type=value.type))
            if isinstance(first, ast.Constant):
                return self.returning(last) if first.value else [ast.Return(first)]
            failing = ast.If(py.negated(first), [ast.Return(py.const(0))], [])
            return [failing, *self.returning(last)]
        return [ast.Return(self.stored_value(value))]

    def guards(self) -> Code:
        """Return the functions of guards."""
        code: Code = []
        for key, guard in self.layout.program.guards.items():
            if guard == ty.YES:
                continue
            proc = self.layout.program.procs[key]
            params = ["st", "me", *(py.identifier(param.name) for param in proc.params)]
            code.append(py.function(py.identifier(key, "g_"), params, self.returning(guard)))
        return code

    # ---------------------------------------------------------------- the module
    def constants(self) -> Code:
        """Return the constant tables, after everything else has been generated."""
        return [
            py.assign(py.name(name), _constant(value)) for name, value in self._constants.items()
        ]


def run_playouts(module: ast.Module, compiler: Compiler, states: StateFactory) -> dict[str, Any]:
    """Carry a module out and return what it defines."""
    names: dict[str, Any] = {name: getattr(runtime, name) for name in RUNTIME}
    names |= {"compress": compress, "read_chart": read_chart, "State": states.cls}
    file = f"<playouts {id(compiler)}>"
    return run_module(module, file, compiler.marks, states.cls, names)


def _constant(value: object) -> ast.expr:
    if isinstance(value, tuple):
        return ast.Tuple([_constant(each) for each in value], py.LOAD)
    assert isinstance(value, int | str | bool | None)
    return py.const(value)

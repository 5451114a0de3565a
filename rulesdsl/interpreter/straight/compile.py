"""The module of straight functions for one setting of a game."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_moves import Code
from rulesdsl.interpreter.module import placed
from rulesdsl.interpreter.straight.gen_decisions import DecisionGenerator
from rulesdsl.interpreter.straight.searches import Expander, Plain
from rulesdsl.interpreter.straight.steady import BeforeLoops, fields_first, lists_that_stay
from rulesdsl.interpreter.straight.tables import Carrier
from rulesdsl.interpreter.straight.trees import as_trees
from rulesdsl.interpreter.straight.whole import run_playouts

if TYPE_CHECKING:
    from rulesdsl.interpreter.compile import Engine
    from rulesdsl.interpreter.state import StateFactory

PLAYOUT = "playout"
FRESH = "fresh_state"


class StraightCompiler(DecisionGenerator):
    """Generates a function for every procedure that is not written out where it is called."""

    _deciding = False
    _outermost = False

    # ---------------------------------------------------------------- calls
    def _Run(self, step: ty.Run) -> Code:
        me = self.value(step.me)
        given = [self.stored_value(each) for each in step.arguments]
        proc = self.what_runs(step.proc)
        if self.written_out(proc):
            if self.room_for(proc):
                return self.inside(proc, me, given)
            self._without_room.add(proc)
        if proc in self.form.machines:
            called = py.identifier(proc, "w_")
            return [py.expression(py.call(called, py.name("st"), py.name("dice"), me, *given))]
        return [py.expression(py.call(py.identifier(proc, "p_"), py.name("st"), me, *given))]

    def _DoField(self, step: ty.DoField) -> Code:
        effects = self.layout.program.effects
        keys = [
            key
            for (kind, field, *_), key in effects.items()
            if (kind, field) == (step.kind, step.field)
        ]
        if not self._deciding or not any(key in self.form.machines for key in keys):
            return super()._DoField(step)
        found = self.effect_function(step, lambda key: py.identifier(key, "w_"))
        return [
            py.expression(
                ast.Call(found, [py.name("st"), py.name("dice"), self.value(step.me)], [])
            )
        ]

    def _Finish(self, step: ty.Finish) -> Code:
        if self._outermost:
            return [py.assign(py.field("over"), py.const(value=True)), ast.Return(None)]
        return super()._Finish(step)

    # ---------------------------------------------------------------- functions
    def procedures(self) -> Code:
        """Return the functions of procedures, and the one that plays a whole game."""
        code: Code = []
        effects = dict.fromkeys(self.layout.program.effects.values())  # in their order
        for key, function in self.form.functions.items():
            self._proc = key
            params = ["st", "me", *(py.identifier(each) for each in function.params)]
            code.append(py.function(py.identifier(key, "p_"), params, self.steps(function.steps)))
        self._deciding = True
        for key in dict.fromkeys([*self.form.machines, *effects]):
            if key in effects or (not self.written_out(key) and key != "game"):
                code.append(self._deciding_function(key))
        code.append(self._whole_game())
        made: set[str] = set()
        while left := (self._without_room & self.form.machines.keys()) - made:
            code += map(self._deciding_function, sorted(left))
            made |= left
        return code

    def _deciding_function(self, key: str) -> ast.stmt:
        self._proc = key
        params = ["st", "dice", "me", *(py.identifier(each) for each in self.params(key))]
        return py.function(py.identifier(key, "w_"), params, self.steps(self.body(key)))

    def _whole_game(self) -> ast.stmt:
        self._outermost = True
        body = self.inside("game", py.const(-1), [])
        self._outermost = False
        caught = ast.ExceptHandler(py.name("Finished"), None, [ast.Pass()])
        return py.function(
            PLAYOUT,
            ["st", "dice"],
            [
                ast.Try(body or [ast.Pass()], [caught], [], []),
                py.assign(py.field("over"), py.const(value=True)),
            ],
        )

    # ---------------------------------------------------------------- the module
    def module(self, states: StateFactory) -> ast.Module:
        """Return the module: what is asked again and again is looked up once."""
        code: Code = [*self.values(), *self.guards(), *self.procedures()]
        code += [*self._helpers.values(), states.fresh_function(FRESH)]
        lists = lists_that_stay(code, (field.name for field in states.fields))
        code = as_trees([Expander().visit(function) for function in code])
        for each in (Carrier(self.table, self.keep), BeforeLoops(self.table)):
            code = [each.visit(function) for function in code]
        code = reached(code, self._later)
        for function in code:
            if isinstance(function, ast.FunctionDef):
                fields_first(function, lists)
        return placed([*self.constants(), *(Plain().visit(each) for each in code)])


@attrs.frozen
class Playout:
    """The two functions of a playout: a state fresh from the box, and its way to the end."""

    fresh: Callable[[Any, int], Any]
    play: Callable[[Any, Callable[[], float]], None]


def reached(code: Code, tables: Code) -> Code:
    """Return the functions that a playout can come to, then the tables of them."""
    named: dict[str, ast.stmt] = {}
    for each in [*code, *tables]:
        if isinstance(each, ast.FunctionDef):
            named[each.name] = each
        elif isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            named[each.targets[0].id] = each
    seen: set[str] = set()
    left = [PLAYOUT, FRESH]
    while left:
        name = left.pop()
        if name in named and name not in seen:
            seen.add(name)
            left += [each.id for each in ast.walk(named[name]) if isinstance(each, ast.Name)]
    return [each for name, each in named.items() if name in seen]


def compile_playout(engine: Engine) -> Playout:
    """Return the functions that play a game from the box to its end."""
    compiler = StraightCompiler(engine.form, engine.layout)
    names = run_playouts(compiler.module(engine.states), compiler, engine.states)
    return Playout(names[FRESH], names[PLAYOUT])

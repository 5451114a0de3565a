"""From the intermediate form to Python functions, through syntax nodes only."""

from __future__ import annotations

import ast
import linecache
import weakref
from itertools import compress
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.intervals import Intervals, fits
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter import runtime
from rulesdsl.interpreter.gen_fields import read_chart
from rulesdsl.interpreter.gen_kept import Event, KeepingGenerator
from rulesdsl.interpreter.state import StateFactory
from rulesdsl.lower.layout import Layout
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.check.program import Program
    from rulesdsl.interpreter.asks import Ask
    from rulesdsl.interpreter.gen_moves import Code
    from rulesdsl.lower.form import Form


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


@attrs.define
class Engine:
    """The compiled code of one setting of a game."""

    layout: Layout
    form: Form
    states: StateFactory
    names: dict[str, Any]
    blocks: list[Any]
    block_names: list[str]
    asks: dict[int, Ask]
    events: list[Event]
    marks: list[Span]
    clone: Any
    logging: bool


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

    def key_function(self, step: ty.DoField, slots: dict[str, int]) -> str:
        """Return the name of the function that tells which effect a line would carry out."""
        key = ast.Tuple(
            [self.value(step.subject), self.value(step.key) if step.key else py.const(-1)], py.LOAD
        )
        name = f"k_{len(self._keys)}"
        body: Code = [ast.Return(key)]
        used = {each.id for each in ast.walk(key) if isinstance(each, ast.Name)}
        frame = py.name("f")
        loads: Code = [
            py.assign(py.name(self.local(slot)), py.item(frame, py.const(at)))
            for slot, at in slots.items()
            if self.local(slot) in used
        ]
        if "me" in used:
            loads.append(py.assign(py.name("me"), py.item(frame, py.const(1))))
        self._keys.append(py.function(name, ["st", "f"], [*loads, *body]))
        return name

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

    def procedures(self) -> Code:
        """Return the functions of procedures and of the blocks of machines."""
        code: Code = []
        number = 0
        for key, machine in self.form.machines.items():
            for at in range(len(machine.blocks)):
                self.numbers[key, at] = number
                number += 1
        for key, function in self.form.functions.items():
            self._proc = key
            params = ["st", "me", *(py.identifier(param) for param in function.params)]
            code.append(py.function(py.identifier(key, "p_"), params, self.steps(function.steps)))
        for key, machine in self.form.machines.items():
            self._proc = key
            code.extend(self.machine(machine))
        for key in self.layout.program.effects.values():
            code.append(self.entrance(key))
        return code

    # ---------------------------------------------------------------- the module
    def module(self, states: StateFactory) -> ast.Module:
        """Return the whole module."""
        body = [*self.values(), *self.guards(), *self.procedures()]
        body.append(states.clone_function())
        blocks: list[ast.expr] = [
            py.name(self.block_name(*key)) if at in self.entries else py.const(None)
            for key, at in self.numbers.items()
        ]
        body.append(py.assign(py.name("BLOCKS"), ast.List(blocks, py.LOAD)))
        return placed(
            [*self.constants(), *self._helpers.values(), *body, *self._keys, *self._later]
        )

    def constants(self) -> Code:
        """Return the constant tables, after everything else has been generated."""
        return [
            py.assign(py.name(name), _constant(value)) for name, value in self._constants.items()
        ]


def compile_engine(
    program: Program,
    form: Form,
    players: int,
    settings: Mapping[str, int],
    *,
    logging: bool,
    careful: bool = False,
) -> Engine:
    """Compile a program for so many players and given options.

    Where it is `careful`, nobody pays more than there is: a saved game may begin in the middle of
    what the rules would not have begun.
    """
    layout = Layout(program, players, settings)
    states = StateFactory(layout)
    compiler = Compiler(form, layout, logging=logging, careful=careful)
    names = run_module(compiler, states, "rules")
    return Engine(
        layout,
        form,
        states,
        names,
        names["BLOCKS"],
        [f"{key}/{at}" for key, at in compiler.numbers],
        compiler.asks,
        compiler.events,
        compiler.marks,
        names["clone_state"],
        logging,
    )


def run_module(compiler: Compiler, states: StateFactory, what: str) -> dict[str, Any]:
    """Generate a module, carry it out and return what it defines."""
    module = compiler.module(states)
    file = _file_name(what, compiler)
    code = compile(module, file, "exec")
    _name_lines(file, compiler.marks, states.cls)
    names: dict[str, Any] = {name: getattr(runtime, name) for name in RUNTIME}
    names |= {
        "compress": compress,
        "read_chart": read_chart,
        "State": states.cls,
        "__builtins__": _BUILTINS,
    }
    exec(code, names)  # noqa: S102 - compiled from our own syntax nodes, see the module's words
    return names


def _file_name(what: str, compiler: Compiler) -> str:
    """Return the name of generated code: another one wherever other lines would be read there."""
    layout = compiler.layout
    settings = sorted(layout.settings.items())
    chosen = "".join(f", {name} {value}" for name, value in settings)
    log = ", with log" if compiler.logging else ""
    care = ", with care" if compiler.careful else ""
    return f"<{what} of {layout.world.start.file} for {layout.players}{chosen}{log}{care}>"


def _name_lines(file: str, marks: list[Span], owner: type) -> None:
    """Let tracebacks name the rule lines that the lines of generated code stand for."""
    lines = [f"{span.file}:{span.line}:{span.column}\n" for span in marks[1:]]
    linecache.cache[file] = entry = (sum(map(len, lines)), None, lines, file)
    weakref.finalize(owner, _forget_lines, file, entry)


def _forget_lines(file: str, entry: object) -> None:
    """Take the lines of code that is gone out of the process, if they are still its own."""
    if linecache.cache.get(file) is entry:
        linecache.cache.pop(file, None)


_BUILTINS = {
    each.__name__: each for each in (any, bool, int, len, list, max, min, next, range, sum)
}


def _constant(value: object) -> ast.expr:
    if isinstance(value, tuple):
        return ast.Tuple([_constant(each) for each in value], py.LOAD)
    assert isinstance(value, int | str | bool | None)
    return py.const(value)


PLACED = (ast.stmt, ast.expr, ast.arg, ast.excepthandler)


def placed(code: Code) -> ast.Module:
    """Return a module in which every node has a place."""
    module = ast.Module(code, [])
    _place(module, 1)
    return module


def _place(node: ast.AST, line: int) -> None:
    """Give every node a place: its own where it has one, else that of the node around it."""
    line = getattr(node, "lineno", None) or line
    parts = list(vars(node).values())
    if isinstance(node, PLACED):
        node.lineno = node.end_lineno = line
        node.col_offset = node.end_col_offset = 0
    for part in parts:
        if isinstance(part, list):
            for each in part:
                _place(each, line)
        elif isinstance(part, ast.AST) and not isinstance(part, py.WORDS):
            _place(part, line)

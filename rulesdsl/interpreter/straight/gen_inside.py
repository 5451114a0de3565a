"""Procedures and values written out where they are called, with what is known there."""

from __future__ import annotations

import ast
from collections import Counter
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.depth import MANY_BRANCHES, MAX_DEPTH, nested
from rulesdsl.check.typed.facts import FACTS, Flow
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_values import MAX_INSIDE
from rulesdsl.interpreter.straight.searches import parts_of, search
from rulesdsl.interpreter.straight.whole import Compiler

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulesdsl.interpreter.gen_moves import Code
    from rulesdsl.lower.form import Form
    from rulesdsl.lower.layout import Layout

SMALL = 40  # nodes of a procedure that is written out wherever it is called
MOST_LOOPS = 15  # in one another: Python takes 20 blocks, and lists are made in loops too
LARGE = 1500  # nodes of one that is not written out even where it is called once
MOST_UNROLLED = 1200  # nodes of a loop's rounds together that are written out one by one
MOST_ROUNDS = 8
MOST_INSIDE = 160  # nodes of Python of a value that is written out
CHEAP = 20  # nodes of what is computed again rather than kept under a name


class InsideGenerator(Compiler):
    """Generates code in which a local can stand for an expression that is known."""

    def __init__(self, form: Form, layout: Layout) -> None:
        super().__init__(form, layout)
        self._known: dict[str, ast.expr] = {}
        self._suffix = ""
        self._bound: Counter[str] = Counter()  # how often the procedure in hand binds a name
        self._copies = 0
        self._loops = self._levels = 0  # around the step in hand
        self._without_room: set[str] = set()  # procedures that are called where they stand deep
        self._weights: dict[str, int] = {}
        bodies = [self.body(key) for key in [*form.machines, *form.functions]]
        runs = (each for body in bodies for each in _inside(body) if isinstance(each, ty.Run))
        self._calls = Counter(each.proc for each in runs)

    def body(self, key: str) -> tuple[ty.Step, ...]:
        """Return the steps of a procedure."""
        machine = self.form.machines.get(key)
        return machine.body if machine else self.form.functions[key].steps

    def params(self, key: str) -> tuple[str, ...]:
        """Return the parameters of a procedure."""
        return (self.form.machines.get(key) or self.form.functions[key]).params

    # ---------------------------------------------------------------- locals
    def local(self, name: str) -> str:
        """Return the Python name of a local, another one in every copy of a procedure."""
        return super().local(name) + self._suffix

    def _Local(self, node: ty.Local) -> ast.expr:
        return self._known.get(node.name) or super()._Local(node)

    def fresh(self, letter: str) -> ast.Name:
        """Return a Python name that nothing else bears."""
        self._copies += 1
        return py.name(f"{letter}Y{self._copies}")

    def helper(self, made: list[ast.comprehension], found: ast.expr, none: ast.expr) -> ast.expr:
        """Return a search: a call, or a loop where it stands in a statement."""
        call = super().helper(made, found, none)
        assert isinstance(call, ast.Call)
        return search(call, made, found, none)

    # ---------------------------------------------------------------- procedures
    def step(self, step: ty.Step) -> Code:
        """Return the code of a step, and know meanwhile how deep it stands."""
        flow = FACTS[type(step)].flow(step) or Flow(())
        outer = self._loops, self._levels
        self._loops += flow.again
        self._levels += min(len(flow.blocks), MANY_BRANCHES)
        code = super().step(step)
        self._loops, self._levels = outer
        return code

    def room_for(self, key: str) -> bool:
        """Whether a procedure can be written out here, and nothing stands too deep then."""
        loops, levels = nested(self.body(key))
        return self._loops + loops <= MOST_LOOPS and self._levels + levels <= MAX_DEPTH

    def what_runs(self, proc: str) -> str:
        """Return the procedure that runs in the end, past hooks that never hold here."""
        outer = self._known
        self._known = {}  # its conditions are about its own parameters
        found = super().what_runs(proc)
        self._known = outer
        return found

    def written_out(self, key: str) -> bool:
        """Whether a procedure stands where it is called, if there is room, and is not called."""
        weight = self.weight(key)
        return weight <= SMALL or (self._calls[key] == 1 and weight <= LARGE)

    def weight(self, key: str) -> int:
        """Return how many nodes a procedure has, with those that are written out in it."""
        if key not in self._weights:
            self._weights[key] = self.weight_of(self.body(key))
        return self._weights[key]

    def weight_of(self, steps: Iterable[ty.Step]) -> int:
        """Return how many nodes steps have, with the procedures that are written out in them."""
        total = 0
        for each in _inside(steps):
            total += 1
            if isinstance(each, ty.Run) and self.written_out(each.proc):
                total += self.weight(each.proc)
        return total

    def inside(self, key: str, me: ast.expr, given: Sequence[ast.expr]) -> Code:
        """Return the body of a procedure for its place in another one."""
        outer = self._known, self._suffix, self._bound
        self._copies += 1
        self._suffix = f"Y{self._copies}"
        self._bound = Counter(_bound_names(self.body(key)))
        code: Code = []
        known: dict[str, ast.expr] = {}
        for name, value in zip(("me", *self.params(key)), (me, *given), strict=True):
            known[name] = value
            if not isinstance(value, ast.Name | ast.Constant):
                known[name] = py.name(self.local(name))
                code.append(py.assign(known[name], value))
        self._known = known
        code.extend(self.steps(self.body(key)))
        self._known, self._suffix, self._bound = outer
        return code

    def _SetLocal(self, step: ty.SetLocal) -> Code:
        made = self.stored_value(step.value)
        if isinstance(made, ast.Constant) and self._bound[step.name] == 1:
            self._known = self._known | {step.name: made}
            return []
        return [py.assign(py.name(self.local(step.name)), made)]

    # ---------------------------------------------------------------- loops over few things
    def _ForEach(self, step: ty.ForEach) -> Code:
        rounds = self._rounds(step)
        if rounds is None:
            return super()._ForEach(step)
        code: Code = []
        outer = self._known
        for each in rounds:
            self._known = outer | {step.variable: py.const(each)}
            code.extend(self.steps(step.block.steps))
        self._known = outer
        return code

    def _rounds(self, step: ty.ForEach) -> range | None:
        """Return what a loop goes through, where it is known and little enough to write out."""
        domain = step.domain
        if isinstance(domain, ty.AllSeats) and step.start is None:
            rounds = range(self.layout.players if domain.players else self.layout.seats)
        elif isinstance(domain, ty.Entries):
            rounds = range(self.layout.size(domain.kind))
        else:
            return None
        size = len(rounds) * self.weight_of(step.block.steps)
        return rounds if len(rounds) <= MOST_ROUNDS and size <= MOST_UNROLLED else None

    # ---------------------------------------------------------------- values and guards
    def _And(self, node: ty.And) -> ast.expr:
        """Return conditions that all have to hold; what one denies, those behind it know."""
        denied: set[str] = set()
        parts: list[ast.expr] = []
        for part in node.parts:
            for each in parts_of(self.condition(part)):
                known = _without(each, denied)
                parts.append(known)
                if isinstance(known, ast.UnaryOp) and isinstance(known.op, ast.Not):
                    denied |= {ast.dump(one) for one in _any_of(known.operand)}
        return py.joined("and", parts)

    def let_in(self, node: ty.LetIn, bound: ast.expr) -> ast.expr:
        """Return a value with what a local in it is bound to written in its place, if cheap."""
        reads = {each.name for each in ty.walk(node.bound) if isinstance(each, ty.Local)}
        hides = {getattr(each, "variable", None) for each in ty.walk(node.inner)} & reads
        if hides or sum(1 for _ in ast.walk(bound)) > CHEAP:
            return super().let_in(node, bound)
        outer = self._known
        self._known = outer | {node.name: bound}
        made = self.value(node.inner)
        self._known = outer
        return made

    def _CallValue(self, node: ty.CallValue) -> ast.expr:
        body = self.layout.program.values[node.name, node.layer]
        given = {"me": self.value(node.me)} if body.me is not None else {}
        given |= self._given(body.params, node.arguments)
        function = self.value_name(node.name, node.layer)
        return self._value_inside(node, body.body, given) or _called(function, given)

    def _Can(self, node: ty.Can) -> ast.expr:
        proc = self.layout.program.procs[node.proc]
        guard = self.layout.program.guards.get(node.proc, ty.YES)
        given = {"me": self.value(node.me), **self._given(proc.params, node.arguments)}
        function = py.identifier(node.proc, "g_")
        return self._value_inside(node, guard, given) or _called(function, given)

    def _given(
        self, params: tuple[ty.Local, ...], arguments: tuple[ty.Value, ...]
    ) -> dict[str, ast.expr]:
        pairs = zip(params, arguments, strict=True)
        return {each.name: self.stored_value(argument) for each, argument in pairs}

    def _value_inside(
        self, call: ty.CallValue | ty.Can, body: ty.Value, given: dict[str, ast.expr]
    ) -> ast.expr | None:
        """Return a short value with what its parameters stand for, None for a long one.

        What is not plain is written where it is read: once, or as often where it is cheap.
        """
        nodes = list(ty.walk(body)) if self.weights.light(call) else []
        if not nodes or len(nodes) > SMALL:
            return None
        few = len(nodes) <= MAX_INSIDE and not any(isinstance(each, ty.LetIn) for each in nodes)
        reads = Counter(each.name for each in nodes if isinstance(each, ty.Local))
        for name, value in given.items():
            plain = isinstance(value, ast.Name | ast.Constant)
            cheap = reads[name] <= 1 or sum(1 for _ in ast.walk(value)) <= CHEAP
            if not plain and not (few and cheap):
                return None
        outer = self._known, self._suffix
        self._copies += 1
        self._known, self._suffix = given, f"Y{self._copies}"
        made = self.value(body)
        self._known, self._suffix = outer
        return made if few or sum(1 for _ in ast.walk(made)) <= MOST_INSIDE else None


def _called(function: str, given: dict[str, ast.expr]) -> ast.expr:
    return py.call(function, py.name("st"), *given.values())


def _inside(steps: Iterable[ty.Step]) -> Iterable[ty.Node]:
    return (each for step in steps for each in ty.walk(step))


def _bound_names(steps: Iterable[ty.Step]) -> Iterable[str]:
    for each in _inside(steps):
        yield from FACTS[type(each)].binds(each)
        yield from FACTS[type(each)].within(each)


def _any_of(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        return [each for part in node.values for each in _any_of(part)]
    return [node]


def _without(node: ast.expr, denied: set[str]) -> ast.expr:
    """Return a condition in which what is known not to hold is left out."""
    match node:
        case ast.BoolOp(op=op, values=values):
            parts = [_without(each, denied) for each in values]
            return py.joined("and" if isinstance(op, ast.And) else "or", parts)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return py.negated(_without(operand, denied))
        case _:
            return py.const(value=False) if ast.dump(node) in denied else node

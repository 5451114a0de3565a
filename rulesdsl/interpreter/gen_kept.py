"""What generated code shares: constant tables, searches, events, and the places of rules."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_asks import AskGenerator
from rulesdsl.interpreter.gen_names import names_read_in
from rulesdsl.interpreter.weights import Weights
from rulesdsl.lower.layout import Layout
from rulesdsl.source.span import NOWHERE, Span

if TYPE_CHECKING:
    from rulesdsl.interpreter.gen_moves import Code
    from rulesdsl.lower.form import Form


LOCAL = re.compile(r"v_.*|me(Y\d+)?|st|[a-z]_")  # as the generators name locals


class KeepingGenerator(AskGenerator):
    """Keeps what more than one function needs."""

    def __init__(self, form: Form, layout: Layout) -> None:
        self.form = form
        self.layout = layout
        self.weights = Weights(layout.program)
        self.marks: list[Span] = [NOWHERE]
        self._mark_of: dict[Span, int] = {}
        self._constants: dict[str, tuple[object, ...]] = {}  # by their global names
        self._names: dict[str, str] = {}  # of constants, by how they are written: yes is no 1
        self._function_tables: dict[tuple[object, ...], str] = {}
        self._formulas: dict[tuple[str, str], str] = {}
        self._later: list[ast.stmt] = []
        self._helpers: dict[str, ast.stmt] = {}
        self._proc = ""

    # ---------------------------------------------------------------- places, tables, events
    def mark(self, step: ty.Step) -> int:
        """Return the generated line that stands for a step's place."""
        span = step.span
        if span not in self._mark_of:
            self._mark_of[span] = len(self.marks)
            self.marks.append(span)
        return max(self._mark_of[span], 1)

    def keep(self, value: tuple[object, ...]) -> ast.expr:
        """Keep a constant table under a global name and return that."""
        name = self._names.setdefault(repr(value), f"T{len(self._names)}")
        self._constants[name] = value
        return py.name(name)

    def table(self, name: str) -> tuple[object, ...] | None:
        """Return a constant table by its global name."""
        return self._constants.get(name)

    def helper(self, made: list[ast.comprehension], found: ast.expr, none: ast.expr) -> ast.expr:
        """Return the call of a function that goes through loops until something is found."""
        body: Code = [ast.Return(found)]
        for each in reversed(made):
            assert isinstance(each.target, ast.Name)
            body = [
                py.loop(each.target.id, each.iter, py.when(py.joined("and", each.ifs), body, []))
            ]
        body.append(ast.Return(none))
        params = sorted(each for each in names_read_in(body) if LOCAL.fullmatch(each))
        text = ast.dump(ast.Module(body, []))
        known = self._helpers.get(text)
        if known is None:
            known = py.function(f"h_{len(self._helpers)}", params, body)
            self._helpers[text] = known
        assert isinstance(known, ast.FunctionDef)
        return py.call(known.name, *(py.name(each) for each in params))

    def keep_functions(self, names: tuple[object, ...]) -> ast.expr:
        """Keep a table of functions, given by name, and return its global name."""
        if names not in self._function_tables:
            table = f"D{len(self._function_tables)}"
            self._function_tables[names] = table
            self._later.append(py.assign(py.name(table), _function_tuple(names)))
        return py.name(self._function_tables[names])

    def formula_table(self, node: ty.Formula) -> ast.expr:
        """Return the table of the functions of a formula field."""
        formulas = self.layout.program.formulas
        names: list[object] = []
        for at in range(len(self.layout.world.kinds[node.kind].entries)):
            key = (node.kind, node.field, at, None)
            names.append(f"y_{self._formula_number(key)}" if key in formulas else "never")
        probe = ty.FieldOf(node.kind, node.field, node.subject)
        return self.keep_functions(self.by_instance(probe, tuple(names)))

    def _formula_number(self, key: tuple[str, str, int, str | None]) -> int:
        return list(self.layout.program.formulas).index(key)

    def event(self, step: ty.Step, kind: str, *values: ast.expr) -> Code:  # noqa: ARG002
        """Return nothing: playouts keep no log."""
        return []


def _function_tuple(names: tuple[object, ...]) -> ast.expr:
    elements = [
        _function_tuple(each) if isinstance(each, tuple) else py.name(str(each)) for each in names
    ]
    return ast.Tuple(elements, py.LOAD)

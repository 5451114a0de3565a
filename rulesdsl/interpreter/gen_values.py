"""Python for values: arithmetic, conditions, named values."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.typed.walk import substitute
from rulesdsl.interpreter import pynodes as py
from rulesdsl.interpreter.gen_fields import FieldGenerator
from rulesdsl.lower.flatten.fields import read_chart

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.check.program import TypedValue


MOST_DENSE = 64
MAX_INSIDE = 24  # nodes of a named value that is computed where it is asked for


class ValueGenerator(FieldGenerator):
    """Generates expressions for values; conditions may be any truthy or falsy expression."""

    def value(self, node: ty.Value) -> ast.expr:
        """Return the expression of a value."""
        make: Callable[[ty.Value], ast.expr] = getattr(self, f"_{type(node).__name__}")
        return make(node)

    def condition(self, node: ty.Value) -> ast.expr:
        """Return the expression of a condition."""
        return self.value(node)

    def stored_value(self, node: ty.Value) -> ast.expr:
        """Return a value that is kept, shown or compared: a yes or no as a plain one."""
        made = self.value(node)
        return py.plain(made) if node.type.family == "yes-no" else made

    # ---------------------------------------------------------------- plain values
    def _Const(self, node: ty.Const) -> ast.expr:
        return py.const(node.value)

    def _Local(self, node: ty.Local) -> ast.expr:
        return py.name(self.local(node.name))

    def _Text(self, node: ty.Text) -> ast.expr:
        return py.const(node.text)

    def _SeatNumber(self, node: ty.SeatNumber) -> ast.expr:
        rivals = self.layout.rivals
        at = self.layout.players + rivals.index(node.rival) if node.rival in rivals else -1
        return py.const(at)

    def _Seats(self, node: ty.Seats) -> ast.expr:
        return py.const(self.layout.players if node.players else self.layout.seats)

    def _Setting(self, node: ty.Setting) -> ast.expr:
        return py.const(self.layout.settings[node.option])

    def _Chart(self, node: ty.Chart) -> ast.expr:
        return self.chart(node.points, self.value(node.key))

    def chart(self, points: tuple[tuple[int, int], ...], key: ast.expr) -> ast.expr:
        """Return what a chart says: the largest key not above it, else the first."""
        if isinstance(key, ast.Constant) and isinstance(key.value, int):
            return py.const(read_chart(points, key.value))
        low, high = points[0][0], points[-1][0]
        if high - low > MOST_DENSE:
            return py.call("read_chart", py.const(points), key)
        row = tuple(read_chart(points, at) for at in range(low, high + 1))
        return py.call("clamped", self.keep(row), py.binary("-", key, py.const(low)))

    def _TableAt(self, node: ty.TableAt) -> ast.expr:
        rows: list[object] = []
        for row in node.rows:
            made = self.value(row)
            assert isinstance(made, ast.Constant)
            rows.append(made.value)
        return py.item(self.keep(tuple(rows)), self.value(node.key))

    def _Bundle(self, node: ty.Bundle) -> ast.expr:
        return py.const(node.amounts)

    def _MakeBundle(self, node: ty.MakeBundle) -> ast.expr:
        return ast.Tuple([self.value(part) for part in node.parts], py.LOAD)

    def _BundlePart(self, node: ty.BundlePart) -> ast.expr:
        bundle = self.value(node.bundle)
        if isinstance(bundle, ast.Constant) and isinstance(node.bundle, ty.Bundle):
            return py.const(node.bundle.amounts[node.position])
        return py.item(bundle, py.const(node.position))

    def _Arith(self, node: ty.Arith) -> ast.expr:
        left, right = self.value(node.left), self.value(node.right)
        if node.op in {"min", "max"}:
            low, high = py.whole(left), py.whole(right)
            if low is not None and high is not None:
                return py.const(min(low, high) if node.op == "min" else max(low, high))
            op = "<" if node.op == "min" else ">"
            if _cheap(left) and _cheap(right):
                return py.chosen(py.compared(op, left, right), left, right)
            return py.call(node.op, left, right)
        made = py.binary(node.op, left, right)
        return made if node.exact or node.op == "/" else py.saturated(made)

    def _Comparison(self, node: ty.Comparison) -> ast.expr:
        if node.op in {"=", "<>"} and self._nobody_is(node.left, node.right):
            return py.const(node.op == "<>")
        left, right = self.stored_value(node.left), self.stored_value(node.right)
        return py.compared(node.op, left, right)

    def _nobody_is(self, one: ty.Value, other: ty.Value) -> bool:
        """Whether a rival who is not at the table is compared with a seat that surely is there."""
        return any(
            isinstance(rival, ty.SeatNumber)
            and rival.rival not in self.layout.rivals
            and isinstance(seat, ty.Local)
            and not seat.type.maybe
            for rival, seat in ((one, other), (other, one))
        )

    def _And(self, node: ty.And) -> ast.expr:
        return py.joined("and", [self.condition(part) for part in node.parts])

    def _Or(self, node: ty.Or) -> ast.expr:
        return py.joined("or", [self.condition(part) for part in node.parts])

    def _Negation(self, node: ty.Negation) -> ast.expr:
        return py.negated(self.condition(node.value))

    def _Cases(self, node: ty.Cases) -> ast.expr:
        made = self.value(node.otherwise)
        for condition, value in reversed(node.cases):
            made = py.chosen(self.condition(condition), self.value(value), made)
        return made

    def _LetIn(self, node: ty.LetIn) -> ast.expr:
        return self.let_in(node, self.stored_value(node.bound))

    def let_in(self, node: ty.LetIn, bound: ast.expr) -> ast.expr:
        """Return a value with what a local in it is bound to."""
        local = self.local(node.name)
        inner = self.value(node.inner)
        arguments = ast.arguments(
            posonlyargs=[], args=[ast.arg(local)], kwonlyargs=[], kw_defaults=[], defaults=[]
        )
        return ast.Call(ast.Lambda(arguments, inner), [bound], [])

    def _IsSome(self, node: ty.IsSome) -> ast.expr:
        return py.compared(">=", self.value(node.value), py.const(0))

    def _ItemAt(self, node: ty.ItemAt) -> ast.expr:
        return py.item(py.name(self.local(node.name)), self.value(node.at))

    def _Length(self, node: ty.Length) -> ast.expr:
        return py.call("len", py.name(self.local(node.name)))

    # ---------------------------------------------------------------- named values and guards
    def _CallValue(self, node: ty.CallValue) -> ast.expr:
        body = self.layout.program.values[node.name, node.layer]
        inside = self._inside(node, body)
        if inside is not None:
            return self.value(inside)
        arguments = [self.stored_value(each) for each in node.arguments]
        if body.me is not None:
            arguments.insert(0, self.value(node.me))
        return py.call(self.value_name(node.name, node.layer), py.name("st"), *arguments)

    def _inside(self, node: ty.CallValue, body: TypedValue) -> ty.Value | None:
        """Return what a short named value says, in the place of its call."""
        if not self.weights.light(node):
            return None
        nodes = list(ty.walk(body.body))
        if len(nodes) > MAX_INSIDE or any(isinstance(each, ty.LetIn) for each in nodes):
            return None
        given = dict(zip((param.name for param in body.params), node.arguments, strict=True))
        if body.me is not None:
            given["me"] = node.me
            if not ty.is_me(body.me):
                return None
        bound = {getattr(each, "variable", None) for each in nodes}
        reads = [each.name for each in nodes if isinstance(each, ty.Local)]
        for name, value in given.items():
            plain = isinstance(value, ty.Local | ty.Const | ty.SeatNumber)
            if not plain and reads.count(name) > 1:
                return None
            if any(isinstance(each, ty.Local) and each.name in bound for each in ty.walk(value)):
                return None
        # two steps, so that an argument is not taken for a parameter of the same name
        made = body.body
        for name, value in given.items():
            made = substitute(made, name, ty.Local(f"{name}.given", type=value.type))
        for name, value in given.items():
            made = substitute(made, f"{name}.given", value)
        return made

    def value_name(self, name: str, layer: int) -> str:
        """Return the Python name of a named value."""
        return f"{py.identifier(name, 'x_')}_{layer}"

    def _ScoreOf(self, node: ty.ScoreOf) -> ast.expr:
        return py.call("total_score", py.name("st"), self.value(node.seat))

    def _StandingOf(self, node: ty.StandingOf) -> ast.expr:
        return py.call("standing", py.name("st"), self.value(node.seat))

    def _Ring(self, node: ty.Ring) -> ast.expr:
        players = self.layout.players
        if node.kind == "player" and self.layout.seats > players:
            origin, steps = self.value(node.origin), self.value(node.steps)
            return py.call("player_from", origin, steps, py.const(players))
        size = players if node.kind == "player" else self.layout.size(node.kind)
        moved = py.binary("+", self.value(node.origin), self.value(node.steps))
        return py.binary("%", moved, py.const(size))

    def _Can(self, node: ty.Can) -> ast.expr:
        arguments = [self.stored_value(each) for each in node.arguments]
        return py.call(
            py.identifier(node.proc, "g_"), py.name("st"), self.value(node.me), *arguments
        )

    def _CanDo(self, node: ty.CanDo) -> ast.expr:
        found = self.effect_function(node, self.guard_name)
        return ast.Call(found, [py.name("st"), self.value(node.me)], [])

    def guard_name(self, key: str) -> str:
        """Return the Python name of a procedure's guard."""
        guard = self.layout.program.guards.get(key, ty.YES)
        return "always" if guard == ty.YES else py.identifier(key, "g_")


def _cheap(node: ast.expr) -> bool:
    """Whether computing an expression twice costs next to nothing."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case ast.Subscript(value=ast.Attribute(), slice=index):
            return _cheap(index)
        case ast.Attribute():
            return True
        case _:
            return False

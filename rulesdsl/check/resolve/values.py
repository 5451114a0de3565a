"""From expressions to values: one case for each phrase, of the type that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.computing import COUNTABLE, ComputingResolver
from rulesdsl.check.types import NUMBER, YES_NO, Type, fits
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.source.span import Span


class ValueResolver(ComputingResolver):
    """Resolves values; what cannot be resolved is reported once and has an unknown type."""

    # ---------------------------------------------------------------- wanted types
    def number(self, expr: ex.Expr) -> ty.Value:
        """Return a number; a selection is its count."""
        found = self.value(expr, NUMBER)
        if found.type.family not in COUNTABLE:
            self._mismatch(expr.span, found, "a number")
            return self.unknown(expr.span)
        return self.total(found, expr.span)

    def condition(self, expr: ex.Expr) -> ty.Value:
        """Return a yes or no."""
        found = self.value(expr, YES_NO)
        if found.type.family not in {"yes-no", "unknown"}:
            help_text = "Ask with `any` or `no`, or compare it with something."
            self.report(
                "E301", expr.span, f"This is {found.type}, where a yes or no is needed.", help_text
            )
            return self.unknown(expr.span)
        return found

    def of_type(self, expr: ex.Expr, want: Type) -> ty.Value:
        """Return a value of a type, never none."""
        if want.family == "number":
            return self.number(expr)
        if want.family == "bundle":
            return self.bundle(expr)
        found = self.total(self.value(expr, want), expr.span)
        if want.family == "entry" and found.type.family == "piece" and found.type.of == want.of:
            return ty.EntryOf(want.of, found, type=want, span=expr.span)
        if not fits(found.type, want):
            self._mismatch(expr.span, found, want)
            return self.unknown(expr.span)
        return found

    def total(self, value: ty.Value, span: Span) -> ty.Value:
        """Return a value that is surely there; complain where it may be none."""
        if not value.type.maybe:
            return value
        if value not in self.scope.some:
            self.report(
                "E302",
                span,
                f"This is {value.type}: it may not be there.",
                "Ask first: `if any ...:` or `needs any ...`, under a name given by `let`.",
            )
        return attrs.evolve(value, type=value.type.total())

    # ---------------------------------------------------------------- values
    def value(self, expr: ex.Expr, want: Type | None = None) -> ty.Value:  # noqa: C901, PLR0912
        """Return the value of an expression; `want` helps where a name could mean several."""
        span = expr.span
        match expr:
            case ex.Number():
                return ty.Const(expr.value, type=NUMBER, span=span)
            case ex.Switch():
                return ty.Const(int(expr.on), type=YES_NO, span=span)
            case ex.Name():
                return self.name(expr, want)
            case ex.My():
                return self.mine(expr)
            case ex.Me():
                return self.me(span)
            case ex.It():
                return self.it(span)
            case ex.Of():
                return self.of(expr)
            case ex.At():
                return self.at(expr)
            case ex.Ends():
                return self.end(expr)
            case ex.Amount() | ex.Per():
                return self.counted(expr)
            case ex.Beside():
                return self.beside(expr)
            case ex.Contents():
                return self.contents_value(expr)
            case ex.Not():
                inner = self.condition(expr.value)
                return ty.Negation(inner, type=YES_NO, span=span)
            case ex.Logic():
                return self.logic(expr)
            case ex.Compare():
                return self.compare(expr)
            case ex.Arithmetic():
                return self.arithmetic(expr)
            case ex.Cap():
                op = "min" if expr.at_most else "max"
                left, right = self.number(expr.value), self.number(expr.bound)
                return ty.Arith(op, left, right, type=NUMBER, span=span)
            case ex.Quantified():
                return self.quantified(expr)
            case ex.The():
                return self.best(expr)
            case ex.First():
                return self.first(expr)
            case ex.RandomPick():
                return self.random(expr)
            case ex.All():
                return self.count_of(self.selection(expr), span)
            case ex.Choice():
                self.report(
                    "E305",
                    span,
                    "A choice cannot stand inside a value.",
                    "Make it first: `let x = a ...`, then use `x`.",
                )
                return self.unknown(span)
            case ex.Range():
                self.report("E301", span, "A range is not a value.", "")
                return self.unknown(span)

    def count_of(self, domain: ty.Domain | None, span: Span) -> ty.Value:
        """Return how many there are."""
        if domain is None:
            return self.unknown(span)
        return ty.CountOf(domain, type=NUMBER, span=span)

    def me(self, span: Span) -> ty.Value:
        """Return the acting seat."""
        if self.scope.me is None and self.scope.lost_line:
            return self.unknown(span)
        if self.scope.me is None:
            self.scope.lost_line = True  # once is enough for a whole step
            self.report(
                "E304",
                span,
                "Nobody acts here: a step is done by the game.",
                "Say for whom: `for each player: ...`, or make it a verb.",
            )
            return self.unknown(span)
        return self.scope.me

    def it(self, span: Span) -> ty.Value:
        """Return the innermost candidate."""
        if not self.scope.candidates:
            self.report(
                "E201",
                span,
                "`it` stands for the candidate of a `where`, `with` or `per`; here is none.",
                "Give the thing a name with `let`.",
            )
            return self.unknown(span)
        return self.scope.candidates[-1]

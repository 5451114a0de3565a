"""From expressions to values: one case for each phrase, of the type that is wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import (
    amounts,
    computing,
    domains,
    holes,
    lookups,
    membership,
    names,
    selections,
    stacks,
)
from rulesdsl.check.types import NUMBER, YES_NO, Type
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver


def value_of(r: Resolver, expr: ex.Expr, want: Type | None = None) -> ty.Value:  # noqa: C901, PLR0912
    """Return the value of an expression; `want` helps where a name could mean several."""
    span = expr.span
    hole = holes.hole_in(r, expr, want)
    if hole is not None:
        return hole
    match expr:
        case ex.Number():
            return ty.Const(expr.value, type=NUMBER, span=span)
        case ex.Switch():
            return ty.Const(int(expr.on), type=YES_NO, span=span)
        case ex.Name():
            return names.named(r, expr, want)
        case ex.My():
            return names.mine(r, expr)
        case ex.Me():
            return r.me(span)
        case ex.It():
            return r.it(span)
        case ex.Of():
            return lookups.of(r, expr)
        case ex.At():
            return lookups.at(r, expr)
        case ex.Ends():
            return stacks.end_of(r, expr)
        case ex.Amount() | ex.Per():
            return amounts.counted(r, expr)
        case ex.Beside():
            return computing.beside(r, expr)
        case ex.Contents():
            return membership.contents_value(r, expr)
        case ex.Not():
            inner = r.condition(expr.value)
            return ty.Negation(inner, type=YES_NO, span=span)
        case ex.Logic():
            return computing.logic(r, expr)
        case ex.Compare():
            return computing.compare(r, expr)
        case ex.Arithmetic():
            return computing.arithmetic(r, expr)
        case ex.Cap():
            op = "min" if expr.at_most else "max"
            left, right = r.number(expr.value), r.number(expr.bound)
            return ty.Arith(op, left, right, type=NUMBER, span=span)
        case ex.Quantified():
            return membership.quantified(r, expr)
        case ex.The():
            return domains.best(r, expr)
        case ex.First():
            return domains.first(r, expr)
        case ex.RandomPick():
            return domains.random_one(r, expr)
        case ex.All():
            return r.count_of(selections.selection(r, expr), span)
        case ex.Choice():
            message = "A choice cannot be part of a value."
            help_text = "Make it first: `let x = a ...`, then use `x`."
            found = r.report("E305", span, message, help_text)
            with r.muted():
                domains.random_one(r, ex.RandomPick(expr.kind, expr.domain, expr.where))
            return found
        case ex.Range():
            help_text = "A range follows `in`: `a number in 1..3`, `for each number n in 1..3:`."
            return r.report("E301", span, "A range is not a value.", help_text)

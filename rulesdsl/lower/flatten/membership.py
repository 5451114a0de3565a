"""Builds tests that a thing is one of a domain, and the cell in which it lies."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, assert_never

from rulesdsl.check import typed as ty
from rulesdsl.lower import flat as fl
from rulesdsl.lower.flatten import domains
from rulesdsl.lower.flatten.conditions import conditions
from rulesdsl.lower.flatten.writer import NONE, ONE, ZERO
from rulesdsl.lower.fold import logic, op, select, within

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.check.types import Type
    from rulesdsl.lower.flatten.writer import Writer


def among(w: Writer, subject: fl.Expr, kind: Type, domain: ty.Domain) -> fl.Expr:
    """Return whether a thing is one of a domain."""
    match domain:
        case ty.Lying():
            return _lies(w, subject, kind, domain)
        case ty.Filtered(base=base, variable=variable, condition=condition):

            def asked() -> fl.Expr:
                return w.about(variable, subject, condition)

            return conditions(w, "and", [lambda: among(w, subject, kind, base), asked])
        case ty.AllSeats(players=True) if kind.family == "seat":  # perhaps a rival's
            return within(subject, 0, w.layout.players)
        case ty.Entries() | ty.AllSeats() | ty.AnyWhere():
            return op(">=", subject, ZERO)
        case ty.Numbers(low=low, high=high):
            first, last = domains.bounds(w, low, high)
            return logic("and", op(">=", subject, first), op("<=", subject, last))
        case ty.Listed(values=values):
            return fl.Contains(fl.Row(w.value(values)), subject)
        case ty.EndPieces():
            found = w.set("member", ZERO)

            def compare(thing: fl.Expr) -> None:
                w.when(op("=", thing, subject), lambda: w.take(found, ONE))

            with w.search(found):
                domains.through(w, domain, "each", compare)
            return found
        case _:
            assert_never(domain)


def _lies(w: Writer, subject: fl.Expr, kind: Type, domain: ty.Lying) -> fl.Expr:
    asked: list[Callable[[], fl.Expr]] = []
    if kind.maybe:
        asked.append(lambda: op(">=", subject, ZERO))
    code = domains.where(w, domain.piece, subject)
    if w.world.pieces[domain.piece].style != "single":
        asked.append(lambda: domains.narrowed(w, domain, subject))
    asked.append(lambda: domains.is_in(w, domain.piece, code, domain.cells))
    return conditions(w, "and", asked)


def located(w: Writer, node: ty.Located) -> fl.Expr:
    """Return the cell of a place in which a thing lies, NONE where it lies elsewhere."""
    subject, piece, place = w.value(node.subject), node.piece, node.place
    code: fl.Expr = domains.where(w, piece, subject)
    base, size = w.layout.base(piece, place), prod(w.layout.cell_dims(piece, place))
    if size == w.layout.cells(piece):
        return code
    if not node.type.maybe:
        return op("-", code, fl.Const(base))
    code = w.kept(code, "cell")
    return select(within(code, base, base + size), op("-", code, fl.Const(base)), NONE)

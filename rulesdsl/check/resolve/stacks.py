"""From `top of S` and `bottom 2 of S` to the pieces at the ends of a stack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve.cells import one_stack, try_cells
from rulesdsl.check.types import a_or_an, piece

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.source.span import Span
    from rulesdsl.syntax import expressions as ex


def end_pieces(r: Resolver, expr: ex.Ends) -> ty.Domain | None:
    """Return `top N of S`."""
    cells = one_stack(r, expr.stack)
    if cells is None:
        return None
    kind = _only_printed(r, cells.place, expr.stack.span)
    if kind is None:
        return None
    count = 1 if expr.count is None else expr.count
    if count == 0:
        r.report("E301", expr.span, "This means no pieces.", "Write a number of at least 1.")
    top = expr.end == "top"
    return ty.EndPieces(kind, cells, top, count, element=piece(kind), span=expr.span)


def end_of(r: Resolver, expr: ex.Ends) -> ty.Value:
    """Return `top of S`, one or none."""
    if expr.count is not None:
        return r.count_of(end_pieces(r, expr), expr.span)
    cells = one_stack(r, expr.stack)
    kind = None if cells is None else _only_printed(r, cells.place, expr.stack.span)
    if cells is None or kind is None:
        return r.unknown(expr.span)
    return ty.EndOf(kind, cells, expr.end == "top", type=piece(kind).or_none(), span=expr.span)


def piled(r: Resolver, where: ex.Expr) -> ty.Domain | None:
    """Return all pieces of one stack in their order, None where it is none."""
    cells = try_cells(r, where)
    if not isinstance(cells, ty.Cells) or not cells.one:
        return None
    place = r.world.places[cells.place]
    kind = _only_printed(r, place.name, where.span) if place.stack else None
    if kind is None:
        return None
    return ty.Lying(kind, cells, element=piece(kind), span=where.span)


def _only_printed(r: Resolver, place: str, span: Span) -> str | None:
    """Return the one kind of printed pieces that a place holds."""
    printed = [
        name
        for name in r.world.places[place].holds
        if name in r.world.pieces and r.world.pieces[name].style == "printed"
    ]
    if len(printed) == 1:
        return printed[0]
    if r.world.places[place].unsure:
        r.scope.failed = True
        return None
    message = f"{a_or_an(place).capitalize()} does not hold just one kind of printed pieces."
    r.report("E301", span, message, "Only such a place has a top and a bottom.")
    return None

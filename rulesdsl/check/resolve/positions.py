"""Choices among pieces that the chooser does not see: by their positions, not by their faces."""

from __future__ import annotations

from rulesdsl.check import typed as ty
from rulesdsl.check.resolve import wording
from rulesdsl.check.resolve.resolver import Resolver
from rulesdsl.check.symbols.types import NUMBER, Type, piece
from rulesdsl.source.span import Span


def unseen(r: Resolver, domain: ty.Domain, me: ty.Value) -> ty.Lying | None:
    """Return the pieces of a domain if they lie in a place that all but the chooser see."""
    base = domain.unfiltered
    if not isinstance(base, ty.Lying) or r.world.pieces[base.piece].style != "printed":
        return None
    place = r.world.places[base.cells.place]
    at = place.owner_dim
    if place.seen_by != "others" or at is None or at >= len(base.cells.dims):
        return None
    return base if base.cells.dims[at] == me and base.owner is base.entry is None else None


def check_seen(r: Resolver, domain: ty.Domain, me: ty.Value, span: Span) -> None:
    """Report options that would show the chooser pieces which only the others may see."""
    if unseen(r, domain, me) is not None:
        r.report(wording.OPTIONS_SHOW(), span)


def by_position(
    r: Resolver, domain: ty.Domain, base: ty.Lying
) -> tuple[ty.Local, ty.Domain, ty.EndOf]:
    """Return a position to choose, counted from the top, its domain, and the piece there."""
    count, kind = ty.CountOf(base, type=NUMBER), Type("number", base.piece)
    numbers = ty.NumberRange(ty.Const(1, type=NUMBER), count, element=kind)
    number = r.scope.fresh("position", kind)
    there = ty.EndOf(base.piece, base.cells, top=True, index=number, type=piece(base.piece))
    if not isinstance(domain, ty.Filtered):
        return number, numbers, there
    condition = ty.substitute(domain.condition, domain.variable, there)
    return number, ty.Filtered(numbers, number.name, condition, element=kind), there

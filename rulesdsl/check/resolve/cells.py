"""From phrases to cells: which places are meant, and whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.naming import Sort
from rulesdsl.check.resolve.holes import PLACE, STACK, hole_in
from rulesdsl.check.types import SEAT, UNKNOWN, Type, a_or_an, entry
from rulesdsl.source.facts import NothingToSay, SeveralPlaces
from rulesdsl.source.suggest import similar
from rulesdsl.syntax import expressions as ex

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.check.world import PlaceInfo
    from rulesdsl.source.span import Span


def word_of(expr: ex.Expr) -> str:
    """Return the word that an expression consists of, nothing where it is more than a word."""
    return expr.name if isinstance(expr, ex.Name | ex.My) else ""


def place_type(r: Resolver, name: str) -> Type:
    """Return the type of the cells of a kind of places."""
    place = r.world.places[name]
    if place.dims == (name,):
        return entry(name)
    if len(place.dims) == 1:
        dim = place.dims[0]
        return SEAT if dim in {"seat", "player"} else entry(dim)
    return Type("cell", name)


def check_holds(r: Resolver, place: str, kind: str, span: Span) -> None:
    """Complain where a place cannot hold such a piece."""
    holds = r.world.places[place].holds
    if r.world.places[place].unsure:
        return
    if kind not in holds and kind in r.world.pieces:
        message = f"{a_or_an(place).capitalize()} does not hold {r.world.pieces[kind].plural}."
        help_text = f"It holds {', '.join(holds)}; add `{kind}` to its declaration if it should."
        r.report("E303", span, message, help_text)


def one_cell(r: Resolver, expr: ex.Expr, want: Type = PLACE) -> ty.Cells | None:
    """Return exactly one cell."""
    cells = cells_of(r, expr, want)
    if cells is not None and not cells.one:
        place = r.world.places[cells.place]
        message = f"This means several {place.plural}, but one is needed."
        facts = SeveralPlaces(of_seats=place.dims in {("seat",), ("player",)})
        help_text = f"Say whose or which: `{place.name} of ...`."
        r.report("E301", expr.span, message, help_text, facts=facts)
        return None
    return cells


def one_stack(r: Resolver, expr: ex.Expr) -> ty.Cells | None:
    """Return exactly one cell whose pieces lie in an order."""
    cells = one_cell(r, expr, STACK)
    return cells if cells is not None and in_order(r, cells, expr.span) else None


def in_order(r: Resolver, cells: ty.Cells, span: Span) -> bool:
    """Whether pieces lie in an order there; reported where they do not."""
    place = r.world.places[cells.place]
    if not place.stack:
        message = f"{a_or_an(place.name).capitalize()} is not a stack: its contents have no order."
        help_text = f"Declare it as `stack {place.name} ...`, or draw `random ... in ...`."
        r.report("E301", span, message, help_text)
    return place.stack


def cells_of(r: Resolver, expr: ex.Expr, want: Type = PLACE) -> ty.Cells | None:
    """Return the cells that a phrase means; reported and None where it means none."""
    found = hole_in(r, expr, want) or try_cells(r, expr)
    if isinstance(found, ty.Cells):
        return found
    known = [*r.world.places, *(each.plural for each in r.world.places.values())]
    help_text = similar(word_of(expr), known) or "Name what a `place` or `stack` declares."
    r.report("E301", expr.span, "This is not a place.", help_text, found)
    return None


def try_cells(r: Resolver, expr: ex.Expr) -> ty.Cells | ty.Value:
    """Return the cells that a phrase means; where it is no place, its value."""
    if isinstance(expr, ex.Name) and expr.name not in r.scope.locals:
        place = r.world.places.get(r.world.singular(expr.name))
        if place is not None:
            return _named(r, place, expr.span)
    elif isinstance(expr, ex.My):
        place = r.world.places.get(r.world.singular(expr.name))
        if place is not None:
            return _narrowed(r, _named(r, place, expr.span), r.me(expr.span), expr.span)
    elif isinstance(expr, ex.Of):
        place = r.world.places.get(r.world.singular(expr.name.text))
        if place is not None and not _is_container(r, expr, place):
            return _narrowed(r, _named(r, place, expr.span), r.value(expr.owner), expr.span)
    elif isinstance(expr, ex.At):
        base = try_cells(r, expr.base)
        if isinstance(base, ty.Cells):
            return _narrowed(r, base, r.value(expr.key), expr.span)
        if base.type == UNKNOWN:
            return base
    return _cell_value(r, expr)


def _is_container(r: Resolver, expr: ex.Of, place: PlaceInfo) -> bool:
    """Whether `P of X` means the P that a piece X lies in."""
    return place.table and r.value(expr.owner).type.family == "piece"


def _cell_value(r: Resolver, expr: ex.Expr) -> ty.Cells | ty.Value:
    with r.scope.place():
        found = r.value(expr)
    if found.type.family in {"entry", "list"} and found.type.of in r.world.places:
        place = r.world.places[found.type.of]
        if place.dims == (place.name,):
            value = found if found.type.family == "list" else r.total(found, expr.span)
            return ty.Cells(place.name, (value,), span=expr.span)
        if place.table:
            return _narrowed(r, _whole(place, expr.span), found, expr.span)
    return found


def _named(r: Resolver, place: PlaceInfo, span: Span) -> ty.Cells:
    r.note(span, Sort.NOUN, place.name)
    return _whole(place, span)


def _whole(place: PlaceInfo, span: Span) -> ty.Cells:
    return ty.Cells(place.name, (None,) * len(place.dims), span=span)


def _narrowed(r: Resolver, cells: ty.Cells, key: ty.Value, span: Span) -> ty.Cells | ty.Value:
    if key.type == UNKNOWN:
        return key
    key = r.total(key, span)
    place = r.world.places[cells.place]
    for at, dim in enumerate(place.dims):
        if cells.dims[at] is None and fits_dim(r, key.type, dim):
            dims = list(cells.dims)
            dims[at] = key
            return attrs.evolve(cells, dims=tuple(dims))
    message = f"{a_or_an(place.name).capitalize()} does not belong to {key.type}."
    if not place.dims:
        there = f"There is only one: write `{place.name}` by itself."
        return r.report("E301", span, message, there, facts=NothingToSay(place.name))
    return r.report("E301", span, message, f"There is one per {' per '.join(place.dims)}.")


def fits_dim(r: Resolver, have: Type, dim: str) -> bool:
    """Whether a value can index a dimension."""
    if dim in {"seat", "player"}:
        return have.family in {"seat", "player"}
    if dim not in r.world.pieces and dim not in r.world.kinds:
        return True  # reported where it is declared
    return have.of == dim and have.family == ("piece" if dim in r.world.pieces else "entry")

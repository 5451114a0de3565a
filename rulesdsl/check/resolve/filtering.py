"""`where`: which of some things are meant, and what is known of the one that is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check import typed as ty
from rulesdsl.check.capabilities import Use, uses
from rulesdsl.check.resolve.cells import place_type
from rulesdsl.check.typed.walk import substitute
from rulesdsl.check.types import UNKNOWN

if TYPE_CHECKING:
    from rulesdsl.check.resolve.resolver import Resolver
    from rulesdsl.source.span import Span
    from rulesdsl.syntax import expressions as ex
    from rulesdsl.syntax.node import Word


def filtered(
    r: Resolver,
    base: ty.Domain,
    where: ex.Expr | None,
    word: Word | None = None,
    *,
    acting: bool = False,
) -> ty.Domain:
    """Return those of a domain for which a condition holds; in it, `me` may be the candidate."""
    if where is None:
        return base
    name = None if word is None else word.text
    with r.scope.block(), r.scope.candidate(base.element, name) as local:
        if word is not None:
            r.binds(word, local)
        if acting:
            r.scope.me = local
        assume_member(r, local, base)
        condition = r.condition(where)
    if Use.LIST not in uses(r.world, base):
        return _of_owner(r, base, local, condition, where.span)
    return ty.Filtered(base, local.name, condition, element=base.element, span=where.span)


def _of_owner(
    r: Resolver, base: ty.Domain, local: ty.Local, condition: ty.Value, span: Span
) -> ty.Domain:
    """Return those pieces, all alike, of one owner: nothing else tells them apart."""
    assert isinstance(base, ty.Lying)
    owner: ty.Value = local
    if isinstance(condition, ty.Comparison) and condition.op == "=":
        left, right = condition.left, condition.right
        if isinstance(left, ty.OwnerOf) and left.subject == local:
            owner = right
        elif isinstance(right, ty.OwnerOf) and right.subject == local:
            owner = left
    if condition.type == UNKNOWN:
        return base
    at = r.world.places[base.cells.place].owner_dim
    given = base.owner if at is None else base.cells.dims[at]
    if given is None and not owner.type.maybe and local not in ty.walk(owner):
        return belonging(r, base, owner)
    help_text = (
        "Ask separately, with `and`; say whose they are, as in `my ...`; or count them place "
        "by place: `(... in it) per PLACES`."
    )
    alike(r, base.piece, span, "`where` cannot pick some of them", help_text)
    return base


def belonging(r: Resolver, base: ty.Lying, owner: ty.Value) -> ty.Lying:
    """Return those of pieces in places that belong to a seat."""
    at = r.world.places[base.cells.place].owner_dim
    if at is None:
        return attrs.evolve(base, owner=owner)
    dims = list(base.cells.dims)
    dims[at] = owner
    return attrs.evolve(base, cells=attrs.evolve(base.cells, dims=tuple(dims)))


def alike(r: Resolver, piece: str, span: Span, why: str, help_text: str) -> None:
    """Report that one of some pieces is meant, and that all of them are alike."""
    plural = r.world.pieces[piece].plural
    r.report("E301", span, f"All {plural} are alike: {why}.", help_text)


def assume_member(r: Resolver, local: ty.Value, base: ty.Domain) -> None:
    """Note that a piece chosen in places of a kind is in such a place."""
    base = base.unfiltered
    if isinstance(base, ty.Lying):
        place = r.world.places.get(base.cells.place)
        if place is not None:
            kind = place_type(r, place.name)
            located = ty.Located(base.piece, local, place.name, type=kind.or_none())
            r.scope.some.add(located)


def one_of(r: Resolver, name: str, domain: ty.Domain) -> ty.Local:
    """Return a local that holds one of a domain: what `where` asks of a candidate holds for it."""
    local = r.scope.fresh(name, domain.element)
    assume_member(r, local, domain)
    if isinstance(domain, ty.Filtered):
        r.scope.assume(substitute(domain.condition, domain.variable, local))
    return local

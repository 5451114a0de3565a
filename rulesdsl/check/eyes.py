"""Who sees what: all, the seat that something belongs to, or nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.check import typed as ty

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulesdsl.check.world import World

NOBODY, OWNER, ALL = 0, 1, 2
EYES = {"nobody": NOBODY, "owner": OWNER, None: ALL}


def eyes_of(eyes: int, owners: Iterable[ty.Value | None], me: ty.Value | None) -> int:
    """Return who surely sees what `eyes` tells: `me` is an owner only where it is named as one."""
    if eyes == OWNER and not any(_same(each, me) for each in owners):
        return NOBODY
    return eyes


def hidden_from(world: World, domain: ty.Domain, me: ty.Value) -> bool:
    """Whether the candidates of a domain may be pieces that the seat `me` does not see."""
    base = domain
    while isinstance(base, ty.Filtered):
        base = base.base
    if not isinstance(base, ty.Lying | ty.EndPieces):
        return False
    place = world.places[base.cells.place]
    return eyes_of(EYES.get(place.seen_by, ALL), base.cells.dims, me) == NOBODY


def _same(one: ty.Value | None, other: ty.Value | None) -> bool:
    return isinstance(one, ty.Local) and isinstance(other, ty.Local) and one.name == other.name

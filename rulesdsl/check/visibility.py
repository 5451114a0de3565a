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
    cells = _gone_through(domain)
    return cells is not None and eyes_of(_eyes(world, cells), cells.dims, me) == NOBODY


def hidden_from_some(world: World, domain: ty.Domain) -> bool:
    """Whether the candidates of a domain may be pieces that not everybody sees."""
    cells = _gone_through(domain)
    return cells is not None and _eyes(world, cells) != ALL


def _gone_through(domain: ty.Domain) -> ty.Cells | None:
    """Return where the pieces of a domain lie, None where its things are none."""
    base = domain.unfiltered
    return base.cells if isinstance(base, ty.Lying | ty.EndPieces) else None


def _eyes(world: World, cells: ty.Cells) -> int:
    return EYES.get(world.places[cells.place].seen_by, ALL)


def _same(one: ty.Value | None, other: ty.Value | None) -> bool:
    return isinstance(one, ty.Local) and isinstance(other, ty.Local) and one.name == other.name

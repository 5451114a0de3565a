"""What can be done with the things of a domain.

The checker asks here before it allows something, the verifier asks again whether each domain of
a lowered program is used for what it can do, and the generators presume no more.
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, assert_never

from rulesdsl.check import typed as ty

if TYPE_CHECKING:
    from rulesdsl.check.world import World


class Use(Enum):
    """What is done with things."""

    COUNT = "counted: how many there are, and whether there are any"
    LIST = "taken one by one: chosen, drawn, ranked, looped over, added up, narrowed down"
    MEMBER = "asked whether a given thing is among them"
    ORDER = "asked at which position a thing is"
    LOOK = "looked at"
    MOVE = "moved one by one into a cell"


PRINTED = frozenset({Use.COUNT, Use.LIST, Use.MEMBER, Use.LOOK})
ORDERED = frozenset({Use.COUNT, Use.LIST, Use.MEMBER, Use.ORDER})


def uses(world: World, domain: ty.Domain) -> frozenset[Use]:
    """Return what can be done with the things of a domain."""
    match domain:
        case ty.Filtered(base=base):
            found = uses(world, base)
            return found if Use.LIST in found else frozenset()
        case ty.Entries() | ty.AllSeats() | ty.Numbers() | ty.Listed():
            return ORDERED
        case ty.AnyWhere():
            return PRINTED
        case ty.EndPieces():
            return frozenset(Use)
        case ty.Lying(piece=piece, cells=cells):
            match world.pieces[piece].style:
                case "counted":  # all alike: none of them can be told from the others
                    return frozenset({Use.COUNT})
                case "single":
                    return frozenset({Use.COUNT, Use.LIST, Use.MEMBER})
                case _:
                    ordered = cells.one and world.places[cells.place].stack
                    return frozenset(Use) if ordered else PRINTED | {Use.MOVE}
        case _:
            assert_never(domain)

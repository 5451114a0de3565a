"""What is asked at a decision point, for the driver and for the labels of options."""

from __future__ import annotations

import attrs

from rulesdsl.lower import form as fm
from rulesdsl.lower.settling import offer_of

SECRET = "secret"  # noqa: S105 - a kind of decision, no password


@attrs.frozen
class Ask:
    """A decision point. `kind`: one, way, may, menu or secret.

    `slot` is where the answer goes in the frame (menus: where what was picked is kept), `targets`
    the blocks that an answer leads to, `variables` the slots that lines of a menu bind, `keys` the
    functions that tell which effect of a field a line would carry out (empty for other lines).
    `who` is where the frame holds the seat that chooses, 0 where `seat` always does, -1
    where all players do.
    """

    kind: str
    proc: str
    end: fm.End
    slots: dict[str, int]
    slot: int = 0
    targets: tuple[int, ...] = ()
    variables: tuple[int, ...] = ()
    once: tuple[bool, ...] = ()
    keys: tuple[str, ...] = ()
    who: int = -1
    seat: int = 0

    @property
    def hidden(self) -> bool:
        """Whether not everybody can tell what is offered."""
        match self.end:
            case fm.AskOne(secret=secret):
                return secret
            case fm.AskMay(block=block):
                return offer_of(block) is not None
            case fm.AskWay(ways=lines) | fm.AskMenu(lines=lines):
                return any(offer_of(each.block) is not None for each in lines)
            case _:
                return False

"""What is asked at a decision point, for the driver and for the labels of options."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulesdsl.lower.form import Asking

LINE_BITS = 16  # an option of a menu is a line, and below it so many bits of a thing
LINE_MASK = (1 << LINE_BITS) - 1

SECRET = "secret"  # noqa: S105 - a kind of decision, no password


@attrs.frozen
class Ask:
    """A decision point. `kind`: one, way, may, menu or secret.

    `slot` is where the answer goes in the frame (menus: where what was picked is kept), `targets`
    the blocks that an answer leads to, `variables` the slots that lines of a menu bind, `keys` the
    functions that tell which effect of a field a line would carry out (empty for other lines).
    `who` is where the frame holds the seat that chooses, 0 where `seat` always does, -1
    where all players do. `hidden`: not everybody can tell what is offered; `secrets`: of which
    lines only who chooses is told that they were chosen.
    """

    kind: str
    proc: str
    end: Asking
    slots: dict[str, int]
    slot: int = 0
    targets: tuple[int, ...] = ()
    variables: tuple[int, ...] = ()
    once: tuple[bool, ...] = ()
    keys: tuple[str, ...] = ()
    who: int = -1
    seat: int = 0
    hidden: bool = False
    secrets: tuple[bool, ...] = ()

    def secret(self, option: int) -> bool:
        """Whether only who chooses is told which option it was."""
        line = {"menu": option >> LINE_BITS, "way": option}.get(self.kind, 0)
        return line >= 0 and any(self.secrets[line : line + 1])

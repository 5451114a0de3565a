"""W621: places that hide their contents, but hold only pieces whose number is public."""

from __future__ import annotations

from rulesdsl.check.lints.secrets.public_number import shows_numbers
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Findings
from rulesdsl.source.facts import HidesNothing

HELP = "Write `seen by {viewers} only` to hide the number as well, or remove it."


def hides_nothing(checked: Checked, _: Layered, findings: Findings) -> None:
    """Report `seen by` at places without printed pieces."""
    world = checked.program.world
    for place in world.places.values():
        styles = {world.pieces[piece].style for piece in place.holds}
        if shows_numbers(place, world) or place.only is not None:
            continue
        if place.seen_by is not None and "printed" not in styles:
            message = (
                f"`seen by {place.seen_by}` hides nothing here: only what is printed on pieces "
                "can be hidden, not where others lie, and how many."
            )
            help_text = HELP.format(viewers=place.seen_by)
            findings.report("W621", place.span, message, help_text, facts=HidesNothing())

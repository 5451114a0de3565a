"""The rounds of a game: how often the first loop with decisions in its step `game` went round.

Such a loop counts down in a slot of the frame at the bottom of the stack.  What the slot has lost
from one decision to the next are rounds; so one in which nobody decides counts with the next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulesdsl.lower.flat import Flat

START = "game"


def round_slot(flat: Flat) -> str | None:
    """Return the slot in which the rounds of the game count down, if they do."""
    if START not in flat.machines:
        return None
    game = flat.machines[START]
    held = zip(game.slots, game.holds, strict=True)
    return next((name for name, slot in held if slot.role == "countdown"), None)


def passed(before: int, now: int) -> int:
    """Return how many rounds have begun while what is left went from one number to another."""
    return before - now if now <= before else 1  # above it, a loop has begun

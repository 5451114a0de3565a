"""How seats are told apart on the board: a short sign and a colour for each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

_COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "red")


def seat_signs(seats: Sequence[str]) -> tuple[str, ...]:
    """Return a short sign for each seat: the initials of its name where they tell it apart."""
    initials = [
        "".join(word[0] for word in name.split() if word[0].isalnum()).upper() for name in seats
    ]
    counts = Counter(initials)
    return tuple(
        sign if sign and counts[sign] == 1 else f"{sign[:1]}{number}"
        for number, sign in enumerate(initials, start=1)
    )


def seat_colour(seat: int | None) -> str:
    """Return the colour of what belongs to a player, from 1; none for what is nobody's."""
    return "" if seat is None else _COLOURS[(seat - 1) % len(_COLOURS)]

"""Small packs in which hidden faces decide something, with the worlds that may be real then.

Two of the six tiles lie open, and the bank has some that nobody else sees.  As for `small_worlds`,
a redraw must find each possible world as often as the others: those in which all comes of the
faces as everybody has seen it, and what nobody has seen is as those faces have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from soak.small_worlds import Case, World, ways

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import rulesdsl

LOW = 3  # what is worth more counts as much


def _richer(by: Callable[[int], int], *places: str) -> Callable[..., Iterator[World]]:
    """Return what yields worlds in which the bank has so much wealth for the worth of its tile."""

    def possible(there: World, _: rulesdsl.Game) -> Iterator[World]:
        for each in ways(there, "rack2", *(places or ["bag"])):
            (tile,) = each["rack2"]
            yield {**each, "wealth": (there["wealth"][0], int(by(tile + 1)))}

    return possible


def _where(holds: Callable[[World], bool], *places: str) -> Callable[..., Iterator[World]]:
    """Return what yields the worlds of some places for which a condition holds."""
    return lambda there, _: (each for each in ways(there, *places) if holds(each))


_BANK = """
shuffle bag
move top 2 of bag into row
for each seat where it = bank:
    let t = top of bag
    if any t:
"""


def _drawn(*steps: str) -> str:
    """Return steps in which the bank draws a tile; then come more."""
    return _BANK + "\n".join(f"        {each}" for each in ("move t into my rack", *steps))


DECIDED = {
    "a hidden face decides whether a hidden track goes up": Case(
        _drawn("if worth of t > 3: raise my wealth by 1"), _richer(lambda worth: worth > LOW)
    ),
    "a hidden face says how often a hidden track goes up": Case(
        _drawn("repeat worth of t times: raise my wealth by 2"), _richer(lambda worth: 2 * worth)
    ),
    "a name for what is printed on a hidden face": Case(
        _drawn("let n = worth of t * worth of t", "raise my wealth by n"),
        _richer(lambda worth: worth * worth),
    ),
    "what is printed on a hidden face, handed on": Case(
        _drawn("let n = worth of t", "grow n wealth"), _richer(lambda worth: worth + 1)
    ),
    "hidden pieces that are counted": Case(
        _drawn("if any tiles in my rack where worth of it > 3: raise my wealth by 2"),
        _richer(lambda worth: 2 * (worth > LOW)),
    ),
    "a hidden track decides what another change comes to": Case(
        _drawn("raise my wealth by worth of t", "if my wealth > 3: raise my wealth by 3"),
        _richer(lambda worth: worth + 3 * (worth > LOW)),
    ),
    "all see where a tile goes that its face sends there": Case(
        _BANK
        + "        if worth of t > 3: move t into my rack\n"
        + "        otherwise: move t into pit",
        _where(
            lambda each: (
                all(tile + 1 > LOW for tile in each["rack2"])
                and all(tile + 1 <= LOW for tile in each["pit"])
            ),
            "rack2",
            "pit",
            "bag",
        ),
    ),
    "the best of hidden tiles": Case(
        """
shuffle bag
move top 2 of bag into row
for each seat where it = bank:
    move top 3 of bag into my rack
    let t = the tile in my rack with most worth of it
    if any t: move t into pit
""",
        _where(lambda each: each["pit"][0] > max(each["rack2"]), "rack2", "pit", "bag"),
    ),
}

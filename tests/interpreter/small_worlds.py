"""Small packs whose possible worlds for player 1 can be enumerated.

Six tiles are in a bag. A case is a list of steps and a function that yields all worlds that are
possible for player 1 afterwards; samples must be uniformly distributed over them. In the cases in
DECIDED, something depends on hidden faces, and sampling is only approximate: two tiles are open,
and the bank has some that nobody else sees.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import permutations
from pathlib import Path

import attrs

import rulesdsl
from packs_on_the_fly import MANIFEST
from rulesdsl.interpreter.state import cells_of

_SUNS = 3  # the first ones; the others are moons
_TILES = 'source = "house"\n' + "".join(
    f'[tile-{at}]\nworth = {at}\nsuit = "{"sun" if at <= _SUNS else "moon"}"\n'
    for at in range(1, 7)
)
_BOX = """
rival bank "Bank"
kind suit: sun, moon
piece tile "Tile" from "tiles.toml" in bag:
    worth: number
    suit: suit {seen}
stack bag "Bag" seen by nobody holds tile
place rack "Rack" per seat seen by owner holds tile
stack row "Row" holds tile
place pit "Pit" seen by nobody holds tile
track wealth per seat seen by owner
panel "All": bag, row, pit
panel "Own" per seat: rack, wealth
score riches "Wealth": my wealth
win with most score
verb go: nothing
verb grow n wealth: raise my wealth by n + 1
verb stash:
    let t = a tile in my rack where worth of it > 3 "Which tile?"
    lower my wealth by worth of t
    move t into pit
step game:
"""
_WAIT = "\n    for each player: may go\n"
_STACKS = {"bag", "row"}

World = dict[str, tuple[int, ...]]
"""Tiles by their place (those without order sorted), and everybody's wealth."""


def begun(folder: Path, steps: str, seen: str = "") -> rulesdsl.Game:
    """Return a game after some steps; `seen` is the visibility of the suits on backs."""
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "tiles.toml").write_text(_TILES)
    lines = "\n".join(f"    {each}" for each in steps.strip().splitlines())
    (folder / "game.rules").write_text(_BOX.format(seen=seen) + lines + _WAIT)
    return rulesdsl.load(folder).new_game(1, seed=5, log=True)


def world(game: rulesdsl.Game) -> World:
    layout, found = game.setting.layout, {}
    for cell, pile in enumerate(cells_of(game.state, "l:tile")):
        place, dims = layout.place_of("tile", cell)
        name = f"{place.name}{dims[0] + 1 if dims else ''}"
        found[name] = tuple(pile if place.stack else sorted(pile))
    return {**found, "wealth": tuple(cells_of(game.state, "t:wealth"))}


def ways(of: World, *places: str) -> Iterator[World]:
    """Yield all worlds in which the tiles in the given places are permuted."""
    tiles = [tile for place in places for tile in of[place]]
    seen = set()
    for each in permutations(tiles):
        left = list(each)
        new = {place: tuple(left.pop() for _ in of[place]) for place in places}
        made = {
            **of,
            **{e: each if e in _STACKS else tuple(sorted(each)) for e, each in new.items()},
        }
        key = tuple(sorted(made.items()))
        if key not in seen:
            seen.add(key)
            yield made


def off(game: rulesdsl.Game, possible: Iterable[World], draws: int) -> tuple[float, float]:
    """Sample worlds that fit what player 1 knows; return chi-square and its critical value.

    Raise AssertionError for an impossible world. Places not listed in `possible` are not compared.
    """
    redraws, every = game.redraws(1), list(possible)
    drawn = (world(redraws.draw(seed)) for seed in range(draws))
    found = Counter(str({name: each[name] for name in every[0]}) for each in drawn)
    expected = {str(each) for each in every}
    impossible = set(found) - expected
    assert not impossible, f"{impossible} cannot be"
    share = draws / len(expected)
    return sum((found[e] - share) ** 2 / share for e in expected), limit(len(expected) - 1)


def limit(freedom: int) -> float:
    """Return the 99.99th percentile of chi-square (Wilson and Hilferty)."""
    if not freedom:
        return 0
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 3.719 * part**0.5) ** 3)


@attrs.frozen
class Case:
    """Steps with tiles, and the worlds that are possible afterwards."""

    steps: str
    possible: Callable[[World, rulesdsl.Game], Iterable[World]]
    seen: str = ""


def _suits(of: World) -> list[bool]:
    return [tile < _SUNS for tile in of["bag"]]


def _open_tile(game: rulesdsl.Game) -> int:
    """Return the tile that was once in the row."""
    row, events = game.setting.layout.base("tile", "row"), game.setting.engine.events
    (found,) = (
        int(entry[3])
        for entry in game.state.log
        if events[entry[0]].kind == "piece" and entry[5] == row
    )
    return found


CASES = {
    "what was shuffled may lie in any order": Case(
        "shuffle bag\nmove top 3 of bag into row", lambda there, _: ways(there, "bag")
    ),
    "the hand of another comes from the same tiles as the bag": Case(
        "shuffle bag\nmove top 2 of bag into row\nfor each seat: move top of bag into my rack",
        lambda there, _: ways(there, "rack2", "bag"),
    ),
    "what was never shuffled is known": Case(
        "for each seat: move top 2 of bag into my rack", lambda there, _: [there]
    ),
    "backs tell tiles apart": Case(
        "shuffle bag\nmove top 2 of bag into row",
        lambda there, _: (e for e in ways(there, "bag") if _suits(e) == _suits(there)),
        "seen by all",
    ),
    "what lay open and was shuffled in is not in a hand that was dealt before": Case(
        """
shuffle bag
for each seat where it = bank: move top of bag into my rack
move top of bag into row
move all tiles in row into bag
shuffle bag
""",
        lambda there, game: (
            e for e in ways(there, "rack2", "bag") if _open_tile(game) in e["bag"]
        ),
    ),
    "what somebody looked at stays known": Case(
        "shuffle bag\nfor each player: look at top 2 of bag",
        lambda there, _: (e for e in ways(there, "bag") if e["bag"][-2:] == there["bag"][-2:]),
    ),
    "what somebody looked at is known until it is shuffled": Case(
        "shuffle bag\nfor each player: look at top 2 of bag\nshuffle bag"
        "\nmove top 3 of bag into row",
        lambda there, _: ways(there, "bag"),
    ),
    "what one put on a stack oneself stays known": Case(
        """
shuffle bag
for each player: move top 3 of bag into my rack
for each player: move all tiles in my rack into bag
""",
        lambda there, _: (e for e in ways(there, "bag") if e["bag"][-3:] == there["bag"][-3:]),
    ),
    "of two known tiles in a heap either may have gone": Case(
        """
move top 2 of bag into row
move all tiles in row into pit
for each seat where it = bank:
    let t = random tile in pit
    move t into my rack
""",
        lambda there, _: ways(there, "rack2", "pit"),
    ),
}


# -------------------------------------------------------------------- hidden faces decide
LOW = 3  # what is worth more counts as much


def _richer(by: Callable[[int], int], *places: str) -> Callable[..., Iterator[World]]:
    """Return a function that yields worlds in which the bank's wealth follows from its tile."""

    def possible(there: World, _: rulesdsl.Game) -> Iterator[World]:
        for each in ways(there, "rack2", *(places or ["bag"])):
            (tile,) = each["rack2"]
            yield {**each, "wealth": (there["wealth"][0], int(by(tile + 1)))}

    return possible


def _where(holds: Callable[[World], bool], *places: str) -> Callable[..., Iterator[World]]:
    """Return a function that yields the worlds among `ways` that satisfy a condition."""
    return lambda there, _: (each for each in ways(there, *places) if holds(each))


_BANK = """
shuffle bag
move top 2 of bag into row
for each seat where it = bank:
    let t = top of bag
    if any t:
"""


def _drawn(*steps: str) -> str:
    """Return steps in which the bank draws a tile, followed by the given steps."""
    return _BANK + "\n".join(f"        {each}" for each in ("move t into my rack", *steps))


DECIDED = {
    "a hidden face decides whether a hidden track goes up": Case(
        _drawn("if worth of t > 3: raise my wealth by 1"), _richer(lambda worth: worth > LOW)
    ),
    "a hidden face says how often a hidden track goes up": Case(
        _drawn("repeat worth of t times: raise my wealth by 2"), _richer(lambda worth: 2 * worth)
    ),
    "what is printed on a hidden face, handed on": Case(
        _drawn("let n = worth of t", "grow n wealth shown"), _richer(lambda worth: worth + 1)
    ),
    "all see where a tile goes that its face sends there": Case(
        _BANK
        + "        if worth of t > 3: move t into my rack shown\n"
        + "        otherwise: move t into pit shown",
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
    if any t: move t into pit shown
""",
        _where(lambda each: each["pit"][0] > max(each["rack2"]), "rack2", "pit", "bag"),
    ),
}

"""Redraws: worlds that look the same to one player, each as likely as the others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import MANIFEST
from rulesdsl.interpreter.knowledge.dealing import Dealing, NoWay
from rulesdsl.interpreter.state import cells_of

TILES = 'source = "house"\n' + "".join(
    f'[tile-{at}]\nworth = {at}\nsuit = "{"sun" if at < 4 else "moon"}"\n' for at in range(1, 7)
)
BOX = """
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
step game:
"""
WAIT = "\n    for each player: may go\n"
DRAWS = 4000

World = dict[str, tuple[int, ...]]


def begun(folder: Path, steps: str, seen: str = "") -> rulesdsl.Game:
    (folder / "pack.toml").write_text(MANIFEST)
    (folder / "tiles.toml").write_text(TILES)
    lines = "\n".join(f"    {each}" for each in steps.strip().splitlines())
    (folder / "game.rules").write_text(BOX.format(seen=seen) + lines + WAIT)
    return rulesdsl.load(folder).new_game(1, seed=5, log=True)


def world(game: rulesdsl.Game) -> World:
    """Return which tiles lie where, by place: those without order sorted."""
    layout, found = game.setting.layout, {}
    for cell, pile in enumerate(cells_of(game.state, "l:tile")):
        place, dims = layout.place_of("tile", cell)
        name = f"{place.name}{dims[0] + 1 if dims else ''}"
        found[name] = tuple(pile if place.stack else sorted(pile))
    return found


def ways(of: World, *places: str) -> Iterator[World]:
    """Yield all worlds in which the tiles in some places are dealt in another way."""
    tiles = [tile for place in places for tile in of[place]]
    seen = set()
    for each in permutations(tiles):
        left = list(each)
        new = {place: tuple(left.pop() for _ in of[place]) for place in places}
        made = {
            **of,
            **{e: each if e in {"bag", "row"} else tuple(sorted(each)) for e, each in new.items()},
        }
        key = tuple(sorted(made.items()))
        if key not in seen:
            seen.add(key)
            yield made


def expect(game: rulesdsl.Game, possible: list[World]) -> None:
    """Draw player 1's worlds many times: all that are possible come, each as often."""
    found = Counter(str(world(game.redraw(1, seed))) for seed in range(DRAWS))
    expected = {str(each) for each in possible}
    assert set(found) <= expected
    share = DRAWS / len(expected)
    off = sum((found[each] - share) ** 2 / share for each in expected)
    assert off <= limit(len(expected) - 1)


def limit(freedom: int) -> float:
    """Return what a chi-square statistic exceeds in one of 10,000 runs (Wilson and Hilferty)."""
    if not freedom:
        return 0
    part = 2 / (9 * freedom)
    return float(freedom * (1 - part + 3.719 * part**0.5) ** 3)


def test_what_was_shuffled_may_lie_in_any_order(tmp_path: Path) -> None:
    game = begun(tmp_path, "shuffle bag\nmove top 3 of bag into row")
    expect(game, list(ways(world(game), "bag")))


def test_the_hand_of_another_comes_from_the_same_tiles_as_the_bag(tmp_path: Path) -> None:
    game = begun(
        tmp_path,
        "shuffle bag\nmove top 2 of bag into row\nfor each seat: move top of bag into my rack",
    )
    there = world(game)
    # of a rack that holds one tile there is one order, of the bag two
    expect(game, list(ways(there, "rack2", "bag")))
    assert world(game.redraw(1, 3))["rack1"] == there["rack1"]


def test_what_was_never_shuffled_is_known(tmp_path: Path) -> None:
    game = begun(tmp_path, "for each seat: move top 2 of bag into my rack")
    expect(game, [world(game)])


def test_backs_tell_tiles_apart(tmp_path: Path) -> None:
    game = begun(tmp_path, "shuffle bag\nmove top 2 of bag into row", "seen by all")
    there = world(game)
    suits = ["sun" if tile < 3 else "moon" for tile in there["bag"]]
    same = (
        each
        for each in ways(there, "bag")
        if ["sun" if tile < 3 else "moon" for tile in each["bag"]] == suits
    )
    expect(game, list(same))


SEEN_THEN_SHUFFLED = """
shuffle bag
for each seat where it = bank: move top of bag into my rack
move top of bag into row
move all tiles in row into bag
shuffle bag
"""


def test_a_tile_that_was_seen_is_not_where_it_cannot_be(tmp_path: Path) -> None:
    """What lay open and was shuffled in is in the bag, not in the hand that was dealt before."""
    game = begun(tmp_path, SEEN_THEN_SHUFFLED)
    row = game.setting.layout.base("tile", "row")
    events = game.setting.engine.events
    (open_tile,) = (
        entry[3]
        for entry in game.state.log
        if events[entry[0]].kind == "piece" and entry[5] == row
    )
    possible = [e for e in ways(world(game), "rack2", "bag") if open_tile in e["bag"]]
    expect(game, possible)


def test_what_somebody_looked_at_stays_known_until_it_is_shuffled(tmp_path: Path) -> None:
    steps = "shuffle bag\nfor each player: look at top 2 of bag"
    game = begun(tmp_path, steps)
    there = world(game)
    top = there["bag"][-2:]
    expect(game, [e for e in ways(there, "bag") if e["bag"][-2:] == top])
    (tmp_path / "again").mkdir()
    mixed = begun(tmp_path / "again", f"{steps}\nshuffle bag\nmove top 3 of bag into row")
    expect(mixed, list(ways(world(mixed), "bag")))


def test_what_one_put_on_a_stack_oneself_stays_known(tmp_path: Path) -> None:
    steps = """
shuffle bag
for each player: move top 3 of bag into my rack
for each player: move all tiles in my rack into bag
"""
    game = begun(tmp_path, steps)
    there = world(game)
    expect(game, [e for e in ways(there, "bag") if e["bag"][-3:] == there["bag"][-3:]])


def test_from_a_heap_nobody_sees_which_back_goes(tmp_path: Path) -> None:
    """Two tiles known in a heap, one goes on face down: either may have gone."""
    steps = """
move top 2 of bag into row
move all tiles in row into pit
for each seat where it = bank:
    let t = random tile in pit
    move t into my rack
"""
    game = begun(tmp_path, steps)
    expect(game, list(ways(world(game), "rack2", "pit")))


def test_hidden_tracks_go_with_the_tiles_that_they_were_counted_from(tmp_path: Path) -> None:
    steps = """
shuffle bag
for each seat:
    let t = top of bag
    if any t:
        move t into my rack
        raise my wealth by worth of t + 1
move all tiles in bag into row
"""
    game = begun(tmp_path, steps)
    for seed in range(50):
        other = game.redraw(1, seed)
        for player in (1, 2):
            (tile,) = world(other)[f"rack{player}"]
            assert cells_of(other.state, "t:wealth")[player - 1] == tile + 2


POOR = """
shuffle bag
for each seat:
    let t = top of bag
    if any t:
        move t into my rack
        raise my wealth by worth of t
        lower my wealth by 3
"""


def test_a_world_is_left_out_in_which_something_would_have_happened_otherwise(
    tmp_path: Path,
) -> None:
    """Who paid three and did not stop at nothing had three."""
    for seed in range(40):
        rules = (
            begun(tmp_path, POOR)
            if not seed
            else rulesdsl.load(tmp_path).new_game(1, seed=seed, log=True)
        )
        if world(rules)["rack2"][0] < 3:
            continue
        for again in range(40):
            assert world(rules.redraw(1, again))["rack2"][0] >= 2


# -------------------------------------------------------------------- dealing
def test_dealing_says_where_there_is_no_way() -> None:
    with pytest.raises(NoWay):
        Dealing.of([1, 2], {0: frozenset({1}), 1: frozenset({1})}).deal(random.Random(1))


def test_sorts_that_overlap_are_dealt_evenly() -> None:
    may = {0: frozenset({1}), 1: frozenset({1, 2}), 2: frozenset({1, 2, 3}), 3: frozenset({2, 3})}
    spots = [1, 1, 2, 3]
    possible = [
        each
        for each in permutations(range(4))
        if all(spots[at] in may[face] for at, face in enumerate(each))
    ]
    dealing = Dealing.of(spots, may)
    found = Counter(tuple(dealing.deal(random.Random(seed))) for seed in range(DRAWS))
    assert set(found) == set(possible)
    share = DRAWS / len(possible)
    assert sum((found[e] - share) ** 2 / share for e in possible) < limit(len(possible) - 1)


# -------------------------------------------------------------------- what is refused
def test_only_a_game_with_a_whole_log_is_drawn_again(tmp_path: Path) -> None:
    game = begun(tmp_path, "shuffle bag")
    with pytest.raises(ValueError, match="no player 2: they are 1 to 1"):
        game.redraw(2, 1)
    assert not game.redraw(1, 1).log
    with pytest.raises(ValueError, match="log from its beginning"):
        game.redraw(1, 1).redraw(1, 1)

"""Redraws: worlds that look the same to one player, each as likely as the others."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

import rulesdsl
from interpreter.small_worlds import CASES, DECIDED, World, begun, limit, off, world
from rulesdsl.interpreter.knowledge import redraw
from rulesdsl.interpreter.knowledge.dealing import Dealing, NoWay
from rulesdsl.interpreter.state import cells_of

DRAWS = 4000
FEWER = 600  # where worlds are played


@pytest.fixture(params=["dealt", "walked"])
def found_by(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let worlds be found by dealing, or by walks alone."""
    if request.param == "walked":
        monkeypatch.setattr(redraw, "TRIES", 0)


@pytest.mark.usefixtures("found_by")
@pytest.mark.parametrize("name", [*CASES, *DECIDED])
def test_all_worlds_that_are_possible_come_each_as_often(tmp_path: Path, name: str) -> None:
    case = {**CASES, **DECIDED}[name]
    game = begun(tmp_path, case.steps, case.seen)

    draws = FEWER if name in DECIDED else DRAWS

    found, most = off(game, case.possible(world(game), game), draws)

    assert found <= most


def test_ones_own_tile_stays(tmp_path: Path) -> None:
    game = begun(tmp_path, "shuffle bag\nfor each seat: move top of bag into my rack")

    assert world(game.redraw(1, 3))["rack1"] == world(game)["rack1"]


DRAWN = """
shuffle bag
for each seat:
    let t = top of bag
    if any t:
        move t into my rack
        raise my wealth by worth of t"""


def test_hidden_tracks_go_with_the_tiles_that_they_were_counted_from(tmp_path: Path) -> None:
    game = begun(tmp_path, DRAWN + " + 1\nmove all tiles in bag into row")
    for seed in range(50):
        other = game.redraw(1, seed)
        for player in (1, 2):
            (tile,) = world(other)[f"rack{player}"]
            assert cells_of(other.state, "t:wealth")[player - 1] == tile + 2


POOR = DRAWN + "\n        lower my wealth by 3"


@pytest.mark.usefixtures("found_by")
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


@pytest.mark.parametrize("seed", range(8))
def test_a_hidden_change_of_nothing_is_followed_too(tmp_path: Path, seed: int) -> None:
    """A tile worth three changed nothing, and one worth less stopped at nothing."""
    begun(tmp_path, DRAWN + " - 3")
    game = rulesdsl.load(tmp_path).new_game(1, seed=seed, log=True)
    for again in range(40):
        other = game.redraw(1, again)
        (tile,) = world(other)["rack2"]
        assert cells_of(other.state, "t:wealth")[1] == tile + 1 - 3


def test_a_hidden_track_begins_again_with_what_it_lasts_for(tmp_path: Path) -> None:
    game = begun(
        tmp_path, "shuffle bag\nrepeat 3 times:\n    for each seat where it = bank: try-luck"
    )
    for tries in range(1, 4):
        for seed in range(20):
            other = game.redraw(1, seed)
            tiles = world(other)["rack2"]
            assert len(tiles) == tries
            assert cells_of(other.state, "t:luck")[1] in {tile + 1 for tile in tiles}
        game.choose(0)


def test_where_tracks_stop_in_all_worlds_any_may_be_real(tmp_path: Path) -> None:
    game = begun(tmp_path, DRAWN + " - 9")
    found = {world(game.redraw(1, again))["rack2"] for again in range(60)}
    assert len(found) == 5


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


# -------------------------------------------------------------------- what a question shows
SEARCH = """
shuffle bag
for each player:
    if able:
        let t = a tile in bag where worth of it > 2 "Which tile?"
        move t into my rack
"""


def test_who_searches_a_deck_knows_what_they_were_offered(tmp_path: Path) -> None:
    game = begun(tmp_path, SEARCH)
    here = world(game)
    offered = {each for each in here["bag"] if each + 1 > 2}
    before = {world(game.redraw(1, seed))["bag"] for seed in range(30)}
    game.choose(0)
    after = {world(game.redraw(1, seed))["bag"] for seed in range(30)}

    for bags, bag in ((before, here["bag"]), (after, world(game)["bag"])):
        assert {tuple(at if at in offered else None for at in each) for each in bags} == {
            tuple(at if at in offered else None for at in bag)
        }
        assert len(bags) == 2  # the other two may lie either way


def test_who_shuffles_after_a_search_knows_what_is_left(tmp_path: Path) -> None:
    game = begun(tmp_path, SEARCH + "shuffle bag")
    game.choose(0)
    worlds = _worlds(game, 30)

    assert {frozenset(each["bag"]) for each in worlds} == {frozenset(world(game)["bag"])}
    assert len({each["bag"] for each in worlds}) > 20


def test_what_somebody_else_has_searched_for_may_be_any_that_they_could_take(
    tmp_path: Path,
) -> None:
    begun(tmp_path, SEARCH)
    game = rulesdsl.load(tmp_path).new_game(2, seed=5, log=True)
    game.choose(0)
    left = {each for each in world(game)["bag"] if each + 1 > 2} | {*world(game)["rack2"]}
    game.choose(0)
    left |= {*world(game)["rack2"]}
    found = {world(game.redraw(1, seed))["rack2"] for seed in range(60)}

    assert {each for rack in found for each in rack} == left


def test_who_knows_the_order_of_a_deck_knows_it_when_others_have_taken_one(
    tmp_path: Path,
) -> None:
    begun(tmp_path, SEARCH.replace(" where worth of it > 2", ""))
    game = rulesdsl.load(tmp_path).new_game(2, seed=5, log=True)
    game.choose(1)
    order = world(game)["bag"]
    game.choose(2)
    found = {(each["bag"], *each["rack2"]) for each in _worlds(game, 40)}

    assert found == {(tuple(e for e in order if e != taken), taken) for taken in order}


def _worlds(game: rulesdsl.Game, count: int) -> list[World]:
    return [world(game.redraw(1, seed)) for seed in range(count)]


# -------------------------------------------------------------------- what others choose
HANDS = """
shuffle bag
for each player: move top 2 of bag into my rack
for each player:
    for each tile t in my rack: raise my wealth by worth of t
for each player: {act}
"""


@pytest.mark.parametrize("seed", range(6))
def test_what_others_may_choose_follows_from_what_they_hold(tmp_path: Path, seed: int) -> None:
    """Nobody sees a tile that goes into the pit; all know that only those worth four go there."""
    begun(tmp_path, HANDS.format(act="may stash"))
    game = rulesdsl.load(tmp_path).new_game(3, seed=seed, log=True)
    _choose_first(game)
    for again in range(40):
        other = game.redraw(1, again)
        assert all(tile + 1 > 3 for tile in world(other)["pit"])
        for player in (2, 3):
            left = cells_of(other.state, "t:wealth")[player - 1]
            assert left == sum(tile + 1 for tile in world(other)[f"rack{player}"])


def test_what_others_must_have_had_they_have_in_all_worlds(tmp_path: Path) -> None:
    begun(tmp_path, HANDS.format(act="may brag"))
    for seed in range(12):
        game = rulesdsl.load(tmp_path).new_game(2, seed=seed, log=True)
        bragged = _choose_first(game)
        for again in range(20):
            wealth = cells_of(game.redraw(1, again).state, "t:wealth")[1]
            assert 2 not in bragged or wealth >= 5


def _choose_first(game: rulesdsl.Game) -> set[int]:
    """Choose what is offered first, until all wait; return who has said yes to something."""
    agreed = set()
    while (decision := game.decision) is not None and decision.prompt != "Game: go?":
        if decision.options[0].id == "yes":
            agreed.add(decision.player)
        game.choose(0, decision.player)
    return agreed

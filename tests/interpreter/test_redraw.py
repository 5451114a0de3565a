import random
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest

import rulesdsl
from interpreter.small_worlds import CASES, DECIDED, World, begun, limit, off, ways, world
from rulesdsl.interpreter.knowledge.dealing import Dealing
from rulesdsl.interpreter.state import cells_of

DRAWS = 4000


@pytest.mark.parametrize("name", CASES)
def test_all_worlds_that_are_possible_come_each_as_often(tmp_path: Path, name: str) -> None:
    case = CASES[name]
    game = begun(tmp_path, case.steps, case.seen)
    found, most = off(game, case.possible(world(game), game), DRAWS)
    assert found <= most


@pytest.mark.parametrize("name", DECIDED)
def test_where_hidden_faces_decide_all_deals_come_each_as_often(tmp_path: Path, name: str) -> None:
    """Expect all deals equally often, possible or not; the value of a hidden track is ignored."""
    game = begun(tmp_path, DECIDED[name].steps)
    here = world(game)
    held = [place for place in ("rack2", "pit", "bag") if here[place]]
    every = [_laid(each) for each in ways(here, *held)]
    real = [_laid(each) for each in DECIDED[name].possible(here, game)]

    found, most = off(game, every, DRAWS)

    assert found <= most
    assert real
    assert all(each in every for each in real)


def _laid(of: World) -> World:
    return {name: each for name, each in of.items() if name != "wealth"}


def test_a_hidden_track_is_bounded_by_what_is_seen_of_it(tmp_path: Path) -> None:
    rules = "for each player: raise my wealth by 2\n"
    game = begun(
        tmp_path, rules + DECIDED["a hidden face says how often a hidden track goes up"].steps
    )

    found = {world(game.redraw(1, seed))["wealth"] for seed in range(60)}
    assert found == {(2, 0), (2, 1), (2, 2)}


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


def test_worlds_in_which_something_else_would_have_happened(tmp_path: Path) -> None:
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
    """Cover a tile worth three, which adds no wealth, and lesser ones, which leave it at zero."""
    begun(tmp_path, DRAWN + " - 3")
    game = rulesdsl.load(tmp_path).new_game(1, seed=seed, log=True)
    for again in range(40):
        other = game.redraw(1, again)
        (tile,) = world(other)["rack2"]
        assert cells_of(other.state, "t:wealth")[1] == tile + 1 - 3


def test_where_tracks_stop_in_all_worlds_any_may_be_real(tmp_path: Path) -> None:
    game = begun(tmp_path, DRAWN + " - 9")
    found = {world(game.redraw(1, again))["rack2"] for again in range(60)}
    assert len(found) == 5


# -------------------------------------------------------------------- dealing
def test_dealing_says_where_there_is_no_way() -> None:
    with pytest.raises(ValueError, match="cannot be assigned"):
        Dealing.of([0, 1], [[0, 1], []]).deal(random.Random(1))


def test_sorts_that_overlap_are_dealt_evenly() -> None:
    may = {0: frozenset({1}), 1: frozenset({1, 2}), 2: frozenset({1, 2, 3}), 3: frozenset({2, 3})}
    spots = [1, 1, 2, 3]
    possible = [
        each
        for each in permutations(range(4))
        if all(spots[at] in may[face] for at, face in enumerate(each))
    ]
    faces = [[face for face, tags in may.items() if tag in tags] for tag in range(4)]
    dealing = Dealing.of(spots, faces)
    found = Counter(tuple(dealing.deal(random.Random(seed))) for seed in range(DRAWS))
    assert set(found) == set(possible)
    share = DRAWS / len(possible)
    assert sum((found[e] - share) ** 2 / share for e in possible) < limit(len(possible) - 1)


# -------------------------------------------------------------------- what is refused
def test_only_a_game_with_a_whole_log_is_drawn_again(tmp_path: Path) -> None:
    game = begun(tmp_path, "shuffle bag")
    with pytest.raises(ValueError, match="no player 2: players are 1 to 1"):
        game.redraw(2, 1)
    assert not game.redraw(1, 1).log
    with pytest.raises(ValueError, match="log from the beginning"):
        game.redraw(1, 1).redraw(1, 1)


# -------------------------------------------------------------------- what a question shows
SEARCH = """
shuffle bag
for each player:
    if able:
        let t = a tile in bag where worth of it > 2 "Which tile?"
        move t into my rack
"""


def test_who_searches_a_deck_knows_what_they_were_offered_in_order(tmp_path: Path) -> None:
    game = begun(tmp_path, SEARCH)
    here = world(game)
    offered = {each for each in here["bag"] if each + 1 > 2}
    before = {world(game.redraw(1, seed))["bag"] for seed in range(30)}
    game.choose(0)
    after = {world(game.redraw(1, seed))["bag"] for seed in range(30)}

    in_order = tuple(at for at in here["bag"] if at in offered)
    assert {tuple(at for at in bag if at in offered) for bag in before} == {in_order}
    assert {frozenset(bag) for bag in after} == {frozenset(world(game)["bag"])}
    assert min(len(before), len(after)) > 5  # where they lie is not shown


def test_who_shuffles_after_a_search_knows_what_is_left(tmp_path: Path) -> None:
    game = begun(tmp_path, SEARCH + "shuffle bag")
    game.choose(0)
    worlds = _worlds(game, 30)
    assert {frozenset(each["bag"]) for each in worlds} == {frozenset(world(game)["bag"])}
    assert len({each["bag"] for each in worlds}) > 20


def test_the_find_of_another_player_is_any_possible_one(tmp_path: Path) -> None:
    begun(tmp_path, SEARCH)
    game = rulesdsl.load(tmp_path).new_game(2, seed=5, log=True)
    game.choose(0)
    left = {each for each in world(game)["bag"] if each + 1 > 2} | {*world(game)["rack2"]}
    game.choose(0)
    left |= {*world(game)["rack2"]}
    found = {world(game.redraw(1, seed))["rack2"] for seed in range(60)}

    assert {each for rack in found for each in rack} == left


def test_what_others_took_from_a_deck_in_a_known_order_may_be_any_of_it(tmp_path: Path) -> None:
    begun(tmp_path, SEARCH.replace(" where worth of it > 2", ""))
    game = rulesdsl.load(tmp_path).new_game(2, seed=5, log=True)
    game.choose(1)
    order = world(game)["bag"]
    game.choose(2)
    worlds = _worlds(game, 60)

    assert {each["rack2"] for each in worlds} == {(each,) for each in order}
    assert all({*each["rack2"], *each["bag"]} == {*order} for each in worlds)


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
    """Hide tiles in the pit; everybody knows that only tiles worth four or more go there."""
    begun(tmp_path, HANDS.format(act="may stash"))
    game = rulesdsl.load(tmp_path).new_game(3, seed=seed, log=True)
    _choose_first(game)
    for again in range(40):
        other = game.redraw(1, again)
        assert all(tile + 1 > 3 for tile in world(other)["pit"])
        for player in (2, 3):
            left = cells_of(other.state, "t:wealth")[player - 1]
            assert left == sum(tile + 1 for tile in world(other)[f"rack{player}"])


def _choose_first(game: rulesdsl.Game) -> set[int]:
    """Choose the first option until all wait; return the players who agreed to something."""
    agreed = set()
    while (decision := game.decision) is not None and decision.prompt != "Game: go?":
        if decision.options[0].id == "yes":
            agreed.add(decision.player)
        game.choose(0, decision.player)
    return agreed

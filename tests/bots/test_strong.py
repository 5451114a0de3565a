from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from bench.small_games import PACKS
from packs_on_the_fly import loaded
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.quick import Worlds
from rulesdsl.bots.strong import Strong
from rulesdsl.bots.thought import Thought

ITERATIONS = 500
# Matching pennies: the first wants two that differ, the other two that are the same.
PENNIES = """\
verb be-first:
    if note = 0: mark my busy
    raise note by 1
verb count:
    if my busy and note = 3: raise my fame by 1
    if not my busy and note <> 3: raise my fame by 1
step show:
    for each player: be-first
    all choose secretly a number n in 0..1: raise note by n
    for each player: count
after game: show
"""


def strong(pack: rulesdsl.Pack, players: int, iterations: int = ITERATIONS) -> Strong:
    return Strong(Worlds(pack.simulator(players)), Thought(iterations))


@pytest.fixture(scope="module")
def noughts() -> rulesdsl.Pack:
    return rulesdsl.load(PACKS / "tic_tac_toe")


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ("a1 a3 b1 b3", {"c1"}),  # three in a row
        ("a1 b2 b1", {"c1"}),  # or the other one has them
        ("a1 b2 c3", {"b1", "a2", "c2", "b3"}),  # a corner would open two rows
        ("a1", {"b2"}),  # anything else loses
        ("b2", {"a1", "c1", "a3", "c3"}),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_noughts_and_crosses(
    noughts: rulesdsl.Pack, moves: str, best: set[str], seed: int
) -> None:
    game = noughts.new_game(2)
    for move in moves.split():
        game.choose(f"square:{move}")
    decision = game.decision
    assert decision is not None

    chosen = strong(noughts, 2).choose(game, decision.player, seed)

    assert decision.options[chosen].id.removeprefix("square:") in best


@pytest.mark.parametrize("other", ["random", "quick", "strong"])
def test_it_never_loses_at_noughts_and_crosses(noughts: rulesdsl.Pack, other: str) -> None:
    simulator = noughts.simulator(2)
    theirs = KINDS[other].make(Making(lambda: simulator, thought=Thought(100)))
    ours = strong(noughts, 2)
    for number in range(2):
        game, our = noughts.new_game(2), 1 + number % 2
        while (decision := game.decision) is not None:
            bot = ours if decision.player == our else theirs
            game.choose(bot.choose(game, decision.player, number))
        result = game.result
        assert result is not None
        assert result.places[our - 1] == 1


def test_in_secret_nobody_can_tell_what_it_takes(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "nothing", PENNIES)
    game, bot = pack.new_game(2), strong(pack, 2, 300)

    for player in (1, 2):
        found = [bot.choose(game, player, seed) for seed in range(24)]
        assert 4 < sum(found) < 20


def test_many_options_are_looked_at_little_by_little(noughts: rulesdsl.Pack) -> None:
    game = noughts.new_game(2)
    few, all_ = (strong(noughts, 2, many).estimates(game, 1, 1) for many in (30, 300))

    assert 0 < len(few) < 9
    assert sorted(index for index, _ in all_) == list(range(9))
    assert all(0 <= worth <= 1 for _, worth in all_)


def test_seconds_are_a_budget_too(noughts: rulesdsl.Pack) -> None:
    bot = Strong(Worlds(noughts.simulator(2)), Thought(seconds=0.01))
    game = noughts.new_game(2)

    assert 0 <= bot.choose(game, 1, 1) < 9

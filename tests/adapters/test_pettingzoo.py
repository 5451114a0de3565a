from pathlib import Path

import pytest

import rulesdsl
from kept import shipped_pack

ROOT = Path(__file__).parents[2]
pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: the extra `adapters`")

from gymnasium.error import ResetNeeded
from pettingzoo.test import api_test, seed_test

from rulesdsl.adapters.pettingzoo import env

pytestmark = pytest.mark.filterwarnings(
    "ignore:Observation is not a NumPy array", "ignore:Observation space for each agent"
)


@pytest.mark.parametrize(
    ("name", "players"), [("content", 3), ("content/sutters_mill", 2), ("content", 1)]
)
def test_the_tests_of_pettingzoo_pass(name: str, players: int) -> None:
    pack = shipped_pack(ROOT / name)
    api_test(env(pack, players), num_cycles=20)
    api_test(env(pack, players, reward="points", longest=25), num_cycles=20)
    seed_test(lambda: env(pack, players), num_cycles=20)


def test_without_a_game_it_says_what_to_do() -> None:
    inner = env(rulesdsl.load(ROOT / "content/classics/tic_tac_toe")).unwrapped
    for call in (inner.last, lambda: inner.step(0), lambda: inner.observe("player_1")):
        with pytest.raises(ResetNeeded, match="call `reset` first"):
            call()


def test_a_game_from_beginning_to_end() -> None:
    table = env(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"))
    table.reset(seed=3)
    sums = dict.fromkeys(table.agents, 0.0)
    for agent in table.agent_iter():
        seen, reward, terminated, _, info = table.last()
        sums[agent] += reward
        if terminated:
            assert not seen["action_mask"].any()
            table.step(None)
            continue
        assert info == {"decision": "game:square"}
        table.step(int(seen["action_mask"].argmax()))

    assert sums == {"player_1": 1.0, "player_2": -1.0}


def test_who_takes_a_move_that_is_not_offered_loses() -> None:
    table = env(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"))
    table.reset(seed=3)
    table.step(0)
    table.step(0)
    assert table.terminations == {"player_1": True, "player_2": True}
    assert table.rewards == {"player_1": 0, "player_2": -1.0}


def test_a_game_is_broken_off() -> None:
    table = env(shipped_pack(ROOT / "content"), longest=2)
    table.reset(seed=1)
    for _ in range(2):
        assert not any(table.truncations.values())
        table.step(int(table.observe(table.agent_selection)["action_mask"].argmax()))
    assert all(table.truncations.values())
    assert not any(table.terminations.values())


def test_seeds_are_those_of_new_games() -> None:
    pack = shipped_pack(ROOT / "content")
    table = env(pack, 3)
    table.reset(seed=7)
    assert table.unwrapped.playing.game.to_data() == pack.new_game(3, 7).to_data()
    table.reset()
    assert table.unwrapped.playing.game.seed != 7

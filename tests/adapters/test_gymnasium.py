import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import rulesdsl
from kept import shipped_pack
from some import some

ROOT = Path(__file__).parents[2]
pytest.importorskip("gymnasium", reason="Gymnasium is not installed: the extra `adapters`")

from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from rulesdsl.adapters.gymnasium import Env


@pytest.mark.filterwarnings("ignore:.*Not able to test alternative render modes")
@pytest.mark.parametrize("bots", [["trained", "random"], []])
def test_the_check_of_gymnasium_passes(bots: list[str]) -> None:
    check_env(Env(shipped_pack(ROOT / "content"), bots, reward="points"))


def test_a_game_against_a_bot_that_thinks() -> None:
    env = Env(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"), ["quick"], seat=2)
    seen, info = env.reset(seed=2)
    over, total = False, 0.0
    while not over:
        assert info["decision"] == "game:square"
        assert (env.action_masks() == seen["action_mask"].astype(bool)).all()
        seen, reward, over, _, info = env.step(int(seen["action_mask"].argmax()))
        total += float(reward)

    assert info == {}
    assert total == -1.0  # it takes the first free cell, and the bot sees that coming


def test_without_a_game_it_says_what_to_do() -> None:
    env = Env(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"))
    for call in (env.action_masks, lambda: env.step(0)):
        with pytest.raises(ResetNeeded, match="call `reset` first"):
            call()


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_copies_are_independent(copied: Callable[[Env], Env]) -> None:
    env = Env(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"), ["quick"])
    env.reset(seed=1)
    copied(env).step(0)
    assert env.playing.decisions == 0


def test_it_cannot_be_pickled() -> None:
    env = Env(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"))
    with pytest.raises(TypeError, match=r"make the environment there .*coloma explain processes"):
        pickle.dumps(env)


def test_all_points_are_rewarded_whoever_begins() -> None:
    pack = shipped_pack(ROOT / "content" / "sutters_mill")
    env = Env(pack, ["random"], seat=2, reward="points")
    seen, _ = env.reset(seed=3)
    over, total = False, float(pack.new_game(2, 3).score(2).total or 0)
    while not over:
        seen, reward, over, _, _ = env.step(int(seen["action_mask"].argmax()))
        total += float(reward)

    result = some(env.playing.game.result)
    assert total == result.scores[1]


def test_a_move_that_is_not_offered_ends_the_game() -> None:
    env = Env(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"))
    env.reset(seed=2)
    env.step(0)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"]


@pytest.mark.parametrize(
    ("bots", "seat", "said"),
    [
        (["rnadom"], 1, r"there is no bot `rnadom` \(a similar name exists: `random`\)"),
        ("random", 1, "`bots` must be a list"),
        (["random"], 3, "there is no seat 3: seats are 1 to 2"),
        (["trained"], 1, "trained.toml cannot be read"),
    ],
)
def test_wrong_bots_are_refused(bots: list[str], seat: int, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        Env(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"), bots, seat=seat)

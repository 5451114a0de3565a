import json
import random
from pathlib import Path
from typing import Any

import attrs
import pytest

import rulesdsl
from adapters.secret_bids import SECRETS
from kept import shipped_pack
from packs_on_the_fly import loaded
from soak.worlds import replayed

ROOT = Path(__file__).parents[2]
pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: the extra `adapters`")

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from rulesdsl.adapters import openspiel
from rulesdsl.adapters.openspiel import Past


def begun(pack: rulesdsl.Pack, players: int = 2, seed: int = 3) -> Any:  # noqa: ANN401 - of pyspiel
    state = openspiel.game(pack, players).new_initial_state()
    state.apply_action(seed)
    return state


@pytest.mark.parametrize(
    ("name", "players", "seeds"),
    [("content/classics/tic_tac_toe", 2, 1), ("content/sutters_mill", 2, 50), ("content", 1, 50)],
)
def test_the_test_of_openspiel_passes(name: str, players: int, seeds: int) -> None:
    game = openspiel.game(rulesdsl.load(ROOT / name), players, seeds=seeds)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_secret_choices_are_taken_in_turn_and_tell_nothing(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "nothing", SECRETS)
    one, two = begun(pack), begun(pack)
    one.apply_action(one.legal_actions()[0])
    two.apply_action(two.legal_actions()[1])

    assert one.current_player() == two.current_player() == 1
    assert one.information_state_string(1) == two.information_state_string(1)
    assert one.information_state_string(0) != two.information_state_string(0)
    one.apply_action(one.legal_actions()[0])
    two.apply_action(two.legal_actions()[0])
    assert one.information_state_string(1) != two.information_state_string(1)


def told_afresh(past: Past, game: rulesdsl.Game, player: int) -> str:
    playing = attrs.evolve(past.playing, game=game)
    own = Past(past.made, playing, [""] * (game.players + 1), None)
    own.catch_up()
    return own.seen[player + 1] + json.dumps(game.view(player + 1))


def test_what_is_known_is_the_same_in_worlds_that_look_the_same() -> None:
    pack, chance, compared = shipped_pack(ROOT / "content"), random.Random(7), 0
    state, choices = begun(pack, 3), list[tuple[int, int]]()
    for at in range(60):
        player, past = state.current_player(), state.past
        real = past.playing.game
        made = replayed(pack, real, choices, player + 1, chance) if at % 4 == 0 else None
        if made is not None and made[1]:
            compared += 1
            assert told_afresh(past, made[0], player) == told_afresh(past, real, player)
        move = chance.choice(state.legal_actions())
        choices.append((player + 1, past.playing.table.moves.index(real.decision, move)))
        state.apply_action(move)
    assert compared >= 5


def test_a_drawn_state_cannot_be_told_from_the_real_one_by_its_player() -> None:
    state, chance = begun(shipped_pack(ROOT / "content"), 3), random.Random(1)
    for _ in range(20):
        state.apply_action(chance.choice(state.legal_actions()))
    player = state.current_player()
    drawn = [state.resample_from_infostate(player, chance.random) for _ in range(3)]

    assert {each.information_state_string(player) for each in drawn} == {
        state.information_state_string(player)
    }
    other = (player + 1) % 3
    assert len({each.observation_string(other) for each in drawn}) > 1
    with pytest.raises(TypeError, match="a re-sampled state cannot be serialised"):
        drawn[0].serialize()


def test_its_bots_play_to_the_end() -> None:
    state = begun(shipped_pack(ROOT / "content" / "sutters_mill"))
    playouts = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    one = ismcts.ISMCTSBot(
        state.get_game(),
        playouts,
        2.0,
        3,
        random_state=np.random.RandomState(2),
        allow_inconsistent_action_sets=True,
    )
    two = pyspiel.make_uniform_random_bot(1, 5)
    for _ in range(400):
        if state.is_terminal():
            break
        state.apply_action((one, two)[state.current_player()].step(state))

    assert state.is_terminal()
    assert sum(state.returns()) == 0


def test_its_search_finds_a_victory() -> None:
    game = openspiel.game(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"), seeds=1)
    state = game.new_initial_state()
    for move in (0, 3, 1, 4):
        state.apply_action(move)
    playouts = mcts.RandomRolloutEvaluator(2, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2.0, 60, playouts, random_state=np.random.RandomState(1))
    assert state.action_to_string(bot.step(state)) == "game:square/square:c1"


def test_seeds_are_at_least_one() -> None:
    with pytest.raises(
        ValueError, match="`seeds` must be a whole number from 1 to 1000000, not 0"
    ):
        openspiel.game(rulesdsl.load(ROOT / "content/classics/tic_tac_toe"), seeds=0)

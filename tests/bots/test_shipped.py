from __future__ import annotations

from pathlib import Path

import pytest

from kept import shipped_pack
from rulesdsl.bots.weights import FILE, check_fit, read
from rulesdsl.interpreter.simulator.action_space import Weights

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", ["content", "content/sutters_mill"])
def test_the_weights_fit(game: str) -> None:
    pack = shipped_pack(ROOT / game)
    learned = read(ROOT / game / FILE, pack)

    least, most = pack.players
    for players in range(least, most + 1):
        check_fit(learned, pack.setting(players, {}, log=False).option_names)


@pytest.mark.parametrize(("game", "players", "least"), [("content", 4, 0.95)])
def test_who_has_learned_beats_chance(game: str, players: int, least: float) -> None:
    pack = shipped_pack(ROOT / game)
    learned = read(ROOT / game / FILE, pack)
    weights: list[Weights] = [learned.taste, *({} for _ in range(players - 1))]

    found = pack.simulator(players).playouts(200, seed=8, weights=weights)

    assert found.totals.wins[0] >= least * found.games

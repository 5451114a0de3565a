from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulesdsl

CONTENT = Path(__file__).parents[3] / "content"


@pytest.mark.parametrize(
    ("pack", "players"), [("", 1), ("", 4), ("sutters_mill", 3)], ids=["solo", "four", "mill"]
)
def test_a_game_goes_on_from_anywhere(pack: str, players: int) -> None:
    """A session with a log has frames that a module has none of: those that only leave."""
    game = rulesdsl.load(CONTENT / pack).new_game(players, seed=4)
    simulator = rulesdsl.load(CONTENT / pack).simulator(players)
    chance = random.Random(4)
    choices: list[int] = []
    positions: list[tuple[int, rulesdsl.Game]] = []

    while (decision := game.decision) is not None and len(choices) < 200:
        if len(choices) % 5 == 0:
            positions.append((len(choices), game.clone()))
        choices.append(chance.randrange(decision.count))
        game.choose(choices[-1], decision.player)

    for made, position in positions:
        simulator.from_game(position)
        simulator.choose(*choices[made:])
        assert simulator.to_game().result == game.result
        assert _asked(simulator.to_game()) == _asked(game)


def _asked(game: rulesdsl.Game) -> list[tuple[int, int]]:
    return [(each.player, each.count) for each in game.decisions]

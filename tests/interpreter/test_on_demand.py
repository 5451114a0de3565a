from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import pytest

from kept import shipped_pack

if TYPE_CHECKING:
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.pack import Pack

ROOT = Path(__file__).parents[2]
GAMES = ["content", "content/sutters_mill"]


def _on_demand(pack: Pack) -> Pack:
    return attrs.evolve(pack, on_demand=True)


def _played(game: Game, seed: int, most: int) -> list[object]:
    """Choose at random, and return what was asked and offered, and all that was told."""
    chance = random.Random(seed)
    found: list[object] = []
    for _ in range(most):
        if game.decision is None:
            break
        chosen = chance.choice(game.decisions)
        found.append((chosen.player, chosen.prompt, [each.label for each in chosen.options]))
        game.choose(chance.randrange(chosen.count), player=chosen.player)
    return [*found, [line.text for line in game.log]]


@pytest.mark.parametrize("path", GAMES)
def test_a_game_goes_the_same_way(path: str) -> None:
    whole = shipped_pack(ROOT / path)
    few = _on_demand(whole)
    for seed in range(3):
        one, other = (each.new_game(2, seed) for each in (whole, few))
        assert _played(one, seed, 120) == _played(other, seed, 120)


def test_only_what_is_called_is_written() -> None:
    pack = _on_demand(shipped_pack(ROOT / "content"))
    engine = pack.setting(2, {}, log=True).engine
    assert engine.on_demand is not None
    planned = engine.on_demand.planned
    functions, machines = len(planned.functions), len(planned.machines)

    pack.new_game(2, 1)
    assert 0 < len(planned.machines) < machines
    assert functions // 2 < len(planned.functions) < functions

    assert all(machine.blocks for machine in engine.flat.machines.values())
    assert not planned.functions
    assert not planned.machines


def test_all_questions_are_known_where_somebody_goes_through_them() -> None:
    whole = shipped_pack(ROOT / "content")
    asked, wanted = (
        {(each.proc, each.end) for each in pack.setting(3, {}, log=True).engine.asks.values()}
        for pack in (_on_demand(whole), whole)
    )
    assert asked == wanted

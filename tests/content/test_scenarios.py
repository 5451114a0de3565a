from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

import rulesdsl
from coloma.packs import bundled_packs
from rulesdsl.scenarios import Suite, load_suite
from rulesdsl.scenarios.coverage import CHECKLIST, covered_rules
from rulesdsl.source.render import render_text

GAMES = [each.folder for each in bundled_packs() if not each.is_mod]
SUTTERS_MILL = next(each for each in GAMES if each.name == "sutters_mill")

each_game = pytest.mark.parametrize("folder", GAMES, ids=lambda folder: folder.name)


@cache
def suite(folder: Path) -> Suite:
    return load_suite(folder)


@pytest.mark.parametrize(
    "folder", [each for each in GAMES if (each / CHECKLIST).exists()], ids=lambda each: each.name
)
def test_scenarios_name_rules_of_the_checklist(folder: Path) -> None:
    found = suite(folder)
    rules = covered_rules(found.pack, [each.scenario for each in found.scenarios])

    assert rules is not None
    assert not rules.findings, render_text(rules.findings, found.layers.sources)
    assert not rules.missing


def test_a_vein_is_dug_out_however_slowly() -> None:
    """A game too long for a scenario: a counter every 19th round ends with the last one.

    END-01, RUL-34.
    """
    game = rulesdsl.load(SUTTERS_MILL).new_game(2, seed=1, log=False)
    digger = game.decisions[0].player
    walks = ["hook", "mill"] * 8 + ["hook"]
    camps = ("river", "hillside", "mine")
    goals = [goal for at in range(72) for goal in (*walks, camps[at // 24], "dig")]
    turns, moved = 0, False
    while (decision := game.decision) is not None:
        ids, mine = [each.id for each in decision.options], decision.player == digger
        goal = goals[max(turns - 1, 0)]
        if "no" in ids:
            game.choose("no")
            turns, moved = turns + mine, False
        elif "dig-for-gold" in ids:
            game.choose("dig-for-gold" if mine and goal == "dig" else "operate-in-the-city")
        elif "done" in ids:
            game.choose("move-a-prospector" if mine and not moved else "done")
            moved = True
        else:
            game.choose(f"spot:{'mill' if goal == 'dig' else goal}")
    assert turns == len(goals)

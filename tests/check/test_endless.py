from __future__ import annotations

import random
from pathlib import Path

import pytest

from check.small import Chunk, chunks, rules_of
from packs_on_the_fly import loaded

MAX_CHOICES = 200
SEEDS = 3
START = """
if able: gain 5 coins
move all cards in deck into my hand
move up to 2 dudes from my purse into one
raise my fame by 3
raise note by 3
if able: try
"""
ENDS = [
    each
    for each in chunks(Path(__file__).parent / "facts" / "termination.txt")
    if each.answer == "ends"
]


@pytest.mark.parametrize("chunk", ENDS, ids=str)
def test_what_is_said_to_end_does(chunk: Chunk, tmp_path: Path) -> None:
    pack = loaded(tmp_path, START, rules_of(chunk.lines))

    for seed in range(SEEDS):
        dice, made = random.Random(seed), 0
        game = pack.new_game(2, seed)
        while game.decision:
            assert made < MAX_CHOICES
            options = game.decision.options
            going_on = [each for each in options if each.id not in {"done", "no"}]
            game.choose(dice.choice(going_on or options))
            made += 1

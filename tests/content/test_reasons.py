from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulesdsl
from rulesdsl import Game

CONTENT = Path(__file__).parents[2] / "content"
POSITIONS = 300

SAID = {
    "a busted Site": (".", "boom", r".+ is Bust: its Boom section is closed\."),
    "what an action costs": (
        "sutters_mill",
        "place-a-prospector",
        r"An action costs \d+ nuggets? now, and you have \d+\.",
    ),
    "tearing down": (
        "sutters_mill",
        "take-a-card-off-the-board",
        r"This is only for those who tear down\.",
    ),
}


def reasons(game: Game, wanted: str, chance: random.Random) -> Iterator[str]:
    for _ in range(POSITIONS):
        if game.decision is None:
            return
        asked = game.decision.ask
        for each in game.actions:
            if each.id == wanted and game.setting.engine.asks[each.asked_in] is asked:
                yield game.why_not(each, game.decision.player).text
        game.choose(chance.choice(game.decision.options).id)


@pytest.mark.parametrize("name", SAID)
def test_the_games_say_why_in_words_of_their_own(name: str) -> None:
    folder, wanted, text = SAID[name]
    pack = rulesdsl.load(CONTENT / folder)

    found = (
        each
        for seed in range(20)
        for each in reasons(pack.new_game(3, seed), wanted, random.Random(seed))
    )

    assert any(re.fullmatch(text, each) for each in found)

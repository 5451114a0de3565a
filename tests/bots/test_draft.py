from __future__ import annotations

import time
from functools import partial
from pathlib import Path

import rulesdsl
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.thought import Thought

LONGEST = 2.0  # CPU seconds of a pick
MANIFEST = """\
id = "draft"
name = "Draft"
version = "1.0.0"
kind = "game"
players = { least = 3, most = 3 }
"""
CARDS = 'source = "house"\n' + "".join(
    f"[card-{at}]\nworth = {at % 7 + 1}\n" for at in range(1, 37)
)
RULES = """\
piece card "Card" from "cards.toml" in deck:
    worth: number
stack deck "Deck" seen by nobody holds card
place pack "Pack" per player seen by owner holds card
place passing "Passing" per player seen by nobody holds card
place kept "Kept" per player seen by owner holds card
panel "Own" per player: pack, kept
step game:
    shuffle deck
    for each player: move top 6 of deck into my pack
    repeat 6 times: draft
step draft:
    if able: all choose secretly a card c in packs where any it in my pack "Keep?": keep c
    for each player: move all cards in my pack into my passing
    for each player: move all cards in passing of (1 player before me) into my pack
verb keep card c: move c into my kept
score worth-score "Worth": worth per cards in my kept
win with most score
"""


def test_a_pick_of_a_secret_draft_is_quick_and_worth_it(tmp_path: Path) -> None:
    (tmp_path / "pack.toml").write_text(MANIFEST)
    (tmp_path / "cards.toml").write_text(CARDS)
    (tmp_path / "game.rules").write_text(RULES)
    pack = rulesdsl.load(tmp_path)
    bot = KINDS["quick"].make(Making(partial(pack.simulator, 3), Learned(), Thought(None)))
    game, picks = pack.new_game(3, 4, log=True), 0
    while (decision := game.decision) is not None:
        began = time.process_time()
        choice = bot.choose(game, decision.player, 1) if decision.player == 1 else 0
        assert time.process_time() - began < LONGEST
        picks += 1
        game.choose(choice, decision.player)

    assert picks == 18
    assert game.result is not None
    assert game.result.places[0] == 1

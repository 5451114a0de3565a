from __future__ import annotations

import random
from functools import partial
from pathlib import Path

import attrs
import pytest

import rulesdsl
from kept import shipped_pack
from packs_on_the_fly import loaded
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.quick import Worlds
from rulesdsl.bots.strong import Strong
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.weights import FILE, read
from soak.peeking import Found, compare
from soak.worlds import replayed

ITERATIONS = 60  # few: what a bot looks at does not depend on how often
CONTENT = Path(__file__).parents[2] / "content"
# All bet on a card that nobody has seen, and bluff with one that only they have seen.
BLUFF = """\
verb guess:
    choose one:
        "high": mark my busy
        "low": nothing
verb settle:
    for each card c in top 1 of deck:
        if my busy: raise my fame by worth of c
        otherwise: raise my fame by 2
step bluff:
    shuffle deck
    for each player: move top 1 of deck into my hand
    for each player: guess
    for each player: settle
after game: bluff
"""
# They have searched the deck for the best cards: these they know there, the others they do not.
SEARCH = (
    BLUFF.replace("move top 1 of deck into my hand", "search")
    + """\
verb search:
    if able:
        let c = a card in deck where worth of it > 2 "Which card do you want?"
        move c into my hand
"""
)

DECIDING = """\
verb take-one:
    for each card c in top 1 of deck:
        move c into my hand
        if worth of c > 2: raise my guess by 1
verb bet:
    choose one:
        "high": mark my busy
        "low": nothing
verb settle:
    if my busy:
        if any players where it <> me and guess of it > 0: raise my fame by 2
    otherwise: raise my fame by 1
step deciding:
    shuffle deck
    for each player: take-one
    for each player: bet
    for each player: settle
after game: deciding
"""


@attrs.frozen
class Peeking:
    base: rulesdsl.Game

    def draw(self, _: int) -> rulesdsl.Game:
        return self.base.clone()


def compared(pack: rulesdsl.Pack, players: int, positions: int, learned: Learned) -> Found:
    found = Found()
    making = Making(partial(pack.simulator, players), learned, Thought(ITERATIONS))
    bots = {name: kind.make(making) for name, kind in KINDS.items()}
    compare(pack, players, positions, 5, bots, found)
    assert sum(found.choices.values()) == len(KINDS) * positions
    assert found.swapped > positions
    return found


@pytest.mark.parametrize(("game", "players"), [("", 4), ("", 1), ("sutters_mill", 3)])
def test_choices_are_the_same_in_worlds_that_look_the_same(game: str, players: int) -> None:
    pack = shipped_pack(CONTENT / game)

    assert not compared(pack, players, 6, read(CONTENT / game / FILE, pack)).peeked


@pytest.mark.parametrize("rules", [BLUFF, SEARCH, DECIDING], ids=["bluff", "search", "deciding"])
def test_nobody_bets_on_what_they_have_not_seen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str
) -> None:
    pack = loaded(tmp_path, "nothing", rules)

    assert not compared(pack, 2, 24, Learned()).peeked
    monkeypatch.setattr(rulesdsl.Game, "redraws", lambda game, _: Peeking(game))
    thinking = {name for name, kind in KINDS.items() if kind.thinks}
    assert compared(pack, 2, 24, Learned()).peeked.keys() == thinking


def test_hints_tell_nothing_hidden(tmp_path: Path) -> None:
    pack, chance = loaded(tmp_path, "nothing", BLUFF), random.Random(1)
    bot = Strong(Worlds(pack.simulator(2)), Thought(ITERATIONS))
    compared_ = 0
    for seed in range(12):
        game = pack.new_game(2, seed)
        made = replayed(pack, game, [], 1, chance)
        if made is not None:
            compared_ += 1
            assert bot.estimates(game, 1, seed) == bot.estimates(made[0], 1, seed)
    assert compared_ > 6

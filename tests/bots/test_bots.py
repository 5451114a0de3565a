from __future__ import annotations

import random
from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import loaded
from rulesdsl.bots.bot import Bot
from rulesdsl.bots.kinds import KINDS, Making, table
from rulesdsl.bots.learned import Learned

SHOP = """\
verb shop:
    choose one:
        "copper": raise my fame by 1
        "silver": raise my fame by 2
        "gold": raise my fame by 3
"""
# what is chosen first does nothing by itself: only who looks ahead sees what it is good for
LATER = """\
verb invest:
    choose one:
        "spend": raise my fame by 1
        "save": mark my busy
verb harvest:
    if my busy: raise my fame by 4
"""
SECRET = """\
step hide:
    all choose secretly a stall s: raise my fame by 3 - size of s
after game: hide
"""
KNOWN = pytest.mark.parametrize("kind", KINDS)


def bots(pack: rulesdsl.Pack, players: int, learned: Learned | None = None) -> dict[str, Bot]:
    simulator = pack.simulator(players)
    making = Making(lambda: simulator, learned or Learned())
    return {name: kind.make(making) for name, kind in KINDS.items()}


def taken(bot: Bot, game: rulesdsl.Game, player: int, seed: int = 1) -> str:
    of_player = next(each for each in game.decisions if each.player == player)
    return of_player.options[bot.choose(game, player, seed)].id


@KNOWN
def test_the_same_seed_gives_the_same_choice(tmp_path: Path, kind: str) -> None:
    pack = loaded(tmp_path, "shop\nshop", SHOP)
    bot, game = bots(pack, 3)[kind], pack.new_game(3)
    before = game.to_data()

    assert [taken(bot, game, 1, 7) for _ in range(3)] == [taken(bot, game, 1, 7)] * 3
    assert game.to_data() == before


def test_random_bots_take_each_option_as_often(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "shop", SHOP)
    bot, game, chance = bots(pack, 2)["random"], pack.new_game(2), random.Random(3)
    found = [bot.choose(game, 1, chance.getrandbits(64)) for _ in range(3000)]

    assert all(abs(found.count(index) - 1000) < 120 for index in range(3))


def test_trained_bots_take_what_weighs_more(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "shop", SHOP)
    bot = bots(pack, 2, Learned({"shop: silver": 3.0}))["trained"]
    game, chance = pack.new_game(2), random.Random(3)
    found = [taken(bot, game, 1, chance.getrandbits(64)) for _ in range(400)]

    assert 340 < found.count("silver") < 390  # e^3 of e^3 + 2


@pytest.mark.parametrize("kind", [name for name, each in KINDS.items() if each.thinks])
@pytest.mark.parametrize(
    ("steps", "rules", "best"),
    [("shop", SHOP, "gold"), ("invest\nharvest", LATER, "save"), ("nothing", SECRET, "stall:one")],
    ids=["now", "later", "in secret"],
)
def test_who_thinks_takes_what_is_best(
    tmp_path: Path, kind: str, steps: str, rules: str, best: str
) -> None:
    pack = loaded(tmp_path, steps, rules)
    game = pack.new_game(3)
    bot = bots(pack, 3)[kind]

    for seed in range(5):
        assert taken(bot, game, game.decisions[-1].player, seed) == best


def test_a_table_plays_games_as_a_simulator_tells_them(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "shop\nshop", SHOP)
    kinds = bots(pack, 3)
    simulator = table(pack.setting(3, {}, log=True), [kinds["quick"]] + [kinds["random"]] * 2)

    found = simulator.playouts(20, seed=3, options=True)

    assert {found.scores[game, 0] for game in range(20)} == {6}
    assert found.options["gold"].chosen[0] == found.options["gold"].offered[0] == 40
    again = [simulator.playouts(1, seed=3, first=at).scores.tolist() for at in range(20)]
    assert [each for one in again for each in one] == found.scores.tolist()


def test_a_table_needs_a_log(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "shop", SHOP)

    with pytest.raises(ValueError, match="a setting with a log"):
        table(pack.setting(2, {}, log=False), [])


def test_who_is_asked_nothing_chooses_nothing(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "shop", SHOP)

    with pytest.raises(ValueError, match="player 2 has nothing to choose"):
        bots(pack, 2)["random"].choose(pack.new_game(2), 2, 1)

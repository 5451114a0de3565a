import random
import re
import time
from functools import partial
from pathlib import Path

import pytest

import rulesdsl
from kept import shipped_pack
from packs_on_the_fly import MANIFEST, loaded
from rulesdsl.bots.bot import Bot
from rulesdsl.bots.kinds import KINDS, LEVELS, Level, Making, table
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.quick import Quick
from rulesdsl.bots.strong import Strong
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.training import train
from rulesdsl.bots.weights import (
    FILE,
    LEVELS_FILE,
    WeightsError,
    fitted,
    holdings_in,
    read,
    read_levels,
    written,
)
from rulesdsl.interpreter.simulator.action_space import Weights
from some import some

SHOP = """\
verb copper: raise my fame by 1
verb silver: raise my fame by 2
verb gold: raise my fame by 3
verb shop:
    choose one:
        copper
        silver
        gold
"""
# what is chosen first does nothing by itself: only who looks ahead sees what it is good for
LATER = """\
verb save: mark my busy
verb invest:
    choose one:
        "spend": raise my fame by 1
        save
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


@pytest.mark.parametrize("kind", ["quick", "strong"])
@pytest.mark.parametrize(
    ("steps", "rules", "best"),
    [("shop", SHOP, "gold"), ("invest\nharvest", LATER, "save"), ("nothing", SECRET, "stall:one")],
    ids=["now", "later", "in secret"],
)
def test_search_finds_best(tmp_path: Path, kind: str, steps: str, rules: str, best: str) -> None:
    pack = loaded(tmp_path, steps, rules)
    game = pack.new_game(3)
    bot = bots(pack, 3)[kind]
    for seed in range(5):
        assert taken(bot, game, game.decisions[-1].player, seed) == best


TEAM = """\
verb rescue: raise note by 1
verb help:
    choose one:
        "rest": nothing
        rescue
score saved "Saved": note
verdict won "All are saved" when note > 50
verdict lost "Too few are saved"
"""


@pytest.mark.parametrize("kind", ["quick", "strong"])
def test_the_score_decides_where_nobody_can_win(tmp_path: Path, kind: str) -> None:
    pack = loaded(tmp_path, "repeat 9 times: help", TEAM)
    game, bot = pack.new_game(2), bots(pack, 2)[kind]
    assert isinstance(bot, Quick | Strong)
    for seed in range(3):
        assert taken(bot, game, 1, seed) == "rescue"
        (best, value), (worse, less) = bot.estimates(game, 1, seed)
        assert (best, worse) == (1, 0)
        assert value > less


@pytest.mark.parametrize(
    ("verdicts", "together"),
    [
        ('verdict won "Yes" when note > 9\nverdict lost "No"', True),
        ('verdict won "Yes" when any players where fame of it > 9\nverdict lost "No"', True),
        ('verdict won "Yes" when note > 9', False),  # otherwise, places decide
        ('verdict won "Yes" when my fame > 9\nverdict lost "No"', False),
        ('verdict lost "Alone" when players = 1 and my fame > 9\nverdict lost "No"', True),
        ("", False),
    ],
)
def test_a_game_is_cooperative_if_all_get_the_same_verdict(
    tmp_path: Path, verdicts: str, together: bool
) -> None:
    assert (
        loaded(tmp_path, "shop", SHOP + verdicts).setting(2, {}, log=True).cooperative is together
    )


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


LONGEST = 2.0  # CPU seconds of a pick
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
    assert some(game.result).places[0] == 1


MARKET = SHOP + '        "{last}": nothing\n'


SAVE = """\
verb spend: raise my fame by coins in my purse
verb save:
    choose one:
        "earn": gain 1 coins
        spend
"""


def shop(folder: Path, last: str = "nothing") -> rulesdsl.Pack:
    return loaded(folder, "shop\nshop\nshop", MARKET.replace("{last}", last))


def learned(pack: rulesdsl.Pack, games: int, known: Learned | None = None) -> Learned:
    every = train([pack.simulator(3)], known or Learned(), games, seed=2)
    return list(every)[-1]


def test_what_pays_more_weighs_more(tmp_path: Path) -> None:
    weights = learned(shop(tmp_path), 3000).weights
    own = (each for each in weights if each.startswith("shop: "))
    order = sorted(own, key=lambda each: weights[each])
    assert [each.rpartition(" ")[2] for each in order] == ["nothing", "copper", "silver", "gold"]


def test_who_has_learned_wins(tmp_path: Path) -> None:
    pack = shop(tmp_path)
    found = pack.simulator(3).playouts(300, weights=(learned(pack, 6000).taste, {}, {}))
    best, *others = found.totals.scores
    assert best > 1.4 * max(others)


def test_what_is_good_depends_on_what_one_has(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "save\nsave\nsave", SAVE)
    plain, looking = (
        learned(pack, 6000, Learned(held={each: {} for each in held}))
        for held in ((), ("coins in purse",))
    )

    spend = looking.held["coins in purse"]["save: spend"]
    assert spend[0] < 0 < spend[2], "with no coins it is nothing, with two of three it is best"
    points = [
        sum(pack.simulator(3).playouts(300, weights=each.taste).totals.scores)
        for each in (plain, looking)
    ]
    assert points[1] > 1.2 * points[0]


def test_training_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    pack = shop(tmp_path)
    assert learned(pack, 1000) == learned(pack, 500, learned(pack, 500))


def test_weights_are_written_and_read(tmp_path: Path) -> None:
    pack = shop(tmp_path)
    known = learned(pack, 500, Learned(held={"coins in purse": {}, "fames": {}}))
    (tmp_path / "trained.toml").write_text(written(known, pack, 2))

    again = read(tmp_path / "trained.toml", pack)

    assert again.games == 500
    assert again.weights == pytest.approx(known.weights, abs=0.01)
    assert [*again.held] == holdings_in(tmp_path / "trained.toml") == ["coins in purse", "fames"]
    learnt, kept = (each.held["fames"].get("shop: gold", [0.0] * 9) for each in (known, again))
    assert kept == pytest.approx(learnt, abs=0.06)
    fitted(again, pack.simulator(3).setting.option_names)


def test_weights_of_other_content_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "other"
    folder.mkdir()
    known = learned(shop(tmp_path), 500)
    known.weights = dict.fromkeys(list(known.weights)[:2], 0.0) | {"shop: ruby": 1.0}

    with pytest.raises(WeightsError, match=r"[0-9] of [0-9] options are new"):
        fitted(known, shop(folder).simulator(3).setting.option_names)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("game = ", "is not valid TOML"),
        ('game = "chess"', "has the weights of a game other than "),
        ("{id}", "`games` must be the number of games"),
        ("{id}\ngames = true", "`games` must be the number of games"),
        ("{id}\ngames = 1", "has no table `weights`"),
        ('{id}\ngames = 1\nweights = {a = "b"}', "the weight of `a` is not a number"),
        ("{id}\ngames = 1\nweights = {a = nan}", "not a number from -7 to 7"),
        ("{id}\ngames = 1\nweights = {a = 99}", "not a number from -7 to 7"),
        ("{id}\ngames = 1\nheld = 1\n[weights]", "one table for each holding"),
        ("{id}\ngames = 1\n[weights]\n[held.fames]\na = [1]", "not a list of 9 weights"),
        ('{id}\ngames = 1\n[weights]\n[held."gold in attic"]', "no holding `gold in attic`"),
        ('{id}\ngames = 1\nweights = {"a\\n\\u001b" = 8}', "weight of `a\ufffd\ufffd` is"),
        (f"{{id}}\ngames = 1\nweights = {{{'a' * 9999} = 8}}", "`a{300}…` is not"),
    ],
)
def test_wrong_files_are_refused(tmp_path: Path, text: str, message: str) -> None:
    pack = shop(tmp_path)
    (tmp_path / "trained.toml").write_text(text.replace("{id}", f'game = "{pack.id}"'))
    with pytest.raises(WeightsError, match=message):
        read(tmp_path / "trained.toml", pack)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WeightsError, match="cannot be read: "):
        read(tmp_path / "none.toml", shop(tmp_path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("easy = 3", "`easy` must be a table with `bot` and `iterations`"),
        ('[easy]\nbot = "quick"', "`easy` must be a table with `bot` and `iterations`"),
        ("[harder]", "there is no level `harder`, only easy, normal and hard"),
        ('[hard]\nbot = "hard"\niterations = 1', "the bot of `hard` must be quick or strong"),
        ("[hard]\nbot = [1]\niterations = 1", "the bot of `hard` must be quick or strong"),
        ('[hard]\nbot = "quick"\niterations = 0', "`iterations` must be a whole number"),
        ("[hard", "is not valid TOML"),
    ],
)
def test_wrong_levels_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / LEVELS_FILE).parent.mkdir()
    (tmp_path / LEVELS_FILE).write_text(text)
    with pytest.raises(WeightsError, match=re.escape(message)):
        read_levels(tmp_path)


def test_a_game_sets_its_levels(tmp_path: Path) -> None:
    assert read_levels(tmp_path) == LEVELS
    (tmp_path / LEVELS_FILE).parent.mkdir()
    (tmp_path / LEVELS_FILE).write_text('[hard]\nbot = "quick"\niterations = 7')
    levels = read_levels(tmp_path)
    assert levels == {**LEVELS, "hard": Level("quick", 7)}
    simulator = loaded(tmp_path / "game", "shop", SHOP).simulator(2)
    for budget, iterations in ((Thought(), 7), (Thought(3), 3), (Thought(seconds=1.0), None)):
        bot = KINDS["hard"].make(Making(lambda: simulator, thought=budget, levels=levels))
        assert isinstance(bot, Quick)
        assert bot.thought.iterations == iterations


ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("game", ["content", "content/sutters_mill"])
def test_the_weights_fit(game: str) -> None:
    pack = shipped_pack(ROOT / game)
    learned = read(ROOT / game / FILE, pack)
    least, most = pack.players
    for players in range(least, most + 1):
        fitted(learned, pack.setting(players, {}, log=False).option_names)


def test_who_has_learned_beats_chance() -> None:
    pack = shipped_pack(ROOT / "content")
    weights: list[Weights] = [read(ROOT / "content" / FILE, pack).taste, {}, {}, {}]
    found = pack.simulator(4).playouts(200, seed=8, weights=weights)
    assert found.totals.wins[0] >= 0.95 * found.games

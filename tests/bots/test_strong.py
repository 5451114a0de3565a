import random
from functools import partial
from pathlib import Path

import attrs
import pytest

import rulesdsl
from bench.small_games import PACKS
from kept import shipped_pack
from packs_on_the_fly import loaded
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.quick import Quick, Worlds
from rulesdsl.bots.strong import Strong
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.weights import FILE, read
from soak.peeking import Found, compare
from soak.worlds import replayed
from some import some

ITERATIONS = 500
# Matching pennies: the first wants two that differ, the other two that are the same.
PENNIES = """\
verb be-first:
    if note = 0: mark my busy
    raise note by 1
verb count:
    if my busy and note = 3: raise my fame by 1
    if not my busy and note <> 3: raise my fame by 1
step show:
    for each player: be-first
    all choose secretly a number n in 0..1: raise note by n
    for each player: count
after game: show
"""
# Whoever is alone at a stall gets what it is worth, and the last one is worth most.
SPREAD = """\
step spread:
    all choose secretly a stall s: move my pawn into s
    for each player: count
verb count:
    for each stall s:
        if any my pawn in s and pawns in s = 1:
            raise my fame by 3
            if s = three: raise my fame by 1
after game: spread
"""


def strong(pack: rulesdsl.Pack, players: int, iterations: int = ITERATIONS) -> Strong:
    return Strong(Worlds(pack.simulator(players)), Thought(iterations))


@pytest.fixture(scope="module")
def noughts() -> rulesdsl.Pack:
    return rulesdsl.load(PACKS / "tic_tac_toe")


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ("a1 a3 b1 b3", {"c1"}),  # three in a row
        ("a1 b2 b1", {"c1"}),  # or the other one has them
        ("a1 b2 c3", {"b1", "a2", "c2", "b3"}),  # a corner would open two rows
        ("a1", {"b2"}),  # anything else loses
        ("b2", {"a1", "c1", "a3", "c3"}),
    ],
)
@pytest.mark.parametrize("seed", range(2))
def test_noughts(noughts: rulesdsl.Pack, moves: str, best: set[str], seed: int) -> None:
    game = noughts.new_game(2)
    for move in moves.split():
        game.choose(f"square:{move}")
    decision = some(game.decision)
    chosen = strong(noughts, 2).choose(game, decision.player, seed)
    assert decision.options[chosen].id.removeprefix("square:") in best


@pytest.mark.parametrize("other", ["random", "quick", "strong"])
def test_it_never_loses_at_noughts_and_crosses(noughts: rulesdsl.Pack, other: str) -> None:
    simulator = noughts.simulator(2)
    theirs = KINDS[other].make(Making(lambda: simulator, thought=Thought(100)))
    ours = strong(noughts, 2)
    for number in range(2):
        game, our = noughts.new_game(2), 1 + number % 2
        while (decision := game.decision) is not None:
            bot = ours if decision.player == our else theirs
            game.choose(bot.choose(game, decision.player, number))
        result = some(game.result)
        assert result.places[our - 1] == 1


@pytest.mark.parametrize("kind", [Quick, Strong])
def test_in_secret_nobody_can_tell_what_it_takes(
    tmp_path: Path, kind: type[Quick] | type[Strong]
) -> None:
    pack = loaded(tmp_path, "nothing", PENNIES)
    game, bot = pack.new_game(2), kind(Worlds(pack.simulator(2)), Thought(300))
    for player in (1, 2):
        found = [bot.choose(game, player, seed) for seed in range(24)]
        assert 4 < sum(found) < 20
        portions = [portion for _, portion in bot.estimates(game, player, 1)]
        assert sum(portions) == pytest.approx(1)
        assert portions == sorted(portions, reverse=True)


@pytest.mark.parametrize("kind", [Quick, Strong])
def test_bots_do_not_flock(tmp_path: Path, kind: type[Quick] | type[Strong]) -> None:
    pack = loaded(tmp_path, "nothing", SPREAD)
    game, bot = pack.new_game(4), kind(Worlds(pack.simulator(4)), Thought(100))
    stalls = [[bot.choose(game, player, seed) for player in range(1, 5)] for seed in range(30)]
    assert sum(len({*answers}) == 1 for answers in stalls) < 6


def test_many_options_are_looked_at_little_by_little(noughts: rulesdsl.Pack) -> None:
    game = noughts.new_game(2)
    few, all_ = (strong(noughts, 2, many).estimates(game, 1, 1) for many in (30, 300))
    assert 0 < len(few) < len(all_) <= 9
    assert all(0 <= worth <= 1 for _, worth in all_)


def test_a_hint_is_rated_best(noughts: rulesdsl.Pack) -> None:
    game, bot = noughts.new_game(2), strong(noughts, 2, 100)
    for seed in range(20):
        tried = bot._searched(game, 1, seed)  # noqa: SLF001
        most = max(option.count for option in tried)
        rated = bot.estimates(game, 1, seed)
        worths = [worth for _, worth in rated]
        assert worths == sorted(worths, reverse=True)
        assert tried[rated[0][0]].count >= most / 2


def test_seconds_are_a_budget_too(noughts: rulesdsl.Pack) -> None:
    bot = Strong(Worlds(noughts.simulator(2)), Thought(seconds=0.01))
    game = noughts.new_game(2)
    assert 0 <= bot.choose(game, 1, 1) < 9


TRIES = 60  # few: what a bot looks at does not depend on how often
CONTENT = Path(__file__).parents[2] / "content"
# All bet on a card that nobody has seen, and bluff with one that only they have seen.
BLUFF = """\
verb guess:
    choose one:
        "high": mark my busy
        "low": nothing
verb settle:
    for each card c in top 1 of deck:
        if my busy: raise my fame by worth of c shown
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
        if any players where it <> me and guess of it > 0: raise my fame by 2 shown
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
    making = Making(partial(pack.simulator, players), learned, Thought(TRIES))
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
def test_no_bot_peeks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: str) -> None:
    pack = loaded(tmp_path, "nothing", rules)
    assert not compared(pack, 2, 24, Learned()).peeked
    monkeypatch.setattr(rulesdsl.Game, "redraws", lambda game, _: Peeking(game))
    thinking = {name for name, kind in KINDS.items() if kind.thinks}
    assert compared(pack, 2, 24, Learned()).peeked.keys() == thinking


def test_hints_tell_nothing_hidden(tmp_path: Path) -> None:
    pack, chance = loaded(tmp_path, "nothing", BLUFF), random.Random(1)
    bot = Strong(Worlds(pack.simulator(2)), Thought(TRIES))
    compared_ = 0
    for seed in range(12):
        game = pack.new_game(2, seed)
        made = replayed(pack, game, [], 1, chance)
        if made is not None:
            compared_ += 1
            assert bot.estimates(game, 1, seed) == bot.estimates(made[0], 1, seed)
    assert compared_ > 6

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from kept import shipped_pack
from packs_on_the_fly import loaded
from rulesdsl.interpreter.simulator.action_space import (
    HEAVIEST,
    LEVELS,
    MOST_HOLDINGS,
    ONE,
    OptionName,
    Situated,
    level_of,
    tempered,
)
from rulesdsl.interpreter.simulator.python_runner import PythonRunner
from rulesdsl.interpreter.simulator.simulator import Simulator

ROOT = Path(__file__).parents[3]
SAVE = """\
verb save:
    choose one:
        "earn": gain 1 coins
        "spend": raise my fame by coins in my purse
"""


def only_when_rich(option: OptionName, holding: str, level: int) -> int:
    """Say that who has 2 coins or more spends, and nobody else does."""
    del holding
    return 100 * ONE if option.id == ("spend" if level >= 2 else "earn") else ONE // 100


RICH = Situated(lambda _: 1000, ("coins in purse",), only_when_rich)


def looking_at(*holdings: str) -> Situated:
    """Return weights that depend on things, but are all alike."""
    return Situated(lambda _: 1, holdings, lambda *_: ONE)


@pytest.fixture(scope="module")
def saving(tmp_path_factory: pytest.TempPathFactory) -> rulesdsl.Pack:
    return loaded(tmp_path_factory.mktemp("save"), "\n".join(["save"] * 3), SAVE)


def test_levels_grow_with_amounts() -> None:
    assert [level_of(each) for each in (-3, 0, 1, 5, 1000)] == [0, 0, 1, 4, len(LEVELS)]


def test_factors_leave_what_comes_at_all() -> None:
    assert tempered(0, 9 * ONE) == 0
    assert tempered(1000, 0) == 1
    assert tempered(1000, 2 * ONE) == 2000
    assert tempered(HEAVIEST, 2 * ONE) == HEAVIEST


def test_options_come_by_what_one_has(saving: rulesdsl.Pack) -> None:
    simulator = saving.simulator(2)
    rich = simulator.playouts(200, 1, weights=(RICH, {}), options=True)

    earned, spent = (rich.options[each].chosen[0] for each in ("earn", "spend"))
    assert (earned, spent) == pytest.approx((400, 200), abs=8)
    assert rich.scores[0, 0] == 2
    chance = simulator.playouts(200, 1, options=True)
    assert rich.options["earn"].chosen[1] == pytest.approx(
        chance.options["earn"].chosen[1], abs=40
    )


def test_what_one_had_is_counted(saving: rulesdsl.Pack) -> None:
    setting = saving.setting(2, {}, log=False)
    (game,) = Simulator(setting).watched(1, 1, weights=(RICH, {}))
    names = setting.option_names

    assert {(row, names[o].id): each for (row, o, _), each in game.held.items()} == {
        (0, "earn"): (1, 1),
        (0, "spend"): (1, 0),
        (1, "earn"): (1, 1),
        (1, "spend"): (1, 0),
        (2, "earn"): (1, 0),
        (2, "spend"): (1, 1),
    }


@pytest.mark.parametrize("game", ["content", "content/sutters_mill"])
def test_both_back_ends_see_the_same(game: str) -> None:
    setting = shipped_pack(ROOT / game).setting(3, {}, log=False)
    every = [*setting.holdings]
    for at in range(0, len(every), MOST_HOLDINGS):
        names = tuple(every[at : at + MOST_HOLDINGS])
        odd = Situated(
            lambda option: 1 + len(option.id) % 7,
            names,
            lambda option, holding, level: ONE * (1 + (len(option.id + holding) * level) % 5) // 2,
        )
        one, two = Simulator(setting), Simulator(setting, PythonRunner(setting))
        fast, slow = (list(each.watched(1, 5, weights=(odd, {}, odd))) for each in (one, two))

        for quickly, slowly in zip(fast, slow, strict=True):
            assert (quickly.scores, quickly.chosen) == (slowly.scores, slowly.chosen)
            assert quickly.held == slowly.held
        assert fast[0].held, names


def test_a_position_tells_what_its_players_have(saving: rulesdsl.Pack) -> None:
    game = saving.new_game(2, seed=1)
    game.choose(0)
    game.choose(0)
    simulator = saving.simulator(2)
    simulator.from_game(game)

    assert game.setting.levels(game.state, RICH, 1) == simulator.levels(RICH, 1) == (2,)
    assert game.setting.levels(game.state, RICH, 2) == simulator.levels(RICH, 2) == (0,)
    assert simulator.levels({}, 1) == ()


def test_what_nobody_may_count_is_no_holding(saving: rulesdsl.Pack) -> None:
    known = saving.setting(2, {}, log=False).holdings

    assert {"coins in purse", "cards in hand", "fames", "guesses"} <= known.keys()
    assert "cards in deck" not in known, "nobody sees it"


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (looking_at("cards in attic"), "there is no holding `cards in attic`; there are: coins"),
        (looking_at("a", "b", "c", "d"), "at most 3 holdings"),
    ],
)
def test_what_players_do_not_have_is_refused(
    saving: rulesdsl.Pack, weights: Situated, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        saving.setting(2, {}, log=False).weighing(weights)


def test_two_ways_of_looking_are_refused(saving: rulesdsl.Pack) -> None:
    other = looking_at("cards in hand")

    with pytest.raises(ValueError, match="the same for all players who use them"):
        saving.setting(2, {}, log=False).weighing((RICH, other))

import random
from pathlib import Path

import pytest

import rulesdsl
from interpreter.simulator.bidding import BID, InPython
from kept import shipped_pack
from packs_on_the_fly import loaded, written
from rulesdsl.interpreter.simulator import module
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
from rulesdsl.interpreter.simulator.module import Made
from rulesdsl.interpreter.simulator.python_runner import PythonRunner
from rulesdsl.interpreter.simulator.simulator import Simulator
from some import some

ROOT = Path(__file__).parents[3]
SAVE = """\
verb earn: gain 1 coins
verb spend: raise my fame by coins in my purse
verb save:
    choose one:
        earn
        spend
"""


def only_when_rich(option: OptionName, holding: str, level: int) -> int:
    """Return an option's weight: with 2 coins or more, spending is favoured, otherwise earning."""
    del holding
    return 100 * ONE if option.id == ("spend" if level >= 2 else "earn") else ONE // 100


RICH = Situated(lambda _: 1000, ("coins in purse",), only_when_rich)


def looking_at(*holdings: str) -> Situated:
    """Return weights that depend on pieces, but give every option the same weight."""
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
        (looking_at("cards in attic"), "there is no holding `cards in attic`; known: coins"),
        (looking_at("a", "b", "c", "d"), "at most 3 holdings"),
    ],
)
def test_unknown_holdings(saving: rulesdsl.Pack, weights: Situated, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        saving.setting(2, {}, log=False).weighing(weights)


def test_two_ways_of_looking_are_refused(saving: rulesdsl.Pack) -> None:
    other = looking_at("cards in hand")
    with pytest.raises(ValueError, match="the same for all players who use them"):
        saving.setting(2, {}, log=False).weighing((RICH, other))


SHOP = """\
verb shop:
    menu:
        once for each card c in deck: raise my fame by 1
        once: raise my fame by 2
"""


@pytest.fixture(scope="module")
def shopping(tmp_path_factory: pytest.TempPathFactory) -> rulesdsl.Pack:
    return loaded(tmp_path_factory.mktemp("shop"), "if able: bid\nshop", SHOP + BID)


def test_options_are_counted_by_seat(shopping: rulesdsl.Pack) -> None:
    simulator = shopping.simulator(2)
    plain, counted = simulator.playouts(50, 3), simulator.playouts(50, 3, options=True)

    assert counted.traces.tolist() == plain.traces.tolist(), "to count changes nothing"
    assert sum(sum(each.chosen) for each in counted.options.values()) == sum(plain.decisions)
    assert {"high", "low", "done"} <= counted.options.keys()
    assert all(
        most >= many
        for each in counted.options.values()
        for most, many in zip(each.offered, each.chosen, strict=True)
    )
    assert counted.entries.keys() == {"card:ant", "card:bee", "card:cow", "card:dog"}
    assert plain.options == plain.entries == {}


def test_options_come_as_often_as_they_weigh(shopping: rulesdsl.Pack) -> None:
    simulator = shopping.simulator(2)
    never = simulator.playouts(50, weights={"high": 0}, options=True)
    often = simulator.playouts(200, weights={"high": 9}, options=True)
    assert sum(never.options["high"].chosen) == 0
    high, low = (sum(often.options[each].chosen) for each in ("high", "low"))
    assert 6 < high / low < 13


def test_each_player_has_weights_of_their_own(shopping: rulesdsl.Pack) -> None:
    found = shopping.simulator(2).playouts(200, weights=({"high": 0}, {"low": 0}), options=True)
    assert found.options["high"].chosen[0] == found.options["low"].chosen[1] == 0
    assert found.options["high"].chosen[1] > 0 < found.options["low"].chosen[0]


def test_a_weight_may_be_computed(shopping: rulesdsl.Pack) -> None:
    found = shopping.simulator(1).playouts(
        20, weights=lambda each: int(each.about != "card:ant"), options=True
    )
    assert sum(found.entries["card:ant"].chosen) == 0
    assert sum(found.entries["card:bee"].chosen) > 0


@pytest.mark.parametrize(
    "weights", [{}, {"high": 7, "raise*-2": 0, "raise*": 3}, [{"high": 7}, {"low": 3}]]
)
def test_both_back_ends_count_and_weigh_alike(
    shopping: rulesdsl.Pack,
    in_python: InPython,
    weights: dict[str, int],
) -> None:
    simulators = shopping.simulator(3), in_python(shopping, 3)
    one, other = (each.playouts(30, 5, weights=weights, options=True) for each in simulators)
    assert one.traces.tolist() == other.traces.tolist()
    assert one.options == other.options
    assert one.entries == other.entries


def test_weights_may_add_up_to_more_than_32_bits(tmp_path: Path, in_python: InPython) -> None:
    rules = "verb take:\n    let n = a number in 0..2999\n    raise my fame by n\n"
    pack = loaded(tmp_path, "for each player: take", rules)
    weights = lambda each: (1 << 21) - 1  # noqa: ARG005, E731

    one, other = (
        each.playouts(30, 5, weights=weights, options=True).options
        for each in (pack.simulator(1), in_python(pack, 1))
    )

    assert one == other
    assert sum(each.chosen[0] > 0 for each in one.values()) > 20


def test_a_shipped_game_is_counted_alike() -> None:
    setting = shipped_pack(ROOT / "content").simulator(3).setting
    both = rulesdsl.Simulator(setting), rulesdsl.Simulator(setting, PythonRunner(setting))
    one, other = (each.playouts(6, 5, weights={"done": 3}, options=True) for each in both)
    assert one.traces.tolist() == other.traces.tolist()
    assert one.options == other.options
    assert len(one.options) > 50


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "cache"
    monkeypatch.setattr("rulesdsl.source.cache._folder", lambda: found)
    return found


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Record every module that is compiled instead of loaded."""
    found: list[object] = []
    make = module.assembled

    def counted(made: Made) -> module.Compiled:
        found.append(made)
        return make(made)

    monkeypatch.setattr(module, "assembled", counted)
    return found


def totals(folder: Path, players: int = 2) -> rulesdsl.Totals:
    return rulesdsl.load(folder).simulator(players).playouts(10).totals


ACT = "let c = random card in deck\nif any c: raise my fame by worth of c shown"


def test_a_module_is_made_once(folder: Path, made: list[object], tmp_path: Path) -> None:
    pack = written(tmp_path, ACT)
    found = [totals(pack), totals(pack), totals(pack)]
    assert found[0] == found[1] == found[2]
    assert len(made) == 1
    assert len(list(folder.glob("*.pack"))) == 3, "what is checked, its flat form, its module"


def test_each_setting_has_a_module(folder: Path, made: list[object], tmp_path: Path) -> None:
    pack = written(tmp_path, ACT)
    assert len(totals(pack, 2).scores) == 2
    assert len(totals(pack, 3).scores) == 3
    assert len(made) == 2
    assert len(list(folder.glob("*.pack"))) == 5


@pytest.mark.parametrize("part", range(0, 8, 3))
def test_a_changed_byte(folder: Path, made: list[object], tmp_path: Path, part: int) -> None:
    pack = written(tmp_path, ACT)
    _ = rulesdsl.load(pack).setting(2, {}, log=False, careful=True).engine
    before = set(folder.glob("*.pack"))
    first = totals(pack)
    (kept,) = set(folder.glob("*.pack")) - before
    content = bytearray(kept.read_bytes())
    content[len(content) * part // 8 + 3] ^= 1
    kept.write_bytes(content)

    assert totals(pack) == first
    assert len(made) == 2
    assert totals(pack) == first
    assert len(made) == 2, "what was wrong is replaced"


def test_without_a_cache_nothing_is_kept(folder: Path, tmp_path: Path) -> None:
    pack = rulesdsl.load(written(tmp_path, ACT), cache=False)
    pack.simulator(2).playouts(1)
    assert not folder.exists()


def test_same_questions(bidding: rulesdsl.Pack, both: list[rulesdsl.Simulator]) -> None:
    game, chance = bidding.new_game(2, 4), random.Random(1)
    for each in both:
        each.begin(4)
    while (decision := game.decision) is not None:
        for each in both:
            question = some(each.question)
            assert (question.player, question.sealed) == (decision.player, decision.sealed)
            assert tuple(question.options) == decision.numbered
        choice = chance.randrange(decision.count)
        game.choose(choice, decision.player)
        for each in both:
            each.choose(choice)
    assert [each.question for each in both] == [None, None]


@pytest.mark.parametrize("weights", [None, {"high": 3}])
def test_first_choices(both: list[rulesdsl.Simulator], weights: dict[str, int] | None) -> None:
    found = []
    for each in both:
        each.begin(4)
        found.append(
            each.playouts(20, 9, position=each.save(), choices=(1, 0), weights=weights, most=3)
        )

    assert found[0].scores.tolist() == found[1].scores.tolist()
    assert found[0].traces.tolist() == found[1].traces.tolist()
    assert set(found[0].decisions.tolist()) == {3}  # the two count


@pytest.mark.parametrize(
    ("choices", "message"),
    [((0, 7), "is not offered"), ((0,) * 9, "the game is over; choices left: 3")],
)
def test_choices_that_cannot_come_first(
    both: list[rulesdsl.Simulator], choices: tuple[int, ...], message: str
) -> None:
    for each in both:
        each.begin(4)
        position = each.save()
        with pytest.raises(rulesdsl.IllegalChoice, match=message):
            each.playouts(1, 9, position=position, choices=choices)
        assert each.playouts(1, 9, position=position, choices=(0, 0)).games == 1


def test_worlds_are_redraws_of_the_session(bidding: rulesdsl.Pack) -> None:
    game, simulator = bidding.new_game(2, 4), bidding.simulator(2)
    game.choose(0)
    before = game.to_data()

    for seed, world in enumerate(simulator.worlds(game, 2, range(20))):
        simulator.restore(world)
        there = simulator.to_game().position_data()["state"]
        expected = game.redraw(2, seed).position_data()["state"]
        assert {**there, "frames": 0} == {**expected, "frames": 0}
    assert game.to_data() == before


def test_worlds_of_a_game_without_a_log(bidding: rulesdsl.Pack) -> None:
    game = bidding.new_game(2, 4, log=False)
    with pytest.raises(ValueError, match="a log from the beginning"):
        next(bidding.simulator(2).worlds(game, 1, [1]))

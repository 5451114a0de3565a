import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulesdsl
from interpreter.simulator.bidding import BID, InPython
from kept import shipped_pack
from packs_on_the_fly import box_with_game, loaded, written
from rulesdsl.check.analysis import cost
from rulesdsl.interpreter.simulator import functions
from rulesdsl.interpreter.simulator.runner import seeds
from some import some

ROOT = Path(__file__).parents[3]
TIC_TAC_TOE = ROOT / "content" / "classics" / "tic_tac_toe"


# -------------------------------------------------------------------- games by chance
def test_results_of_games_are_views_by_game_and_seat() -> None:
    pack = shipped_pack(ROOT / "content")

    found = pack.simulator(3).playouts(5, seed=1)

    assert found.games == 5
    assert found.seats == ("Player 1", "Player 2", "Player 3")
    assert found.decisions.shape == (5,)
    assert found.scores.shape == found.places.shape == found.verdicts.shape == (5, 3)
    assert found.points.shape == (5, len(found.lines), 3)
    points: Any = found.points.tolist()
    sums: Any = [[sum(seat) for seat in zip(*game, strict=True)] for game in points]
    assert sums == found.scores.tolist()


def test_totals_are_the_sums_of_the_views(bidding: rulesdsl.Pack) -> None:
    found = bidding.simulator(2).playouts(40, seed=3)
    totals = found.totals

    assert totals.games == 40
    assert totals.decisions == sum(found.decisions)
    scores: Any = found.scores.tolist()
    places: Any = found.places.tolist()
    assert totals.scores == tuple(map(sum, zip(*scores, strict=True)))
    assert totals.wins == tuple(each.count(1) for each in zip(*places, strict=True))


def test_a_game_of_a_run_is_the_same_with_whatever_others() -> None:
    simulator = rulesdsl.load(TIC_TAC_TOE).simulator(2)
    together = simulator.playouts(3000, seed=5)  # more than a module plays at once
    alone = simulator.playouts(1, seed=5, first=2500)
    assert together.traces[2500] == alone.traces[0]
    assert len(set(together.traces)) > 2


def test_no_games_are_no_games(bidding: rulesdsl.Pack) -> None:
    found = bidding.simulator(2).playouts(0)
    assert found.games == 0
    assert len(found.scores) == 0
    assert found.totals == rulesdsl.Totals(0, 0, 0, (0, 0), (0, 0))


def test_a_number_of_players_that_there_is_not(bidding: rulesdsl.Pack) -> None:
    with pytest.raises(ValueError, match="for 1 to 4 players"):
        bidding.simulator(5)


def test_a_verdict_is_an_index_of_its_word(tmp_path: Path) -> None:
    more = 'verdict won "High" when my fame > 3\nverdict lost "Low" when my fame < 4\n' + BID
    pack = loaded(tmp_path, "repeat 2 times:\n    if able: bid", more)
    found = pack.simulator(1).playouts(30)
    words = {found.words[found.verdicts[game, 0]] for game in range(30)}
    assert words == {"won", "lost"}


# -------------------------------------------------------------------- positions
def test_a_game_begins_as_in_a_session(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(2)
    simulator.begin(7)
    assert simulator.decision == (1, 2)
    assert simulator.to_game().to_data() == bidding.new_game(2, 7, log=False).to_data()


def test_a_position_comes_in_from_a_session_and_goes_back(bidding: rulesdsl.Pack) -> None:
    game = bidding.new_game(2, 7)
    game.choose("high")
    simulator = bidding.simulator(2)

    simulator.from_game(game)
    simulator.choose(1, 0)
    back = simulator.to_game()

    game.choose("low")
    game.choose("high")
    assert [each.id for each in some(back.decision).options] == ["high", "low"]
    assert back.position_data()["state"] == {**game.position_data()["state"]}


def test_a_position_that_was_saved_is_gone_back_to(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(2)
    simulator.begin(1)
    simulator.choose(0)
    saved = simulator.save()

    simulator.choose(1)
    simulator.playouts(20)
    simulator.restore(saved)

    assert simulator.save() == saved


def test_a_clone_has_a_position_of_its_own(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(2)
    simulator.begin(1)
    before = simulator.save()
    simulator.clone().choose(0)
    assert simulator.save() == before


def test_branches_add_up_games_behind_some_choices(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(1)
    simulator.begin(1)
    position = simulator.save()

    high = simulator.branch(position, [0, 0], 10, seed=4)
    low = simulator.branch(position, [1, 1], 10, seed=4)

    assert high.games == low.games == 10
    assert high.scores[0] >= 40
    assert low.scores[0] < high.scores[0]
    assert high == simulator.branch(position, [0, 0], 10, seed=4)


def test_from_a_position_chance_begins_again(tmp_path: Path) -> None:
    pack = loaded(
        tmp_path,
        "if able: bid\nlet c = random card in deck\nif any c: raise my fame by worth of c shown",
        BID,
    )
    simulator = pack.simulator(1)
    simulator.begin(1)

    found = simulator.playouts(40, position=simulator.save())

    assert len({found.scores[game, 0] for game in range(40)}) > 2


@pytest.mark.parametrize(
    ("choices", "message", "left"),
    [
        ((5,), "is not offered", (1, 2)),
        ((-1,), "is not offered", (1, 2)),
        ((0, 1) * 4, "over; choices left: 2", None),
    ],
)
def test_wrong_choices(
    both: list[rulesdsl.Simulator], choices: tuple[int, ...], message: str, left: object
) -> None:
    for simulator in both:
        simulator.begin(1)
        with pytest.raises(rulesdsl.IllegalChoice, match=message):
            simulator.choose(*choices)
        assert simulator.decision == left
        assert simulator.to_game().over == (left is None)


def test_a_game_of_other_players_does_not_come_in(bidding: rulesdsl.Pack) -> None:
    with pytest.raises(ValueError, match="another pack, or with other players"):
        bidding.simulator(2).from_game(bidding.new_game(3))


@pytest.mark.parametrize("position", [b"", b"{}", b"x" * 40, b"x" * 10**6])
def test_what_is_no_position(both: list[rulesdsl.Simulator], position: bytes) -> None:
    for simulator in both:
        with pytest.raises(ValueError, match="not a position"):
            simulator.restore(position)


# -------------------------------------------------------------------- without WebAssembly
def test_the_python_back_end_plays_the_same_games(both: list[rulesdsl.Simulator]) -> None:
    fast, slow = both

    assert slow.in_python
    assert not fast.in_python
    one, other = fast.playouts(30, 9), slow.playouts(30, 9)
    assert one.traces.tolist() == other.traces.tolist()
    assert one.scores.tolist() == other.scores.tolist()
    for each in (fast, slow):
        each.begin(3)
        each.choose(0, 1)
    assert fast.decision == slow.decision
    branches = [each.branch(each.save(), [1], 20, 4) for each in (fast, slow)]
    assert branches[0] == branches[1]


@pytest.mark.parametrize("error", [ImportError, OSError, RuntimeError])
def test_however_wasmtime_fails_to_load_python_plays(
    bidding: rulesdsl.Pack, in_python: Callable[..., rulesdsl.Simulator], error: type[Exception]
) -> None:
    """Cover OSError and RuntimeError, raised by a package without a binary for this machine."""
    assert in_python(bidding, 2, error).playouts(2).games == 2


def test_simulators_in_threads_play_side_by_side() -> None:
    pack = rulesdsl.load(TIC_TAC_TOE)
    alone = pack.simulator(2).playouts(2000, 1).totals
    found: list[rulesdsl.Totals] = []
    mine = pack.simulator(2)
    every = [mine, mine.clone(), mine.clone()]
    threads = [
        threading.Thread(target=lambda each=each: found.append(each.playouts(2000, 1).totals))
        for each in every
    ]
    for each in threads:
        each.start()
    for each in threads:
        each.join()

    assert found == [alone] * 3


def test_a_game_of_a_run_has_the_seeds_of_its_number() -> None:
    """Expect the numbers of SplitMix64 from the seed of the run, two for each game."""
    assert seeds(0, 0) == (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4)
    assert seeds(0, 1)[0] == 0x06C45D188009454F


ASK = "for each player: choose-fame"
GAMES = {
    "a loop": ((f"repeat 3 times: {ASK}",), 3),
    "one loop after another": ((f"repeat 2 times: {ASK}", f"repeat 4 times: {ASK}"), 6),
    "what comes before and after it": ((ASK, f"repeat 3 times: {ASK}", ASK), 3),
    "a loop that is only another one": ((f"repeat 3 times: repeat 2 times: {ASK}",), 6),
    "a loop around another and more": (
        ("repeat 3 times:", f"    {ASK}", f"    repeat 2 times: {ASK}"),
        3,
    ),
    "a loop of one pass": (("repeat 1 times:", f"    {ASK}", f"    repeat 2 times: {ASK}"), 2),
    "a loop in a step": (("hold-rounds",), 3),
    "a loop that is only such a step": (("repeat 2 times: hold-rounds",), 6),
    "a loop over numbers": ((f"for each number n in 1..4: {ASK}",), 4),
    "a loop of a player's turn": (("for each player: repeat 3 times: choose-fame",), 0),
    "no loop": ((ASK,), 0),
    "a loop in which nobody decides": (("repeat 5 times: shuffle deck", ASK), 0),
    "a last round in which nobody decides": (
        ("repeat 3 times:", "    raise note by 1", f"    if note < 3: {ASK}", ASK),
        2,
    ),
    "a loop that ends by itself": ((f"repeat at most 9 times until note > 1: {ASK}",), 9),
}


@pytest.mark.parametrize("what", GAMES)
def test_rounds_are_passes_of_the_outermost_loops(
    what: str, tmp_path: Path, in_python: InPython
) -> None:
    lines, expected = GAMES[what]
    step = f"step hold-rounds: repeat 3 times: {ASK}"
    pack = loaded(tmp_path, "nothing", step, box=box_with_game(*lines))
    fast, slow = pack.simulator(2), in_python(pack, 2)
    found = fast.playouts(4, 1)
    assert list(found.rounds) == [expected] * 4
    assert found.totals.rounds == 4 * expected
    assert list(slow.playouts(4, 1).rounds) == [expected] * 4


def test_rounds_count_from_the_position_on(tmp_path: Path, in_python: InPython) -> None:
    pack = loaded(tmp_path, "nothing", box=box_with_game(f"repeat 5 times: {ASK}"))
    for simulator in (pack.simulator(2), in_python(pack, 2)):
        simulator.begin(1)
        simulator.choose(0, 0, 0)  # the second player in the second round

        found = simulator.playouts(3, 1, position=simulator.save())

        assert list(found.rounds) == [3, 3, 3]
        assert list(found.decisions) == [7, 7, 7]


def test_a_game_may_end_in_the_middle(tmp_path: Path, in_python: InPython) -> None:
    more = "after choose-fame when my fame > 9: end game"
    pack = loaded(tmp_path, "nothing", more, box=box_with_game(f"repeat 9 times: {ASK}"))

    found = [each.playouts(30, 1) for each in (pack.simulator(2), in_python(pack, 2))]

    assert list(found[0].rounds) == list(found[1].rounds)
    assert set(found[0].rounds) == {4, 5}
    assert all(
        rounds == -(-decisions // 2)
        for rounds, decisions in zip(found[0].rounds, found[0].decisions, strict=True)
    )


LOOPS = """\
verb spin:
    repeat {0} times:
        repeat {0} times:
            repeat {0} times:
                raise note by 1
                lower note by 1
"""


def test_what_the_checker_lets_pass_comes_to_an_end(tmp_path: Path) -> None:
    pack = loaded(tmp_path, "spin\nraise my fame by 1", LOOPS.format(60))
    assert pack.program.work > 800_000
    assert pack.simulator(1).playouts(1).totals.scores == (1,)


def test_calls_that_double_come_to_an_end(tmp_path: Path) -> None:
    verbs = "".join(f"verb v{at}:\n    v{at + 1}\n    v{at + 1}\n" for at in range(14))
    pack = loaded(tmp_path, "v0\nraise my fame by 1", f"{verbs}verb v14: raise note by 1\n")
    assert pack.program.work > 50_000
    assert pack.simulator(1).playouts(1).totals.scores == (1,)


def test_fuel_stops_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MAX_WORK", "MAX_GAME"):
        monkeypatch.setattr(cost, name, 10**18)
    monkeypatch.setattr(functions, "MAX_GAME", 10**6)
    folder = written(tmp_path, "spin", LOOPS.format(1000))
    pack = rulesdsl.load(folder, cache=False)
    simulator = pack.simulator(1)

    with pytest.raises(rulesdsl.TooMuchWork, match="this takes more steps"):
        simulator.playouts(1)
    with pytest.raises(rulesdsl.TooMuchWork):
        simulator.begin()


def test_the_error_names_the_rule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(functions, "ROUNDS_OF_ONE", 1)
    monkeypatch.setattr(functions, "MAX_GAME", 1)
    pack = loaded(tmp_path, "spin\nmay raise note by 1", LOOPS.format(30))
    with pytest.raises(rulesdsl.TooMuchWork, match=r"box\.rules:\d+: this takes more steps"):
        pack.simulator(1).playouts(1)


Weights = dict[str, int] | None


@pytest.mark.parametrize("weights", [None, {"high": 3}])
@pytest.mark.parametrize("most", [0, 1, 2, 3, 100])
def test_a_game_stops_where_it_is(
    bidding: rulesdsl.Pack,
    in_python: InPython,
    weights: Weights,
    most: int,
) -> None:
    found = [
        each.playouts(30, 9, most=most, weights=weights)
        for each in (bidding.simulator(2), in_python(bidding, 2))
    ]

    assert found[0].decisions.tolist() == found[1].decisions.tolist()
    assert found[0].scores.tolist() == found[1].scores.tolist()
    assert max(found[0].decisions.tolist()) == min(most, 6)  # three rounds of two players
    assert (sum(found[0].totals.scores) > 0) is (most > 0)


def test_the_next_game_goes_to_its_end(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(2)
    before = simulator.playouts(30, 9)
    simulator.playouts(30, 9, most=1)
    assert simulator.playouts(30, 9).scores.tolist() == before.scores.tolist()


def test_from_a_position_decisions_count_from_there(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(2)
    simulator.begin(1)
    simulator.choose(0)
    found = simulator.playouts(10, 9, most=1, position=simulator.save())
    assert found.decisions.tolist() == [1] * 10
    assert all(2 < found.scores[game, 0] + found.scores[game, 1] < 5 for game in range(10))


def test_what_is_prepared_weighs_the_same(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(2)
    high, low = simulator.weighing({"high": 0}), simulator.weighing({"low": 0})
    for weighing, other in ((high, {"high": 0}), (low, {"low": 0}), (high, {"high": 0})):
        found = [simulator.playouts(20, 3, weights=each).scores for each in (weighing, other)]
        assert found[0].tolist() == found[1].tolist()


CONTENT = Path(__file__).parents[3] / "content"


@pytest.mark.parametrize(
    ("pack", "players"), [("", 1), ("", 4), ("sutters_mill", 3)], ids=["solo", "four", "mill"]
)
def test_a_game_goes_on_from_anywhere(pack: str, players: int) -> None:
    """Start from a session that has a log, and some frames that only return."""
    game = rulesdsl.load(CONTENT / pack).new_game(players, seed=4)
    simulator = rulesdsl.load(CONTENT / pack).simulator(players)
    chance = random.Random(4)
    choices: list[int] = []
    positions: list[tuple[int, rulesdsl.Game]] = []

    while (decision := game.decision) is not None and len(choices) < 200:
        if len(choices) % 5 == 0:
            positions.append((len(choices), game.clone()))
        choices.append(chance.randrange(decision.count))
        game.choose(choices[-1], decision.player)

    for made, position in positions:
        simulator.from_game(position)
        simulator.choose(*choices[made:])
        assert simulator.to_game().result == game.result
        assert _asked(simulator.to_game()) == _asked(game)


def _asked(game: rulesdsl.Game) -> list[tuple[int, int]]:
    return [(each.player, each.count) for each in game.decisions]

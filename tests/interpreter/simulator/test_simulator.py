from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

import rulesdsl
from interpreter.simulator.bidding import BID
from kept import shipped_pack
from packs_on_the_fly import loaded
from rulesdsl.interpreter.simulator.runner import seeds

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
    assert all(
        found.scores[game, seat]
        == sum(found.points[game, line, seat] for line in range(len(found.lines)))
        for game in range(5)
        for seat in range(3)
    )


def test_totals_are_the_sums_of_the_views(bidding: rulesdsl.Pack) -> None:
    found = bidding.simulator(2).playouts(40, seed=3)

    totals = found.totals

    assert totals.games == 40
    assert totals.decisions == sum(found.decisions)
    assert totals.scores == tuple(
        sum(found.scores[at, seat] for at in range(40)) for seat in (0, 1)
    )
    assert totals.wins == tuple(
        sum(found.places[at, seat] == 1 for at in range(40)) for seat in (0, 1)
    )


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
    assert back.decision is not None
    assert [each.id for each in back.decision.options] == ["high", "low"]
    assert back.to_data()["state"] == {**game.to_data()["state"]}


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
        "if able: bid\nlet c = random card in deck\nif any c: raise my fame by worth of c",
        BID,
    )
    simulator = pack.simulator(1)
    simulator.begin(1)

    found = simulator.playouts(40, position=simulator.save())

    assert len({found.scores[game, 0] for game in range(40)}) > 2


@pytest.mark.parametrize(
    ("choices", "message"), [((5,), "is not offered"), ((-1,), "is not offered")]
)
def test_a_choice_that_is_not_offered(
    bidding: rulesdsl.Pack, choices: tuple[int, ...], message: str
) -> None:
    simulator = bidding.simulator(2)
    simulator.begin(1)

    with pytest.raises(rulesdsl.IllegalChoice, match=message):
        simulator.choose(*choices)

    assert simulator.decision == (1, 2)


def test_choices_beyond_the_end_of_the_game(bidding: rulesdsl.Pack) -> None:
    simulator = bidding.simulator(1)
    simulator.begin(1)

    with pytest.raises(rulesdsl.IllegalChoice, match="over, and 2 of the choices are left"):
        simulator.choose(1, 1, 1, 1, 1)

    assert simulator.decision is None
    assert simulator.to_game().over


def test_a_game_of_other_players_does_not_come_in(bidding: rulesdsl.Pack) -> None:
    with pytest.raises(ValueError, match="another pack, or with other players"):
        bidding.simulator(2).from_game(bidding.new_game(3))


@pytest.mark.parametrize("position", [b"", b"x" * 40, b"x" * 10**6])
def test_what_is_no_position(bidding: rulesdsl.Pack, position: bytes) -> None:
    with pytest.raises(ValueError, match="not a position of this game"):
        bidding.simulator(2).restore(position)


# -------------------------------------------------------------------- without WebAssembly
def test_the_python_back_end_plays_the_same_games(
    bidding: rulesdsl.Pack, in_python: Callable[[rulesdsl.Pack, int], rulesdsl.Simulator]
) -> None:
    fast, slow = bidding.simulator(2), in_python(bidding, 2)

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
    """OSError and RuntimeError: the package without a binary for this machine."""
    assert in_python(bidding, 2, error).playouts(2).games == 2


def test_the_python_back_end_refuses_the_same(
    bidding: rulesdsl.Pack, in_python: Callable[[rulesdsl.Pack, int], rulesdsl.Simulator]
) -> None:
    slow = in_python(bidding, 1)
    slow.begin(1)

    with pytest.raises(rulesdsl.IllegalChoice, match="is not offered"):
        slow.choose(9)
    with pytest.raises(rulesdsl.IllegalChoice, match="2 of the choices are left"):
        slow.choose(1, 1, 1, 1, 1)
    with pytest.raises(ValueError, match="not a position"):
        slow.restore(b"{}")


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
    """They are the numbers of SplitMix64 from the seed of the run, two for each game."""
    assert seeds(0, 0) == (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4)
    assert seeds(0, 1)[0] == 0x06C45D188009454F

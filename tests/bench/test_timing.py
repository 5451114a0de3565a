import random
import re
from pathlib import Path
from typing import Any

import pytest

import rulesdsl
from bench import classics, shipped, small_games
from bench.__main__ import main
from bench.baselines import tic_tac_toe
from bench.baselines.breakthrough import Breakthrough
from bench.baselines.connect_four import ConnectFour
from bench.baselines.tic_tac_toe import TicTacToe
from bench.engine import RandomGames, load_pack
from bench.small_games import PACKS, SmallGame
from bench.timing import Spread, compare, measure
from rulesdsl import Game
from some import some


class Machine:
    def __init__(self, slowdown: float = 0.0) -> None:
        self.now = 0.0
        self.slowdown = slowdown
        self.order: list[str] = []

    def clock(self) -> float:
        return self.now

    def work(self, name: str, seconds: float, units: int = 1) -> int:
        self.now += seconds * (1 + self.slowdown * self.now)
        if self.order[-1:] != [name]:
            self.order.append(name)
        return units


def test_a_rate_counts_calls_and_units() -> None:
    machine = Machine()
    rate = measure(lambda: machine.work("a", 0.002, units=5), 1.0, machine.clock)
    assert rate.calls.median == pytest.approx(500)
    assert rate.units.median == pytest.approx(2500)
    assert rate.units_per_call == 5


def test_a_measurement_lasts_about_as_long_as_it_was_told() -> None:
    machine = Machine()
    measure(lambda: machine.work("a", 0.001), 2.0, machine.clock)
    assert machine.now == pytest.approx(2.0, rel=0.2)


def test_work_longer_than_a_slice_is_measured_whole() -> None:
    machine = Machine()
    rate = measure(lambda: machine.work("a", 7.0), 0.3, machine.clock)
    assert rate.calls.median == pytest.approx(1 / 7)


def test_the_ratio_is_the_speed_of_the_second_over_the_first() -> None:
    machine = Machine()

    both = compare(
        lambda: machine.work("a", 0.001, units=2),
        lambda: machine.work("b", 0.004, units=6),
        1.0,
        machine.clock,
    )

    assert both.ratio.median == pytest.approx(0.25)
    assert both.unit_ratio.median == pytest.approx(0.75)


def test_a_machine_that_slows_down_does_not_bend_the_ratio() -> None:
    machine = Machine(slowdown=0.5)
    both = compare(
        lambda: machine.work("a", 0.001), lambda: machine.work("b", 0.001), 2.0, machine.clock
    )
    assert both.first.calls.high > 1.2 * both.first.calls.low
    assert both.ratio.median == pytest.approx(1.0, abs=0.05)


def test_the_contenders_take_turns_and_turns_at_going_first() -> None:
    machine = Machine()
    compare(lambda: machine.work("a", 0.01), lambda: machine.work("b", 0.01), 0.4, machine.clock)
    # First both are calibrated, then come ab, ba, ab, ba; here neighbours of one name count once.
    assert "".join(machine.order) == "abababa"


def test_a_clock_that_has_not_ticked_does_not_divide_by_zero() -> None:
    ticks = iter([0.0, 1.0] + [2.0] * 6)
    assert measure(lambda: 1, 0.3, lambda: next(ticks)).calls.median > 0


def test_a_spread_gives_the_median_and_the_quartiles() -> None:
    assert Spread.of([4.0, 1.0, 3.0, 2.0, 5.0]) == Spread(3.0, 2.0, 4.0)
    assert Spread.of([2.0]) == Spread(2.0, 2.0, 2.0)


SECONDS = 0.01
TIC_TAC_TOE = PACKS / "tic_tac_toe"


def manifest(folder: Path) -> Path:
    folder.mkdir(parents=True)
    (folder / "pack.toml").touch()
    return folder


def small_game(pack: Path) -> SmallGame:
    return SmallGame("noughts", tic_tac_toe.playout, pack)


def games() -> RandomGames:
    return RandomGames(load_pack(TIC_TAC_TOE), 2, random.Random(1), log=True)


def cells(report: str, row: str) -> list[str]:
    line = next(line for line in report.splitlines() if line.startswith(row))
    return line.removeprefix(row).split()


def test_a_small_game_with_a_pack_is_compared() -> None:
    row = cells(small_games.report(SECONDS, [small_game(TIC_TAC_TOE)]), "noughts")
    assert float(row[2].replace(",", "")) > 0
    assert float(row[3]) > 0
    assert (
        len([each for each in row if re.fullmatch(r"[78]\.\d", each)]) == 2
    )  # by hand, as a pack


def test_shipped_games_are_found_by_themselves_and_with_their_mods(tmp_path: Path) -> None:
    manifest(tmp_path / "content")
    manifest(tmp_path / "content" / "second")
    manifest(tmp_path / "content" / "mods" / "some")
    manifest(tmp_path / "content" / "mods" / "more")
    found = shipped.shipped_packs(tmp_path / "content")
    assert [game.name for game in found] == ["content", "content + more + some", "second"]
    assert found[1].mods == ("mods/more", "mods/some")


def test_sampled_positions_spread_from_the_opening_to_the_end() -> None:
    open_squares = [
        game.decision.count for game in shipped.sample_positions(games(), 4) if game.decision
    ]
    assert open_squares[0] == 9
    assert open_squares == sorted(set(open_squares), reverse=True)


def test_every_classic_is_measured() -> None:
    shipped = {each.parent.name for each in small_games.PACKS.glob("*/pack.toml")}
    assert {each.pack for each in classics.CLASSICS} == shipped


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "soon"])
def test_a_measurement_needs_time(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--seconds", seconds])
    assert stop.value.code == 2
    assert "--seconds" in capsys.readouterr().err


GAMES = 40
ONE_DECISION = {
    "tic_tac_toe": (TicTacToe, "abc", "square:{}"),
    "four_in_a_row": (ConnectFour, "abcdefg", "column:column-{}"),
}


def cell(at: int, columns: str) -> str:
    return f"{columns[at % len(columns)]}{at // len(columns) + 1}"


def winner(game: Game) -> int:
    result = some(game.result)
    return result.winners[0] if len(result.winners) == 1 else 0


@pytest.mark.parametrize("folder", list(ONE_DECISION))
def test_the_same_moves_are_offered_and_the_same_player_wins(folder: str) -> None:
    made, columns, word = ONE_DECISION[folder]
    pack = rulesdsl.load(PACKS / folder)
    rng = random.Random(3)
    winners = set()
    for seed in range(GAMES):
        hand: Any = made()
        game = pack.new_game(players=2, seed=seed)
        while not hand.over:
            moves = hand.moves()
            names = {
                word.format(
                    cell(move, columns) if folder == "tic_tac_toe" else columns[move]
                ): move
                for move in moves
            }
            if len(moves) > 1:  # nobody is asked where there is one way to go on
                decision = some(game.decision)
                assert decision.player == hand.player
                assert [option.id for option in decision.options] == list(names)
                chosen = rng.choice(list(names))
                game.choose(chosen)
            else:
                chosen = next(iter(names))
            hand.play(names[chosen])
        assert game.over
        assert winner(game) == hand.winner
        winners.add(hand.winner)
    assert winners >= {1, 2}


def test_breakthrough_offers_the_same_steps_and_ends_alike() -> None:
    pack = rulesdsl.load(PACKS / "breakthrough")
    rng = random.Random(3)
    for seed in range(GAMES):
        hand = Breakthrough()
        game = pack.new_game(players=2, seed=seed)
        while not hand.over:
            moves = sorted(hand.moves())
            start = _pick(game, hand.player, sorted({move[0] for move in moves}), rng)
            ends = sorted(move[1] for move in moves if move[0] == start)
            hand.play((start, _pick(game, hand.player, ends, rng)))
        assert game.over
        assert winner(game) == hand.winner


def _pick(game: Game, player: int, cells: list[int], rng: random.Random) -> int:
    if len(cells) == 1:
        return cells[0]
    decision = some(game.decision)
    assert decision.player == player
    offered = {option.id: option for option in decision.options}
    names = {f"square:{cell(each, 'abcdefgh')}": each for each in cells}
    assert set(offered) == set(names)
    chosen = rng.choice(sorted(names))
    game.choose(chosen)
    return names[chosen]

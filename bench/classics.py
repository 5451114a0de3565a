"""The classics compared with OpenSpiel: whole random games, ours compiled, theirs in C++."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

import attrs

from bench import openspiel, table
from bench.engine import load_pack
from bench.small_games import PACKS
from bench.timing import SLICE_SECONDS, compare, measure

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bench.engine import Simulator
    from bench.timing import Work

_TITLE: Final = "Classics: random games per CPU second"
_HEADER: Final = (
    "game",
    "playouts/s",
    "decisions/game",
    "OpenSpiel: games/s",
    "plies/game",
    "games / OpenSpiel",
    "decisions / OpenSpiel",
)
_NONE: Final = "-"
_PLAYERS: Final = 2
_COUNTED: Final = 200  # games used to count decisions and plies
_FEW: Final = 20  # games used to estimate the time per game
_PART: Final = 0.1  # duration of a call as a share of a slice


@attrs.frozen
class Classic:
    """A game in one setting: its pack, and OpenSpiel's name for the same game."""

    name: str
    pack: str
    spiel: str
    options: Mapping[str, bool | int | str] = attrs.field(factory=dict)

    def simulator(self) -> Simulator:
        """Load the pack and return its simulator."""
        pack = load_pack(PACKS / self.pack)
        return pack.simulator(players=_PLAYERS, options=self.options)


CLASSICS: Final = (
    Classic("Backgammon", "backgammon", "backgammon"),
    Classic("Breakthrough", "breakthrough", "breakthrough"),
    Classic("Chess", "chess", "chess"),
    Classic(
        "Dots and Boxes 2x2",
        "dots_and_boxes",
        "dots_and_boxes(num_rows=2,num_cols=2)",
        {"size": 2},
    ),
    Classic(
        "Dots and Boxes 4x4",
        "dots_and_boxes",
        "dots_and_boxes(num_rows=4,num_cols=4)",
        {"size": 4},
    ),
    Classic("Four in a Row", "four_in_a_row", "connect_four"),
    Classic("Gin Rummy", "gin_rummy", "gin_rummy"),
    Classic("Go 5x5", "go", "go(board_size=5)"),
    Classic("Goofspiel", "goofspiel", "turn_based_simultaneous_game(game=goofspiel())"),
    Classic("Hex 5x5", "hex", "hex(board_size=5)", {"size": 5}),
    Classic("Hex 11x11", "hex", "hex(board_size=11)", {"size": 11}),
    Classic("Kalah", "kalah", "mancala"),
    Classic("Liar's Dice", "liars_dice", "liars_dice"),
    Classic("Nine Men's Morris", "nine_mens_morris", "nine_mens_morris"),
    Classic("Quarter Turn", "quarter_turn", "pentago"),
    Classic("Reversi", "reversi", "othello"),
    Classic("Tic-Tac-Toe", "tic_tac_toe", "tic_tac_toe"),
)


def report(seconds: float, classics: Iterable[Classic] = CLASSICS) -> str:
    """Measure every classic, and OpenSpiel's version if it is installed; return the section."""
    missing = openspiel.missing()
    rows = [_alone(each, seconds) if missing else _row(each, seconds) for each in classics]
    remarks = [f"OpenSpiel: {missing}"] if missing else []
    return "\n".join([table.render(_TITLE, _HEADER, rows), *remarks])


def _row(classic: Classic, seconds: float) -> list[str]:
    simulator = classic.simulator()
    theirs, ours = openspiel.rollouts(classic.spiel), _playouts(simulator)
    decisions, plies = _decisions(simulator), _plies(classic.spiel)
    both = compare(theirs, ours, _shortened(seconds, theirs))
    more = decisions / plies
    return [
        classic.name,
        table.number(both.second.units.median),
        table.number(decisions),
        table.number(both.first.units.median),
        table.number(plies),
        table.ratio(both.unit_ratio),
        f"{both.unit_ratio.median * more:.2f}",
    ]


def _alone(classic: Classic, seconds: float) -> list[str]:
    simulator = classic.simulator()
    rate = measure(_playouts(simulator), seconds)
    own = [table.number(rate.units.median), table.number(_decisions(simulator))]
    return [classic.name, *own, *[_NONE] * (len(_HEADER) - 3)]


def _playouts(simulator: Simulator) -> Work:
    """Return playouts as work whose units are games; a call takes a tenth of a slice."""
    simulator.playouts(_FEW, 0)  # also compiles
    began = time.process_time()
    simulator.playouts(_FEW, 0)
    games = max(1, round(_PART * SLICE_SECONDS * _FEW / (time.process_time() - began)))
    run = 0

    def work() -> int:
        nonlocal run
        run += 1
        simulator.playouts(games, run)
        return games

    return work


def _shortened(seconds: float, work: Work) -> float:
    """Divide a measuring time by the number of slices that one call takes, if more than one."""
    began = time.process_time()
    work()
    return seconds * SLICE_SECONDS / max(SLICE_SECONDS, time.process_time() - began)


def _decisions(simulator: Simulator) -> float:
    return sum(simulator.playouts(_COUNTED, 1).decisions) / _COUNTED


def _plies(name: str) -> float:
    playout = openspiel.random_games(name)
    return sum(playout() for _ in range(_COUNTED)) / _COUNTED

"""`python -m soak strength`: win rate of one kind of bot against another.

One seat is for the bot to measure, all others for the other kind; the seat changes from game to
game. In a solo game, the rules decide who has won. Each game is a line of JSON in the result file,
where a stopped run continues.
"""

from __future__ import annotations

import time
from functools import lru_cache
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
import cattrs

import rulesdsl
from coloma.simulation.tables import interval
from rulesdsl.bots.kinds import KINDS, Making, table
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.weights import FILE, check_fit, read
from soak.sitting import Case, Outcome, Sitting, read_rows, results_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl import Simulator
    from rulesdsl.bots.bot import Bot

PATIENCE = 3600.0  # seconds for a game of searching bots
_NORMAL = 1.96  # 95 % of a normal distribution


@attrs.frozen
class Match:
    """The parameters of a match, except the number of games."""

    pack: str
    players: int
    one: str
    """Kinds of the bot to measure, and of all others."""
    others: str
    seed: int = 0
    iterations: int | None = None
    """Playouts per choice of searching bots; None for the default."""
    seconds: float | None = None


@attrs.frozen
class Game:
    """The end of a game for the measured bot."""

    number: int
    won: float
    """Its share of the first place; 1 or 0 if the rules give a verdict."""
    lost: bool
    """True if another seat was first, or the verdict was lost."""
    ahead: float
    """Its points minus those of the best other seat."""
    seconds: float


def run(
    pack: str,
    count: int,
    seed: int,
    jobs: int,
    players: int | None,
    one: str,
    others: str,
    iterations: int | None,
    seconds: float | None,
    results: Path | None,
) -> int:
    """Play the games without a result and print the figures; return the exit status."""
    seats = players or min(4, rulesdsl.load(Path(pack)).players[1])
    match = Match(pack, seats, one, others, seed, iterations, seconds)

    def play(number: int) -> Case:
        return Case(Outcome.PLAYED, details=cattrs.unstructure(Table.of(match).play(number)))

    with results_in(results) as out:
        sitting = Sitting(f"{match}", range(count), play, out, patience=PATIENCE)
        status = sitting.run(jobs)
        own = (row for row in read_rows(out) if row["sitting"] == sitting.name)
        played = (row for row in own if row["number"] < count and "details" in row)
        games = {row["number"]: row["details"] for row in played}
    print(told([cattrs.structure(each, Game) for each in games.values()]))
    return status


def told(games: Sequence[Game]) -> str:
    """Summarize the games, with 95 % intervals."""
    many = len(games)
    if not many:
        return "no games"
    won, lost = sum(each.won for each in games), sum(each.lost for each in games)
    low, high = interval(won, many)
    ahead = sum(each.ahead for each in games) / many
    spread = sqrt(sum((each.ahead - ahead) ** 2 for each in games) / max(many - 1, 1))
    return (
        f"won {100 * won / many:.1f} % ({100 * low:.1f} to {100 * high:.1f} %) of {many} games,"
        f" lost {lost}; {ahead:.1f} ± {_NORMAL * spread / sqrt(many):.1f} points ahead;"
        f" {sum(each.seconds for each in games) / many:.2f} s a game"
    )


# -------------------------------------------------------------------- one game
@attrs.define
class Table:
    """Player of the games of a match, with a simulator for each seat of the bot."""

    match: Match
    simulators: list[Simulator]

    @classmethod
    @lru_cache(maxsize=1)
    def of(cls, match: Match) -> Table:
        """Load the pack and create the bots."""
        path = Path(match.pack)
        pack = rulesdsl.load(path)
        setting = pack.setting(match.players, {}, log=True)
        learned = Learned()
        if (path / FILE).exists():
            learned = read(path / FILE, pack)
            check_fit(learned, setting.option_names)
        thought = Thought(match.iterations, match.seconds)
        making = Making(lambda: pack.simulator(match.players), learned, thought)
        one, others = (KINDS[each].make(making) for each in (match.one, match.others))
        seats: list[list[Bot]] = [
            [one if seat == at else others for seat in range(match.players)]
            for at in range(match.players)
        ]
        return cls(match, [table(setting, each) for each in seats])

    def play(self, number: int) -> Game:
        """Play a game."""
        seat, began = number % self.match.players, time.perf_counter()
        found = self.simulators[seat].playouts(1, self.match.seed, first=number)
        took = time.perf_counter() - began
        scores, places = found.numbers["scores"].tolist(), found.numbers["places"].tolist()
        verdict = found.numbers["verdicts"][seat]
        others = [each for at, each in enumerate(scores) if at != seat]
        first = places.count(1)
        won, lost = places[seat] == 1, places[seat] != 1
        if verdict >= 0:
            won, lost = found.words[verdict] == "won", found.words[verdict] == "lost"
            first = 1
        ahead = scores[seat] - max(others, default=0)
        return Game(number, won / first, lost, ahead, round(took, 3))

"""`python -m soak strength`: how often one bot wins against bots of another kind.

One seat is for the bot that is looked at, all others are for the other kind; from game to game it
is the next seat.  Alone, the game itself says who has won.  Each game is a line of JSON in a file,
if one is named: a stopped run goes on there.
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
from coloma.simulation.intervals import interval
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.table import table
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.weights import FILE, check_fit, read
from soak.sitting import Case, Outcome, Sitting, read_rows, results_in

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl import Simulator
    from rulesdsl.bots.bot import Bot

PATIENCE = 3600.0  # seconds that a game of bots that think may take
_NORMAL = 1.96  # 95 % of a normal distribution


@attrs.frozen
class Match:
    """The parameters of a match, except the number of games."""

    pack: str
    players: int
    one: str
    """The kind of the bot that is looked at, and of all others."""
    others: str
    seed: int = 0
    iterations: int | None = None
    """For those that think, how many; None as many as they are used to."""
    seconds: float | None = None


@attrs.frozen
class Game:
    """The end of a game for the bot that is looked at."""

    number: int
    won: float
    """Its share of the first place; 1 or 0 where the rules say who has won."""
    lost: bool
    """True where somebody else was first."""
    ahead: float
    """Its points, less those of the best of the others."""
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
    """Play the games that have no result yet, say the figures, return the exit status."""
    match = Match(pack, players or 4, one, others, seed, iterations, seconds)

    def play(number: int) -> Case:
        return Case(Outcome.PLAYED, details=cattrs.unstructure(Table.of(match).play(number)))

    with results_in(results) as out:
        sitting = Sitting(f"{match}", range(count), play, out, patience=PATIENCE)
        status = sitting.run(jobs)
        own = (row for row in read_rows(out) if row["sitting"] == sitting.name)
        games = {row["number"]: row["details"] for row in own if row["number"] < count}
    print(told([cattrs.structure(each, Game) for each in games.values()]))
    return status


def told(games: Sequence[Game]) -> str:
    """Say what games came to, with intervals of 95 %."""
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
    """Plays the games of a match; there is a simulator for each seat of the bot."""

    match: Match
    simulators: list[Simulator]

    @classmethod
    @lru_cache(maxsize=1)
    def of(cls, match: Match) -> Table:
        """Seat the bots."""
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

"""`python -m soak strength`: how often one bot wins against bots of another kind.

One seat is for the bot that is looked at, all others are for the other kind; from game to game it
is the next seat.  Alone, the game itself says who has won.  The figures so far are said now and
then.  Each game is a line of JSON in a file, if one is named: a stopped run goes on there.
"""

from __future__ import annotations

import json
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from math import sqrt
from multiprocessing import get_context
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

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulesdsl import Simulator
    from rulesdsl.bots.bot import Bot

SAID = 30.0  # house: seconds between two lines about the figures so far
_NORMAL = 1.96  # 95 % of a normal distribution


@attrs.frozen
class Match:
    """What is played: everything that the figures depend on, but how many games there are."""

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
    """How a game ended for the bot that is looked at."""

    number: int
    won: float
    """Its share of the first place; whether it has won where the rules say so."""
    lost: bool
    """Whether somebody else was first, and it was not."""
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
    found = _known(match, results)
    found = {number: each for number, each in found.items() if number < count}
    left = [number for number in range(count) if number not in found]
    said = time.monotonic()
    try:
        for game in _played(match, left, jobs):
            found[game.number] = game
            if results is not None:
                with results.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(cattrs.unstructure(game)) + "\n")
            if time.monotonic() > said + SAID:
                said = time.monotonic()
                print(f"{len(found)} of {count}: {told(found.values())}", flush=True)
    except KeyboardInterrupt:
        print(f"interrupted after {len(found)} of {count} games: this is not all")
    print(f"{match}")
    print(told(found.values()))
    return 0 if len(found) == count else 1


def _played(match: Match, numbers: Sequence[int], jobs: int) -> Iterator[Game]:
    """Play games of a match, and yield them as they end."""
    if jobs == 1:
        yield from map(Table.of(match).play, numbers)
        return
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), initializer=_start, initargs=(match,))
    try:
        for future in as_completed([pool.submit(_play, number) for number in numbers]):
            yield future.result()
    finally:
        pool.shutdown(cancel_futures=True)


def told(games: Iterable[Game]) -> str:
    """Say what games came to, with intervals of 95 %."""
    every = list(games)
    many = len(every)
    if not many:
        return "no games"
    won, lost = sum(each.won for each in every), sum(each.lost for each in every)
    low, high = interval(won, many)
    ahead = sum(each.ahead for each in every) / many
    spread = sqrt(sum((each.ahead - ahead) ** 2 for each in every) / max(many - 1, 1))
    return (
        f"won {100 * won / many:.1f} % ({100 * low:.1f} to {100 * high:.1f} %) of {many} games,"
        f" lost {lost}; {ahead:.1f} ± {_NORMAL * spread / sqrt(many):.1f} points ahead;"
        f" {sum(each.seconds for each in every) / many:.2f} s a game"
    )


# -------------------------------------------------------------------- one game
@attrs.define
class Table:
    """Plays the games of a match; there is a simulator for each seat of the bot."""

    match: Match
    simulators: list[Simulator]

    @classmethod
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


_tables: list[Table] = []


def _start(match: Match) -> None:
    _tables.append(Table.of(match))


def _play(number: int) -> Game:
    return _tables[0].play(number)


# -------------------------------------------------------------------- what is known already
def _known(match: Match, results: Path | None) -> dict[int, Game]:
    """Return the games in a file; begin it where there is none. ValueError for another match's."""
    if results is None:
        return {}
    if not results.exists():
        results.write_text(json.dumps(cattrs.unstructure(match)) + "\n", encoding="utf-8")
        return {}
    text = results.read_text(encoding="utf-8")
    if not text.endswith("\n"):  # it was cut off
        results.write_text(text + "\n", encoding="utf-8")
    first, *lines = text.splitlines()
    if cattrs.structure(json.loads(first), Match) != match:
        raise ValueError(f"{results} has games of another match: {first}")
    found = {}
    for line in lines:
        try:
            game = cattrs.structure(json.loads(line), Game)
        except ValueError:  # cut off when the run was stopped: played again
            continue
        found[game.number] = game
    return found

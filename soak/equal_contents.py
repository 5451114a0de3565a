"""`python -m soak equal_contents`: how often equal contents are called different.

Both sides are the same little game, with seeds of their own: what differs is chance alone, of the
games and of what bots learn.  At most one in twenty runs may say that anything is different:
points, or how often any card is chosen, or how far ahead those come out who choose it.
"""

from __future__ import annotations

import tempfile
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from coloma.simulation.comparing import Match, until_decided
from coloma.simulation.games import Plan
from coloma.simulation.work import Hands
from rulesdsl.figures.pairs import Pairs, advantage, chosen
from rulesdsl.figures.uses import POINTS, WIN
from soak.market import write_market

if TYPE_CHECKING:
    from collections.abc import Iterator

PLAYERS = 3
GAMES = 40
TRAINING = 100
MOST = 30
UNTIL = 0.5
ALLOWED = 0.05


def run(count: int, seed: int, jobs: int) -> int:
    """Compare so many times, print what was called different, return the exit status."""
    with tempfile.TemporaryDirectory() as folder:
        game = write_market(Path(folder) / "market")
        with ProcessPoolExecutor(jobs) as pool:
            seeds = (seed + 1000 * number for number in range(count))
            decided = different = 0
            for number, (known, said) in enumerate(pool.map(partial(_called, game), seeds), 1):
                decided += known
                different += bool(said)
                told = f"{number} runs: {decided} decided, {different} called different"
                print("; ".join([told, *said]), flush=True)
    return 1 if different > ALLOWED * count else 0


def _called(game: Path, seed: int) -> tuple[bool, list[str]]:
    """Return whether a run was decided, and what it called different at any look."""
    bots = ("trained",) * PLAYERS
    plan = Plan(game, (), {}, PLAYERS, GAMES, seed, bots=bots, by=("card",))
    match = Match(plan, plan, TRAINING, apart=True)
    found = Pairs()
    for known in until_decided(match, MOST, UNTIL, Hands(), frozenset()):
        found = known
    return found.decided(UNTIL), [*_differences(found)]


def _differences(found: Pairs) -> Iterator[str]:
    if found.points.sign:
        yield f"points {found.points.mean:+.2f} ±{found.points.radius:.2f}"
    for item in found.items():
        measures = {
            "use": chosen(item),
            "points": advantage(item, POINTS),
            "wins": advantage(item, WIN),
        }
        for name, measure in measures.items():
            own = found.of_item(item, measure)
            if own.sign:
                yield f"{name} of {item[1]} {own.mean:+.2f} ±{own.radius:.2f}"

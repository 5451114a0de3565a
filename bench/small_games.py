"""Three small games, each as a pack and written by hand; the two forms are compared."""

from __future__ import annotations

import random
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

import attrs

from bench import table
from bench.baselines import breakthrough, connect_four, tic_tac_toe
from bench.engine import Playouts, RandomGames, load_pack
from bench.timing import compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from bench.timing import Work

PACKS: Final = Path(__file__).parents[1] / "content" / "classics"
_PLAYERS: Final = 2
_SEED: Final = 1
_HEADER: Final = (
    "game",
    "by hand: games/s",
    "plies/game",
    "pack: playouts/s",
    "playouts / by hand",
    "by choices: games/s",
    "decisions/game",
    "choices / by hand",
)


class _Finished(Protocol):
    plies: int


@attrs.frozen
class SmallGame:
    """A small game in both forms."""

    name: str
    playout: Callable[[random.Random], _Finished]
    pack: Path

    def by_hand(self) -> Work:
        """Return the hand-written game as work whose units are plies."""
        rng = random.Random(_SEED)
        return lambda: self.playout(rng).plies

    def by_hand_games(self) -> Work:
        """Return the hand-written game as work whose units are games."""
        rng = random.Random(_SEED)

        def work() -> int:
            self.playout(rng)
            return 1

        return work

    def as_pack(self) -> Work:
        """Load the pack and return its game as work whose units are decisions."""
        return RandomGames(load_pack(self.pack), _PLAYERS, random.Random(_SEED))

    def as_playouts(self) -> Work:
        """Load the pack and return its playouts as work whose units are games."""
        return Playouts(load_pack(self.pack), _PLAYERS)


SMALL_GAMES: Final = (
    SmallGame("tic-tac-toe", tic_tac_toe.playout, PACKS / "tic_tac_toe"),
    SmallGame("four in a row", connect_four.playout, PACKS / "four_in_a_row"),
    SmallGame("breakthrough", breakthrough.playout, PACKS / "breakthrough"),
)


def report(seconds: float, games: Iterable[SmallGame] = SMALL_GAMES) -> str:
    """Measure every small game, and return the section."""
    rows = [_row(game, seconds) for game in games]
    return table.render("Small games: random games per CPU second", _HEADER, rows)


def _row(game: SmallGame, seconds: float) -> list[str]:
    straight = compare(game.by_hand_games(), game.as_playouts(), seconds)
    both = compare(game.by_hand(), game.as_pack(), seconds)
    return [
        game.name,
        table.number(both.first.calls.median),
        table.number(both.first.units_per_call),
        table.number(straight.second.units.median),
        table.ratio(straight.unit_ratio),
        table.number(both.second.calls.median),
        table.number(both.second.units_per_call),
        table.ratio(both.ratio),
    ]

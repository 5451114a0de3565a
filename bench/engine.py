"""The part of the engine's public interface that is measured, and playing at random through it.

The engine is imported when a measurement needs it and not before, so that the hand-written games
can be measured without it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol, Self, cast

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path


class Decision(Protocol):
    """A point where somebody has to choose."""

    @property
    def count(self) -> int:
        """How many options there are; asking for it builds no label."""


class Game(Protocol):
    """A game in progress."""

    @property
    def decision(self) -> Decision | None:
        """The decision that is open, the first of them if there are several, none at the end."""

    def choose(self, option: int) -> object:
        """Take the option with this index."""

    def clone(self) -> Self:
        """Copy the game."""

    def to_data(self) -> Mapping[str, object]:
        """Turn the game into plain data."""


class Played(Protocol):
    """Games that were played by chance."""

    @property
    def decisions(self) -> Iterable[int]:
        """Number of decisions in each game."""


class Simulator(Protocol):
    """Plays whole games by chance."""

    def playouts(self, count: int, seed: int) -> Played:
        """Play so many games of a run."""


class Pack(Protocol):
    """A game's rules, loaded and checked."""

    def new_game(
        self, *, players: int, seed: int, options: Mapping[str, object], log: bool
    ) -> Game:
        """Set up a game."""

    def simulator(
        self, *, players: int, options: Mapping[str, bool | int | str] | None = None
    ) -> Simulator:
        """Give what plays games by the thousand."""

    def game_from_data(self, data: Mapping[str, object]) -> Game:
        """Bring a game back from plain data."""


class Engine(Protocol):
    """The module `rulesdsl`."""

    def load(self, path: Path, mods: Sequence[Path]) -> Pack:
        """Read and check a pack with mods over it."""


def load_pack(path: Path, mods: Sequence[Path] = ()) -> Pack:
    """Import the engine and load a pack with it."""
    engine = cast("Engine", importlib.import_module("rulesdsl"))
    return engine.load(path, mods)


def play_at_random(game: Game, rng: random.Random) -> int:
    """Play a game to its end with options drawn evenly, and count the decisions."""
    draw = rng.random
    decisions = 0
    while (decision := game.decision) is not None:
        game.choose(int(draw() * decision.count))
        decisions += 1
    return decisions


class RandomGames:
    """A stream of random games of one pack; calling it plays the next one."""

    def __init__(self, pack: Pack, players: int, rng: random.Random, *, log: bool = False) -> None:
        self._pack = pack
        self._players = players
        self._rng = rng
        self._log = log
        self._seed = 0

    def new_game(self) -> Game:
        """Set up the next game; each has a seed of its own."""
        self._seed += 1
        return self._pack.new_game(
            players=self._players, seed=self._seed, options={}, log=self._log
        )

    def __call__(self) -> int:
        """Play the next game and count its decisions."""
        return play_at_random(self.new_game(), self._rng)


class Playouts:
    """A stream of random games of one pack, played by its simulator; calling it plays some."""

    def __init__(self, pack: Pack, players: int, games: int = 1000) -> None:
        self._simulator = pack.simulator(players=players)
        self._games = games
        self._run = 0

    def __call__(self) -> int:
        """Play the next games; each counts as one unit."""
        self._run += 1
        self._simulator.playouts(self._games, self._run)
        return self._games

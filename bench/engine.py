"""The part of the engine's public interface that is measured, and random play through it.

The engine is imported only when a measurement needs it, so that the hand-written games can be
measured without it.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Protocol, Self, cast

if TYPE_CHECKING:
    import random
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path


class Decision(Protocol):
    """A point where a player has to choose."""

    @property
    def count(self) -> int:
        """The number of options; counting builds no labels."""


class Game(Protocol):
    """A game in progress."""

    @property
    def decision(self) -> Decision | None:
        """The first open decision, or None at the end."""

    def choose(self, option: int) -> object:
        """Take the option with this index."""

    def clone(self) -> Self:
        """Copy the game."""

    def to_data(self) -> Mapping[str, object]:
        """Return the game as plain data."""


class Played(Protocol):
    """Results of random games."""

    @property
    def decisions(self) -> Iterable[int]:
        """The number of decisions in each game."""


class Simulator(Protocol):
    """Player of whole random games."""

    def playouts(self, count: int, seed: int) -> Played:
        """Play `count` random games, starting from a seed."""


class Pack(Protocol):
    """A game's rules, loaded and checked."""

    def new_game(
        self, *, players: int, seed: int, options: Mapping[str, object], log: bool
    ) -> Game:
        """Set up a game."""

    def simulator(
        self, *, players: int, options: Mapping[str, bool | int | str] | None = None
    ) -> Simulator:
        """Return a simulator for many games."""

    def game_from_data(self, data: Mapping[str, object]) -> Game:
        """Restore a game from plain data."""


class Engine(Protocol):
    """The module `rulesdsl`."""

    def load(self, path: Path, mods: Sequence[Path]) -> Pack:
        """Load and check a pack with mods."""


def load_pack(path: Path, mods: Sequence[Path] = ()) -> Pack:
    """Import the engine and load a pack."""
    engine = cast("Engine", importlib.import_module("rulesdsl"))
    return engine.load(path, mods)


def play_at_random(game: Game, rng: random.Random) -> int:
    """Play a game to its end with uniformly random options; return the number of decisions."""
    draw = rng.random
    decisions = 0
    while (decision := game.decision) is not None:
        game.choose(int(draw() * decision.count))
        decisions += 1
    return decisions


class RandomGames:
    """Stream of random games with one pack; a call plays the next one."""

    def __init__(self, pack: Pack, players: int, rng: random.Random, *, log: bool = False) -> None:
        self._pack = pack
        self._players = players
        self._rng = rng
        self._log = log
        self._seed = 0

    def new_game(self) -> Game:
        """Set up the next game, with a new seed."""
        self._seed += 1
        return self._pack.new_game(
            players=self._players, seed=self._seed, options={}, log=self._log
        )

    def __call__(self) -> int:
        """Play the next game and count its decisions."""
        return play_at_random(self.new_game(), self._rng)


class Playouts:
    """Stream of random games with one pack, played by its simulator; a call plays several."""

    def __init__(self, pack: Pack, players: int, games: int = 1000) -> None:
        self._simulator = pack.simulator(players=players)
        self._games = games
        self._run = 0

    def __call__(self) -> int:
        """Play the next games and return their number."""
        self._run += 1
        self._simulator.playouts(self._games, self._run)
        return self._games

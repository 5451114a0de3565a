"""Thousands of games at once: whole ones, or on from any position."""

from __future__ import annotations

import warnings
from array import array
from math import prod
from typing import TYPE_CHECKING, Protocol

import attrs

from rulesdsl.interpreter.game import Game, IllegalChoice
from rulesdsl.interpreter.simulator.columns import columns
from rulesdsl.interpreter.simulator.python_runner import PythonRunner

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.setting import Setting

MAX_AT_ONCE = 1024  # games of one call into a module
NO_WASM = "`wasmtime` cannot be loaded here: games are played in Python, and take longer"


class Runner(Protocol):
    """A back end: it holds one position, and plays games."""

    game: Game
    """The position, as a game of its own."""

    @property
    def asked(self) -> tuple[int, int] | None:
        """Who chooses, from 0, and among how many options; None where the game is over."""

    def begin(self, seed: int) -> None:
        """Begin the game of a seed, and run to the first decision."""

    def choose(self, choices: Sequence[int]) -> int:
        """Carry out choices; return how many were too many, -1 where one was not offered."""

    def save(self) -> bytes:
        """Return the position."""

    def restore(self, position: bytes) -> None:
        """Go on from a position that was saved; ValueError for anything else."""

    def play(self, run: int, first: int, count: int, position: bytes | None) -> None:
        """Play games of a run from a number on, from the beginning or from a position."""

    def results(self, into: dict[str, array[int]]) -> None:
        """Add the results of the games that were played last."""


@attrs.frozen
class Totals:
    """Sums over games; tuples run along the seats that score."""

    games: int
    decisions: int
    scores: tuple[int, ...]
    wins: tuple[int, ...]
    """How often a seat was in first place, alone or with others."""


@attrs.frozen
class Playouts:
    """What games by chance came to.

    Each view has one entry for each game, in their order: `scores[game, seat]`,
    `points[game, line, seat]`, `verdicts[game, player]` (the index of a verdict in `words`, -1 for
    none).  NumPy takes them as arrays without a copy.
    """

    games: int
    seats: tuple[str, ...]
    """The names of the seats that score."""
    lines: tuple[str, ...]
    """What points are scored for."""
    words: tuple[str, ...]
    """What the end can mean for a player: `won`, `drawn` or `lost`."""
    _numbers: dict[str, array[int]] = attrs.field(repr=False)
    _shapes: dict[str, tuple[int, ...]] = attrs.field(repr=False)

    def _view(self, name: str) -> memoryview:
        shape = (self.games, *self._shapes[name])
        view = memoryview(self._numbers[name])
        return view.cast("B").cast("q", shape) if prod(shape) else view

    @property
    def decisions(self) -> memoryview:
        """How many decisions each game had."""
        return self._view("decisions")

    @property
    def traces(self) -> memoryview:
        """A number for each game that differs where anybody was asked anything else."""
        return self._view("trace")

    @property
    def scores(self) -> memoryview:
        """The scores, by game and seat."""
        return self._view("scores")

    @property
    def places(self) -> memoryview:
        """The places in the final ranking, from 1, by game and seat."""
        return self._view("places")

    @property
    def points(self) -> memoryview:
        """Where the scores come from: points by game, line of the scoring and seat."""
        return self._view("points")

    @property
    def verdicts(self) -> memoryview:
        """What the end means for each player, as an index of `words`; -1 for nothing."""
        return self._view("verdicts")

    @property
    def totals(self) -> Totals:
        """The sums over all games."""
        width = len(self.seats)
        scores, places = self._numbers["scores"], self._numbers["places"]
        return Totals(
            self.games,
            sum(self._numbers["decisions"]),
            tuple(sum(scores[seat::width]) for seat in range(width)),
            tuple(places[seat::width].count(1) for seat in range(width)),
        )


class Simulator:
    """Plays games of one setting; it holds one position, which is a copy of memory.

    Games by chance come in runs.  A run has a seed; game number `n` of it is the same game
    whoever plays it, with whatever other games.  A game by chance from a position begins with new
    random numbers, as nobody knows those that the position would go on with.
    """

    def __init__(self, setting: Setting, runner: Runner | None = None) -> None:
        self.setting = setting
        self._runner = _runner(setting) if runner is None else runner

    @property
    def in_python(self) -> bool:
        """Whether the Python back end plays, because `wasmtime` cannot be loaded."""
        return isinstance(self._runner, PythonRunner)

    # ---------------------------------------------------------------- the position
    @property
    def decision(self) -> tuple[int, int] | None:
        """Who chooses (from 1) and among how many options; None where the game is over."""
        asked = self._runner.asked
        return None if asked is None else (asked[0] + 1, asked[1])

    def begin(self, seed: int = 0) -> None:
        """Begin the game of a seed: the same one as `Pack.new_game` begins."""
        self._runner.begin(seed)

    def choose(self, *choices: int) -> None:
        """Carry out choices, each the index of an option from 0.

        Raises IllegalChoice where one is not offered; those before it are carried out.
        """
        left = self._runner.choose(choices)
        if left < 0:
            message = "one of the choices is not among the options"
            raise IllegalChoice(message)
        if left:
            message = f"the game is over, and {left} of the choices are left"
            raise IllegalChoice(message)

    def from_game(self, game: Game) -> None:
        """Take the position of a game; ValueError for a game of another setting."""
        ours, its = self.setting, game.setting
        same = ours.digest == its.digest and ours.mods == its.mods
        if not same or ours.layout.players != game.players or ours.options != its.options:
            message = "this is a game of another pack, or with other players, options or mods"
            raise ValueError(message)
        self._runner.game = game

    def to_game(self) -> Game:
        """Return the position as a game, which has no log."""
        return self._runner.game

    def save(self) -> bytes:
        """Return the position; only a simulator of the same setting can restore it."""
        return self._runner.save()

    def restore(self, position: bytes) -> None:
        """Go on from a position that was saved; ValueError for what is none."""
        self._runner.restore(position)

    def clone(self) -> Simulator:
        """Return a simulator of its own at the same position, for another thread."""
        made = Simulator(self.setting)
        made.restore(self.save())
        return made

    # ---------------------------------------------------------------- games by chance
    def playouts(
        self, count: int, seed: int = 0, *, first: int = 0, position: bytes | None = None
    ) -> Playouts:
        """Play games of a run by chance: so many, from number `first` on.

        They begin at the beginning, or at a `position` that was saved.  The position of the
        simulator is another one afterwards.
        """
        layout = self.setting.layout
        names = layout.seat_names()
        shapes = {name: each.shape for name, each in columns(layout).items()}
        numbers = {name: array("q") for name in shapes}
        for start in range(first, first + count, MAX_AT_ONCE):
            many = min(MAX_AT_ONCE, first + count - start)
            self._runner.play(seed, start, many, position)
            self._runner.results(numbers)
        return Playouts(
            max(count, 0),
            tuple(names[seat] for seat in layout.scoring_seats()),
            tuple(each.score_title or each.name for each in layout.world.scores),
            tuple(each.word for each in layout.program.verdicts),
            numbers,
            shapes,
        )

    def branch(self, position: bytes, choices: Sequence[int], count: int, seed: int = 0) -> Totals:
        """Carry out choices at a position, then play so many games from there by chance.

        Raises IllegalChoice as `choose` does.
        """
        self.restore(position)
        self.choose(*choices)
        return self.playouts(count, seed, position=self.save()).totals


def _runner(setting: Setting) -> Runner:
    try:
        from rulesdsl.interpreter.simulator.wasm_runner import (  # noqa: PLC0415 - heavy
            WasmRunner,
        )

        return WasmRunner(setting)
    except ImportError:
        warnings.warn(NO_WASM, RuntimeWarning, stacklevel=4)
        return PythonRunner(setting)

"""Thousands of games at once: whole ones, or on from any position."""

from __future__ import annotations

import warnings
from array import array
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.arguments import whole
from rulesdsl.interpreter.game import Game, IllegalChoice
from rulesdsl.interpreter.simulator.chance import NEVER
from rulesdsl.interpreter.simulator.columns import columns
from rulesdsl.interpreter.simulator.map import MAX_ROWS
from rulesdsl.interpreter.simulator.offers import OptionName
from rulesdsl.interpreter.simulator.playouts import Chosen, Played, Playouts, Totals
from rulesdsl.interpreter.simulator.python_runner import PythonRunner
from rulesdsl.interpreter.simulator.weighing import (
    Situated,
    Weighing,
    Weights,
    holdings_for,
    weighing_of,
)
from rulesdsl.source.ranges import COUNT, SEED, Range

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.interpreter.simulator.question import Question
    from rulesdsl.interpreter.simulator.runner import Runner

MAX_INDEX = 1 << 31
_MOST = Range(0, NEVER)
NO_WASM = "`wasmtime` cannot be loaded: games run in Python, which takes longer"


class Simulator:
    """Plays games of one setting; it holds one position, which is a copy of memory.

    Games by chance come in runs.  A run has a seed; game number `n` of it is the same game
    whoever plays it, with whatever other games.  A game by chance from a position begins with new
    random numbers, as nobody knows those that the position would go on with.
    """

    def __init__(self, setting: Setting, runner: Runner | None = None) -> None:
        self.setting = setting
        self._runner = _runner(setting) if runner is None else runner
        names = setting.layout.seat_names()
        self._seats = tuple(names[seat] for seat in setting.layout.scoring_seats())
        self._weighing: Weighing | None = None
        self._shapes = {name: each.shape for name, each in columns(setting.layout).items()}

    def __repr__(self) -> str:
        """Name the setting."""
        return f"Simulator({self.setting!r})"

    @property
    def in_python(self) -> bool:
        """Whether the Python back end plays, because `wasmtime` cannot be loaded."""
        return isinstance(self._runner, PythonRunner)

    # ---------------------------------------------------------------- the position
    @property
    def decision(self) -> tuple[int, int] | None:
        """Who chooses (from 1) and among how many options; None where the game is over."""
        asked = self._runner.question
        return None if asked is None else (asked.player, len(asked.options))

    @property
    def question(self) -> Question | None:
        """What is asked, with the numbers of the options; None where the game is over."""
        return self._runner.question

    def begin(self, seed: int = 0) -> None:
        """Begin the game of a seed: the same one as `Pack.new_game` begins."""
        self._runner.begin(whole("seed", seed, SEED))

    def choose(self, *choices: int) -> None:
        """Carry out choices, each the index of an option from 0.

        Raises IllegalChoice where one is not offered; those before it are carried out.
        """
        _check(self._runner.choose(_indexes(choices)))

    def from_game(self, game: Game) -> None:
        """Take the position of a game; ValueError for a game of another setting."""
        ours, its = self.setting, game.setting
        same = ours.digest == its.digest and ours.mods == its.mods
        if not same or ours.layout.players != game.players or ours.options != its.options:
            raise ValueError(
                "this is a game of another pack, or with other players, options or mods"
            )
        self._runner.game = game

    def worlds(self, game: Game, player: int, seeds: Iterable[int]) -> Iterator[bytes]:
        """Yield positions in which all is drawn again that a player (from 1) cannot know.

        They are those of `Game.redraw`, one for each seed.  The position of the simulator is
        another one afterwards; the game stays as it is.  Raises ValueError as `redraw` and
        `from_game` do.
        """
        redraws = game.redraws(player)
        self.from_game(redraws.base)
        position = self.save()
        for seed in seeds:
            self._runner.vary(redraws.base, position, redraws.draw(seed))
            yield self.save()

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
        self,
        count: int,
        seed: int = 0,
        *,
        first: int = 0,
        position: bytes | None = None,
        choices: Sequence[int] = (),
        weights: Weights | Sequence[Weights] | Weighing | None = None,
        options: bool = False,
        most: int = NEVER,
    ) -> Playouts:
        """Play games of a run by chance: so many, from number `first` on.

        They begin at the beginning, or at a `position` that was saved; there, `choices` come
        first.  The position of the simulator is another one afterwards.  `weights` say how often
        options come, by patterns of their ids (`*` for anything; 1 for what none fits), or by what
        computes it from their names; several are those of the players, one by one; `weighing`
        prepares what is used again and again.  With `options`, it is counted what was offered and
        chosen; both take more time.
        A game that has not ended after `most` decisions is stopped: its results are what they
        would be if it ended there.
        """
        count, seed, first = _of_run(count, seed, first)
        most, choices = whole("most", most, _MOST), _indexes(choices)
        numbers = {name: array("q") for name in self._shapes}
        asking = options or weights is not None
        runner = self._asking if asking else self._runner
        if asking:
            self._weigh(self.weighing(weights or {}), afresh=options)
        for start in range(first, first + count, MAX_ROWS):
            many = min(MAX_ROWS, first + count - start)
            _check(runner.play(seed, start, many, position, most, choices, counting=options))
            runner.results(numbers)
        return attrs.evolve(
            self._no_games,
            games=count,
            numbers=numbers,
            options=self._by(lambda each: each.id) if options else {},
            entries=self._by(lambda each: each.about) if options else {},
        )

    @cached_property
    def _no_games(self) -> Playouts:
        layout = self.setting.layout
        lines = tuple(each.title for each in layout.schema.scores)
        words = tuple(word for word, _ in layout.schema.verdicts)
        numbers = {name: array("q") for name in self._shapes}
        return Playouts(0, self._seats, lines, words, numbers, self._shapes)

    def watched(
        self,
        count: int,
        seed: int = 0,
        *,
        first: int = 0,
        weights: Weights | Sequence[Weights] | Weighing,
    ) -> Iterator[Played]:
        """Play games of a run one by one, and tell of each what was offered and chosen in it."""
        count, seed, first = _of_run(count, seed, first)
        runner, width = self._asking, len(self._seats)
        seats, every = self.setting.layout.seats, len(self.setting.option_names)
        self._weigh(self.weighing(weights))
        for number in range(first, first + count):
            runner.count()
            runner.play(seed, number, 1, None, counting=True)
            found = {name: array("q") for name in self._shapes}
            runner.results(found)
            offered: dict[tuple[int, int], int] = {}
            chosen: dict[tuple[int, int], int] = {}
            held: dict[tuple[int, int, int], tuple[int, int]] = {}
            for cell, (there, taken) in runner.counted.items():
                numbered, seat = divmod(cell, seats)
                block, option = divmod(numbered, every)
                if block:
                    held[block - 1, option, seat] = there, taken
                    continue
                offered[option, seat] = there
                if taken:
                    chosen[option, seat] = taken
            scores, places = (tuple(found[name][:width]) for name in ("scores", "places"))
            results = attrs.evolve(self._no_games, games=1, numbers=found)
            yield Played(scores, places, offered, chosen, results, held)

    def weighing(self, weights: Weights | Sequence[Weights] | Weighing) -> Weighing:
        """Return the weights of all options: they are set up once for many calls of `playouts`."""
        return weights if isinstance(weights, Weighing) else weighing_of(self.setting, weights)

    def levels(self, weights: Weights, player: int) -> tuple[int, ...]:
        """Return how much a player (from 1) has of what weights depend on, at the position."""
        if not isinstance(weights, Situated):
            return ()
        return self._runner.levels(holdings_for(self.setting, weights), player - 1)

    def _weigh(self, weighing: Weighing, *, afresh: bool = True) -> None:
        """Let options come by these weights; begin to count, if they are others or `afresh`."""
        if afresh or weighing is not self._weighing:
            self._asking.weigh(weighing)
            self._weighing = weighing

    @cached_property
    def _asking(self) -> Runner:
        """What counts and weighs options: a back end of its own."""
        if isinstance(self._runner, PythonRunner):
            return PythonRunner(self.setting, self._runner.chooser)
        return _runner(self.setting, asking=True)

    def _by(self, of: Callable[[OptionName], str]) -> dict[str, Chosen]:
        """Add up what was offered, and chosen, by some word of the options."""
        seats = self.setting.layout.seats
        found: dict[str, tuple[list[int], list[int]]] = {}
        names = self.setting.option_names
        for cell, (offered, chosen) in self._asking.counted.items():
            at, seat = divmod(cell, seats)
            if at < len(names) and (word := of(names[at])):
                totals = found.setdefault(word, ([0] * seats, [0] * seats))
                totals[0][seat] += offered
                totals[1][seat] += chosen
        return {word: Chosen(tuple(all_), tuple(taken)) for word, (all_, taken) in found.items()}

    def branch(self, position: bytes, choices: Sequence[int], count: int, seed: int = 0) -> Totals:
        """Carry out choices at a position, then play so many games from there by chance.

        Raises IllegalChoice as `choose` does.
        """
        return self.playouts(count, seed, position=position, choices=choices).totals


def _of_run(count: int, seed: int, first: int) -> tuple[int, int, int]:
    return whole("count", count, COUNT), whole("seed", seed, SEED), whole("first", first, COUNT)


def _indexes(choices: Sequence[int]) -> list[int]:
    """Return choices in the bits that modules read; what is the index of no option is -1."""
    found = (whole("choices", each) for each in choices)
    return [each if 0 <= each < MAX_INDEX else -1 for each in found]


def _check(left: int) -> None:
    """Raise IllegalChoice for what a runner says of choices that it could not carry out."""
    if left < 0:
        raise IllegalChoice("one of the choices is not among the options")
    if left:
        raise IllegalChoice(f"the game is over, and {left} of the choices are left")


def _runner(setting: Setting, *, asking: bool = False) -> Runner:
    try:
        import wasmtime  # noqa: F401, PLC0415 - heavy
    except (ImportError, OSError, RuntimeError):  # the last two: it has no binary for this machine
        warnings.warn(NO_WASM, RuntimeWarning, stacklevel=4)
        return PythonRunner(setting)
    from rulesdsl.interpreter.simulator.wasm_runner import WasmRunner  # noqa: PLC0415 - heavy

    return WasmRunner(setting, asking=asking)

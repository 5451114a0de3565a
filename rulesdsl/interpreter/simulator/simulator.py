"""The simulator, which plays thousands of games in one call, from any position."""

from __future__ import annotations

import warnings
from array import array
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.arguments import whole
from rulesdsl.interpreter.display.results import Chosen, Playouts, Totals, no_playouts
from rulesdsl.interpreter.game import Game, IllegalChoice
from rulesdsl.interpreter.saves import InProcess
from rulesdsl.interpreter.simulator.action_space import (
    OptionName,
    Situated,
    Weighing,
    Weights,
    holdings_for,
)
from rulesdsl.interpreter.simulator.python_runner import PythonRunner
from rulesdsl.interpreter.simulator.runner import NEVER
from rulesdsl.interpreter.simulator.state_transfer import MAX_ROWS
from rulesdsl.source.ranges import COUNT, SEED, Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.interpreter.simulator.runner import OpenQuestion
    from rulesdsl.interpreter.simulator.wasm_runner import WasmRunner

    Runner = PythonRunner | WasmRunner


@attrs.frozen
class Played:
    """The result of one playout; `scores` and `places` have an item for each seat that scores.

    `offered` and `chosen` are counts by option number and by seat, numbered from 0.
    """

    scores: tuple[int, ...]
    places: tuple[int, ...]
    offered: dict[tuple[int, int], int] = attrs.field(repr=False)
    chosen: dict[tuple[int, int], int] = attrs.field(repr=False)
    results: Playouts = attrs.field(repr=False)
    """The full results, as for many games."""
    held: dict[tuple[int, int, int], tuple[int, int]] = attrs.field(factory=dict, repr=False)
    """Counts (offered, chosen) by row of `Weighing.rows`, option and seat."""


MAX_INDEX = 1 << 31
_MOST = Limits(0, NEVER)
NO_WASM = "`wasmtime` cannot be loaded: games run in Python, which is slower"


class Simulator(InProcess):
    """Playout engine for one setting; it holds one position at a time.

    Playouts belong to runs. A run has a seed, and game `n` of a run is reproducible: it does not
    depend on other games or on the caller. A playout from a position reseeds the generator, since
    no player knows its state.
    """

    _sent_instead = "send the path of the pack, and call `Pack.simulator` there"

    def __init__(self, setting: CompiledSetting, runner: Runner | None = None) -> None:
        self.setting = setting
        self._runner = _runner(setting) if runner is None else runner
        self._weighing: Weighing | None = None
        self._no_games = no_playouts(setting.layout)

    def __repr__(self) -> str:
        """Show the setting."""
        return f"Simulator({self.setting!r})"

    @property
    def in_python(self) -> bool:
        """True if the Python back end plays because `wasmtime` cannot be loaded."""
        return isinstance(self._runner, PythonRunner)

    # ---------------------------------------------------------------- the position
    @property
    def decision(self) -> tuple[int, int] | None:
        """The choosing player's number and the number of options; None if the game is over."""
        asked = self._runner.question
        return None if asked is None else (asked.player, len(asked.options))

    @property
    def question(self) -> OpenQuestion | None:
        """The open question, with option numbers; None if the game is over."""
        return self._runner.question

    def begin(self, seed: int = 0) -> None:
        """Begin a game with a seed, as `Pack.new_game` does."""
        self._runner.begin(whole("seed", seed, SEED))

    def choose(self, *choices: int) -> None:
        """Apply choices, each an option's index (from 0).

        Raises IllegalChoice if one is not offered; those before it are applied.
        """
        _check(self._runner.choose(_indexes(choices)))

    def from_game(self, game: Game) -> None:
        """Take over the position of a game; raise ValueError for a game in another setting."""
        ours, its = self.setting, game.setting
        same = ours.digest == its.digest and ours.mods == its.mods
        if not same or ours.layout.players != game.players or ours.options != its.options:
            raise ValueError(
                "this is a game of another pack, or with other players, options or mods"
            )
        self._runner.game = game

    def worlds(self, game: Game, player: int, seeds: Iterable[int]) -> Iterator[bytes]:
        """Yield positions in which everything hidden from a player is re-sampled.

        They are the positions that `Game.redraw` returns, one for each seed. The simulator's own
        position changes; the game does not. Raises the errors of `redraw` and `from_game`.
        """
        redraws = game.redraws(player)
        self.from_game(redraws.base)
        position = self.save()
        for seed in seeds:
            self._runner.vary(redraws.base, position, redraws.draw(seed))
            yield self.save()

    def to_game(self) -> Game:
        """Return the position as a game without a log."""
        return self._runner.game

    def save(self) -> bytes:
        """Return the position; only a simulator of the same setting can restore it."""
        return self._runner.save()

    def restore(self, position: bytes) -> None:
        """Restore a saved position; raise ValueError for anything else."""
        self._runner.restore(position)

    def clone(self) -> Simulator:
        """Return an independent simulator at the same position, for another thread."""
        made = Simulator(self.setting)
        made.restore(self.save())
        return made

    def __copy__(self) -> Simulator:
        """Return an independent simulator at the same position."""
        return self.clone()

    def __deepcopy__(self, _: object) -> Simulator:
        """Return an independent simulator at the same position."""
        return self.clone()

    # ---------------------------------------------------------------- playouts
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
        """Play `count` random games of a run, beginning with number `first`.

        They start at the beginning, or at a saved `position`, where `choices` are applied first.
        The simulator's own position changes. `weights` bias the choices: a mapping from patterns
        of option ids (with `*`; unmatched options weigh 1), a function of option names, or one of
        these for each player; `weighing` compiles them for repeated use. With `options`, offered
        and chosen options are counted; weights and counts make playouts slower. Games stop after
        `most` decisions and are scored as if they had ended there.
        """
        count, seed, first = _of_run(count, seed, first)
        most, choices = whole("most", most, _MOST), _indexes(choices)
        numbers = {name: array("q") for name in self._no_games.numbers}
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

    def watched(
        self,
        count: int,
        seed: int = 0,
        *,
        first: int = 0,
        weights: Weights | Sequence[Weights] | Weighing,
    ) -> Iterator[Played]:
        """Play the games of a run one by one, yielding each with its option counts."""
        count, seed, first = _of_run(count, seed, first)
        runner, width = self._asking, len(self._no_games.seats)
        seats, every = self.setting.layout.seats, len(self.setting.option_names)
        self._weigh(self.weighing(weights))
        for number in range(first, first + count):
            runner.count()
            runner.play(seed, number, 1, None, counting=True)
            found = {name: array("q") for name in self._no_games.numbers}
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
        """Compile weights for all options, for repeated calls of `playouts`."""
        return weights if isinstance(weights, Weighing) else self.setting.weighing(weights)

    def levels(self, weights: Weights, player: int) -> tuple[int, ...]:
        """Return the levels of a player's holdings (only of those that the weights depend on)."""
        if not isinstance(weights, Situated):
            return ()
        return self._runner.levels(holdings_for(weights, self.setting.holdings), player - 1)

    def _weigh(self, weighing: Weighing, *, afresh: bool = True) -> None:
        """Set weights and reset counts; unless `afresh`, do nothing if the weights are in use."""
        if afresh or weighing is not self._weighing:
            self._asking.weigh(weighing)
            self._weighing = weighing

    @cached_property
    def _asking(self) -> Runner:
        """A separate back end that counts and weighs options."""
        if isinstance(self._runner, PythonRunner):
            return PythonRunner(self.setting, self._runner.chooser)
        return _runner(self.setting, asking=True)

    def _by(self, of: Callable[[OptionName], str]) -> dict[str, Chosen]:
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
        """Apply choices at a position, then play `count` random games from there.

        Raises IllegalChoice as `choose` does.
        """
        return self.playouts(count, seed, position=position, choices=choices).totals


def _of_run(count: int, seed: int, first: int) -> tuple[int, int, int]:
    return whole("count", count, COUNT), whole("seed", seed, SEED), whole("first", first, COUNT)


def _indexes(choices: Sequence[int]) -> list[int]:
    """Return choices as signed 32-bit numbers, with those out of range as -1."""
    found = (whole("choices", each) for each in choices)
    return [each if 0 <= each < MAX_INDEX else -1 for each in found]


def _check(left: int) -> None:
    """Raise IllegalChoice for a failure reported by a runner."""
    if left < 0:
        raise IllegalChoice("one of the choices is not offered")
    if left:
        raise IllegalChoice(f"the game is over; choices left: {left}")


def _runner(setting: CompiledSetting, *, asking: bool = False) -> Runner:
    try:
        import wasmtime  # noqa: F401, PLC0415 - heavy
    except (
        ImportError,
        OSError,
        RuntimeError,
    ):  # OSError, RuntimeError: no binary for this machine
        warnings.warn(NO_WASM, RuntimeWarning, stacklevel=4)
        return PythonRunner(setting)
    from rulesdsl.interpreter.simulator.wasm_runner import WasmRunner  # noqa: PLC0415 - heavy

    return WasmRunner(setting, asking=asking)

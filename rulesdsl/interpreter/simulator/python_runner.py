"""Runner on the Python back end: a fallback if `wasmtime` is missing, and a reference for it."""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING

from rulesdsl.interpreter.decisions import Decision
from rulesdsl.interpreter.display.results import COUNTS, columns
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.python.machines import slots_of
from rulesdsl.interpreter.saves import SaveError
from rulesdsl.interpreter.simulator.action_space import Weighing
from rulesdsl.interpreter.simulator.runner import NEVER, Dice, OpenQuestion, seeds
from rulesdsl.lower.flat.walk import signed

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from rulesdsl.interpreter.decision_points import Offer
    from rulesdsl.interpreter.engine import Engine
    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.interpreter.simulator.action_space import Holding


Chooser = Callable[[Game, Decision, Dice], int]
Round = tuple[list[tuple[object, ...]], int]


class PythonRunner:
    """Runner that plays one choice at a time, with the interface of `WasmRunner`."""

    def __init__(self, setting: CompiledSetting, chooser: Chooser | None = None) -> None:
        self._setting = setting
        self.chooser = chooser
        """The policy of playouts; None for uniformly random choices."""
        self._columns = columns(setting.engine.layout)
        self._rows: list[dict[str, list[int]]] = []
        self._game = Game(setting, setting.engine.clone(setting.box), 0)
        self._rounds = _round_counters(setting.engine)
        self._offers: dict[int, Offer] = {}  # by block number, if options are counted
        self._weighing = Weighing([])
        self._counting = False
        self._counts: dict[int, tuple[int, int]] = {}

    @property
    def game(self) -> Game:
        """The position as an independent game."""
        return self._game.clone()

    @game.setter
    def game(self, game: Game) -> None:
        data = game.setting.saver.data(game.state)  # block numbers of the two settings may differ
        self._game = Game(self._setting, self._setting.saver.state(data), game.seed)

    def vary(self, base: Game, position: bytes, game: Game) -> None:  # noqa: ARG002
        """Take over the position of a game; only `WasmRunner` needs the similar game `base`."""
        self.game = game

    @property
    def question(self) -> OpenQuestion | None:
        """The open question; None if the game is over."""
        each = self._game.decision
        return None if each is None else OpenQuestion(each.player, each.sealed, [*each.numbered])

    def begin(self, seed: int) -> None:
        """Begin a game with a seed, and run to the first decision."""
        self._game = Game.begin(self._setting, seed)

    def choose(self, choices: Sequence[int]) -> int:
        """Apply choices; return the number left over, or -1 if one of them was illegal."""
        for at, choice in enumerate(choices):
            decision = self._game.decision
            if decision is None:
                return len(choices) - at
            if not 0 <= choice < decision.count:
                return -1
            self._game.choose(choice, decision.player)
        return 0

    def save(self) -> bytes:
        """Return the position as bytes."""
        return json.dumps(self._setting.saver.data(self._game.state)).encode()

    def restore(self, position: bytes) -> None:
        """Restore a saved position; raise ValueError for anything else."""
        try:
            state = self._setting.saver.state(json.loads(position))
        except (SaveError, ValueError):
            raise ValueError("this is not a position of this game") from None
        self._game = Game(self._setting, state, 0)

    def play(
        self,
        run: int,
        first: int,
        count: int,
        position: bytes | None,
        most: int = NEVER,
        choices: Sequence[int] = (),
        *,
        counting: bool = False,
    ) -> int:
        """Play the games of a run from number `first` on, as `WasmRunner.play` does."""
        self._rows = []
        self._counting = counting
        if position is not None:
            self.restore(position)
        root, left = self._game, 0
        begun = None if position is None else self._round()
        for number in range(first, first + count):
            seed, of_dice = seeds(run, number)
            if position is None:
                self.begin(seed)
            else:
                self._game = root.clone()
                self._game.state.rng = seed
            pending = [*reversed(choices)]
            self._rows.append(self._played(Dice(of_dice), begun, most, pending))
            decision = self._game.decision
            refused = pending and decision is not None
            left = -1 if refused else len(pending)
        return left

    def _round(self) -> Round | None:
        """Return the round that the game is in: the frames around its loop, and the counter."""
        frames = self._game.state.frames
        for depth, frame in enumerate(frames):
            if (counter := self._rounds.get(frame[0])) is not None:
                return [*map(tuple, frames[:depth])], frame[counter]
        return None

    def _played(
        self, dice: Dice, begun: Round | None, most: int, pending: list[int]
    ) -> dict[str, list[int]]:
        """Play to the end, or for at most `most` decisions, from a decision in the round `begun`.

        The choices in `pending` are made first, in reverse order.
        """
        game, engine = self._game, self._setting.engine
        rounds = 0
        while (pending or dice.decisions < most) and (decision := game.decision):
            if pending and not 0 <= pending[-1] < decision.count:
                break
            before, begun = begun, self._round()
            rounds += begun is not None and begun != before
            dice.asked(decision.count, decision.player - 1)
            game.choose(self._choice(decision, dice, pending), decision.player)
        row = dict(zip(COUNTS, ([dice.decisions], [rounds], [signed(dice.trace)]), strict=True))
        for name, section in self._columns.items():
            if name not in row:
                row[name] = [engine.call(each, game.state, seat) for each, seat in section.cells]
        return row

    def results(self, into: dict[str, array[int]]) -> None:
        """Append the results of the last games."""
        for row in self._rows:
            for name, numbers in row.items():
                into[name].extend(numbers)

    # ---------------------------------------------------------------- counts and weights
    def weigh(self, weighing: Weighing) -> None:
        """Set the option weights and reset the counts."""
        self._offers = self._setting.labels.offers
        self._weighing = weighing
        self.count()

    def levels(self, holdings: Sequence[Holding], seat: int) -> tuple[int, ...]:
        """Return the levels of a seat's holdings; seats are numbered from 0."""
        return tuple(each.level(self._game.state, seat) for each in holdings)

    def count(self) -> None:
        """Reset the counts of offered and chosen options."""
        self._counts = {}

    @property
    def counted(self) -> dict[int, tuple[int, int]]:
        """The counts (offered, chosen) by option number and seat."""
        return dict(sorted(self._counts.items()))

    def _choice(self, decision: Decision, dice: Dice, pending: list[int]) -> int:
        choose = self.chooser
        if not self._offers and not pending:
            return choose(self._game, decision, dice) if choose else dice.below(decision.count)
        if not self._offers:
            return pending.pop()
        offer = self._offers[self._game.state.frames[-1][0]]
        numbers, seat = [offer.number(each) for each in decision.raw], decision.player - 1
        weighing = self._weighing
        looking = weighing.holdings if weighing.looks(seat) else ()
        rows = weighing.rows(self.levels(looking, seat))
        if pending:
            chosen = pending.pop()
        elif choose:
            chosen = choose(self._game, decision, dice)
        else:
            ends = list(accumulate(weighing.of(each, seat, rows) for each in numbers))
            chosen = bisect(ends, dice.below(ends[-1])) if ends[-1] else dice.below(len(ends))
        if self._counting:
            every, seats = len(self._setting.option_names), self._setting.layout.seats
            for at, number in enumerate(numbers):
                for block in (0, *(1 + each for each in rows)):
                    cell = (block * every + number) * seats + seat
                    offered, taken = self._counts.get(cell, (0, 0))
                    self._counts[cell] = offered + 1, taken + (at == chosen)
        return chosen


def _round_counters(engine: Engine) -> dict[int, int]:
    """Return the frame indexes of the counters of rounds, by the numbers of the rounds' blocks."""
    counters = {}
    for number, name in enumerate(engine.block_names):
        machine, _, block = name.rpartition("/")
        for loop in engine.flat.rounds:
            if loop.machine == machine and int(block) in loop:
                counters[number] = slots_of(engine.flat.machines[machine])[loop.counter]
    return counters

"""The same games by the Python back end: where `wasmtime` cannot be loaded, and to compare."""

from __future__ import annotations

import json
from bisect import bisect
from collections.abc import Callable
from itertools import accumulate
from typing import TYPE_CHECKING

from rulesdsl.interpreter.decision import Decision
from rulesdsl.interpreter.emit_blocks import slots_of
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.saved import SaveError
from rulesdsl.interpreter.simulator.chance import NEVER, Dice, seeds
from rulesdsl.interpreter.simulator.columns import COUNTS, columns
from rulesdsl.interpreter.simulator.offers import Offer
from rulesdsl.interpreter.simulator.question import Question
from rulesdsl.interpreter.simulator.rounds import START, passed, round_slot
from rulesdsl.interpreter.simulator.weighing import Weighing
from rulesdsl.lower.fold import signed

if TYPE_CHECKING:
    from array import array
    from collections.abc import Sequence

    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.interpreter.simulator.holdings import Holding


Chooser = Callable[[Game, Decision, Dice], int]


class PythonRunner:
    """Plays games of a setting choice by choice; see `Runner` for what its methods do."""

    def __init__(self, setting: Setting, chooser: Chooser | None = None) -> None:
        self._setting = setting
        self.chooser = chooser
        """Who chooses in games by chance; None for chance itself."""
        self._columns = columns(setting.engine.layout)
        self._rows: list[dict[str, list[int]]] = []
        self._game = Game(setting, setting.engine.clone(setting.box), 0)
        flat, slot = setting.engine.flat, round_slot(setting.engine.flat)
        self._round_slot = slots_of(flat.machines[START])[slot] if slot else 0
        self._offers: dict[int, Offer] = {}  # by the numbers of blocks, where options are counted
        self._weighing = Weighing([])
        self._counting = False
        self._counts: dict[int, tuple[int, int]] = {}

    @property
    def game(self) -> Game:
        """The position as a game of its own."""
        return self._game.clone()

    @game.setter
    def game(self, game: Game) -> None:
        data = game.setting.saver.data(game.state)  # its blocks may have other numbers than ours
        self._game = Game(self._setting, self._setting.saver.state(data), game.seed)

    def vary(self, base: Game, position: bytes, game: Game) -> None:  # noqa: ARG002
        """Take the position of a game that is much like another one, of which it was saved."""
        self.game = game

    @property
    def question(self) -> Question | None:
        """What is asked; None where the game is over."""
        each = self._game.decision
        return None if each is None else Question(each.player, each.sealed, [*each.numbered])

    def begin(self, seed: int) -> None:
        """Begin the game of a seed, and run to the first decision."""
        self._game = Game.begin(self._setting, seed)

    def choose(self, choices: Sequence[int]) -> int:
        """Carry out choices; return how many were too many, -1 where one was not offered."""
        for at, choice in enumerate(choices):
            decision = self._game.decision
            if decision is None:
                return len(choices) - at
            if not 0 <= choice < decision.count:
                return -1
            self._game.choose(choice, decision.player)
        return 0

    def save(self) -> bytes:
        """Return the position as data."""
        return json.dumps(self._setting.saver.data(self._game.state)).encode()

    def restore(self, position: bytes) -> None:
        """Go on from a position that was saved; ValueError for anything else."""
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
        """Play games of a run from a number on, from the beginning or from a position."""
        self._rows = []
        self._counting = counting
        if position is not None:
            self.restore(position)
        root, left = self._game, 0
        for number in range(first, first + count):
            seed, of_dice = seeds(run, number)
            if position is None:
                self.begin(seed)
            else:
                self._game = root.clone()
                self._game.state.rng = seed
            rounds = 0 if position is None else self._left(0)
            told = [*reversed(choices)]
            self._rows.append(self._played(Dice(of_dice), rounds, most, told))
            decision = self._game.decision
            refused = told and decision is not None
            left = -1 if refused else len(told)
        return left

    def _left(self, before: int) -> int:
        """Return the rounds of the game that are left; `before`, where they are not counted."""
        frames, names = self._game.state.frames, self._setting.engine.block_names
        counted = self._round_slot and frames and names[frames[0][0]].startswith(f"{START}/")
        return int(frames[0][self._round_slot]) if counted else before

    def _played(self, dice: Dice, left: int, most: int, told: list[int]) -> dict[str, list[int]]:
        """Play to the end, or so many decisions; `left` rounds are left in the position.

        The choices that were told come first, the last of them before the others.
        """
        game, engine = self._game, self._setting.engine
        rounds = 0
        while (told or dice.decisions < most) and (decision := game.decision):
            if told and not 0 <= told[-1] < decision.count:
                break
            before, left = left, self._left(left)
            rounds += passed(before, left)
            dice.asked(decision.count, decision.player - 1)
            game.choose(self._choice(decision, dice, told), decision.player)
        row = dict(zip(COUNTS, ([dice.decisions], [rounds], [signed(dice.trace)]), strict=True))
        for name, section in self._columns.items():
            if name not in row:
                row[name] = [engine.call(each, game.state, seat) for each, seat in section.cells]
        return row

    def results(self, into: dict[str, array[int]]) -> None:
        """Add the results of the games that were played last."""
        for row in self._rows:
            for name, numbers in row.items():
                into[name].extend(numbers)

    # ---------------------------------------------------------------- options, one by one
    def weigh(self, weighing: Weighing) -> None:
        """Let options come as often as their weights say; begin to count."""
        self._offers = self._setting.offers
        self._weighing = weighing
        self.count()

    def levels(self, holdings: Sequence[Holding], seat: int) -> tuple[int, ...]:
        """Return how much a seat (from 0) has of some things."""
        return tuple(each.level(self._game.state, seat) for each in holdings)

    def count(self) -> None:
        """Begin to count what is offered and chosen."""
        self._counts = {}

    @property
    def counted(self) -> dict[int, tuple[int, int]]:
        """How often what was offered was offered, and chosen, by number and seat."""
        return dict(sorted(self._counts.items()))

    def _choice(self, decision: Decision, dice: Dice, told: list[int]) -> int:
        choose = self.chooser
        if not self._offers and not told:
            return choose(self._game, decision, dice) if choose else dice.below(decision.count)
        if not self._offers:
            return told.pop()
        offer = self._offers[self._game.state.frames[-1][0]]
        numbers, seat = [offer.number(each) for each in decision.raw], decision.player - 1
        weighing = self._weighing
        looking = weighing.holdings if weighing.looks(seat) else ()
        rows = weighing.rows(self.levels(looking, seat))
        if told:
            chosen = told.pop()
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

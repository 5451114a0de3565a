"""Whole games played by chance alone: what a researcher or a search needs thousands of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.straight.compile import compile_playout

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.interpreter.setting import Setting

SEED_MASK = (1 << 64) - 1


class Playouts:
    """Plays whole games of one setting, without a stop at the decisions; calling it plays one.

    A game without a stop has no log, and cannot be copied on the way; for the rest it is the same
    game as the one that is played choice by choice.
    """

    __slots__ = ("_box", "_fresh", "_play", "setting")

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._box = setting.box
        made = compile_playout(setting.engine)
        self._fresh = made.fresh
        self._play = made.play

    def __call__(self, seed: int, dice: Callable[[], float]) -> Game:
        """Play the game of a seed to its end and return it.

        `dice` is asked once for each decision and gives a number from 0 to below 1, as
        `random.random` does: of n options, the one at `int(number * n)` is taken.
        """
        state = self._fresh(self._box, seed & SEED_MASK)
        self._play(state, dice)
        return Game(self.setting, state, seed)

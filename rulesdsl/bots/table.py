"""Games among bots of any kinds, with everything that a simulator tells of games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.interpreter.simulator.python_runner import PythonRunner
from rulesdsl.interpreter.simulator.simulator import Simulator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.bots.bot import Bot
    from rulesdsl.interpreter.decision import Decision
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.setting import Setting
    from rulesdsl.interpreter.simulator.chance import Dice


def table(setting: Setting, bots: Sequence[Bot]) -> Simulator:
    """Return a simulator in which bots choose, one for each player.

    The setting has a log: bots read there what they have seen.  ValueError for one without.
    """
    if not setting.engine.logging:
        raise ValueError("bots need a setting with a log: they read there what they have seen")

    def choice(game: Game, decision: Decision, dice: Dice) -> int:
        return bots[decision.player - 1].choose(game, decision.player, dice.bits())

    return Simulator(setting, PythonRunner(setting, choice))

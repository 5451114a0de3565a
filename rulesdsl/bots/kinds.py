"""Kinds of bots, weakest first, levels of difficulty, and games between bots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.bot import ByWeight, all_alike
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.thought import Thought
from rulesdsl.source.diagnostics import did_you_mean
from rulesdsl.source.english import so_many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.bots.bot import Bot
    from rulesdsl.interpreter.decisions import Decision
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.setting import CompiledSetting
    from rulesdsl.interpreter.simulator.runner import Dice
    from rulesdsl.interpreter.simulator.simulator import Simulator


@attrs.frozen
class Level:
    """A level of difficulty: the kind of bot that it stands for, and iterations per choice."""

    bot: str
    iterations: int


LEVELS: Mapping[str, Level] = {
    "easy": Level("quick", 10),
    "normal": Level("quick", 100),
    "hard": Level("strong", 1000),
}
"""Levels of games that state no others (`weights.read_levels`)."""


@attrs.frozen
class Making:
    """Inputs for making a bot: the simulator of its setting, learned weights, and a budget.

    The `levels` define easy, normal and hard bots; the budget replaces their iterations.
    """

    simulator: Callable[[], Simulator]
    learned: Learned = attrs.Factory(Learned)
    thought: Thought = attrs.Factory(Thought)
    levels: Mapping[str, Level] = LEVELS


@attrs.frozen
class Kind:
    """A kind of bot: its description, and a function that makes a bot."""

    about: str
    make: Callable[[Making], Bot]
    thinks: bool = False  # it searches, which takes time


def _quick(made: Making) -> Bot:
    from rulesdsl.bots.quick import Quick, Worlds  # noqa: PLC0415 - heavy

    return Quick(Worlds(made.simulator(), made.learned), made.thought)


def _strong(made: Making) -> Bot:
    from rulesdsl.bots.quick import Worlds  # noqa: PLC0415 - heavy
    from rulesdsl.bots.strong import Strong  # noqa: PLC0415 - heavy

    return Strong(Worlds(made.simulator(), made.learned), made.thought)


def _at_level(name: str) -> Kind:
    def make(making: Making) -> Bot:
        level = making.levels[name]
        thought = making.thought.or_else(level.iterations)
        return KINDS[level.bot].make(attrs.evolve(making, thought=thought))

    usual = LEVELS[name]
    about = f"`{usual.bot}` with {usual.iterations} iterations per choice, or as the game sets it"
    return Kind(about, make, thinks=True)


KINDS: Mapping[str, Kind] = {
    "random": Kind("chooses uniformly at random", lambda _: ByWeight(all_alike)),
    "trained": Kind(
        "chooses by weights learned in self-play (`coloma train`)",
        lambda made: ByWeight(made.learned.taste),
    ),
    "quick": Kind(
        "plays each option out a few times, in positions consistent with what it knows",
        _quick,
        thinks=True,
    ),
    "strong": Kind(
        "looks further ahead, by tree search over the same kind of positions",
        _strong,
        thinks=True,
    ),
    **{name: _at_level(name) for name in LEVELS},
}


def check_kinds(names: Sequence[str], players: int, usual_advice: str = "") -> None:
    """Raise `ValueError` for unknown kinds of bots, or for more bots than players.

    `usual_advice` is given for a name that resembles no kind.
    """
    if len(names) > players:
        bots, seats = so_many(len(names), "bot", "bots"), so_many(players, "seat", "seats")
        raise ValueError(f"{bots} cannot play in {seats}")
    for name in names:
        if name not in KINDS:
            advice = did_you_mean(name, KINDS) or usual_advice
            raise ValueError(f"there is no bot `{name}`" + (f" ({advice})" if advice else ""))


def table(setting: CompiledSetting, bots: Sequence[Bot]) -> Simulator:
    """Return a simulator in which the given bots choose, one for each player.

    Raises ValueError for a setting without a log, since bots read past observations from it.
    """
    from rulesdsl.interpreter.simulator.python_runner import PythonRunner  # noqa: PLC0415 - heavy
    from rulesdsl.interpreter.simulator.simulator import Simulator  # noqa: PLC0415 - heavy

    if not setting.engine.logging:
        raise ValueError("bots need a setting with a log: it holds their observations")

    def choice(game: Game, decision: Decision, dice: Dice) -> int:
        return bots[decision.player - 1].choose(game, decision.player, dice.bits())

    return Simulator(setting, PythonRunner(setting, choice))

"""The kinds of bots that there are, weakest first, and how one is made for a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.by_weight import ByWeight, all_alike
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.quick import Quick
from rulesdsl.bots.strong import Strong
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.worlds import Worlds

if TYPE_CHECKING:
    from rulesdsl.bots.bot import Bot
    from rulesdsl.interpreter.simulator.simulator import Simulator


@attrs.frozen
class Making:
    """What bots are made of: the simulator of their setting, and what was learned of the game."""

    simulator: Callable[[], Simulator]
    learned: Learned = attrs.Factory(Learned)
    thought: Thought = attrs.Factory(Thought)


@attrs.frozen
class Kind:
    """A kind of bots."""

    about: str
    make: Callable[[Making], Bot]
    thinks: bool = False
    """Whether it plays games on in its head, which takes time."""


KINDS: Mapping[str, Kind] = {
    "random": Kind(
        "takes any option, each as likely as the others", lambda _: ByWeight(all_alike)
    ),
    "trained": Kind(
        "takes options as often as it has learned by self-play (`coloma train`)",
        lambda made: ByWeight(made.learned.taste),
    ),
    "quick": Kind(
        "plays each option out a few times, in worlds that it cannot tell from the real one",
        lambda made: Quick(Worlds(made.simulator(), made.learned), made.thought),
        thinks=True,
    ),
    "strong": Kind(
        "looks further ahead: a tree of what everybody may do, searched again and again",
        lambda made: Strong(Worlds(made.simulator(), made.learned), made.thought),
        thinks=True,
    ),
}

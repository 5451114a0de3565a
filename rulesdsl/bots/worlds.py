"""Worlds that a player cannot tell from the real one, as positions that games are played from."""

from __future__ import annotations

from functools import cached_property
from math import exp
from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.bot import decision_of
from rulesdsl.bots.by_weight import drawn
from rulesdsl.bots.learned import Learned
from rulesdsl.interpreter.simulator.simulator import Simulator
from rulesdsl.interpreter.simulator.weighing import Weighing, Weights, levels_of, weight_of

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.simulator.playouts import Playouts

COOL = 2.0  # house: searches doubt what was learned, in proportion to this
MOST = 400  # house: decisions after which a playout is judged by the score as it is


@attrs.define(slots=False)
class Worlds:
    """Draws worlds and plays them out; all seats choose as bots have learned to."""

    simulator: Simulator
    knowledge: Learned = attrs.Factory(Learned)
    _likely: dict[tuple[int, tuple[int, ...]], float] = attrs.Factory(dict)

    @cached_property
    def _taste(self) -> Weights:
        return self.knowledge.taste

    @cached_property
    def _weighing(self) -> Weighing:
        return self.simulator.weighing(self._taste)

    def learned(self, game: Game, player: int) -> list[float]:
        """Return the logarithms of how often bots take the options of a player (from 1)."""
        names, levels = game.setting.option_names, levels_of(game, self._taste, player)
        options = decision_of(game, player).numbered
        return [self.knowledge.logarithm(names[each], levels) for each in options]

    def likely(self, player: int, options: Sequence[int]) -> list[float]:
        """Return how often options come at the position of the simulator, as searches believe."""
        levels, known = self.simulator.levels(self._taste, player), self._likely
        found = []
        for each in options:
            key = each, levels
            if key not in known:
                name = self.simulator.setting.option_names[each]
                known[key] = exp(self.knowledge.logarithm(name, levels) / COOL)
            found.append(known[key])
        return found

    def of(self, game: Game, player: int, chance: random.Random) -> Iterator[bytes]:
        """Yield worlds that a player (from 1) cannot tell from a game, without end."""
        return self.simulator.worlds(game, player, iter(lambda: chance.getrandbits(63), -1))

    def asked(self, world: bytes, player: int, chance: random.Random) -> bytes:
        """Return a world in which a player is asked next.

        Those who choose in secret before them choose as bots have learned to.
        """
        simulator = self.simulator
        simulator.restore(world)
        question = simulator.question
        if question is None or question.player == player:
            return world
        while question is not None and question.player < player:
            names, levels = (
                simulator.setting.option_names,
                simulator.levels(self._taste, question.player),
            )
            weights = [weight_of(self._taste, names[each], levels) for each in question.options]
            simulator.choose(drawn(weights, chance.getrandbits(64)))
            question = simulator.question
        return simulator.save()

    def play_on(self, world: bytes, choices: Sequence[int], run: int, count: int = 1) -> Playouts:
        """Play games on from a world in which some choices come first."""
        return self.simulator.playouts(
            count, run, position=world, choices=choices, weights=self._weighing, most=MOST
        )

"""Worlds that a player cannot tell from the real one, as positions that games are played from."""

from __future__ import annotations

from functools import cached_property
from math import exp
from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.by_weight import drawn
from rulesdsl.bots.training import Learned, name_of
from rulesdsl.interpreter.simulator.simulator import Simulator, Weighing

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.simulator.simulator import Playouts

COOL = 2.0  # house: searches doubt what was learned, in proportion to this
MOST = 400  # house: decisions after which a playout is judged by the score as it is


@attrs.define(slots=False)
class Worlds:
    """Draws worlds and plays them out; all seats choose as bots have learned to."""

    simulator: Simulator
    knowledge: Learned = attrs.Factory(Learned)

    @cached_property
    def _weighing(self) -> Weighing:
        return self.simulator.weighing(self.knowledge.weigh)

    @cached_property
    def learned(self) -> list[float]:
        """The logarithms of how often options come, by their numbers."""
        weights = self.knowledge.weights
        return [weights.get(name_of(each), 0.0) for each in self.simulator.setting.option_names]

    @cached_property
    def likely(self) -> list[float]:
        """How often options come, in proportion, as searches believe it."""
        return [exp(each / COOL) for each in self.learned]

    @cached_property
    def _weights(self) -> list[int]:
        return [self.knowledge.weigh(each) for each in self.simulator.setting.option_names]

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
            weights = [self._weights[each] for each in question.options]
            simulator.choose(drawn(weights, chance.getrandbits(64)))
            question = simulator.question
        return simulator.save()

    def play_on(self, world: bytes, choices: Sequence[int], run: int, count: int = 1) -> Playouts:
        """Play games on from a world in which some choices come first."""
        return self.simulator.playouts(
            count, run, position=world, choices=choices, weights=self._weighing, most=MOST
        )

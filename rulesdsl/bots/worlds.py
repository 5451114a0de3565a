"""Worlds that a player cannot tell from the real one, as positions that games are played from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.by_weight import drawn
from rulesdsl.bots.training import Learned, name_of
from rulesdsl.interpreter.simulator.simulator import Simulator, Weighing

if TYPE_CHECKING:
    import random

    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.simulator.offers import OptionName
    from rulesdsl.interpreter.simulator.simulator import Playouts

MOST = 400  # house: decisions after which a playout is judged by the score as it is


@attrs.frozen
class World:
    """A position, and what those choose in secret who are asked before the player."""

    position: bytes = attrs.field(repr=False)
    before: tuple[int, ...] = ()


@attrs.define
class Worlds:
    """Draws worlds and plays them out; all seats choose as bots have learned to."""

    simulator: Simulator
    knowledge: Learned = attrs.Factory(Learned)
    _weighing: Weighing = attrs.field(init=False)

    @_weighing.default
    def _all_seats(self) -> Weighing:
        return self.simulator.weighing(self.knowledge.weigh)

    def learned(self, option: OptionName) -> float:
        """Return the logarithm of how often an option comes."""
        return self.knowledge.weights.get(name_of(option), 0.0)

    def draw(self, game: Game, player: int, chance: random.Random) -> World:
        """Return a world that a player (from 1) cannot tell from the real one."""
        drawn_again = game.redraw(player, chance.getrandbits(63))
        names = self.simulator.setting.option_names
        before = tuple(
            drawn([self.knowledge.weigh(names[e]) for e in each.numbered], chance.getrandbits(64))
            for each in drawn_again.decisions
            if each.player < player
        )
        self.simulator.from_game(drawn_again)
        return World(self.simulator.save(), before)

    def playouts(self, world: World, option: int, count: int, run: int) -> Playouts:
        """Play games on from a world in which the player takes an option."""
        self.simulator.restore(world.position)
        self.simulator.choose(*world.before, option)
        return self.play_on(run, count)

    def play_on(self, run: int, count: int = 1) -> Playouts:
        """Play games on from where the simulator is."""
        return self.simulator.playouts(
            count, run, position=self.simulator.save(), weights=self._weighing, most=MOST
        )

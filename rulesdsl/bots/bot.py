"""The interface of bots, and bots that choose by weight."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol

import attrs

from rulesdsl.interpreter.decisions import Decision
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.simulator.action_space import OptionName, Weights, weight_of

SEED_BITS = 64


class Bot(Protocol):
    """Player that can choose in any position of the games it was made for."""

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of the option chosen for a player whose turn it is.

        The result depends only on the 64-bit seed and the player's information. The game is
        unchanged.
        """


def decision_of(game: Game, player: int) -> Decision:
    """Return a player's open decision; raise ValueError if there is none."""
    for each in game.decisions:
        if each.player == player:
            return each
    raise ValueError(f"player {player} has nothing to choose")


def all_alike(_: OptionName) -> int:
    """Weigh all options equally, for the random bot."""
    return 1


@attrs.frozen
class ByWeight:
    """Bot that chooses options in proportion to their weights."""

    weights: Weights

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of an option; see `Bot`."""
        decision = decision_of(game, player)
        if self.weights is all_alike:
            return seed * decision.count >> SEED_BITS
        names = game.setting.option_names
        levels = game.setting.levels(game.state, self.weights, player)
        weights = (weight_of(self.weights, names[each], levels) for each in decision.numbered)
        return drawn([*weights], seed)


def drawn(weights: Sequence[int], seed: int) -> int:
    """Return a random index, drawn by weight; all are equally likely if all weights are 0."""
    ends = list(accumulate(weights))
    if not ends[-1]:
        return seed * len(ends) >> SEED_BITS
    return bisect(ends, seed * ends[-1] >> SEED_BITS)

"""Bots that do not look ahead: each option comes as often as it weighs."""

from __future__ import annotations

from bisect import bisect
from itertools import accumulate
from typing import TYPE_CHECKING

import attrs

from rulesdsl.bots.bot import SEED_BITS, decision_of
from rulesdsl.interpreter.simulator.weighing import Weights, levels_of, weight_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.simulator.offers import OptionName


def all_alike(_: OptionName) -> int:
    """Weigh every option the same: the bot that chooses at random."""
    return 1


@attrs.frozen
class ByWeight:
    """One that takes options as often as their weights say."""

    weights: Weights

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of an option; see `Bot`."""
        decision = decision_of(game, player)
        if self.weights is all_alike:
            return seed * decision.count >> SEED_BITS
        names, levels = game.setting.option_names, levels_of(game, self.weights, player)
        weights = (weight_of(self.weights, names[each], levels) for each in decision.numbered)
        return drawn([*weights], seed)


def drawn(weights: Sequence[int], seed: int) -> int:
    """Return an index by chance, as often as its weight says; where all weigh nothing, any."""
    ends = list(accumulate(weights))
    if not ends[-1]:
        return seed * len(ends) >> SEED_BITS
    return bisect(ends, seed * ends[-1] >> SEED_BITS)

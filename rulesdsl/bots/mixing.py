"""Mixed strategies for simultaneous choices, found by regret matching."""

from __future__ import annotations

import random
from collections.abc import Sequence

import attrs

from rulesdsl.bots.bot import decision_of, drawn
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.simulator.runner import OpenQuestion

SEARCHING = 0.2  # share of prior-weighted exploration
MIXED = 0.4  # least frequency of an option in the strategy, relative to the most frequent


@attrs.define
class Tried:
    """Visit count and total value of an option, for the player who chooses it."""

    count: int = 0
    total: float = 0.0
    regret: float = 0.0  # relative to the options taken in simultaneous decisions

    def worth(self, else_: float) -> float:
        """Return the mean value, or a default if the option was never taken."""
        return self.total / self.count if self.count else else_


@attrs.frozen
class Visit:
    """An option taken by a player in one playout; if others choose at once, also its rivals."""

    player: int
    taken: Tried
    beside: Sequence[Tried] = ()

    def learn(self, value: float) -> None:
        """Update the statistics with the value of a playout."""
        self.taken.count += 1
        self.taken.total += value
        for option in self.beside:
            option.regret += option.worth(value) - value


def mixes(game: Game, player: int) -> bool:
    """Return whether others choose at the same time as a player, so that it should mix."""
    return game.players > 1 and decision_of(game, player).sealed


@attrs.frozen
class SealedOptions:
    """A player's options in a sealed question, with the statistics and prior weight of each."""

    player: int
    indexes: Sequence[int]
    tried: Sequence[Tried]
    likely: Sequence[float]

    def draw(self, chance: random.Random) -> tuple[int, Visit]:
        """Draw an option by regret, or sometimes by its prior weight; return its index, too."""
        weights: Sequence[float] = [max(option.regret, 0.0) for option in self.tried]
        if not sum(weights) or chance.random() < SEARCHING:
            weights = self.likely
        (at,) = chance.choices(range(len(weights)), weights)
        return self.indexes[at], Visit(self.player, self.tried[at], self.tried)


def sealed_options(
    table: dict[int, Tried],
    question: OpenQuestion,
    indexes: Sequence[int],
    likely: Sequence[float],
) -> SealedOptions:
    """Return the options with these indexes; the table has the statistics by option number."""
    tried = [table.setdefault(question.options[at], Tried()) for at in indexes]
    return SealedOptions(question.player, indexes, tried, [likely[at] for at in indexes])


def of_player(table: dict[int, Tried], game: Game, player: int) -> list[Tried]:
    """Return the statistics of the options in a player's decision."""
    # a redrawn game may offer another one of several equal copies
    numbered = decision_of(game.redraws(player).base, player).numbered
    return [table.get(number) or Tried() for number in numbered]


def drawn_answer(options: Sequence[Tried], seed: int) -> int:
    """Return the index of an option, drawn from the mixed strategy."""
    return drawn(_strategy(options), random.Random(seed).getrandbits(64))  # noqa: S311


def shares(options: Sequence[Tried]) -> list[tuple[int, float]]:
    """Return (index, share) for the options in the mixed strategy, the most frequent first."""
    weights = _strategy(options)
    total = sum(weights)
    taken = [(at, weight / total) for at, weight in enumerate(weights) if weight]
    return sorted(taken, key=lambda rated: -rated[1])


def _strategy(options: Sequence[Tried]) -> list[int]:
    """Return how often each option was taken; those taken only to explore are left out."""
    enough = MIXED * max(option.count for option in options)
    return [option.count if option.count >= enough else 0 for option in options]

"""Bots, their thinking budget, learned weights, and bots that choose by weight."""

from __future__ import annotations

import time
from bisect import bisect
from itertools import accumulate
from math import exp
from typing import TYPE_CHECKING, Protocol

import attrs

from rulesdsl.interpreter.arguments import whole
from rulesdsl.interpreter.simulator.action_space import ONE, Situated, Weights, weight_of
from rulesdsl.source.ranges import ITERATIONS, SECONDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulesdsl.interpreter.decisions import Decision
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.simulator.action_space import OptionName


SEED_BITS = 64
FARTHEST = 7.0  # house: e^7 is about 1,100
UNIT = 1000  # weight of an untrained option


class Bot(Protocol):
    """A player that can be asked about any position of the games that it was made for."""

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of an option for a player (from 1), whose turn it is.

        The result depends on the 64-bit seed and the player's information only. The game is
        unchanged.
        """


def decision_of(game: Game, player: int) -> Decision:
    """Return the open decision of a player; ValueError if there is none."""
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
    """Return a random index in proportion to weights; uniform if all are 0."""
    ends = list(accumulate(weights))
    if not ends[-1]:
        return seed * len(ends) >> SEED_BITS
    return bisect(ends, seed * ends[-1] >> SEED_BITS)


@attrs.frozen
class Thought:
    """A thinking budget: seconds, else iterations, else the default of the kind of bot."""

    # An iteration is one playout. Games among bots count iterations, which makes them
    # reproducible; seconds are for people, who wait.

    iterations: int | None = attrs.field(default=None)
    seconds: float | None = attrs.field(default=None)

    @iterations.validator
    def _check_iterations(self, _: object, value: int | None) -> None:
        if value is not None:
            whole("iterations", value, ITERATIONS)

    @seconds.validator
    def _check_seconds(self, _: object, value: float | None) -> None:
        least, most = SECONDS
        if value is not None and not least <= value <= most:
            raise ValueError(f"`seconds` must be a number from {least:g} to {most:g}, not {value}")

    def begin(self, usual: int) -> Thinking:
        """Begin to think about a decision."""
        return Thinking(self.iterations or usual, self.seconds, time.monotonic())


@attrs.define
class Thinking:
    """The remaining budget of one decision."""

    _most: int
    _seconds: float | None
    _began: float
    done: int = 0  # iterations so far

    def goes_on(self, share: float = 1.0) -> bool:
        """Return true if a share of the budget (default: all) is not used up."""
        if self._seconds is None:
            return self.done < self._most * share
        return time.monotonic() - self._began < self._seconds * share

    def room(self, share: float = 1.0) -> int:
        """Return the iterations left of a share, at least 1."""
        return max(1, int(self._most * share) - self.done)


@attrs.define
class Learned:
    """Log weights by option name, and the number of games that taught them."""

    weights: dict[str, float] = attrs.Factory(dict)
    games: int = 0
    held: dict[str, dict[str, list[float]]] = attrs.Factory(dict)  # by holding, option and level

    @property
    def taste(self) -> Weights:
        """The weights for a simulator."""
        return Situated(self.weigh, tuple(self.held), self._factor) if self.held else self.weigh

    def softened(self, share: float) -> Learned:
        """Return a copy with all logarithms scaled by `share`."""
        held = {
            holding: {name: [share * each for each in levels] for name, levels in of.items()}
            for holding, of in self.held.items()
        }
        return Learned({name: share * e for name, e in self.weights.items()}, self.games, held)

    def weigh(self, option: OptionName) -> int:
        """Return the weight of an option, regardless of holdings."""
        return max(1, round(UNIT * exp(self.weights.get(name_of(option), 0.0))))

    def _factor(self, option: OptionName, holding: str, level: int) -> int:
        return round(ONE * exp(self._added(name_of(option), holding, level)))

    def _added(self, name: str, holding: str, level: int) -> float:
        levels = self.held[holding].get(name)
        return levels[level] if levels else 0.0

    def logarithm(self, option: OptionName, levels: Sequence[int]) -> float:
        """Return the log weight of an option at the given levels of holdings."""
        name = name_of(option)
        added = (self._added(name, *each) for each in zip(self.held, levels, strict=True))
        return bounded(self.weights.get(name, 0.0) + sum(added))


def bounded(weight: float) -> float:
    """Return a log weight clamped to the allowed range."""
    return min(max(weight, -FARTHEST), FARTHEST)


def name_of(option: OptionName) -> str:
    """Return the key of an option's weight, empty if it is never offered."""
    return f"{option.asked}: {option.id}" if option.id else ""

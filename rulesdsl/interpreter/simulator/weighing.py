"""How often options come in games by chance: by what they are called, and by what one has."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

import attrs

from rulesdsl.interpreter.arguments import table, told, whole
from rulesdsl.interpreter.simulator.holdings import MANY_LEVELS, MOST_HOLDINGS, Holding
from rulesdsl.interpreter.simulator.offers import OptionName
from rulesdsl.source.excerpt import in_short
from rulesdsl.source.ranges import WEIGHT

if TYPE_CHECKING:
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.setting import Setting

ONE = 1 << 16
"""A factor that changes nothing; factors are whole numbers: they are the same on any machine."""
HEAVIEST = WEIGHT.most


@attrs.frozen
class Situated:
    """Weights that depend on what a player has: a weight, times a factor for each holding."""

    weigh: Callable[[OptionName], int]
    holdings: tuple[str, ...]
    """Their names; see `holdings`."""
    factor: Callable[[OptionName, str, int], int]
    """Of an option, where one has so much of a holding (its level): so many times `ONE`."""


Weights = Mapping[str, int] | Callable[[OptionName], int] | Situated


@attrs.frozen(eq=False)
class Weighing:
    """How often options come, for one setting: by number and seat."""

    cells: list[int] = attrs.field(repr=False)
    seats: int = 1
    holdings: tuple[Holding, ...] = ()
    factors: list[int] = attrs.field(factory=list, repr=False)
    """By holding, level and option."""
    looking: tuple[bool, ...] = ()
    """Which seats have weights that depend on what they have."""

    def looks(self, seat: int) -> bool:
        """Return whether the weights of a seat (from 0) depend on what it has."""
        return bool(self.looking) and self.looking[seat]

    def rows(self, levels: Sequence[int]) -> tuple[int, ...]:
        """Return which rows of factors count, where one has so much of each holding."""
        return tuple(at * MANY_LEVELS + level for at, level in enumerate(levels))

    def of(self, option: int, seat: int, rows: Sequence[int]) -> int:
        """Return how often an option comes for a seat."""
        found = self.cells[option * self.seats + seat]
        every = len(self.cells) // self.seats
        for row in rows:
            found = tempered(found, self.factors[row * every + option])
        return found


def weight_of(weights: Weights, name: OptionName, levels: Sequence[int] = ()) -> int:
    """Return how often an option comes, where one has so much of each holding.

    Of patterns, the first that fits counts; what none fits weighs 1.
    """
    if isinstance(weights, Situated):
        found = weights.weigh(name)
        for holding, level in zip(weights.holdings, levels, strict=False):
            found = tempered(found, weights.factor(name, holding, level))
        return found
    if not isinstance(weights, Mapping):
        return weights(name)
    fitting = (weight for pattern, weight in weights.items() if fnmatchcase(name.id, pattern))
    return next(fitting, 1)


def tempered(weight: int, factor: int) -> int:
    """Return a weight times a factor; what comes at all is not lost."""
    return min(max(weight * factor // ONE, 1), HEAVIEST) if weight else 0


def holdings_for(setting: Setting, weights: Weights) -> tuple[Holding, ...]:
    """Return what weights depend on; ValueError where players of the game have no such thing."""
    if not isinstance(weights, Situated):
        return ()
    if len(weights.holdings) > MOST_HOLDINGS:
        raise ValueError(f"weights depend on no more than {MOST_HOLDINGS} things that one has")
    known = setting.holdings
    for each in weights.holdings:
        if each not in known:
            raise ValueError(
                f"players have no `{in_short(each)}`; what they have: {', '.join(known)}"
            )
    return tuple(known[each] for each in weights.holdings)


def levels_of(game: Game, weights: Weights, player: int) -> tuple[int, ...]:
    """Return how much a player (from 1) has of what weights depend on."""
    holdings = holdings_for(game.setting, weights)
    return tuple(each.level(game.state, player - 1) for each in holdings)


def _check(weights: Weights, names: Sequence[OptionName]) -> None:
    """Raise ValueError for what is no weights; warn of a pattern that fits no option."""
    if isinstance(weights, Situated):
        return
    if not isinstance(weights, Mapping):
        if callable(weights):
            return
        raise ValueError(f"`weights` is a table or a function, not {told(weights)}")
    for pattern, weight in table("weights", weights).items():
        whole(f"weight of {pattern}", weight, WEIGHT)
        if not any(fnmatchcase(each.id, pattern) for each in names):
            warnings.warn(f"`{pattern}` fits no option of this game", stacklevel=5)


def weighing_of(setting: Setting, weights: Weights | Sequence[Weights]) -> Weighing:
    """Return the weights of all options of a setting; several are those of the players.

    ValueError for what is no weight, and where players look at what they have, but not with the
    same weights.
    """
    seats, names = setting.layout.seats, setting.option_names
    given: list[Weights] = [*weights] if isinstance(weights, Sequence) else [weights]
    if len(given) > setting.layout.players:
        raise ValueError(f"`weights` has {len(given)} tables, for fewer players")
    for each in given:
        _check(each, names)
    every = given if isinstance(weights, Sequence) else given * seats
    every += [{}] * (seats - len(every))  # rivals choose nothing
    situated = [each for each in every if isinstance(each, Situated)]
    if any(each != situated[0] for each in situated):
        raise ValueError("weights that depend on what one has are the same for all who use them")
    alike = all(each is every[0] for each in every)
    rows = [[weight_of(each, name) for name in names] for each in (every[:1] if alike else every)]
    for row in rows:
        if not all(type(each) is int and 0 <= each <= HEAVIEST for each in row):
            for name, weight in zip(names, row, strict=True):
                whole(f"weight of {name.id}", weight, WEIGHT)
    cells = [each for row in zip(*(rows * seats if alike else rows), strict=True) for each in row]
    if not situated:
        return Weighing(cells, seats)
    first = situated[0]
    factors = [
        first.factor(name, holding, level)
        for holding in first.holdings
        for level in range(MANY_LEVELS)
        for name in names
    ]
    looking = tuple(isinstance(each, Situated) for each in every)
    return Weighing(cells, seats, holdings_for(setting, first), factors, looking)

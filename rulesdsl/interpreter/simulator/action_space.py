"""Action space: all options that a game can offer, numbered, with their weights."""

from __future__ import annotations

import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

import attrs

from rulesdsl.interpreter.arguments import excerpt, table, whole
from rulesdsl.interpreter.decision_points import is_offered
from rulesdsl.interpreter.labels import Labels
from rulesdsl.interpreter.state import cells_of
from rulesdsl.lower.layout import Layout
from rulesdsl.lower.schema import FlagInfo, TrackInfo
from rulesdsl.source.ranges import WEIGHT
from rulesdsl.source.render import in_short


@attrs.frozen
class OptionName:
    """The name of an option, as far as it does not depend on the position.

    `about` is the id in `Game.printed` of the entry that it names, if any; `asked` is the title of
    the asking procedure; `former_id` is the id in language 0.1.
    """

    id: str
    label: str
    about: str = ""
    asked: str = ""
    former_id: str = ""

    def fits(self, pattern: str) -> bool:
        """Return whether the id, or the former one, matches a pattern, with `*` for any text."""
        return fnmatchcase(self.id, pattern) or fnmatchcase(self.former_id, pattern)


NOBODY = OptionName("", "")


def names_of(labels: Labels) -> list[OptionName]:
    """Return the names of all options, by number."""
    names: list[OptionName] = []
    for block, offer in labels.offers.items():
        ask = labels.engine.asks[block]
        for option in offer.options():
            if not is_offered(ask, option):
                names.append(NOBODY)
                continue
            name, label = labels.option(ask, option, ask.effect(option))
            procedure = labels.layout.schema.procs[ask.proc].title
            former, about = labels.former_id(ask, option), labels.about(ask, option)[0]
            names.append(OptionName(name, label, about, procedure, former))
    return names


LEVELS = (1, 2, 3, 4, 6, 10, 20, 40)
"""The minimum of each level but the first; levels are narrower for small amounts."""
MANY_LEVELS = len(LEVELS) + 1
MOST_HOLDINGS = 3  # for each set of weights; each holding slows playouts down
MOST_CELLS = 8  # maximum number of cells summed for one holding
PILES = "l:"
_KEPT = {"printed": PILES, "counted": "n:"}
_SEATS = {("player",), ("seat",)}


@attrs.frozen
class Holding:
    """A quantity that a player has and knows: the sum of the array cells listed for the seat.

    It is the number of pieces in one of the player's places, or the value of one of the player's
    tracks or flags; shared places, tracks and flags that everybody sees count for every player.
    Option weights may depend on its level, a coarse bucket, so that each level occurs often enough
    to be learned.
    """

    name: str
    array: str
    cells: tuple[tuple[int, ...], ...]

    def level(self, st: Any, seat: int) -> int:  # noqa: ANN401 - the class is generated
        """Return the level of a seat's holding in a state; seats are numbered from 0."""
        found = cells_of(st, self.array)
        if isinstance(found, int):
            return level_of(found)
        numbers = map(len, found) if self.array.startswith(PILES) else found
        kept = [*numbers]
        return level_of(sum(kept[each] for each in self.cells[seat]))


def level_of(amount: int) -> int:
    """Return the level of an amount."""
    return bisect_right(LEVELS, amount)


def holdings_of(layout: Layout) -> dict[str, Holding]:
    """Return all holdings by name: `cards in hand`, `turns`."""
    found = [*_lying(layout), *_counted(layout)]
    fitting = (each for each in found if any(each.cells) and not _wide(each))
    return {each.name: each for each in fitting}


def _wide(holding: Holding) -> bool:
    return any(len(each) > MOST_CELLS for each in holding.cells)


def _lying(layout: Layout) -> Iterator[Holding]:
    """Yield holdings of pieces: in players' places, and in shared places that everybody sees."""
    schema = layout.schema
    for piece in schema.pieces.values():
        if piece.style not in _KEPT:
            continue
        cells: dict[str, list[list[int]]] = {}
        for code, owner in enumerate(layout.owners_of_cells(piece.name)):
            place, _ = layout.place_of(piece.name, code)
            viewers = layout.watchers(piece.name)[code]
            if viewers is not None and owner + 1 not in viewers:
                continue
            seats = cells.setdefault(place.name, [[] for _ in range(layout.seats)])
            for seat in range(layout.seats) if owner < 0 else (owner,):
                seats[seat].append(code)
        for name, seats in cells.items():
            said = f"{schema.plurals[piece.name]} in {name}"
            array = f"{_KEPT[piece.style]}{piece.name}"
            yield Holding(said, array, tuple(map(tuple, seats)))


def _counted(layout: Layout) -> Iterator[Holding]:
    """Yield holdings on tracks and flags: the players' own, and shared ones."""
    schema = layout.schema
    every: list[tuple[str, TrackInfo | FlagInfo]] = [
        *(("t", each) for each in schema.tracks.values()),
        *(("f", each) for each in schema.flags.values()),
    ]
    for letter, info in every:
        own = info.dims in _SEATS
        hidden = info.seen_by not in {None, "owner"}
        if hidden or not (own or (not info.dims and info.seen_by is None)):
            continue
        cells = tuple((seat,) if own else (0,) for seat in range(layout.size("seat")))
        yield Holding(schema.plurals[info.name], f"{letter}:{info.name}", cells)


ONE = 1 << 16
"""The fixed-point factor 1.0; integer factors give equal results on all machines."""
HEAVIEST = WEIGHT.most


@attrs.frozen
class Situated:
    """Weights that depend on holdings: a base weight times a factor for each holding."""

    weigh: Callable[[OptionName], int]
    holdings: tuple[str, ...]
    """Names of holdings, as in `holdings_of`."""
    factor: Callable[[OptionName, str, int], int]
    """The factor of an option at a level of a holding, in units of `ONE`."""


Weights = Mapping[str, int] | Callable[[OptionName], int] | Situated


@attrs.frozen(eq=False)
class Weighing:
    """Compiled weights for all options in one setting, by option number and seat."""

    cells: list[int] = attrs.field(repr=False)
    seats: int = 1
    holdings: tuple[Holding, ...] = ()
    factors: list[int] = attrs.field(factory=list, repr=False)
    """The factor for each holding, level and option."""
    looking: tuple[bool, ...] = ()
    """For each seat: true if its weights depend on its holdings."""

    def looks(self, seat: int) -> bool:
        """Return true if the weights for a seat (numbered from 0) depend on its holdings."""
        return bool(self.looking) and self.looking[seat]

    def rows(self, levels: Sequence[int]) -> tuple[int, ...]:
        """Return the rows in the factor table for the given levels of holdings."""
        return tuple(at * MANY_LEVELS + level for at, level in enumerate(levels))

    def of(self, option: int, seat: int, rows: Sequence[int]) -> int:
        """Return the weight of an option for a seat."""
        found = self.cells[option * self.seats + seat]
        every = len(self.cells) // self.seats
        for row in rows:
            found = tempered(found, self.factors[row * every + option])
        return found


def weight_of(weights: Weights, name: OptionName, levels: Sequence[int] = ()) -> int:
    """Return the weight of an option at the given levels of holdings.

    The first matching pattern decides; the weight is 1 if no pattern matches.
    """
    if isinstance(weights, Situated):
        found = weights.weigh(name)
        for holding, level in zip(weights.holdings, levels, strict=False):
            found = tempered(found, weights.factor(name, holding, level))
        return found
    if not isinstance(weights, Mapping):
        return weights(name)
    fitting = (weight for pattern, weight in weights.items() if name.fits(pattern))
    return next(fitting, 1)


def tempered(weight: int, factor: int) -> int:
    """Return a weight times a factor, clamped; a positive weight stays positive."""
    return min(max(weight * factor // ONE, 1), HEAVIEST) if weight else 0


def holdings_for(weights: Weights, known: Mapping[str, Holding]) -> tuple[Holding, ...]:
    """Return the holdings that weights depend on; raise ValueError for an invalid set."""
    if not isinstance(weights, Situated):
        return ()
    if len(weights.holdings) > MOST_HOLDINGS:
        raise ValueError(f"weights may depend on at most {MOST_HOLDINGS} holdings")
    for each in weights.holdings:
        if each not in known:
            raise ValueError(f"there is no holding `{in_short(each)}`; known: {', '.join(known)}")
    return tuple(known[each] for each in weights.holdings)


def _check(weights: Weights, names: Sequence[OptionName]) -> None:
    """Raise ValueError for invalid weights; warn about patterns that match no option."""
    if isinstance(weights, Situated):
        return
    if not isinstance(weights, Mapping):
        if callable(weights):
            return
        raise ValueError(f"`weights` must be a table or a function, not {excerpt(weights)}")
    for pattern, weight in table("weights", weights).items():
        whole(f"weight of {pattern}", weight, WEIGHT)
        if not any(name.fits(pattern) for name in names):
            warnings.warn(f"`{pattern}` matches no option in this game", stacklevel=5)


def weighing_of(
    weights: Weights | Sequence[Weights],
    names: Sequence[OptionName],
    known: Mapping[str, Holding],
    layout: Layout,
) -> Weighing:
    """Return the weights of all options in a setting; a sequence has one set for each player.

    Raises ValueError for invalid weights, or if weights that depend on holdings differ by player.
    """
    seats = layout.seats
    given: list[Weights] = [*weights] if isinstance(weights, Sequence) else [weights]
    if len(given) > layout.players:
        raise ValueError(f"`weights` has {len(given)} tables, more than there are players")
    for each in given:
        _check(each, names)
    every = given if isinstance(weights, Sequence) else given * seats
    every += [{}] * (seats - len(every))  # rivals make no decisions
    situated = [each for each in every if isinstance(each, Situated)]
    if any(each != situated[0] for each in situated):
        raise ValueError(
            "weights that depend on holdings must be the same for all players who use them"
        )
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
    return Weighing(cells, seats, holdings_for(first, known), factors, looking)

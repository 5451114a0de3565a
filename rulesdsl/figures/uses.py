"""Offers and choices of items, singly and in pairs, with the outcomes for those who chose them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import attrs

from rulesdsl.figures.intervals import FEWEST, NOTHING, Confidence, Interval
from rulesdsl.interpreter.display.results import WON, Playouts, playout_outcomes
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.interpreter.simulator.action_space import OptionName
from rulesdsl.interpreter.simulator.simulator import Played
from rulesdsl.source.diagnostics import did_you_mean

POINTS, PLACE, WIN = OUTCOMES = range(3)  # the last is 1 for a victory, alone or shared
Item = tuple[str, str]


def added(one: Any, two: Any) -> Any:  # noqa: ANN401 - two statistics of one type
    """Return the sum of two statistics, by field and by entry."""
    match one:
        case str():
            return one
        case int() | Counter():
            return one + two
        case list() | tuple():
            return type(one)(added(*each) for each in zip(one, two, strict=True))
        case dict():
            both = {key: added(each, two[key]) for key, each in one.items() if key in two}
            return one | two | both
        case _:
            return one.with_more(two) if hasattr(one, "with_more") else fields_added(one, two)


def fields_added(one: Any, two: Any) -> Any:  # noqa: ANN401 - as above
    """Return the sum of two attrs objects, field by field."""
    fields = (each.name for each in attrs.fields(type(one)))
    return type(one)(*(added(getattr(one, each), getattr(two, each)) for each in fields))


@attrs.define
class OutcomeTally:
    """Sums, over games, of one outcome for the players who chose an item."""

    total: int = 0
    squares: int = 0
    by_takers: int = 0  # a game's total times its number of takers
    by_all: int = 0  # a game's total times the total of all players

    def add(self, total: int, takers: int, of_all: int) -> None:
        """Add a game."""
        self.total += total
        self.squares += total * total
        self.by_takers += total * takers
        self.by_all += total * of_all


def winners(found: Playouts) -> list[tuple[bool, ...]]:
    """Return the winners of each game, as a boolean for each seat."""
    return [tuple(each.word == WON for each in game) for game in playout_outcomes(found)]


def _outcomes() -> tuple[OutcomeTally, ...]:
    return tuple(OutcomeTally() for _ in OUTCOMES)


@attrs.define
class ItemUse:
    """Statistics for one item; its `takers` are the players who chose it in a game."""

    seen: int = 0  # number of players that were offered it, summed over games
    offered: int = 0
    chosen: int = 0
    takers: int = 0
    takers_squared: int = 0
    games: int = 0  # number of games in which anybody chose it
    # for each outcome: a game's number of takers times the total of all players
    of_all: list[int] = attrs.Factory(lambda: [0] * len(OUTCOMES))
    outcomes: tuple[OutcomeTally, ...] = attrs.Factory(_outcomes)
    questions: Counter[str] = attrs.Factory(Counter)  # choices by the name of the question


@attrs.define
class Everybody:
    """Sums, over games, of the outcomes for all players."""

    games: int = 0
    players: int = 0
    totals: list[int] = attrs.Factory(lambda: [0] * len(OUTCOMES))
    squares: list[int] = attrs.Factory(lambda: [0] * len(OUTCOMES))

    def with_more(self, other: Everybody) -> Everybody:
        """Return the sum of these outcomes and others."""
        pairs = ((self.totals, other.totals), (self.squares, other.squares))
        added = ([a + b for a, b in zip(one, two, strict=True)] for one, two in pairs)
        return Everybody(self.games + other.games, self.players or other.players, *added)


@attrs.define
class Uses:
    """Statistics for all items in the given groups."""

    # Takers of an item are compared with all players that did not choose it, in the same games or
    # others. This is a correlation, not causation: players who are ahead can afford more. `pairs`
    # measures the effect of a change of an item.

    everybody: Everybody = attrs.Factory(Everybody)
    items: dict[Item, ItemUse] = attrs.Factory(dict)

    def add(self, played: Played, players: Sequence[int], groups: Groups) -> None:
        """Add a game; `players` are the indexes of players among the scoring seats."""
        (won,) = winners(played.results)
        found = [(played.scores[at], played.places[at], int(won[at])) for at in players]
        totals = [sum(each[at] for each in found) for at in OUTCOMES]
        self.everybody.games += 1
        self.everybody.players = len(players)
        for at, total in enumerate(totals):
            self.everybody.totals[at] += total
            self.everybody.squares[at] += total * total
        seen: set[tuple[Item, int]] = set()
        for (option, seat), count in played.offered.items():
            for item in groups.items[option]:
                use = self.items.get(item)
                if use is None:
                    use = self.items[item] = ItemUse()
                use.offered += count
                seen.add((item, seat))
        for item, _ in seen:
            self.items[item].seen += 1
        taken: dict[Item, Counter[int]] = {}
        for (option, seat), count in played.chosen.items():
            for item in groups.items[option]:
                taken.setdefault(item, Counter())[seat] += count
                self.items[item].questions[groups.asked[option]] += count
        for item, seats in taken.items():
            use, many, chosen = self.items[item], len(seats), seats.total()
            use.chosen += chosen
            use.takers += many
            use.takers_squared += many * many
            use.games += 1
            for at, total in enumerate(totals):
                own = sum(found[seat][at] for seat in seats)
                use.of_all[at] += many * total
                use.outcomes[at].add(own, many, total)

    # ---------------------------------------------------------------- estimates
    def advantage(self, item: Item, outcome: int, confidence: Confidence) -> Interval:
        """Return the mean lead, in one outcome, of an item's takers over all other players."""
        use = self.items.get(item)
        if use is None or min(use.games, self.everybody.games) < FEWEST:
            return NOTHING
        mean, variance = self._advantage(use, outcome)
        return confidence.around(mean, variance, self.everybody.games)

    def means(self, item: Item, outcome: int) -> tuple[float, float]:
        """Return the mean outcomes for an item's takers and for all others; 0 for empty groups."""
        use = self.items.get(item, ItemUse())
        total, takers = use.outcomes[outcome].total, use.takers
        others = self.everybody.players * self.everybody.games - takers
        rest = self.everybody.totals[outcome] - total
        return (total / takers if takers else 0.0, rest / others if others else 0.0)

    def _advantage(self, use: ItemUse, outcome: int) -> tuple[float, float]:
        """Return the difference between means, and its variance for one game."""
        # Delta method: the difference is linearised in the sums, so each game contributes a linear
        # combination of its takers' total, its number of takers, the total of all players, and a
        # constant. The variance is the mean square of the contributions.
        games, players = self.everybody.games, self.everybody.players
        own, rest = use.takers / games, players - use.takers / games
        if min(own, rest) * games < FEWEST:
            return 0.0, float("inf")
        sums = use.outcomes[outcome]
        mean = sums.total / use.takers
        others = (self.everybody.totals[outcome] - sums.total) / (rest * games)
        point, taker = 1 / own + 1 / rest, -(mean / own + others / rest)
        of_all, always = -1 / rest, others * players / rest
        squares = (
            point * point * sums.squares
            + taker * taker * use.takers_squared
            + of_all * of_all * self.everybody.squares[outcome]
            + always * always * games
            + 2 * point * taker * sums.by_takers
            + 2 * point * of_all * sums.by_all
            + 2 * point * always * sums.total
            + 2 * taker * of_all * use.of_all[outcome]
            + 2 * taker * always * use.takers
            + 2 * of_all * always * self.everybody.totals[outcome]
        )
        return mean - others, squares / games


Pair = tuple[str, str]


@attrs.frozen
class Company:
    """Two items chosen by the same player: the number of times, and the points and victories."""

    takers: int = 0
    points: int = 0
    wins: int = 0


@attrs.define
class Together:
    """All pairs of items in one group, with ids in order; an item is also paired with itself."""

    pairs: dict[Pair, Company] = attrs.Factory(dict)

    def add(self, played: Played, players: Sequence[int], groups: Groups, group: str) -> None:
        """Add a game; `players` are the indexes of players among the scoring seats."""
        taken: dict[int, set[str]] = {}
        for option, seat in played.chosen:
            for of, item in groups.items[option]:
                if of == group:
                    taken.setdefault(seat, set()).add(item)
        (won,) = winners(played.results)
        for seat in players:
            points, wins = played.scores[seat], int(won[seat])
            items = sorted(taken.get(seat, ()))
            for pair in [*combinations(items, 2), *((each, each) for each in items)]:
                old = self.pairs.get(pair, Company())
                self.pairs[pair] = Company(old.takers + 1, old.points + points, old.wins + wins)


OPTION, VERB = "option", "verb"


@attrs.frozen
class Groups:
    """The items named by each option, by option number, as (group, item) pairs."""

    names: tuple[str, ...]
    items: tuple[tuple[Item, ...], ...] = attrs.field(repr=False)
    asked: tuple[str, ...] = attrs.field(repr=False)  # the asking procedure of each option
    titles: dict[Item, str] = attrs.field(repr=False)


def group_names(setting: CompiledSetting) -> tuple[str, ...]:
    """Return the names of a game's groups: options, verbs, and kinds of entries in options."""
    kinds = {each.about.partition(":")[0] for each in setting.option_names if each.about}
    return (OPTION, VERB, *sorted(kinds))


def questions(setting: CompiledSetting) -> tuple[str, ...]:
    """Return the names of all procedures that ask a question."""
    return tuple(sorted({each.asked for each in setting.option_names if each.id}))


def groups_of(setting: CompiledSetting, names: Sequence[str], asked: str | None = None) -> Groups:
    """Return groups by name, optionally for one question; raise ValueError for unknown names."""
    _check(names, group_names(setting), "there is no group")
    if asked is not None:
        _check([asked], questions(setting), "there is no question")
    titles: dict[Item, str] = {}
    entries = {each.id: each.title for each in setting.printed}
    items: list[tuple[Item, ...]] = []
    for option in setting.option_names:
        asks = option.id and asked in (None, option.asked)
        found = {(group, item): title for group, item, title in _items(option) if group in names}
        items.append(tuple(found) if asks else ())
        for one in items[-1]:
            titles.setdefault(one, entries.get(one[1], found[one]))
    return Groups(tuple(names), tuple(items), tuple(e.asked for e in setting.option_names), titles)


def _items(option: OptionName) -> Iterator[tuple[str, str, str]]:
    yield OPTION, f"{option.asked}: {option.id}", f"{option.asked}: {option.label}"
    verb = _verb(option)
    yield VERB, verb, verb
    if option.about:
        yield option.about.partition(":")[0], option.about, option.label


def _verb(option: OptionName) -> str:
    """Return the verb of an option: the asking procedure and, for a menu, the line taken."""
    thing = option.id == option.about or option.id.isdigit() or option.id.startswith("player:")
    return option.asked if thing else f"{option.asked}: {option.id.partition(':')[0]}"


def _check(names: Sequence[str], known: Sequence[str], wrong: str) -> None:
    for name in names:
        if name not in known:
            advice = did_you_mean(name, known) or f"known: {', '.join(known)}"
            raise ValueError(f"{wrong} `{name}` ({advice})")

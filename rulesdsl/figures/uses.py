"""How often each item was offered and chosen, and how those came out who chose it.

Those who chose an item in a game are compared with all players who did not, in the same games and
in others: the mean of the ones less the mean of the others.  That says what goes with it, not what
it causes: who is ahead can afford more.  What a change of an item causes is told by `pairs`.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import attrs

from rulesdsl.figures.sequences import FEWEST, NOTHING, Confidence, Interval

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulesdsl.figures.groups import Groups
    from rulesdsl.interpreter.simulator.playouts import Played, Playouts

POINTS, PLACE, WIN = OUTCOMES = range(3)
"""Measures of a result: points, place, and 1 for a victory, alone or shared."""
WON = "won"
Item = tuple[str, str]


@attrs.define
class Outcome:
    """An outcome of those who chose an item, added up game by game."""

    total: int = 0
    squares: int = 0
    by_takers: int = 0
    """The total of a game times how many chose the item in it."""
    by_all: int = 0
    """The total of a game times that of all players."""

    def add(self, total: int, takers: int, of_all: int) -> None:
        """Add a game."""
        self.total += total
        self.squares += total * total
        self.by_takers += total * takers
        self.by_all += total * of_all

    def with_more(self, other: Outcome) -> Outcome:
        """Return both together."""
        return Outcome(
            self.total + other.total,
            self.squares + other.squares,
            self.by_takers + other.by_takers,
            self.by_all + other.by_all,
        )


def winners(found: Playouts) -> Iterator[tuple[bool, ...]]:
    """Yield for each game which seats have won it.

    The verdict of the rules counts, such as that of a game for one; where they say nothing of a
    seat, who is in first place has won.
    """
    width, words = len(found.seats), found.words
    places, verdicts = found.numbers["places"], found.numbers["verdicts"]
    players = len(verdicts) // found.games if found.games else 0
    for game in range(found.games):
        said = [*verdicts[game * players : (game + 1) * players], *[-1] * width]
        ranked = places[game * width : (game + 1) * width]
        yield tuple(
            place == 1 if verdict < 0 else words[verdict] == WON
            for place, verdict in zip(ranked, said, strict=False)
        )


def _outcomes() -> tuple[Outcome, ...]:
    return tuple(Outcome() for _ in OUTCOMES)


@attrs.define
class Use:
    """What some games came to for one item; `takers` are players who chose it in a game."""

    seen: int = 0
    """Players who were offered it in a game, over all games."""
    offered: int = 0
    chosen: int = 0
    chosen_squared: int = 0
    takers: int = 0
    takers_squared: int = 0
    games: int = 0
    """Games in which anybody chose it."""
    of_all: list[int] = attrs.Factory(lambda: [0] * len(OUTCOMES))
    """The takers of a game times the total of all players."""
    outcomes: tuple[Outcome, ...] = attrs.Factory(_outcomes)
    questions: Counter[str] = attrs.Factory(Counter)
    """How often it was chosen, by what asked."""

    def with_more(self, other: Use) -> Use:
        """Return both together."""
        return Use(
            self.seen + other.seen,
            self.offered + other.offered,
            self.chosen + other.chosen,
            self.chosen_squared + other.chosen_squared,
            self.takers + other.takers,
            self.takers_squared + other.takers_squared,
            self.games + other.games,
            [one + two for one, two in zip(self.of_all, other.of_all, strict=True)],
            tuple(
                one.with_more(two) for one, two in zip(self.outcomes, other.outcomes, strict=True)
            ),
            self.questions + other.questions,
        )


@attrs.define
class Everybody:
    """The outcomes of all players of a game together, added up over games."""

    games: int = 0
    players: int = 0
    totals: list[int] = attrs.Factory(lambda: [0] * len(OUTCOMES))
    squares: list[int] = attrs.Factory(lambda: [0] * len(OUTCOMES))

    def with_more(self, other: Everybody) -> Everybody:
        """Return both together."""
        pairs = ((self.totals, other.totals), (self.squares, other.squares))
        added = ([a + b for a, b in zip(one, two, strict=True)] for one, two in pairs)
        return Everybody(self.games + other.games, self.players or other.players, *added)


@attrs.define
class Uses:
    """What some games came to for all items of some groups."""

    everybody: Everybody = attrs.Factory(Everybody)
    items: dict[Item, Use] = attrs.Factory(dict)

    def with_more(self, other: Uses) -> Uses:
        """Return both together."""
        items = dict(self.items)
        for item, use in other.items.items():
            items[item] = items[item].with_more(use) if item in items else use
        return Uses(self.everybody.with_more(other.everybody), items)

    def add(self, played: Played, players: Sequence[int], groups: Groups) -> dict[Item, int]:
        """Add a game; `players` are the seats of players, among those that score.

        Return how often each item was chosen in it.
        """
        (won,) = winners(played.results)
        found = [(played.scores[at], played.places[at], int(won[at])) for at in players]
        totals = [sum(each[at] for each in found) for at in OUTCOMES]
        self.everybody.games += 1
        self.everybody.players = len(players)
        for at, total in enumerate(totals):
            self.everybody.totals[at] += total
            self.everybody.squares[at] += total * total
        self._see(played, groups)
        taken: dict[Item, dict[int, int]] = {}
        for (option, seat), count in played.chosen.items():
            for item in groups.items[option]:
                seats = taken.setdefault(item, {})
                seats[seat] = seats.get(seat, 0) + count
                self.items[item].questions[groups.asked[option]] += count
        counts: dict[Item, int] = {}
        for item, seats in taken.items():
            use, many = self.items[item], len(seats)
            chosen = counts[item] = sum(seats.values())
            use.chosen += chosen
            use.chosen_squared += chosen * chosen
            use.takers += many
            use.takers_squared += many * many
            use.games += 1
            for at, total in enumerate(totals):
                own = sum(found[seat][at] for seat in seats)
                use.of_all[at] += many * total
                use.outcomes[at].add(own, many, total)
        return counts

    def _see(self, played: Played, groups: Groups) -> None:
        """Count what was offered, and to how many."""
        seen: set[tuple[Item, int]] = set()
        for (option, seat), count in played.offered.items():
            for item in groups.items[option]:
                use = self.items.get(item)
                if use is None:
                    use = self.items[item] = Use()
                use.offered += count
                seen.add((item, seat))
        for item, _ in seen:
            self.items[item].seen += 1

    # ---------------------------------------------------------------- what they say
    def advantage(self, item: Item, outcome: int, confidence: Confidence) -> Interval:
        """Return how far those who chose an item are above those who did not, in an outcome."""
        use = self.items.get(item)
        if use is None or min(use.games, self.everybody.games) < FEWEST:
            return NOTHING
        mean, variance = self._advantage(use, outcome)
        return confidence.around(mean, variance, self.everybody.games)

    def means(self, item: Item, outcome: int) -> tuple[float, float]:
        """Return the means of those who chose an item, and of those who did not; 0 for nobody."""
        use = self.items.get(item, Use())
        total, takers = use.outcomes[outcome].total, use.takers
        others = self.everybody.players * self.everybody.games - takers
        rest = self.everybody.totals[outcome] - total
        return (total / takers if takers else 0.0, rest / others if others else 0.0)

    def _advantage(self, use: Use, outcome: int) -> tuple[float, float]:
        """Return the difference of means, and its variance for one game.

        A game moves the difference by a sum of its own: so much for each point of those who chose,
        for each of them, for each point of all, and the same for all games.  The variance is the
        mean square of that.
        """
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

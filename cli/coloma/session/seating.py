"""Seats: the decider of each, their names, and hints from a bot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice
from typing import TYPE_CHECKING, TypeAlias

import attrs

from coloma.output import USAGE, CommandError
from rulesdsl import Game
from rulesdsl.bots.bot import Bot, ByWeight, all_alike

if TYPE_CHECKING:
    from rulesdsl import Decision
    from rulesdsl.bots.strong import Strong


# house: plain first names that occur in no game
_BOTS = (
    *("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hanna"),
    *("Igor", "June", "Karl", "Lena", "Milo", "Nora", "Otto", "Pia"),
)
_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15  # the constants of the generator splitmix64


@attrs.frozen
class Seating:
    """Number of players, and number of bots among them, in the last seats."""

    players: int
    bots: int

    @property
    def people(self) -> range:
        """The seats of people."""
        return range(1, self.players - self.bots + 1)

    @property
    def of_bots(self) -> range:
        """The seats of bots."""
        return range(self.players - self.bots + 1, self.players + 1)

    def is_bot(self, player: int) -> bool:
        """Return True if a bot sits in this seat."""
        return player not in self.people


def seat_names(seating: Seating, given: Sequence[str]) -> list[str]:
    """Return the names of the players, empty for a person without a given name.

    Bots get names that no person has, with a mark. `CommandError` for more names than people.
    """
    people = len(seating.people)
    if len(given) > people:
        some = {0: "no people", 1: "1 person"}.get(people, f"{people} people")
        raise CommandError(
            f"--name is given {len(given)} times, for {some}: bots have names of their own", USAGE
        )
    taken = {each.strip().casefold() for each in given}
    bots = (each for each in _names_of_bots() if each.casefold() not in taken)
    unnamed = [""] * (people - len(given))
    return [*given, *unnamed, *(f"{each} (bot)" for each in islice(bots, seating.bots))]


def _names_of_bots() -> Iterator[str]:
    yield from _BOTS
    for number in count(2):
        yield from (f"{each} {number}" for each in _BOTS)


def seed_of_choice(seed: int, player: int, step: int) -> int:
    """Return a deterministic seed for a bot's choice.

    It depends on the game's seed, the bot's seat and the number of choices made, so that a resumed
    game continues as it would have, and undoing a choice changes no bot's decision.
    """
    return _mix(_mix(_mix(seed & _MASK) + player) + step)


def choices_of(bots: Mapping[int, Bot]) -> Callable[[Game, Seating, int], tuple[int, int] | None]:
    """Return a function that gives the asked bot and its choice, None for a person."""

    def choice(game: Game, _: Seating, step: int) -> tuple[int, int] | None:
        decision = game.decision
        if decision is None or decision.player not in bots:
            return None
        seed = seed_of_choice(game.seed, decision.player, step)
        return decision.player, bots[decision.player].choose(game, decision.player, seed)

    return choice


def bot_choice(game: Game, seating: Seating, step: int) -> tuple[int, int] | None:
    """Return the asked bot and its choice if all bots are random, None for a person."""
    every = dict.fromkeys(range(1, seating.players + 1), ByWeight(all_alike))
    of_bots = {player: bot for player, bot in every.items() if seating.is_bot(player)}
    return choices_of(of_bots)(game, seating, step)


def _mix(value: int) -> int:
    value = (value + _GOLDEN) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


_MOST_LISTED = 4
_BETTER = ((0.1, "clearly better than"), (0.03, "a little better than"))  # house
_AS_GOOD = "about as good as"

Estimates: TypeAlias = Sequence[tuple[int, float]]
"""Options by index with their estimated value, best first: from 0 (lost) to 1."""


@attrs.define
class Adviser:
    """Source of hints; creates its bot on first use."""

    _make: Callable[[], Strong]
    _bot: Strong | None = None

    def hint(self, game: Game, player: int, step: int) -> Estimates:
        """Return estimates for the asked player, deterministic for a given `step`."""
        if self._bot is None:
            self._bot = self._make()
        return self._bot.estimates(game, player, seed_of_choice(game.seed, player, step))


def hint_lines(decision: Decision, found: Estimates) -> list[str]:
    """Describe a hint: the best option, and its lead over the next."""
    options = decision.options
    if len(options) == 1:
        return ["Hint: there is only one choice."]

    def named(index: int) -> str:
        return f"{index + 1}, {options[index].label}"

    best, *others = found
    said = f"Hint: {named(best[0])}."
    if others:
        said += f" It is {_how_much(best[1] - others[0][1])} {named(others[0][0])}."
    listed = ", ".join(f"{at + 1}: {round(100 * each)}" for at, each in found[:_MOST_LISTED])
    return [said, f"Estimates, from 0 (lost) to 100 (a clear win): {listed}"]


def _how_much(by: float) -> str:
    return next((words for least, words in _BETTER if by >= least), _AS_GOOD)

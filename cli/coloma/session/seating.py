"""Who decides for which seat, what they are called, and what a bot decides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count, islice

import attrs

from coloma.errors import USAGE, CommandError
from rulesdsl import Game

# Plain first names, and of no game; house.
_BOTS = (
    *("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hanna"),
    *("Igor", "June", "Karl", "Lena", "Milo", "Nora", "Otto", "Pia"),
)
_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15  # the constants are those of the generator splitmix64


@attrs.frozen
class Seating:
    """How many play, and how many of them, the last ones, are bots."""

    players: int
    bots: int

    @property
    def people(self) -> range:
        """The players who are people."""
        return range(1, self.players - self.bots + 1)

    def is_bot(self, player: int) -> bool:
        """Tell whether a player is a bot."""
        return player not in self.people


def seat_names(seating: Seating, given: Sequence[str]) -> list[str]:
    """Return what the players are called, an empty text for a person who gave no name.

    Bots have names that no person has, and are marked. CommandError for names without a person.
    """
    people = len(seating.people)
    if len(given) > people:
        some = {0: "no people", 1: "1 person"}.get(people, f"{people} people")
        raise CommandError(
            f"--name is given {len(given)} times, for {some}: bots have names", USAGE
        )
    taken = {each.strip().casefold() for each in given}
    bots = (each for each in _names_of_bots() if each.casefold() not in taken)
    unnamed = [""] * (people - len(given))
    return [*given, *unnamed, *(f"{each} (bot)" for each in islice(bots, seating.bots))]


def _names_of_bots() -> Iterator[str]:
    """Yield names without end."""
    yield from _BOTS
    for number in count(2):
        yield from (f"{each} {number}" for each in _BOTS)


def pick(seed: int, player: int, step: int, count: int) -> int:
    """Return the index that a bot takes: evenly among all, and the same each time it is asked.

    It depends on the game's seed, the bot's seat and the number of choices made so far, so that
    a game that is resumed goes on as it would have, and undoing a choice changes no bot's mind.
    """
    return (_drawn(seed, player, step) * count) >> 64


def chance(seed: int, player: int, step: int) -> float:
    """Return what `pick` picks by as a number from 0 up to 1."""
    return (_drawn(seed, player, step) >> 11) / 2**53


def _drawn(seed: int, player: int, step: int) -> int:
    return _mix(_mix(_mix(seed & _MASK) + player) + step)


def bot_choice(game: Game, seating: Seating, step: int) -> tuple[int, int] | None:
    """Return which player's turn it is and the index to take, `None` if no bot is asked."""
    decision = game.decision
    if decision is None or not seating.is_bot(decision.player):
        return None
    return decision.player, pick(game.seed, decision.player, step, decision.count)


def _mix(value: int) -> int:
    value = (value + _GOLDEN) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)

"""Who decides for which seat, what they are called, and the chance of a bot's choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count, islice

import attrs

from coloma.errors import USAGE, CommandError
from rulesdsl import Game
from rulesdsl.bots.bot import Bot
from rulesdsl.bots.by_weight import ByWeight, all_alike

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

    @property
    def of_bots(self) -> range:
        """The players who are bots."""
        return range(self.players - self.bots + 1, self.players + 1)

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


def seed_of_choice(seed: int, player: int, step: int) -> int:
    """Return the seed of a bot's choice, the same each time it is asked.

    It depends on the game's seed, the bot's seat and the number of choices made so far, so that
    a game that is resumed goes on as it would have, and undoing a choice changes no bot's mind.
    """
    return _mix(_mix(_mix(seed & _MASK) + player) + step)


def choices_of(bots: Mapping[int, Bot]) -> Callable[[Game, Seating, int], tuple[int, int] | None]:
    """Return what tells which bot is asked and the index that it takes, None for a person."""

    def choice(game: Game, _: Seating, step: int) -> tuple[int, int] | None:
        decision = game.decision
        if decision is None or decision.player not in bots:
            return None
        seed = seed_of_choice(game.seed, decision.player, step)
        return decision.player, bots[decision.player].choose(game, decision.player, seed)

    return choice


def bot_choice(game: Game, seating: Seating, step: int) -> tuple[int, int] | None:
    """Return which bot is asked and the index that it takes, where all are random."""
    every = dict.fromkeys(range(1, seating.players + 1), ByWeight(all_alike))
    of_bots = {player: bot for player, bot in every.items() if seating.is_bot(player)}
    return choices_of(of_bots)(game, seating, step)


def _mix(value: int) -> int:
    value = (value + _GOLDEN) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)

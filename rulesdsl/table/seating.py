"""Seats of a table: people, bots with names, and the seeds of bots' choices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain, count, islice
from typing import TypeAlias

import attrs

from rulesdsl.bots.bot import Bot
from rulesdsl.interpreter.arguments import name_key
from rulesdsl.interpreter.game import Game
from rulesdsl.source.english import so_many

# house: plain first names that occur in no game
_BOTS = (
    *("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hanna"),
    *("Igor", "June", "Karl", "Lena", "Milo", "Nora", "Otto", "Pia"),
)
_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15  # the constants of the generator splitmix64


@attrs.frozen
class Seating:
    """Number of players, and the number of bots among them; these take the last seats."""

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


def seat_names(seating: Seating, of_people: Sequence[str]) -> list[str]:
    """Return the names of the players; people who are not named get an empty one.

    Bots get names that differ from those of the people, marked as bots. Raise `ValueError` if
    there are more names than people.
    """
    people = len(seating.people)
    if len(of_people) > people:
        humans = so_many(people, "human player", "human players") if people else "no human player"
        names = so_many(len(of_people), "name", "names")
        raise ValueError(f"{names} for {humans}; bots have their own")
    used = {name_key(name) for name in of_people}
    numbered = (f"{name} {number}" for number in count(2) for name in _BOTS)
    bots = (name for name in chain(_BOTS, numbered) if name_key(name) not in used)
    unnamed = [""] * (people - len(of_people))
    return [*of_people, *unnamed, *(f"{name} (bot)" for name in islice(bots, seating.bots))]


def seed_of_choice(seed: int, player: int, step: int) -> int:
    """Return a deterministic seed for a bot's choice.

    It depends on the game's seed, the bot's seat and the number of choices made, so that a resumed
    game continues as it would have, and undoing a choice changes no bot's decision.
    """
    return _mix(_mix(_mix(seed & _MASK) + player) + step)


BotChoice: TypeAlias = Callable[[Game, int], int | None]
"""Function that returns the choice of the bot to move, by index; None if a person is to move.

The second argument is the number of choices made so far.
"""


def choices_of(bots: Mapping[int, Bot]) -> BotChoice:
    """Return a function that makes the bots' choices; `bots` maps seats to bots."""

    def choice(game: Game, step: int) -> int | None:
        decision = game.decision
        if decision is None or decision.player not in bots:
            return None
        seed = seed_of_choice(game.seed, decision.player, step)
        return bots[decision.player].choose(game, decision.player, seed)

    return choice


def _mix(value: int) -> int:
    value = (value + _GOLDEN) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)

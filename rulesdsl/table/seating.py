"""Seats of a table: people, bots with names, and the seeds of bots' choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, count, repeat
from typing import Self, TypeAlias

import attrs

from rulesdsl.bots.bot import Bot
from rulesdsl.interpreter.arguments import LONGEST_NAME, name_key
from rulesdsl.interpreter.game import Game
from rulesdsl.source.english import so_many

# house: plain first names that occur in no game
_BOTS = (
    *("Ada", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hanna"),
    *("Igor", "June", "Karl", "Lena", "Milo", "Nora", "Otto", "Pia"),
)
_MARK = " (bot)"
_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15  # the constants of the generator splitmix64


@attrs.frozen
class Seating:
    """Seats of a table: for each player, the kind of the bot; empty for a person."""

    kinds: tuple[str, ...]

    @classmethod
    def with_last(cls, players: int, bots: Sequence[str]) -> Self:
        """Seat bots of these kinds in the last seats, and people in the others."""
        return cls(("",) * (players - len(bots)) + tuple(bots))

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.kinds)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of people."""
        return tuple(seat for seat, kind in enumerate(self.kinds, start=1) if not kind)

    @property
    def of_bots(self) -> tuple[int, ...]:
        """The seats of bots."""
        return tuple(seat for seat, kind in enumerate(self.kinds, start=1) if kind)

    def is_bot(self, player: int) -> bool:
        """Return True if a bot sits in this seat."""
        return bool(self.kinds[player - 1])

    def changes_from(self, other: Seating) -> Iterator[tuple[int, str]]:
        """Yield each seat with another kind of player than in `other`, and the kind."""
        for player, kind in enumerate(self.kinds, start=1):
            if kind != other.kinds[player - 1]:
                yield player, kind

    def with_seat(self, player: int, kind: str) -> Self:
        """Return the seating with a bot of this kind in a seat, or a person if it is empty."""
        at = player - 1
        return attrs.evolve(self, kinds=(*self.kinds[:at], kind, *self.kinds[player:]))


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
    in_use = {name_key(name) for name in of_people}
    numbered = (f"{name} {number}" for number in count(2) for name in _BOTS)
    bots = (f"{name}{_MARK}" for name in chain(_BOTS, numbered) if name_key(name) not in in_use)
    people_in_order = chain(of_people, repeat(""))
    return [next(bots if kind else people_in_order) for kind in seating.kinds]


def name_in_seat(name: str, *, is_bot: bool) -> str:
    """Return the name of a seat that goes to a bot or a person: with or without the bots' mark."""
    own = name.removesuffix(_MARK)
    return f"{own[: LONGEST_NAME - len(_MARK)]}{_MARK}" if is_bot else own


def seed_of_choice(seed: int, player: int, step: int) -> int:
    """Return a deterministic seed for a bot's choice.

    It depends on the game's seed, the bot's seat and the number of choices made, so that a resumed
    game continues as it would have, and undoing a choice changes no bot's decision.
    """
    return _mix(_mix(_mix(seed & _MASK) + player) + step)


BotMaker: TypeAlias = Callable[[str], Bot]
"""Function that returns the bot of a kind."""

Script: TypeAlias = Callable[[Game, int], int | None]
"""Function that makes the choices of a lesson's other players, by index; None if it has none.

The last argument is the number of choices made so far.
"""


def _mix(value: int) -> int:
    value = (value + _GOLDEN) & _MASK
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)

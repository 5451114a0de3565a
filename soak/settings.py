"""Which settings a soak plays: all player counts, and every value of every option in turn."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    import rulesdsl

Value = bool | int | str


@attrs.frozen
class Chosen:
    """One setting: so many players and their options."""

    players: int
    options: dict[str, Value]

    def __str__(self) -> str:
        """Show what one would type to get it."""
        words = [f"--players {self.players}"]
        words += [f"--option {name}={value}" for name, value in self.options.items()]
        return " ".join(words)


def settings(
    pack: rulesdsl.Pack, count: int, seed: int, players: int | None = None
) -> list[Chosen]:
    """Return so many settings; together they hold every value of every option, at every count.

    The first ones cycle through all values of all options; what follows is drawn by chance. Where
    a number of players is given, all are for so many.
    """
    chance = random.Random(seed)
    least, most = (players, players) if players else pack.players
    found: list[Chosen] = []
    wanted = [{info.name: value} for info in pack.options for value in info.values] or [{}]
    while len(found) < count:
        turn, at = divmod(len(found), len(wanted))
        fixed = wanted[at]
        options = {
            info.name: info.default if chance.random() < 1 / 2 else chance.choice(info.values)
            for info in pack.options
        }
        found.append(Chosen(least + (turn + at) % (most - least + 1), {**options, **fixed}))
    return found


def a_setting(pack: rulesdsl.Pack, players: int, chance: random.Random) -> Chosen:
    """Return a setting: as usual, or with options by chance."""
    if chance.random() < 1 / 2:
        return Chosen(players, {})
    return Chosen(players, {info.name: chance.choice(info.values) for info in pack.options})

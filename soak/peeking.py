"""`python -m soak peeking`: test that bots do not use hidden information.

The observation of a player must be the same, byte for byte, in two worlds that the player cannot
tell apart, and with the same seed, every bot must make the same choice in both. For the second
world, the game is replayed with pieces exchanged in a shuffle, draw or choice (`worlds`),
different secret answers by the other players, and different random numbers from then on. With
`--iterations 0`, only observations are compared.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

import rulesdsl
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.thought import Thought
from rulesdsl.bots.weights import FILE, read
from rulesdsl.interpreter.knowledge.observing import observe
from soak.worlds import replayed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.bots.bot import Bot

_EVERY = 7  # house: one decision in seven is examined
_IDLE = 100  # house: games in a row without a choice, as if there are too few cards for all
_MOST = 12  # house: positions tried for each one that has an indistinguishable world


@attrs.define
class Found:
    """Counts of choices compared, and of choices that differed."""

    worlds: int = 0
    choices: Counter[str] = attrs.Factory(Counter)
    swapped: int = 0
    peeked: Counter[str] = attrs.Factory(Counter)

    def told(self) -> str:
        """Return a summary in a few lines."""
        each = ", ".join(f"{name} {count}" for name, count in sorted(self.choices.items()))
        said = [f"{self.worlds} other worlds; {self.swapped} pieces were exchanged"]
        said += [f"choices in two worlds: {each}"]
        said += [f"{name} used hidden information {n} times" for name, n in self.peeked.items()]
        return "\n".join([*said, f"{self.peeked.total()} wrong"])


def run(pack: str, count: int, seed: int, players: int | None, iterations: int | None) -> int:
    """Compare choices in positions of random games; return the exit status."""
    loaded, file, found = rulesdsl.load(pack), Path(pack, FILE), Found()
    bots = {} if iterations == 0 else KINDS
    least, most = loaded.players
    numbers = range(least, most + 1) if players is None else (players,)
    learned = read(file, loaded) if file.exists() else Learned()
    for number in numbers:
        making = Making(partial(loaded.simulator, number), learned, Thought(iterations or None))
        made = {name: kind.make(making) for name, kind in bots.items()}
        compare(loaded, number, -(-count // len(numbers)), seed, made, found)
        print(f"{number} players: {found.told()}", flush=True)
    print(found.told())
    return 1 if found.peeked else 0


def compare(
    pack: rulesdsl.Pack, players: int, count: int, seed: int, bots: Mapping[str, Bot], found: Found
) -> None:
    """Compare positions of random games with indistinguishable worlds."""
    chance, wanted = random.Random(seed), found.worlds + count
    for game, choices, player in positions(pack, players, chance, _MOST * count):
        made = replayed(pack, game, choices, player, chance)
        of_choice = chance.getrandbits(64)
        if made is None:
            continue
        other, swapped = made
        found.worlds += 1
        found.swapped += swapped
        seen, there = (json.dumps(observe(each, player).data) for each in (game, other))
        if seen != there:
            found.peeked["observation"] += 1
        for name, bot in bots.items():
            found.choices[name] += 1
            if bot.choose(game, player, of_choice) != bot.choose(other, player, of_choice):
                found.peeked[name] += 1
        if found.worlds == wanted:
            break


def positions(
    pack: rulesdsl.Pack, players: int, chance: random.Random, count: int
) -> Iterator[tuple[rulesdsl.Game, list[tuple[int, int]], int]]:
    """Yield positions of random games, the choices that led to them, and the player to move.

    They end early where too many games in a row have nothing to choose.
    """
    without_choice = 0
    while count > 0 and without_choice < _IDLE:
        without_choice += 1
        game, choices = pack.new_game(players, chance.getrandbits(32)), list[tuple[int, int]]()
        while (decision := game.decision) is not None and count > 0:
            open_ = [each for each in game.decisions if each.count > 1]
            without_choice = 0 if open_ else without_choice
            if open_ and not chance.randrange(_EVERY):
                count -= 1
                yield game, choices, chance.choice(open_).player
            choices.append((decision.player, chance.randrange(decision.count)))
            game.choose(choices[-1][1], decision.player)

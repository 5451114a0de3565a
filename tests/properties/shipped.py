"""Shipped games, and choices that play them at random, for property tests."""

import random
from bisect import bisect
from collections.abc import Callable, Iterable, Sequence
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path

import attrs

import rulesdsl
from coloma.packs import bundled_packs, groups
from coloma.simulation.games import Taste, parse_taste
from kept import shipped_pack

# Bots that choose blindly end this game before it has begun; every second one likes to play it.
LIKES = {"sutters_mill": "gold-turn=9,pay-up-place-prospector=5,spot:*=1,*tear down*=0"}

LONGEST = 20_000  # decisions of a game

Choice = tuple[int, int]  # player, index


def play_on(game: rulesdsl.Game, choices: Iterable[Choice]) -> None:
    """Make choices, each given as a player and an index."""
    for player, index in choices:
        game.choose(index, player)


def preferred(taste: Taste, options: Sequence[rulesdsl.Option], chance: float) -> int:
    """Return the index that a number in [0, 1) selects; weights that are all 0 count as equal."""
    ends = list(accumulate(map(taste.weight, options)))
    return bisect(ends, int(chance * ends[-1])) if ends[-1] else int(chance * len(options))


@attrs.frozen(slots=False)
class Shipped:
    """A shipped game, loaded from the folder of its pack."""

    folder: Path

    @cached_property
    def pack(self) -> rulesdsl.Pack:
        return shipped_pack(self.folder)

    def players(self, table: int) -> int:
        """Return a legal number of players; consecutive values of `table` go through them all."""
        least, most = self.pack.players
        return least + table % (most - least + 1)

    def taste(self, seed: int) -> Taste:
        liked = LIKES.get(self.pack.id) if seed % 2 else None
        return parse_taste(liked) if liked else Taste()

    def played(
        self, players: int, seed: int, look: Callable[[rulesdsl.Game], None] | None = None
    ) -> tuple[rulesdsl.Game, list[Choice]]:
        """Play a random game; return it at its end, with all choices.

        `look` is called with the game before each choice and at its end.
        """
        game = self.pack.new_game(players, seed)
        chance, taste = random.Random(seed), self.taste(seed)
        choices: list[Choice] = []
        while game.decision:
            if look is not None:
                look(game)
            decision = chance.choice(game.decisions)
            if taste.weights:
                index = preferred(taste, decision.options, chance.random())
            else:
                index = chance.randrange(decision.count)
            choices.append((decision.player, index))
            play_on(game, choices[-1:])
            assert len(choices) < LONGEST
        if look is not None:
            look(game)
        return game, choices

    def after(self, players: int, seed: int, choices: Iterable[Choice]) -> rulesdsl.Game:
        """Return a game in which these choices were made."""
        game = self.pack.new_game(players, seed)
        play_on(game, choices)
        return game


@cache
def shipped() -> tuple[Shipped, ...]:
    """Return the shipped games outside groups; lockstep with OpenSpiel covers the classics."""
    return tuple(Shipped(each.folder) for each in groups(bundled_packs())[""])

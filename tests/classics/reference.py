"""Matches with a reference of our own, where OpenSpiel does not have our default or option."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TypeAlias

import attrs

import rulesdsl
from classics.lockstep import Difference
from rulesdsl import Game

Legal: TypeAlias = Mapping[int, Sequence[str]]
"""The ids of the options of each player who is asked."""
Choice: TypeAlias = tuple[int, str]
Outcome: TypeAlias = tuple[Sequence[int], Sequence[int]]
"""The scores, and the numbers that the ranking compares."""
Rules: TypeAlias = Generator[Legal, Choice, Outcome]


@attrs.frozen
class ByReference:
    """A match in which `rules` yields the legal options of every decision of our game.

    Our engine makes a choice with a single candidate without asking; the reference is given it.
    `steer` chooses among the ids of a player in steered games, and in all games if `always`.
    """

    name: str
    pack: str
    rules: Callable[[Game], Rules]
    options: Mapping[str, rulesdsl.OptionValue] = attrs.Factory(dict)
    players: int = 2
    steer: Callable[[Game, int, Sequence[str], random.Random], str | None] | None = None
    always: bool = False
    long: bool = False

    def play(
        self,
        pack: rulesdsl.Pack,
        seed: int,
        *,
        steered: bool,
        thorough: bool,  # noqa: ARG002 - every decision is compared in any case
    ) -> int:
        """Play a game; see `Match`."""
        chance = random.Random(seed)
        game = pack.new_game(self.players, seed, self.options, log=False)
        rules, moves = self.rules(game), 0
        try:
            legal = next(rules)
            while True:
                player, option = self._choice(game, legal, chance, steered=steered or self.always)
                legal = rules.send((player, option))
                moves += 1
        except StopIteration as end:
            self._compare(game, end.value)
        return moves

    def _choice(self, game: Game, legal: Legal, chance: random.Random, *, steered: bool) -> Choice:
        """Make a choice in our game, or return one that it has made by itself."""
        ours = {each.player: {one.id for one in each.options} for each in game.decisions}
        wanted = {player: set(ids) for player, ids in legal.items()}
        if ours == wanted:
            player = chance.choice(sorted(ours))
            offered = sorted(ours[player])
            option = self.steer(game, player, offered, chance) if self.steer and steered else None
            option = option or chance.choice(offered)
            game.choose(option, player=player)
            return player, option
        for player, ids in wanted.items():
            if len(ids) == 1 and ours.get(player) != ids:
                return player, ids.pop()
        raise Difference(f"ours {ours}, the reference {wanted}\n{game.decision}")

    def _compare(self, game: Game, outcome: Outcome) -> None:
        scores, ratings = outcome
        if game.result is None:
            raise Difference(f"the reference is over, ours is not\n{game.decision}")
        places = [1 + sum(other > mine for other in ratings) for mine in ratings]
        ours = list(game.result.scores), list(game.result.places)
        if ours != (list(scores), places):
            raise Difference(f"ours {ours}, the reference {(scores, places)}")

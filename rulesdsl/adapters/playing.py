"""A game as all adapters play it: moves by number, one player after the other, rewards.

Decisions that several players take in secret are taken in the order of their seats; nobody sees a
choice before all have been made.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.adapters.moves import Moves
from rulesdsl.adapters.observing import Observer
from rulesdsl.adapters.rewards import check_reward, gains, own_scores, results
from rulesdsl.interpreter.arguments import whole
from rulesdsl.source.ranges import GAMES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulesdsl.adapters.rewards import Reward
    from rulesdsl.interpreter.decision import Decision
    from rulesdsl.interpreter.game import Game
    from rulesdsl.interpreter.pack import OptionValue, Pack
    from rulesdsl.interpreter.setting import Setting


def limit(longest: int | None) -> int | None:
    """Return after how many decisions a game is broken off; ValueError for none that can be."""
    return None if longest is None else whole("longest", longest, GAMES)


class Table:
    """The part that all games of one setting share.

    Raises ValueError as `Pack.new_game` does, and for a game that asks nobody anything.
    """

    def __init__(
        self,
        pack: Pack,
        players: int,
        options: Mapping[str, OptionValue] | None,
        reward: Reward = "result",
    ) -> None:
        check_reward(reward)
        self.pack = pack
        self.players = players
        self.options = dict(options or {})
        self.reward = reward
        self.setting: Setting = pack.setting(players, self.options, log=True)
        self.moves = Moves(self.setting)
        if not self.moves.all:
            raise ValueError(f"{pack.name} asks nobody anything: there is nothing to learn")
        self.observer = Observer(self.setting)

    def begin(self, seed: int) -> Playing:
        """Begin the game of a seed."""
        return Playing(self, self.pack.new_game(self.players, seed, self.options))


@attrs.define
class Playing:
    """One game."""

    table: Table
    game: Game
    decisions: int = 0
    """How many have been taken."""
    _scores: list[int | None] = attrs.field(init=False)

    @_scores.default
    def _at_the_beginning(self) -> list[int | None]:
        return own_scores(self.game)

    @property
    def decision(self) -> Decision | None:
        """What is asked now; None when the game is over."""
        return self.game.decision

    @property
    def offered(self) -> list[int]:
        """The numbers of the moves that are offered now."""
        decision = self.decision
        return [] if decision is None else list(self.table.moves.offered(decision))

    def take(self, move: int) -> list[float]:
        """Take a move for whoever is asked; return the reward of each player for it.

        Raises IllegalChoice, and changes nothing, where it is not offered.
        """
        decision = self.decision
        at = 0 if decision is None else self.table.moves.index(decision, move)
        self.game.choose(at)
        self.decisions += 1
        if self.table.reward == "result":
            return results(self.game)
        rewards, self._scores = gains(self.game, self._scores)
        return rewards

    def row(self, player: int) -> list[int]:
        """Return what a player (from 1) may know now; see `Observer`."""
        return self.table.observer.row(self.game, player)

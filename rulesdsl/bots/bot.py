"""What a bot is: it chooses among options for a player, and looks at nothing hidden."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from rulesdsl.interpreter.decision import Decision
    from rulesdsl.interpreter.game import Game

SEED_BITS = 64


class Bot(Protocol):
    """One that plays: it may be asked about any position of the games that it was made for."""

    def choose(self, game: Game, player: int, seed: int) -> int:
        """Return the index of the option that a player (from 1) takes, who is asked.

        It is the same for the same seed (of 64 bits), whatever the player cannot know.  The game
        stays as it is.
        """


def decision_of(game: Game, player: int) -> Decision:
    """Return what a player is asked; ValueError where they are asked nothing."""
    for each in game.decisions:
        if each.player == player:
            return each
    raise ValueError(f"player {player} has nothing to choose")

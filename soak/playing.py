"""One random game: watched after every decision, bounded in length."""

from __future__ import annotations

import random
from bisect import bisect
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from soak.accounting import Accounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    import rulesdsl
    from coloma.simulation.taste import Taste
    from soak.settings import Chosen

MAX_DECISIONS = 20_000


class TooLong(AssertionError):  # noqa: N818 - says what is wrong with a game
    """A game that does not end within the limit."""


def preferred(taste: Taste, options: Sequence[rulesdsl.Option], chance: float) -> int:
    """Return the option that a number from 0 up to 1 picks; all of weight 0 are all alike."""
    ends = list(accumulate(map(taste.weight, options)))
    return bisect(ends, int(chance * ends[-1])) if ends[-1] else int(chance * len(options))


class Watcher:
    """Plays random games of a pack and keeps an eye on their pieces."""

    def __init__(self, pack: rulesdsl.Pack) -> None:
        self.pack = pack
        self._accounts: dict[int, Accounts] = {}

    def accounts(self, game: rulesdsl.Game) -> Accounts:
        """Return what the states of a game must hold."""
        key = id(game.setting)
        if key not in self._accounts:
            self._accounts[key] = Accounts(game.setting.engine.layout)
        return self._accounts[key]

    def play(
        self,
        chosen: Chosen,
        seed: int,
        *,
        log: bool = False,
        words: bool = False,
        taste: Taste | None = None,
    ) -> tuple[rulesdsl.Game, int]:
        """Play a random game to its end; return it and the number of its decisions.

        With `words`, everything that people see is made at every decision. With a taste, some
        options come more often than others.
        """
        game = self.pack.new_game(chosen.players, seed, chosen.options, log=log)
        check = self.accounts(game).check
        state = state_of(game)
        chance = random.Random(seed)
        below = chance.random
        count = 0
        check(state)
        while decision := game.decision:
            if not decision.count:  # one alone is asked where it is secret
                raise AssertionError(f"{decision!r}: nothing to choose")
            if words:
                look_at(game)
            opened = game.decisions
            if len(opened) > 1:
                decision = chance.choice(opened)
            if taste is None:
                index = int(below() * decision.count)
            else:
                index = preferred(taste, decision.options, below())
            game.choose(index, decision.player)
            count += 1
            check(state)
            if count >= MAX_DECISIONS:
                raise TooLong(f"more than {MAX_DECISIONS} decisions")
        if game.result is None:
            raise AssertionError("the game is over without a result")
        if words:
            look_at(game)
        return game, count


def look_at(game: rulesdsl.Game) -> None:
    """Make everything that people see of a position."""
    for decision in game.decisions:
        options = decision.options
        ids = {option.id for option in options}
        if len(ids) != len(options):
            raise AssertionError(f"{decision!r}: two options with one id")
        if not decision.prompt or not all(option.label for option in options):
            raise AssertionError(f"{decision!r}: without words")
    for viewer in range(1, game.players + 1):
        game.view(viewer)
    game.board(None)
    game.board(1)
    for line in game.log_since(max(game.log_length - 20, 0)):
        line.seen_text(1)


def state_of(game: rulesdsl.Game) -> Any:  # noqa: ANN401 - the class is made at run time
    """Return the state behind a game: a soak looks below the public face."""
    return game._state  # noqa: SLF001

"""A game for Gymnasium: one learner, and bots of ours on the other seats.

env = rulesdsl.adapters.gymnasium.Env(rulesdsl.load("content"), bots=["trained", "random"])
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from rulesdsl.adapters.arrays import LIMIT, masked, observed
from rulesdsl.adapters.opponents import opponents
from rulesdsl.adapters.playing import Table, limit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulesdsl.adapters.playing import Playing
    from rulesdsl.adapters.rewards import Reward
    from rulesdsl.bots.bot import Bot
    from rulesdsl.interpreter.decision import Decision
    from rulesdsl.interpreter.pack import OptionValue, Pack

ILLEGAL = -1.0  # house: what a move that is not offered gives: as for losing
SEED_BITS = 64


class Env(gymnasium.Env):
    """One learner against bots: a step is a decision of the learner.

    An observation has `observation`, one number for each of `names`, and `action_mask`, one for
    each of `moves`.  A move that is not offered ends the game, and is told in the info
    (`illegal`).  After `longest` decisions of all players a game is truncated.
    """

    def __init__(
        self,
        pack: Pack,
        bots: Sequence[str | Bot] = ("random",),
        options: Mapping[str, OptionValue] | None = None,
        *,
        seat: int = 1,
        reward: Reward = "result",
        longest: int | None = None,
    ) -> None:
        """Seat the learner (from 1), and the bots on the other seats, in order.

        Raises ValueError for a seat that there is not, for bots as `opponents` does, and as
        `Table` does.
        """
        if isinstance(bots, str):
            raise ValueError("`bots` is a list: one bot for each player but the learner")  # noqa: TRY004 - as all that is wrong
        self.metadata: dict[str, Any] = {"render_modes": []}
        self.render_mode = None
        self._table = Table(pack, len(bots) + 1, options, reward)
        if not 1 <= seat <= self._table.players:
            raise ValueError(f"there is no seat {seat}: they are 1 to {self._table.players}")
        others = opponents(self._table, bots)
        self._bots: dict[int, Bot] = dict(
            zip((e for e in range(1, len(bots) + 2) if e != seat), others, strict=True)
        )
        self._seat = seat
        self._longest = limit(longest)
        self._chance: random.Random | None = None
        self.moves = self._table.moves.all
        self.names = self._table.observer.names
        seen = spaces.Box(-LIMIT, LIMIT, (len(self.names),), np.float32)
        mask = spaces.Box(0, 1, (len(self.moves),), np.int8)
        self.observation_space = spaces.Dict({"observation": seen, "action_mask": mask})
        self.action_space = spaces.Discrete(len(self.moves))

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin the game of a seed, as `Pack.new_game` does; without one, the next by chance."""
        super().reset(seed=seed, options=options)
        if seed is not None or self._chance is None:
            self._chance = random.Random(seed)  # noqa: S311 - it plays games
        seed = self._chance.getrandbits(63) if seed is None else seed
        self.playing: Playing = self._table.begin(seed)
        self._early = self._others()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Take a move, and let the bots play until the learner is asked again."""
        playing = self.playing
        if int(action) not in playing.offered:
            return self._observation(), ILLEGAL, True, False, self._info(illegal=True)
        reward = self._early + playing.take(int(action))[self._seat - 1] + self._others()
        self._early = 0.0  # what came before the first move
        late = self._longest is not None and playing.decisions >= self._longest
        over = playing.game.over
        return self._observation(), reward, over, late and not over, self._info()

    def action_masks(self) -> Any:  # noqa: ANN401 - an array
        """Return which moves are offered, as MaskablePPO asks for it."""
        return masked(self._offered(), len(self.moves)).astype(bool)

    def _others(self) -> float:
        """Let the bots play; return what the learner is rewarded for meanwhile."""
        playing, chance, found = self.playing, self._chance, 0.0
        assert chance is not None  # `reset` comes first
        while (decision := playing.decision) is not None and decision.player != self._seat:
            if self._longest is not None and playing.decisions >= self._longest:
                break
            bot = self._bots[decision.player]
            at = bot.choose(playing.game, decision.player, chance.getrandbits(SEED_BITS))
            offered = self._table.moves.offered(decision)
            move = next(number for number, index in offered.items() if index == at)
            found += playing.take(move)[self._seat - 1]
        return found

    def _offered(self) -> list[int]:
        return [] if self._decision is None else self.playing.offered

    @property
    def _decision(self) -> Decision | None:
        """What the learner is asked."""
        decision = self.playing.decision
        return decision if decision is not None and decision.player == self._seat else None

    def _observation(self) -> dict[str, Any]:
        return {
            "observation": observed(self.playing.row(self._seat)),
            "action_mask": masked(self._offered(), len(self.moves)),
        }

    def _info(self, *, illegal: bool = False) -> dict[str, Any]:
        decision = self._decision
        found: dict[str, Any] = {} if decision is None else {"decision": decision.id}
        return found | ({"illegal": True} if illegal else {})

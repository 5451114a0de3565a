"""A game for Gymnasium: one learner, and our bots on the other seats.

env = rulesdsl.adapters.gymnasium.Env(rulesdsl.load("content"), bots=["trained", "random"])
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces

from rulesdsl.adapters.environment import SharedTable, limit, opponents
from rulesdsl.adapters.observation import LIMIT, masked, observed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulesdsl.adapters.environment import Playing, Reward
    from rulesdsl.bots.bot import Bot
    from rulesdsl.interpreter.decisions import Decision
    from rulesdsl.interpreter.pack import OptionValue, Pack

ILLEGAL = -1.0  # house: reward of an illegal move, equal to a loss
SEED_BITS = 64


class Env(gymnasium.Env):
    """One learner against bots: a step is a decision of the learner.

    An observation has `observation`, one number for each of `names`, and `action_mask`, one for
    each of `moves`. An illegal move ends the game, with `illegal` in the info. A game is truncated
    after `longest` decisions of all players.
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

        Raises ValueError for an unknown seat, for bots as `opponents` does, and as `SharedTable`
        does.
        """
        if isinstance(bots, str):
            raise ValueError("`bots` must be a list: one bot for each player but the learner")  # noqa: TRY004 - like all invalid arguments
        self.metadata: dict[str, Any] = {"render_modes": []}
        self.render_mode = None
        self._table = SharedTable(pack, len(bots) + 1, options, reward)
        if not 1 <= seat <= self._table.players:
            raise ValueError(f"there is no seat {seat}: seats are 1 to {self._table.players}")
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
        """Begin the game of a seed, as `Pack.new_game` does; the default seed is random."""
        super().reset(seed=seed, options=options)
        if seed is not None or self._chance is None:
            self._chance = random.Random(seed)  # noqa: S311 - it plays games
        seed = self._chance.getrandbits(63) if seed is None else seed
        self.playing: Playing = self._table.begin(seed)
        self._early = self._others()
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Make a move, then let the bots play until the learner's next decision."""
        playing = self.playing
        if int(action) not in playing.offered:
            return self._observation(), ILLEGAL, True, False, self._info(illegal=True)
        reward = self._early + playing.take(int(action))[self._seat - 1] + self._others()
        self._early = 0.0  # rewards before the first move
        late = self._longest is not None and playing.decisions >= self._longest
        over = playing.game.over
        return self._observation(), reward, over, late and not over, self._info()

    def action_masks(self) -> Any:  # noqa: ANN401 - an array
        """Return the mask of legal moves under the name that MaskablePPO expects."""
        return masked(self._offered(), len(self.moves)).astype(bool)

    def _others(self) -> float:
        """Let the bots play; return the learner's rewards meanwhile."""
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

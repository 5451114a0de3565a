"""Gymnasium environment: one learner, with our bots in the other seats."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from rulesdsl.adapters.environment import (
    ENVIRONMENT,
    Playing,
    Reward,
    SharedTable,
    limit,
    opponents,
)
from rulesdsl.adapters.observation import LIMIT, masked, observed
from rulesdsl.bots.bot import Bot
from rulesdsl.interpreter.pack import OptionValue, Pack
from rulesdsl.interpreter.saves import InProcess

ILLEGAL = -1.0  # reward of an illegal move, equal to a loss
SEED_BITS = 64


def spaces_of(table: SharedTable) -> tuple[spaces.Dict, spaces.Discrete]:
    """Return the observation space and the action space."""
    moves = len(table.moves.all)
    seen = spaces.Box(-LIMIT, LIMIT, (len(table.observer.names),), np.float32)
    mask = spaces.Box(0, 1, (moves,), np.int8)
    return spaces.Dict({"observation": seen, "action_mask": mask}), spaces.Discrete(moves)


def observation_of(playing: Playing, player: int) -> dict[str, Any]:
    """Return the observation for a player; unless it is their turn, the mask is all 0."""
    decision = playing.game.decision
    asked = decision is not None and decision.player == player
    mask = masked(playing.offered if asked else [], len(playing.table.moves.all))
    return {"observation": observed(playing.row(player)), "action_mask": mask}


class Running(InProcess):
    """Environment with a game in progress, once `reset` has begun one."""

    _sent_instead = ENVIRONMENT
    _playing: Playing | None = None

    @property
    def playing(self) -> Playing:
        """The game in progress; raises ResetNeeded before the first `reset`."""
        if self._playing is None:
            raise ResetNeeded("no game has begun: call `reset` first")
        return self._playing

    @playing.setter
    def playing(self, playing: Playing) -> None:
        self._playing = playing

    def __copy__(self) -> Self:
        """Return an independent copy."""
        return deepcopy(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return an independent copy; the setting is shared."""
        made = memo[id(self)] = type(self).__new__(type(self))
        made.__dict__.update(deepcopy(self.__dict__, memo))
        return made


class Env(Running, gymnasium.Env):
    """One learner against bots: a step is one decision by the learner."""

    # An observation consists of `observation`, a number for each of `names`, and `action_mask`, a
    # number for each of `moves`. An illegal move ends the game, with `illegal` in the info. A game
    # is truncated after `longest` decisions of all players.

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
        """Put the learner in `seat` (numbered from 1), and the bots in the other seats, in order.

        Raises ValueError for an unknown seat, and whenever `opponents` or `SharedTable` does.
        """
        if isinstance(bots, str):
            raise ValueError("`bots` must be a list: one bot for each player but the learner")  # noqa: TRY004 - like all invalid arguments
        self.metadata: dict[str, Any] = {"render_modes": []}
        self.render_mode = None
        self._table = SharedTable(pack, len(bots) + 1, options, reward)
        if not 1 <= seat <= self._table.players:
            raise ValueError(f"there is no seat {seat}: seats are 1 to {self._table.players}")
        others = opponents(self._table, bots)
        seats = (each for each in range(1, len(bots) + 2) if each != seat)
        self._bots: dict[int, Bot] = dict(zip(seats, others, strict=True))
        self._seat, self._longest = seat, limit(longest)
        self._chance: random.Random | None = None
        self.moves, self.names = self._table.moves.all, self._table.observer.names
        self.observation_space, self.action_space = spaces_of(self._table)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game with a seed, as `Pack.new_game` does; the default seed is random."""
        super().reset(seed=seed, options=options)
        if seed is not None or self._chance is None:
            self._chance = random.Random(seed)  # noqa: S311 - not cryptographic
        seed = self._chance.getrandbits(63) if seed is None else seed
        self.playing = self._table.begin(seed)
        self._early = self._others()
        return observation_of(self.playing, self._seat), self._info()

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Make a move, then let the bots play until the learner's next decision."""
        playing = self.playing
        if int(action) not in playing.offered:
            seen = observation_of(playing, self._seat)
            return seen, ILLEGAL, True, False, self._info(illegal=True)
        reward = self._early + playing.take(int(action))[self._seat - 1] + self._others()
        self._early = 0.0  # rewards before the first move
        late = self._longest is not None and playing.decisions >= self._longest
        seen, over = observation_of(playing, self._seat), playing.game.over
        return seen, reward, over, late and not over, self._info()

    def action_masks(self) -> Any:  # noqa: ANN401 - an array
        """Return the mask of legal moves under the name that MaskablePPO expects."""
        return observation_of(self.playing, self._seat)["action_mask"].astype(bool)

    def _others(self) -> float:
        """Let the bots play; return the rewards that the learner earns meanwhile."""
        playing, chance, found = self.playing, self._chance, 0.0
        assert chance is not None  # `reset` comes first
        while (decision := playing.game.decision) is not None and decision.player != self._seat:
            if self._longest is not None and playing.decisions >= self._longest:
                break
            bot = self._bots[decision.player]
            at = bot.choose(playing.game, decision.player, chance.getrandbits(SEED_BITS))
            offered = self._table.moves.offered(decision)
            move = next(number for number, index in offered.items() if index == at)
            found += playing.take(move)[self._seat - 1]
        return found

    def _info(self, *, illegal: bool = False) -> dict[str, Any]:
        decision = self.playing.game.decision
        asked = decision is not None and decision.player == self._seat
        found: dict[str, Any] = {"decision": decision.id} if decision and asked else {}
        return found | ({"illegal": True} if illegal else {})

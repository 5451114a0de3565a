"""PettingZoo environment: players take turns (AEC), with masks of legal moves."""

from __future__ import annotations

import random
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rulesdsl.adapters.environment import Reward, SharedTable, limit
from rulesdsl.adapters.gymnasium import ILLEGAL, Running, observation_of, spaces_of
from rulesdsl.interpreter.pack import OptionValue, Pack


def env(
    pack: Pack,
    players: int = 2,
    options: Mapping[str, OptionValue] | None = None,
    *,
    reward: Reward = "result",
    longest: int | None = None,
) -> AECEnv:
    """Return a game for `players` players; an illegal move loses the game.

    A game is truncated after `longest` decisions. Raises ValueError as `SharedTable` does.
    """
    made = Env(SharedTable(pack, players, options, reward), limit(longest))
    checked = wrappers.TerminateIllegalWrapper(made, illegal_reward=ILLEGAL)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))


class Env(Running, AECEnv):
    """The environment without wrappers; an illegal move raises IllegalChoice."""

    # Agents are `player_1` and so on. An observation consists of `observation`, a number for each
    # of `names`, and `action_mask`, a number for each of `moves`, all 0 unless it is the turn of
    # the agent. If a game can be over before the first decision, `reset` may leave all agents
    # terminated; `pettingzoo.test.api_test` rejects such games.

    def __init__(self, table: SharedTable, longest: int | None) -> None:
        super().__init__()
        name = f"{table.pack.id}_v0"
        self.metadata = {"name": name, "render_modes": [], "is_parallelizable": False}
        self.render_mode = None
        self._table, self._longest = table, longest
        self._chance: random.Random | None = None
        self.moves, self.names = table.moves.all, table.observer.names
        self.possible_agents = [f"player_{at + 1}" for at in range(table.players)]
        seen, actions = spaces_of(self._table)
        self.observation_spaces = {each: deepcopy(seen) for each in self.possible_agents}
        self.action_spaces = {each: deepcopy(actions) for each in self.possible_agents}

    def observation_space(self, agent: str) -> Any:  # noqa: ANN401 - a space
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:  # noqa: ANN401 - a space
        """Return the action space of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - nothing can be set
        """Begin a game with a seed, as `Pack.new_game` does; the default seed is random."""
        if seed is not None or self._chance is None:
            self._chance = random.Random(seed)  # noqa: S311 - not cryptographic
        seed = self._chance.getrandbits(63) if seed is None else seed
        self.playing = self._table.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._ask()

    def last(self, observe: bool = True) -> Any:  # noqa: ANN401, FBT001, FBT002 - of pettingzoo
        """Return what the agent to move sees and has earned; raises ResetNeeded before `reset`."""
        assert self.playing is not None
        return super().last(observe)

    def step(self, action: int | None) -> None:
        """Make a move for the selected agent."""
        playing = self.playing
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        rewards = playing.take(int(action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, rewards, strict=True))
        if playing.game.over:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._longest is not None and playing.decisions >= self._longest:
            self.truncations = dict.fromkeys(self.agents, True)
        self._ask()
        self._accumulate_rewards()

    def _ask(self) -> None:
        """Select the agent to act, and put the question's id into the agent's info."""
        decision = self.playing.game.decision
        self.infos: dict[str, dict[str, Any]] = {each: {} for each in self.agents}
        self.agent_selection = self.agents[0 if decision is None else decision.player - 1]
        if decision is None:  # the game is over, perhaps from the start
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.infos[self.agent_selection]["decision"] = decision.id

    def observe(self, agent: str) -> dict[str, Any]:
        """Return an agent's observation, and the mask of its legal moves."""
        return observation_of(self.playing, self.possible_agents.index(agent) + 1)

    def close(self) -> None:
        """Do nothing: there is no window."""

"""OpenSpiel game implemented in Python, for OpenSpiel's bots and algorithms."""

# A single chance node at the beginning draws one of `seeds` seeds; the rest of the game is a
# function of the seed. Players never learn the seed, so algorithms on information states are fair,
# but those that clone a state and look ahead (plain MCTS) see hidden information. A fair search
# needs `resample_from_infostate` (as in ISMCTS), which re-samples what is hidden from a player.

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

import attrs
import numpy as np
import pyspiel

from rulesdsl.adapters.environment import Playing, SharedTable, results, sums_to_nothing
from rulesdsl.adapters.observation import observed
from rulesdsl.interpreter.arguments import whole
from rulesdsl.interpreter.pack import OptionValue, Pack
from rulesdsl.source.ranges import GAMES, Limits

SEEDS = 1000  # so many openings that learners do not memorise them
MANY_SEEDS = Limits(1, 1_000_000)  # OpenSpiel often enumerates all seeds
LONGEST = 10_000  # OpenSpiel requires a bound on decisions
SEED_BITS = 63
_made: dict[str, Game] = {}


def game(
    pack: Pack,
    players: int = 2,
    options: Mapping[str, OptionValue] | None = None,
    *,
    seeds: int = SEEDS,
    longest: int = LONGEST,
) -> Game:
    """Return a game for `players` players; raise ValueError as `SharedTable` does."""
    # With `seeds=1` nothing is drawn, which suits games without chance. Games are registered by
    # their parameters, so that states can be exchanged between processes that have made the game.
    table = SharedTable(pack, players, options)
    seeds, longest = whole("seeds", seeds, MANY_SEEDS), whole("longest", longest, GAMES)
    key = json.dumps([pack.digest, pack.mods, players, table.setting.options, seeds, longest])
    name = f"rulesdsl_{pack.id}_{hashlib.sha256(key.encode()).hexdigest()[:12]}"
    if name not in _made:
        kind = _kind(name, table, seeds)

        class Registered(Game):  # OpenSpiel never releases registered classes
            def __init__(self, _: object = None) -> None:
                super().__init__(table, kind, seeds, longest)

        pyspiel.register_game(kind, Registered)
        _made[name] = Registered()
    return _made[name]


def _kind(name: str, table: SharedTable, seeds: int) -> Any:  # noqa: ANN401 - of pyspiel
    kind = pyspiel.GameType
    chance, utility = kind.ChanceMode, kind.Utility
    return kind(
        short_name=name,
        long_name=f"{table.pack.name}, {table.players} players",
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance.EXPLICIT_STOCHASTIC if seeds > 1 else chance.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if sums_to_nothing(table.setting) else utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=table.players,
        min_num_players=table.players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
    )


class Game(pyspiel.Game):
    """A setting of a pack; players are numbered from 0 here, so seat 1 is player 0."""

    def __init__(self, table: SharedTable, kind: Any, seeds: int, longest: int) -> None:  # noqa: ANN401 - of pyspiel
        self.table, self.seeds = table, seeds
        info = pyspiel.GameInfo(
            num_distinct_actions=len(table.moves.all),
            max_chance_outcomes=seeds if seeds > 1 else 0,
            num_players=table.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0 if sums_to_nothing(table.setting) else None,
            max_game_length=longest,
        )
        super().__init__(kind, info, {})

    def new_initial_state(self) -> State:
        """Return the state before the seed is drawn."""
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:  # noqa: ANN401 - of pyspiel
        """Return an observer, which reads states for a player."""
        if params:
            raise ValueError("observers of this game have no parameters")
        return Observer(self.table, perfect=bool(iig_obs_type and iig_obs_type.perfect_recall))


@attrs.define
class Past:
    """Game in progress, with a running hash of each player's observations."""

    made: str  # the name of the game in OpenSpiel
    playing: Playing
    seen: list[str]
    taken: list[int] | None  # the seed and all moves; None for a re-sampled state
    read: int = 0  # number of log lines included in the hashes

    @classmethod
    def begin(cls, made: str, seed: int) -> Past:
        """Return the past of a new game."""
        playing = _game_of(made).table.begin(seed)
        return cls(made, playing, [""] * (playing.game.players + 1), [seed])

    @classmethod
    def again(cls, made: str, seed: int, *moves: int) -> Past:
        """Return the past of a game replayed from its seed and moves."""
        past = cls.begin(made, seed)
        for move in moves:
            past.take(move)
        return past

    def take(self, move: int) -> None:
        """Make a move for the player to act."""
        assert self.playing.game.decision is not None
        self.add(self.playing.game.decision.player, f"move {move}")
        self.playing.take(move)
        if self.taken is not None:
            self.taken.append(move)

    def catch_up(self) -> None:
        """Add new log lines, redacted for each player."""
        for line in self.playing.game.log_since(self.read):
            for viewer, text in enumerate(map(line.seen_text, range(len(self.seen)))):
                if text:
                    self.add(viewer, text)
        self.read = self.playing.game.log_length

    def add(self, viewer: int, text: str) -> None:
        """Add an observation for a player (0 for a spectator)."""
        both = f"{self.seen[viewer]}\n{text}".encode()
        self.seen[viewer] = hashlib.sha256(both).hexdigest()[:32]

    def __deepcopy__(self, _: object) -> Past:
        """Return an independent copy, for OpenSpiel's clones of states."""
        playing = attrs.evolve(self.playing, game=self.playing.game.clone())
        taken = self.taken and list(self.taken)
        return Past(self.made, playing, list(self.seen), taken, self.read)

    def __reduce__(self) -> tuple[Callable[..., Past], tuple[Any, ...]]:
        """Return a constructor and its arguments, for OpenSpiel's serialisation of states."""
        if self.taken is None:
            raise TypeError("a re-sampled state cannot be serialised: it has no history")
        return Past.again, (self.made, *self.taken)


def _game_of(made: str) -> Game:
    if made not in _made:
        raise ValueError(f"OpenSpiel has no game {made} yet: make it first")
    return _made[made]


class State(pyspiel.State):
    """A position; until the seed is drawn, there is no game yet."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.past: Past | None = None  # before the seed is drawn
        if game.seeds == 1:
            self._apply_action(0)

    # ---------------------------------------------------------------- interface of OpenSpiel
    def current_player(self) -> int:
        """Return the player to act (players are numbered from 0)."""
        if self.past is None:
            return int(pyspiel.PlayerId.CHANCE)
        decision = self.past.playing.game.decision
        return int(pyspiel.PlayerId.TERMINAL) if decision is None else decision.player - 1

    def _legal_actions(self, player: int) -> list[int]:
        assert player >= 0
        assert self.past is not None
        return self.past.playing.offered

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return all seeds with equal probabilities."""
        seeds = range(self.get_game().seeds)
        return [(each, 1 / len(seeds)) for each in seeds]

    def _apply_action(self, action: int) -> None:
        if self.past is None:
            self.past = Past.begin(self.get_game().get_type().short_name, action)
        else:
            self.past.take(action)

    def _action_to_string(self, player: int, action: int) -> str:
        moves = self.get_game().table.moves.all
        return f"seed {action}" if player == pyspiel.PlayerId.CHANCE else str(moves[action].name)

    def is_terminal(self) -> bool:
        """Return true if the game is over."""
        return self.past is not None and self.past.playing.game.over

    def returns(self) -> list[float]:
        """Return each player's result as a number; see `environment.results`."""
        unknown = [0.0] * self.get_game().table.players
        return unknown if self.past is None else results(self.past.playing.game)

    def __str__(self) -> str:
        """Describe the position in one line."""
        return "no seed yet" if self.past is None else repr(self.past.playing.game)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> State:
        """Return a state consistent with a player's information, as `Game.redraw` does.

        Players are numbered from 0. It has no history, so it cannot be serialised or re-sampled.
        """
        drawn, past = State(self.get_game()), self.past
        if past is not None:
            past.catch_up()
            seed = int(sampler() * (1 << SEED_BITS))
            playing = attrs.evolve(past.playing, game=past.playing.game.redraw(player + 1, seed))
            seen = [
                each if at == player + 1 else past.seen[0] for at, each in enumerate(past.seen)
            ]
            drawn.past = Past(past.made, playing, seen, None)
        return drawn


class Observer:
    """Reader of states for a player: numeric features, and information as text."""

    def __init__(self, table: SharedTable, *, perfect: bool) -> None:
        self._perfect = perfect
        self.tensor: Any = np.zeros(len(table.observer.names), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: State, player: int) -> None:
        """Load a player's information in a state (players are numbered from 0)."""
        self.tensor.fill(0)
        if state.past is not None:
            self.tensor[:] = observed(state.past.playing.row(player + 1))

    def string_from(self, state: State, player: int) -> str:
        """Return a player's information as text, with history if recall is perfect."""
        if state.past is None:
            return f"player {player}"
        view = json.dumps(state.past.playing.game.view(player + 1))
        if self._perfect:
            state.past.catch_up()
        return f"{state.past.seen[player + 1]} {view}" if self._perfect else view

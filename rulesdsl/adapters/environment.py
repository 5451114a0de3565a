"""The shared part of all adapters: actions by number, rewards, opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal, get_args

import attrs

from rulesdsl.adapters.observation import FeatureEncoder, Moves
from rulesdsl.bots.bot import Bot
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.learned import Learned
from rulesdsl.bots.weights import FILE, fitted, read, read_levels
from rulesdsl.interpreter.arguments import whole
from rulesdsl.interpreter.display.results import outcomes, stated_outcomes
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.pack import OptionValue, Pack
from rulesdsl.interpreter.saves import InProcess, Uncopied
from rulesdsl.interpreter.setting import CompiledSetting
from rulesdsl.source.diagnostics import did_you_mean
from rulesdsl.source.ranges import GAMES

# `result`: once, at the end, from -1 to 1. `points`: changes of the player's known score.
Reward = Literal["result", "points"]


def results(game: Game) -> list[float]:
    """Return each player's result, from -1 to 1; 0 before the end of the game."""
    # With n rivals, each of those not in first place loses 1 / (n - 1), and those in first place
    # share these losses: a sole winner of three gets 1, two winners of three 1/4 each. An outcome
    # stated by the rules counts as one of two rivals.
    end = game.result
    if end is None:
        return [0.0] * game.players
    found = outcomes(end.places, stated_outcomes(end))
    return [each.balance for each in found[: game.players]]


def own_scores(game: Game) -> list[int | None]:
    """Return each player's score as far as that player knows it, or None."""
    return [
        {each.seat: each.total for each in game.scores(player)}.get(player)
        for player in range(1, game.players + 1)
    ]


def sums_to_nothing(setting: CompiledSetting) -> bool:
    """Return true if the players' results always sum to 0."""
    players = setting.layout.players
    scored = players in {1, len(setting.layout.scoring_seats())}
    return scored and setting.results.by_place


def limit(longest: int | None) -> int | None:
    """Return the limit on decisions in a game; raise ValueError if it is invalid."""
    return None if longest is None else whole("longest", longest, GAMES)


ENVIRONMENT = "send the path of the pack, and make the environment there"


class SharedTable(Uncopied, InProcess):
    """The data that all games of one setting share.

    Raises ValueError as `Pack.new_game` does, and for a game without decisions.
    """

    _sent_instead = ENVIRONMENT

    def __init__(
        self,
        pack: Pack,
        players: int,
        options: Mapping[str, OptionValue] | None,
        reward: Reward = "result",
    ) -> None:
        if reward not in (known := get_args(Reward)):
            raise ValueError(f"`reward` must be one of {', '.join(known)}, not {reward!r}")
        self.pack, self.players, self.reward = pack, players, reward
        self.options = dict(options or {})
        self.setting: CompiledSetting = pack.setting(players, self.options, log=True)
        self.moves = Moves(self.setting)
        if not self.moves.all:
            raise ValueError(f"{pack.name} has no decisions: there is nothing to learn")
        self.observer = FeatureEncoder(self.setting)

    def begin(self, seed: int) -> Playing:
        """Begin a game with a seed."""
        return Playing(self, self.pack.new_game(self.players, seed, self.options))


@attrs.define
class Playing:
    """One game, played move by move; simultaneous decisions are taken in seat order."""

    table: SharedTable
    game: Game
    decisions: int = 0  # number of decisions taken
    _scores: list[int | None] = attrs.field(
        init=False, default=attrs.Factory(lambda self: own_scores(self.game), takes_self=True)
    )

    @property
    def offered(self) -> list[int]:
        """The numbers of the legal moves."""
        return [*self.table.moves.offered(self.game.decision)] if self.game.decision else []

    def take(self, move: int) -> list[float]:
        """Make a move for the player to act; return the reward of each player.

        Raises IllegalChoice, and changes nothing, if the move is not offered.
        """
        decision = self.game.decision
        self.game.choose(0 if decision is None else self.table.moves.index(decision, move))
        self.decisions += 1
        if self.table.reward == "result":
            return results(self.game)
        # a hidden change counts when it becomes known, at the latest at the end of the game
        pairs = zip(own_scores(self.game), self._scores, strict=True)
        known = [old if new is None else new for new, old in pairs]
        pairs, self._scores = zip(known, self._scores, strict=True), known
        return [float((new or 0) - (old or 0)) for new, old in pairs]

    def row(self, player: int) -> list[int]:
        """Return a player's observation (players are numbered from 1); see `FeatureEncoder`."""
        return self.table.observer.row(self.game, player)


def opponents(table: SharedTable, bots: Sequence[str | Bot]) -> list[Bot]:
    """Return bots for all seats except the learner's; each is given as a bot or a kind's name.

    Raises ValueError for an unknown kind, or if the weights of `trained` bots are missing or do
    not fit the game.
    """
    kinds = [each for each in bots if isinstance(each, str)]
    for name in kinds:
        if name not in KINDS:
            advice = did_you_mean(name, KINDS) or f"known: {', '.join(KINDS)}"
            raise ValueError(f"there is no bot `{name}` ({advice})")
    path, learned = table.pack.layers.game.folder / FILE, Learned()
    if "trained" in kinds or path.exists():
        learned = fitted(read(path, table.pack), table.setting.option_names)
    simulator = partial(table.pack.simulator, table.players, table.options)
    levels = read_levels(table.pack.layers.game.folder)
    making = Making(simulator, learned, levels=levels)
    made = {each: KINDS[each].make(making) for each in dict.fromkeys(kinds)}
    return [made[each] if isinstance(each, str) else each for each in bots]

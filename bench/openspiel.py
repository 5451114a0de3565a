"""The part of OpenSpiel that is measured: single moves from Python, and rollouts in C++."""

from __future__ import annotations

import importlib
import importlib.util
import random
from typing import TYPE_CHECKING, Final, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.timing import Work

_SEED: Final = 1
ROLLOUTS: Final = 300
"""The number of games played by a search with one simulation."""


class _State(Protocol):
    def is_terminal(self) -> bool:
        """Return True if the game is over."""

    def is_chance_node(self) -> bool:
        """Return True if chance moves next."""

    def chance_outcomes(self) -> Sequence[tuple[int, float]]:
        """List the outcomes of chance, with their probabilities."""

    def legal_actions(self) -> Sequence[int]:
        """List the numbers of the legal moves."""

    def apply_action(self, action: int) -> None:
        """Make a move."""


class _Game(Protocol):
    def new_initial_state(self) -> _State:
        """Set up the game."""


class _Bot(Protocol):
    def mcts_search(self, state: _State) -> object:
        """Search from a position, without changing it."""


class _Spiel(Protocol):
    def load_game(self, name: str) -> _Game:
        """Load a game by its name, which includes parameters in parentheses."""

    def RandomRolloutEvaluator(self, rollouts: int, seed: int) -> object:  # noqa: N802 - their name
        """Create an evaluator that averages random rollouts from a position, in C++."""

    def MCTSBot(  # noqa: N802 - their name
        self,
        game: _Game,
        evaluator: object,
        uct_c: float,
        simulations: int,
        megabytes: int,
        solve: bool,  # noqa: FBT001
        seed: int,
        verbose: bool,  # noqa: FBT001
    ) -> _Bot:
        """Create a tree search."""


def missing() -> str:
    """Return a note that OpenSpiel is not installed, or an empty string."""
    return "" if importlib.util.find_spec("pyspiel") else "not installed (no module pyspiel)"


def random_games(name: str) -> Work:
    """Return a C++ game, driven from Python, as work whose units are plies."""
    start = _spiel().load_game(name)
    chance = random.Random(_SEED)
    draw = chance.random

    def playout() -> int:
        state = start.new_initial_state()
        plies = 0
        while not state.is_terminal():
            if state.is_chance_node():
                _let_chance_move(state, chance)
                continue
            actions = state.legal_actions()
            state.apply_action(actions[int(draw() * len(actions))])
            plies += 1
        return plies

    return playout


def rollouts(name: str) -> Work:
    """Return whole random games in C++ as work whose units are games.

    The first simulation of a search evaluates the position itself, with `ROLLOUTS` rollouts. They
    begin at the first decision: chance moves before it are made only once.
    """
    spiel = _spiel()
    found = spiel.load_game(name)
    evaluator = spiel.RandomRolloutEvaluator(ROLLOUTS, _SEED)
    bot = spiel.MCTSBot(found, evaluator, 1.0, 1, 100, False, _SEED, False)  # noqa: FBT003
    start = found.new_initial_state()
    chance = random.Random(_SEED)
    while start.is_chance_node():
        _let_chance_move(start, chance)

    def search() -> int:
        bot.mcts_search(start)
        return ROLLOUTS

    return search


def _let_chance_move(state: _State, chance: random.Random) -> None:
    outcomes, odds = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(chance.choices(outcomes, odds)[0])


def _spiel() -> _Spiel:
    return cast("_Spiel", importlib.import_module("pyspiel"))

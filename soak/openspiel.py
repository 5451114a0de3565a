"""`python -m soak openspiel`: `strong` bots play four in a row against OpenSpiel's own search.

Both have the same number of simulations for a choice.  OpenSpiel's plays its copy of the game, and
each side is told what the other has done; who begins takes turns.  `pip install open_spiel`.
"""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from multiprocessing import get_context
from typing import Protocol, cast

import rulesdsl
from bench.small_games import PACKS
from coloma.simulation.intervals import share
from rulesdsl.bots.kinds import KINDS, Making
from rulesdsl.bots.thought import Thought
from rulesdsl.interpreter.simulator.chance import Dice, seeds

NAME = "connect_four"  # as OpenSpiel calls it
PACK = "four_in_a_row"
SAID = 10  # house: games between two lines about the figures so far
CURIOSITY = 2.0  # `uct_c` of OpenSpiel's own examples
ROLLOUTS = 1  # for each simulation, as there
MEMORY = 1000  # megabytes
POINTS = {1: 1.0, 2: 0.0}  # for our place at the end; one half for a draw


class _State(Protocol):
    def apply_action(self, action: int) -> None: ...
    def is_terminal(self) -> bool: ...
    def legal_actions(self) -> list[int]: ...


class _Bot(Protocol):
    def step(self, state: _State) -> int: ...


class _Game(Protocol):
    def new_initial_state(self) -> _State: ...


class _Spiel(Protocol):
    def load_game(self, name: str) -> _Game: ...

    def MCTSBot(self, game: _Game, *given: object) -> _Bot: ...  # noqa: N802 - theirs

    def RandomRolloutEvaluator(self, rollouts: int, seed: int) -> object: ...  # noqa: N802


def run(games: int, seed: int, jobs: int, iterations: int) -> int:
    """Play so many games, say what came of it; 0 where ours scores at least half."""
    if find_spec("pyspiel") is None:
        print("OpenSpiel is not installed: pip install open_spiel")
        return 1
    points, began = 0.0, time.perf_counter()
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        given = [seed] * games, [iterations] * games
        for done, each in enumerate(pool.map(play, range(games), *given), start=1):
            points += each
            if not done % SAID or done == games:
                print(f"{points:g} of {done} points: {share(points, done)}", flush=True)
    print(
        f"{PACK} against OpenSpiel, {iterations} simulations each, {games} games, seed {seed},"
        f" {time.perf_counter() - began:.0f} s"
    )
    return 0 if points >= games / 2 else 1


def play(number: int, run_: int, iterations: int) -> float:
    """Play a game, return the points of ours: 1, 0, or one half."""
    spiel = cast("_Spiel", import_module("pyspiel"))
    first, second = seeds(run_, number)
    theirs, dice = spiel.load_game(NAME), Dice(second)
    state = theirs.new_initial_state()
    evaluator = spiel.RandomRolloutEvaluator(ROLLOUTS, first % 2**31)
    solve, verbose = True, False
    given = evaluator, CURIOSITY, iterations, MEMORY, solve, second % 2**31, verbose
    other = spiel.MCTSBot(theirs, *given)
    pack = rulesdsl.load(PACKS / PACK)
    game, our = pack.new_game(2), 1 + number % 2
    making = Making(lambda: pack.simulator(2), thought=Thought(iterations))
    bot = KINDS["strong"].make(making)
    while (decision := game.decision) is not None:
        if decision.player == our:
            chosen = bot.choose(game, our, dice.bits())
            column = _column(decision.options[chosen].id)
        else:
            column = other.step(state)
            columns = [_column(each.id) for each in decision.options]
            chosen = columns.index(column)
        game.choose(chosen)
        state.apply_action(column)
    while not state.is_terminal():  # ours asks nobody about the last column
        (only,) = state.legal_actions()
        state.apply_action(only)
    result = game.result
    assert result is not None
    return 0.5 if result.places == (1, 1) else POINTS[result.places[our - 1]]


def _column(name: str) -> int:
    return ord(name[-1]) - ord("a")

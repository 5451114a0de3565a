"""Where OpenSpiel is installed it referees: the same moves are legal, and the end agrees."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Protocol, cast

import pytest

from bench.baselines.breakthrough import Breakthrough
from bench.baselines.connect_four import ConnectFour
from bench.baselines.tic_tac_toe import TicTacToe

GAMES = 60


class State(Protocol):
    def is_terminal(self) -> bool: ...
    def legal_actions(self) -> list[int]: ...
    def current_player(self) -> int: ...
    def action_to_string(self, player: int, action: int) -> str: ...
    def apply_action(self, action: int) -> None: ...
    def returns(self) -> list[float]: ...


class Spiel(Protocol):
    def load_game(self, name: str) -> SpielGame: ...


class SpielGame(Protocol):
    def new_initial_state(self) -> State: ...


SPIEL = cast("Spiel", pytest.importorskip("pyspiel"))


def new_state(name: str) -> State:
    return SPIEL.load_game(name).new_initial_state()


def agrees(state: State, winner: int) -> bool:
    return state.returns() == {0: [0, 0], 1: [1, -1], 2: [-1, 1]}[winner]


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize(
    ("name", "new_game"), [("tic_tac_toe", TicTacToe), ("connect_four", ConnectFour)]
)
def test_games_of_placing(
    name: str, new_game: Callable[[], TicTacToe | ConnectFour], seed: int
) -> None:
    state, game, rng = new_state(name), new_game(), random.Random(seed)
    while not game.over:
        assert state.legal_actions() == game.moves()
        move = rng.choice(game.moves())
        state.apply_action(move)
        game.play(move)

    assert state.is_terminal()
    assert agrees(state, game.winner)


def as_openspiel_writes(game: Breakthrough, move: tuple[int, int]) -> str:
    # There the first player starts at the top.
    from_, into = ("abcdefgh"[cell % 8] + str(8 - cell // 8) for cell in move)
    return from_ + into + ("*" if game.board[move[1]] else "")


@pytest.mark.parametrize("seed", range(GAMES))
def test_breakthrough(seed: int) -> None:
    state, game, rng = new_state("breakthrough"), Breakthrough(), random.Random(seed)
    while not game.over:
        player = state.current_player()
        theirs = {state.action_to_string(player, each): each for each in state.legal_actions()}
        ours = {as_openspiel_writes(game, move): move for move in game.moves()}
        assert theirs.keys() == ours.keys()
        name = rng.choice(sorted(ours))
        state.apply_action(theirs[name])
        game.play(ours[name])

    assert state.is_terminal()
    assert agrees(state, game.winner)

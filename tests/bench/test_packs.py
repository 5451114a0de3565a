from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import pytest

import rulesdsl
from bench.baselines.breakthrough import Breakthrough
from bench.baselines.connect_four import ConnectFour
from bench.baselines.tic_tac_toe import TicTacToe
from bench.small_games import PACKS
from rulesdsl.syntax.format import format_rules

if TYPE_CHECKING:
    from rulesdsl import Game

GAMES = 40
ONE_DECISION = {
    "tic_tac_toe": (TicTacToe, "abc", "square:{}"),
    "four_in_a_row": (ConnectFour, "abcdefg", "column:column-{}"),
}


def cell(at: int, columns: str) -> str:
    return f"{columns[at % len(columns)]}{at // len(columns) + 1}"


def winner(game: Game) -> int:
    result = game.result
    assert result is not None
    return result.winners[0] if len(result.winners) == 1 else 0


@pytest.fixture(params=["tic_tac_toe", "four_in_a_row", "breakthrough"])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_a_pack_lints_clean_and_is_formatted(name: str) -> None:
    assert rulesdsl.lint(PACKS / name).diagnostics == ()
    for path in (PACKS / name).glob("*.rules"):
        text = path.read_text(encoding="utf-8")
        assert format_rules(text, path.name) == text


@pytest.mark.parametrize("folder", list(ONE_DECISION))
def test_the_same_moves_are_offered_and_the_same_player_wins(folder: str) -> None:
    made, columns, word = ONE_DECISION[folder]
    pack = rulesdsl.load(PACKS / folder)
    rng = random.Random(3)
    winners = set()
    for seed in range(GAMES):
        hand: Any = made()
        game = pack.new_game(players=2, seed=seed)
        while not hand.over:
            moves = hand.moves()
            names = {
                word.format(
                    cell(move, columns) if folder == "tic_tac_toe" else columns[move]
                ): move
                for move in moves
            }
            if len(moves) > 1:  # nobody is asked where there is one way to go on
                decision = game.decision
                assert decision is not None
                assert decision.player == hand.player
                assert [option.id for option in decision.options] == list(names)
                chosen = rng.choice(list(names))
                game.choose(chosen)
            else:
                chosen = next(iter(names))
            hand.play(names[chosen])
        assert game.over
        assert winner(game) == hand.winner
        winners.add(hand.winner)
    assert winners >= {1, 2}


def test_breakthrough_offers_the_same_steps_and_ends_alike() -> None:
    pack = rulesdsl.load(PACKS / "breakthrough")
    rng = random.Random(3)
    for seed in range(GAMES):
        hand = Breakthrough()
        game = pack.new_game(players=2, seed=seed)
        while not hand.over:
            moves = sorted(hand.moves())
            start = _pick(game, hand.player, sorted({move[0] for move in moves}), rng)
            ends = sorted(move[1] for move in moves if move[0] == start)
            hand.play((start, _pick(game, hand.player, ends, rng)))
        assert game.over
        assert winner(game) == hand.winner


def _pick(game: Game, player: int, cells: list[int], rng: random.Random) -> int:
    if len(cells) == 1:
        return cells[0]
    decision = game.decision
    assert decision is not None
    assert decision.player == player
    offered = {option.id: option for option in decision.options}
    names = {f"square:{cell(each, 'abcdefgh')}": each for each in cells}
    assert set(offered) == set(names)
    chosen = rng.choice(sorted(names))
    game.choose(chosen)
    return names[chosen]

from __future__ import annotations

import random
from typing import Any

import rulesdsl
from classics.lockstep import CLASSICS
from rulesdsl import Game

DECISIONS = 200
STOCK, PILE, HANDS = 0, 1, (2, 3)  # in a view of the board: the places of cards, as declared
PUBLIC = {"first-worth", "upcards-taken", "opened?", "must-draw?", "taken?", "thrown-back?"}
"""Tracks and flags that may change before somebody knocks: none of them is about a hidden card."""


def _board(game: Game, viewer: int) -> dict[str, Any]:
    board = game.view(viewer)["board"]
    assert isinstance(board, dict)
    return board


def test_nothing_that_the_other_player_sees_is_read_off_a_hand() -> None:
    pack = rulesdsl.load(CLASSICS / "gin_rummy")
    chance = random.Random(1)
    decisions = seed = 0
    while decisions < DECISIONS:
        seed += 1
        game = pack.new_game(2, seed)
        constant = {viewer: _without_public(_board(game, viewer)) for viewer in (1, 2)}
        while (decision := game.decision) and not any(_board(game, 1)["knocked?"]):
            decisions += 1
            own = set(_board(game, decision.player)["card"][HANDS[decision.player - 1]])
            viewer = 3 - decision.player
            seen = _board(game, viewer)
            cards = seen["card"]
            assert cards[STOCK] + len(cards[PILE]) + len(own) + len(cards[HANDS[viewer - 1]]) == 52
            assert cards[HANDS[decision.player - 1]] == len(own)
            marks = seen.pop("in-hand?")
            assert [each for each in marks if each] == [1] * len(cards[HANDS[viewer - 1]])
            assert _without_public(seen) == constant[viewer]
            assert {panel.seat for panel in game.board(viewer)} == {None, viewer}
            game.choose(chance.choice(decision.options))


def _without_public(board: dict[str, Any]) -> dict[str, Any]:
    apart = PUBLIC | {"card", "in-hand?"}
    return {name: cells for name, cells in board.items() if name not in apart}

"""Tests of the screens of every classic, and of the secrets in gin rummy.

`pytest tests/classics/test_screens.py --update-golden` rewrites the screens; look at each.
"""

import random
from pathlib import Path
from typing import Any

import attrs
import pytest
from rich.cells import cell_len

import rulesdsl
from classics.lockstep import CLASSICS
from coloma.session.answers import NO_PROMPT, Prompt, SessionStopped
from coloma.session.screen import Screen
from coloma.session.start import Beginning, Wish, begin, sit_for_people
from rulesdsl import Game

SCREENS = Path(__file__).parent / "screens"
SIZES = ((80, 24), (60, 24))
CHOICES = 10
PACKS = sorted(each.parent.name for each in CLASSICS.glob("*/pack.toml"))


@attrs.define
class Typist:
    """A person who makes ten random choices and then reads the screen."""

    beginning: Beginning
    chance: random.Random
    capture: pytest.CaptureFixture[str]
    screen: str = ""
    is_terminal: bool = False

    def next_line(self, prompt: Prompt = NO_PROMPT) -> str:  # noqa: ARG002 - not shown
        table = self.beginning.table
        decision = table.game.decision
        if decision is None:
            raise SessionStopped("The game is over.")
        self.screen = self.capture.readouterr().out
        if table.step >= CHOICES:
            raise SessionStopped("Ten choices are made.")
        return self.chance.choice(decision.options).id

    def refuse(self, advice: str) -> str:
        raise AssertionError(advice)


def _wish(pack: str, journal: Path) -> Wish:
    folder = str(CLASSICS / pack)
    return Wish(folder, players=2, bots=("random",), seed=1, journal=journal)


@pytest.mark.parametrize("size", SIZES, ids=[f"{columns}x{lines}" for columns, lines in SIZES])
@pytest.mark.parametrize("pack", PACKS)
def test_the_board_can_be_read(
    pack: str,
    size: tuple[int, int],
    tmp_path: Path,
    update_golden: bool,
    capsys: pytest.CaptureFixture[str],
) -> None:
    columns, lines = size
    journal = tmp_path / "journal.toml"
    beginning = begin(_wish(pack, journal))
    typist = Typist(beginning, random.Random(1), capsys)
    screen = Screen(is_terminal=True, width=columns, height=lines)
    sit_for_people(beginning, screen, typist)
    shown = [line.rstrip() for line in typist.screen.splitlines() if not line.startswith("> ")]
    seen = "\n".join(shown).lstrip("\n") + "\n"
    assert max(map(cell_len, seen.splitlines())) <= columns
    assert len(seen.splitlines()) < lines, seen  # the last one is for the answer
    golden = SCREENS / f"{pack}-{columns}x{lines}.txt"
    if update_golden:
        golden.write_text(seen, encoding="utf-8")
    assert seen == golden.read_text(encoding="utf-8")


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

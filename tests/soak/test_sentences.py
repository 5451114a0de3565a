"""Questions and the log are in words: what the soak counts, in a few games."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from packs_on_the_fly import loaded
from soak.sentences import GENERIC, read_games

ROOT = Path(__file__).parents[2]
GAMES = (
    "content",
    "content/sutters_mill",
    "content/classics/tic_tac_toe",
    "content/classics/four_in_a_row",
)


@pytest.mark.parametrize("pack", GAMES)
def test_every_question_and_every_line_is_in_words(pack: str) -> None:
    found = read_games(rulesdsl.load(ROOT / pack), 3, seed=11)

    assert found.wrong == {}
    assert found.questions["generic"] == 0
    assert found.lines > 100


def test_a_game_without_texts_is_in_words_too(tmp_path: Path) -> None:
    act = "choose-fame\nmay gain 1 coin\nmenu:\n    once: gain 2 coins\nlet s = a stall"
    found = read_games(loaded(tmp_path, act), 3, seed=1)

    assert found.wrong == {}
    assert set(found.questions) == {"the verb and what it is about"}


@pytest.mark.parametrize("text", ["Choose one.", "What do you do?"])
def test_a_question_without_its_subject_is_noticed(text: str, tmp_path: Path) -> None:
    act = f'choose one "{text}":\n    "Two": gain 2 coins\n    "Three": gain 3 coins'
    found = read_games(loaded(tmp_path, act), 1, seed=1)

    assert text.lower() in GENERIC
    assert list(found.wrong) == [f"question: {text}"]


def test_code_in_the_log_is_noticed(tmp_path: Path) -> None:
    act = 'say "look-here: choose-fame -> here"'

    assert read_games(loaded(tmp_path, act + "\nchoose-fame"), 1, seed=1).wrong

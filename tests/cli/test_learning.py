from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from rulesdsl.scenarios.lessons import load_lessons

CONTENT = Path(__file__).parents[2] / "content"


def answers_of(game: Path) -> list[str]:
    (ready,) = load_lessons(game).lessons
    picks = (pick.option for _, pick in ready.lesson.picks if pick.player == 1)
    return ["1" if option == "0" else option for option in picks]


@pytest.mark.parametrize(
    "game",
    [pytest.param(CONTENT, marks=pytest.mark.nightly), CONTENT / "sutters_mill"],
    ids=["coloma", "sutters_mill"],
)
def test_a_lesson_is_played_by_its_answers_to_its_last_words(run: Run, game: Path) -> None:
    ran = run("learn", str(game), "--plain", typed=answers_of(game))
    assert ran.status == 0
    assert "try again" not in ran.out
    assert "Now play: `coloma play" in ran.lines[-1]


@pytest.mark.nightly
def test_a_wrong_answer_in_a_lesson_gets_a_hint_and_changes_nothing(run: Run) -> None:
    right = answers_of(CONTENT)
    ran = run("learn", "coloma", "--plain", typed=["site:one", right[0], "undo", *right[1:]])
    assert "Choose 3 Build. (Nothing has happened: try again.)" in ran.lines
    assert "Now play: `coloma play" in ran.lines[-1]


@pytest.mark.nightly
def test_what_to_do_is_said_below_the_question(run: Run) -> None:
    lines = run("learn", "coloma", typed=["quit"]).lines
    question = next(at for at, line in enumerate(lines) if line.endswith("5 Settle and Defend"))
    assert question < next(at for at, line in enumerate(lines) if line.startswith("Welcome"))


def test_a_lesson_that_is_not_there_is_refused(run: Run) -> None:
    ran = run("learn", "sutters_mill", "--lesson", "2")
    assert (ran.status, "it has 1" in ran.err) == (2, True)

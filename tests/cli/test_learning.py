"""`coloma rules` and `coloma learn`: what somebody reads and does who does not know the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from rulesdsl.scenarios.lessons import load_lessons

CONTENT = Path(__file__).parents[2] / "content"


def answers_of(game: Path) -> list[str]:
    """Return what the learner types in the lesson of a game; of numbers, `0` is the first."""
    (ready,) = load_lessons(game).lessons
    picks = (pick.option for _, pick in ready.lesson.picks if pick.player == 1)
    return ["1" if option == "0" else option for option in picks]


def test_rules_begin_with_the_summary_and_list_the_topics(run: Run) -> None:
    ran = run("rules")
    assert ran.status == 0
    assert ran.lines[0] == "Coloma in short"
    assert "  shootout     The Shootout, the Graveyard, the end of a round" in ran.lines


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (["wheel"], "The wheel: Barker, Bust and Signpost"),
        (["Boom"], "A chapter and your turn"),
        (["bust"], "The wheel: Barker, Bust and Signpost"),
        (["camp"], "The Frontier Map and Camps"),
        (["gold"], "Paying, Gold, and what runs out"),
        (["coloma", "hotels"], "Town Buildings and Hotels"),
        (["sutters_mill", "city"], "Operating in the city"),
    ],
)
def test_a_topic_is_shown_by_its_name_or_by_a_word(run: Run, words: list[str], title: str) -> None:
    assert run("rules", *words).lines[0] == title


def test_what_the_rules_do_not_speak_of_is_refused(run: Run) -> None:
    ran = run("rules", "shootuot")
    assert (ran.status, ran.out) == (2, "")
    assert "Did you mean shootout?" in ran.err


def test_rules_follow_players_options_and_mods(run: Run) -> None:
    assert "- 5 Barrels in the Hideout;" in run("rules", "setup", "--players", "5").lines
    solo = run("rules", "solo", "--players", "1", "--option", "gold-rush=on").out
    assert "Gold Rush is on" in solo
    few = run("rules", "setup", "--mod", "variants", "--option", "few-dudes=on").out
    assert "Your Lodge holds 2 Dudes" in few


def test_the_rules_can_be_read_in_a_session(run: Run) -> None:
    ran = run("play", "--seed", "1", typed=["rules", "rules bust", "rules nonsens", "quit"])
    for line in ("Coloma in short", "Topics, for `rules TOPIC`:", "Bust"):
        assert line in ran.out
    assert "The rulebook says nothing about `nonsens`" in ran.out


@pytest.mark.parametrize("game", [CONTENT, CONTENT / "sutters_mill"], ids=lambda game: game.name)
def test_a_lesson_is_played_by_its_answers_to_its_last_words(run: Run, game: Path) -> None:
    ran = run("learn", str(game), "--plain", typed=answers_of(game))
    assert ran.status == 0
    assert "try again" not in ran.out
    assert "Now play: `coloma play" in ran.lines[-1]


def test_a_wrong_answer_in_a_lesson_gets_a_hint_and_changes_nothing(run: Run) -> None:
    right = answers_of(CONTENT)
    ran = run("learn", "coloma", "--plain", typed=["site:one", right[0], "undo", *right[1:]])
    assert "Choose 3 Build. (Nothing has happened: try again.)" in ran.lines
    assert "Now play: `coloma play" in ran.lines[-1]


def test_what_to_do_is_said_below_the_question(run: Run) -> None:
    lines = run("learn", "coloma", typed=["quit"]).lines
    question = next(at for at, line in enumerate(lines) if line.endswith("5 Settle and Defend"))
    assert question < next(at for at, line in enumerate(lines) if line.startswith("Welcome"))


def test_a_game_without_lessons_says_so(run: Run) -> None:
    ran = run("learn", "content/classics/four_in_a_row")
    assert ran.status != 0
    assert "Four in a Row has no lesson" in ran.err


def test_a_lesson_that_is_not_there_is_refused(run: Run) -> None:
    ran = run("learn", "coloma", "--lesson", "2")
    assert (ran.status, "it has 1" in ran.err) == (2, True)

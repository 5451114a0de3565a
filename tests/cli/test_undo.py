from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run

pytestmark = pytest.mark.usefixtures("pack")


def test_undo_takes_a_choice_back(run: Run) -> None:
    ran = run("play", "--bots", "1xrandom", "--plain", typed=["1", "undo", "2", "me"])

    assert "Taken back." in ran.lines
    assert "Player 1: Things:\ncoins: 2 (new)\n" in ran.out


def test_undo_stops_where_something_was_learned_and_says_what(run: Run) -> None:
    ran = run("play", "--players", "2", "--seed", "1", typed=["1", "draw", "undo"])

    assert "Taken back." not in ran.lines
    assert "cannot be taken back" in ran.out
    assert "What was learned: Player 1 draws a card." in " ".join(ran.out.split())


def test_nothing_can_be_taken_back_before_the_first_choice(run: Run) -> None:
    assert (
        "There is nothing to take back." in run("play", "--bots", "1xrandom", typed=["undo"]).lines
    )


def test_the_question_says_beforehand_what_cannot_be_taken_back(run: Run) -> None:
    ran = run("play", "--players", "2", typed=["1", "done"])
    remarks = [line for line in ran.lines if line.startswith(("(Can", "(None", "(It"))]

    assert remarks == ["(Can be undone.)", "(Can be undone, except 1.)", "(Can be undone.)"]


def test_the_beginning_of_a_word_draws_no_card(run: Run) -> None:
    ran = run("play", "--players", "2", typed=["1", "d", "dr", "do"])

    assert "`d` is none of the choices." in ran.out
    assert "`dr` could be 1 draw a card, which cannot be undone: type its number" in ran.out
    assert "draws" not in ran.out
    assert "Pass the keyboard to Player 2." in ran.lines  # `do` is done, which can be undone


def test_a_bid_is_final_when_the_bots_answer_reveals_it(run: Run) -> None:
    ran = run("play", "--players", "2", "--bots", "1xrandom", typed=["1", "done"])
    remarks = [line for line in ran.lines if line.startswith(("(Can", "(None", "(It"))]

    assert remarks[-1] == "(None of these can be undone.)"


def test_undo_is_kept_and_the_resumed_game_knows_of_it(run: Run, tmp_path: Path) -> None:
    journal = tmp_path / "kept.toml"
    begin = ("play", "--players", "2", "--journal", str(journal))
    run(*begin, typed=["1", "done", "2", "undo", "1"])
    ran = run("play", "--resume", str(journal), "--plain", typed=["board"])

    assert "[[undo]]\nafter = 3\nchoices = 1\n" in journal.read_text()
    assert ran.out.count("Player 2: Things:\ncoins: 1\n") == 2


def test_undo_works_across_a_resume(run: Run, tmp_path: Path) -> None:
    journal = tmp_path / "kept.toml"
    run("play", "--players", "2", "--journal", str(journal), typed=["1"])
    ran = run("play", "--resume", str(journal), "--plain", typed=["undo", "2", "me"])

    assert "Player 1: Things:\ncoins: 2 (new)\n" in ran.out

from __future__ import annotations

import pytest

from cli.conftest import Run

GAME = (
    "--pack",
    "content/sutters_mill",
    "--players",
    "2",
    "--bots",
    "1",
    "--seed",
    "1",
    "--plain",
)
SURE = "Are you sure? Type 2 again for `Yes`."
GONE = "Player 1 begins to tear down"


@pytest.fixture
def _keyboard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("coloma.session.answers.StandardInput.is_terminal", True)


@pytest.mark.usefixtures("_keyboard")
@pytest.mark.parametrize(
    ("typed", "asked", "is_done"),
    [
        (["2"], 1, False),
        (["2", "2"], 1, True),
        (["2", "1"], 1, False),
        (["1"], 0, False),
        (["2", "yes"], 1, True),  # the same, in another word
    ],
)
def test_a_keyboard_asks_again(run: Run, typed: list[str], asked: int, is_done: bool) -> None:
    ran = run("play", *GAME, typed=typed)

    assert ran.out.count("Are you sure?") == asked
    assert (SURE in ran.out) is (asked > 0)
    assert ("Dig for gold" in ran.out) is (typed != ["2"])
    assert (GONE in ran.out) is is_done


@pytest.mark.usefixtures("_keyboard")
def test_something_else_in_between_asks_again(run: Run) -> None:
    ran = run("play", *GAME, typed=["2", "undo", "2"])

    assert ran.out.count(SURE) >= 1
    assert GONE not in ran.out


def test_a_pipe_is_taken_at_its_word(run: Run) -> None:
    ran = run("play", *GAME, typed=["2"])

    assert "Are you sure?" not in ran.out
    assert "Dig for gold" in ran.out

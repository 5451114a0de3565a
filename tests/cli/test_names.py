"""Names of players and bots, and where they are shown and kept."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from cli.conftest import Run
from coloma.session.seating import Seating, seat_names

ROOT = Path(__file__).parents[2]


@pytest.mark.usefixtures("pack")
def test_names_are_in_the_order_of_the_seats(run: Run) -> None:
    ran = run(
        *(
            "play",
            "--players",
            "3",
            "--bots",
            "1xrandom",
            "--name",
            "Ann",
            "--name",
            "Bob",
            "--plain",
        ),
        typed=["1", "done", "1"],
    )

    assert "Ann takes one." in ran.lines
    assert "Pass the keyboard to Bob." in ran.lines
    assert "Player" not in ran.out


@pytest.mark.usefixtures("pack")
def test_a_journal_keeps_the_names(run: Run, tmp_path: Path) -> None:
    kept = tmp_path / "kept.toml"
    run("play", "--bots", "1xrandom", "--name", "Ada", "--journal", str(kept), typed=["1"])

    assert tomllib.loads(kept.read_text())["names"] == ["Ada", "Ben (bot)"]
    assert "Ada takes one." in run("replay", str(kept)).lines
    assert "Ada: Things" in run("play", "--resume", str(kept), "--plain").out.replace("\n", " ")


def test_names_reach_a_real_game(run: Run) -> None:
    ran = run(
        *("play", "--pack", "content", "--solo", "--name", " Ann ", "--seed", "1", "--plain"),
        typed=["1", "quit"],
    )

    assert re.search(r"^Ann: ", ran.out, re.MULTILINE)
    assert "Player 1" not in ran.out


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (("--solo", "--name", "A", "--name", "B"), "--name is given 2 times, for 1 person", 2),
        (("--bots", "2xrandom", "--name", "A"), "--name is given 1 times, for no people", 2),
        (("--name", "A", "--name", "a"), "two seats cannot both be called a", 1),
        (("--name", "\x1b[2J"), "cannot be a name", 1),
        (("--name", "x" * 99), "too long: a name has at most 30 characters", 1),
        (("--resume", "x.toml", "--name", "A"), "--resume already knows the game", 2),
    ],
)
def test_names_that_cannot_be(
    run: Run, arguments: tuple[str, ...], message: str, status: int
) -> None:
    ran = run("play", "--pack", "content", *arguments)

    assert message in ran.err
    assert "\x1b" not in ran.err
    assert ran.status == status


def test_bots_have_names_that_no_person_has() -> None:
    assert seat_names(Seating(4, 3), ["ben "]) == ["ben ", "Ada (bot)", "Cleo (bot)", "Dora (bot)"]
    assert seat_names(Seating(3, 1), ["Ann"]) == ["Ann", "", "Ada (bot)"]
    many = seat_names(Seating(40, 40), [])
    assert len(set(many)) == 40


def test_no_game_knows_the_names_of_bots() -> None:
    names = {each.split()[0] for each in seat_names(Seating(16, 16), [])}
    texts = (
        path.read_text(encoding="utf-8")
        for path in (ROOT / "content").rglob("*")
        if path.suffix in {".toml", ".rules"}
    )
    words = {word for text in texts for word in re.findall(r"\w+", text)}

    assert names & words == set()

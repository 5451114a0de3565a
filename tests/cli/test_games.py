"""`coloma games`, `--resume` without a file, and where games are kept."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.fake import FakePack

pytestmark = pytest.mark.usefixtures("pack")

PLAYED = ("play", "--bots", "1xrandom", "--seed", "5")
TO_THE_END = ["1"] * 12


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, run: Run, tmp_path: Path) -> Path:
    """A folder with one game that goes on and one that is over, played in this order."""
    assert run is not None
    folder = tmp_path / "shelf"
    monkeypatch.setenv("COLOMA_GAMES", str(folder))
    run(*PLAYED, "--name", "Ann", typed=["2", "done"])
    run("play", "--players", "3", "--bots", "2xrandom", "--seed", "7", typed=TO_THE_END)
    _age(folder / "fake-5-1.toml", 100)
    return folder


def _age(path: Path, seconds: int) -> None:
    then = path.stat().st_mtime - seconds
    os.utime(path, (then, then))


def test_the_variable_says_where_games_are_kept(kept: Path) -> None:
    assert {each.name for each in kept.iterdir()} == {"fake-5-1.toml", "fake-7-1.toml"}


def test_the_list_says_when_what_who_and_how_far(run: Run, kept: Path) -> None:
    ran = run("games")

    assert kept.is_dir()
    assert run("games", "list").out == ran.out
    assert ran.lines[0] == "fake-7-1"
    assert re.fullmatch(
        r"    \d{4}-\d\d-\d\d \d\d:\d\d: fake with Player 1, Ada \(bot\) and Ben \(bot\),"
        r" over: .*(wins|share the victory)\.",
        ran.lines[1],
    )
    assert ran.lines[2] == "fake-5-1"
    assert ran.lines[3].endswith(": fake with Ann and Ada (bot), not over, 4 choices made")


def test_no_game_is_saved(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("COLOMA_GAMES", str(tmp_path / "nothing"))

    assert run("games").out == "No game is saved.\n"
    ran = run("play", "--resume")
    assert (ran.status, ran.err) == (
        1,
        "coloma: no game is saved: there is nothing to resume\n",
    )


def test_a_journal_that_cannot_be_read_is_listed_and_can_be_deleted(run: Run, kept: Path) -> None:
    (kept / "torn.toml").write_text("game = 3\n")
    ran = run("games")

    at = ran.lines.index("torn")
    assert "cannot be read: " in ran.lines[at + 1]
    assert run("games", "show", "torn").status == 1
    assert run("games", "delete", "torn", "--yes").out == "torn is deleted.\n"


def test_show_tells_how_it_was_set_up_and_what_everybody_may_know(run: Run, kept: Path) -> None:
    ran = run("games", "show", "fake-5-1")
    path = kept / "fake-5-1.toml"

    assert ran.lines[0] == "fake-5-1"
    assert "Game: fake 1.2.3" in ran.lines
    assert "Players: Ann and Ada (bot)" in ran.lines
    assert "Seed: 5" in ran.lines
    assert "How far: not over, 4 choices made" in ran.lines
    assert f"Resume with: coloma play --resume {path}" in ran.lines
    assert [line.split()[:2] for line in ran.lines if line.startswith("Coins")] == [["Coins", "2"]]
    cards = next(line for line in ran.lines if line.startswith("Cards"))
    assert cards.split() == ["Cards", "?", "?"]


def test_a_name_in_the_list_is_enough_to_replay_and_resume(run: Run, kept: Path) -> None:
    by_name, by_file = (run("replay", each) for each in ("fake-7-1", str(kept / "fake-7-1.toml")))

    assert by_name.status == 0, by_name.err
    assert by_name.out == by_file.out
    assert run("play", "--resume", "fake-5-1", typed=["quit"]).status == 0
    assert "cannot read fake-9-1: " in run("replay", "fake-9-1").err


def test_show_tells_the_end_of_a_game_that_is_over(run: Run, kept: Path) -> None:
    ran = run("games", "show", "fake-7-1")

    assert kept.is_dir()
    assert "Final scoring" in ran.lines
    assert not any(line.startswith("Resume with") for line in ran.lines)


def test_show_says_where_the_content_has_changed(run: Run, kept: Path, pack: FakePack) -> None:
    pack.digest = "bbbb"
    ran = run("games", "show", "fake-5-1")

    assert kept.is_dir()
    assert ran.status == 0
    assert "It cannot be resumed now: " in ran.out
    assert "played with other content" in ran.out


@pytest.mark.parametrize(
    ("arguments", "message", "status"),
    [
        (("show", "fake-5-2"), "no saved game is called fake-5-2", 1),
        (("delete", "../shelf/fake-5-1", "--yes"), "no saved game is called", 1),
        (("show",), "coloma games show NAME", 2),
        (("delete",), "coloma games delete NAME", 2),
        (("list", "fake-5-1"), "coloma games list", 2),
        (("list", "--yes"), "--yes goes with delete", 2),
        (("burn", "fake-5-1"), "burn", 2),
        (("delete", "fake-5-1"), "add --yes for fake-5-1", 1),
    ],
)
def test_what_games_cannot_do(
    run: Run, kept: Path, arguments: tuple[str, ...], message: str, status: int
) -> None:
    ran = run("games", *arguments)

    assert message in ran.err
    assert ran.status == status
    assert (kept / "fake-5-1.toml").is_file()


@pytest.mark.parametrize(("typed", "stays"), [("yes", False), ("y", True), ("", True)])
def test_delete_asks(
    run: Run, kept: Path, monkeypatch: pytest.MonkeyPatch, typed: str, stays: bool
) -> None:
    monkeypatch.setattr("coloma.session.answers.StandardInput.is_terminal", True)
    ran = run("games", "delete", "fake-5-1", typed=[typed])

    assert ran.status == 0
    assert "Delete fake-5-1 for good?" in ran.out
    assert (kept / "fake-5-1.toml").exists() is stays
    assert ("It was not deleted." in ran.out) is stays
    assert (kept / "fake-7-1.toml").exists()


def test_resume_without_a_file_takes_the_last_game_played(run: Run, kept: Path) -> None:
    assert "seed 7" in run("play", "--resume").lines[0]
    _age(kept / "fake-7-1.toml", 1000)
    ran = run("play", "--resume", typed=["undo", "undo"])

    assert "seed 5" in ran.lines[0]
    assert "Ann: take some coins" in ran.out


def test_a_file_without_resume_says_how(run: Run, kept: Path) -> None:
    ran = run("play", str(kept / "fake-5-1.toml"))

    assert ran.status == 2
    assert f"coloma play --resume {kept / 'fake-5-1.toml'}" in ran.err
    assert f"coloma play --pack {kept}" in run("play", str(kept)).err


def test_the_end_is_written_once(run: Run, kept: Path) -> None:
    over = kept / "fake-7-1.toml"
    before = over.read_text()
    ends = tomllib.loads(before)["end"]

    assert len(ends) == 1
    run("play", "--resume", str(over))
    assert over.read_text() == before


def test_an_end_that_was_torn_off_is_written_again(run: Run, kept: Path) -> None:
    over = kept / "fake-7-1.toml"
    whole = over.read_text()
    over.write_text(whole[:-5])
    run("play", "--resume", str(over))

    assert tomllib.loads(over.read_text()) == tomllib.loads(whole)


def test_a_game_that_never_began_is_none(run: Run, kept: Path) -> None:
    (kept / "fake-9-1.toml").touch()

    assert "fake-9-1" not in run("games").out

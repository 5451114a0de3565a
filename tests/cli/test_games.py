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


def test_show_says_where_the_content_has_changed(run: Run, kept: Path, pack: FakePack) -> None:
    pack.digest = "bbbb"
    ran = run("games", "show", "fake-5-1")

    assert kept.is_dir()
    assert ran.status == 0
    assert "It cannot be resumed now: " in ran.out
    assert "played with other content" in ran.out


@pytest.mark.parametrize(("typed", "stays"), [("yes", False), ("y", True), ("", True)])
def test_delete_asks(
    run: Run, kept: Path, monkeypatch: pytest.MonkeyPatch, typed: str, stays: bool
) -> None:
    monkeypatch.setattr("coloma.session.answers.StandardInput.is_terminal", True)
    ran = run("games", "delete", "fake-5-1", typed=[typed])

    assert ran.status == 0
    assert "Delete fake-5-1 for good?" in ran.out
    assert (kept / "fake-5-1.toml").exists() is stays
    assert ("Not deleted." in ran.out) is stays
    assert (kept / "fake-7-1.toml").exists()


def test_resume_without_a_file_takes_the_last_game_played(run: Run, kept: Path) -> None:
    assert "seed 7" in run("play", "--resume").lines[0]
    _age(kept / "fake-7-1.toml", 1000)
    ran = run("play", "--resume", typed=["undo", "undo"])

    assert "seed 5" in ran.lines[0]
    assert "Ann: take some coins" in ran.out


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

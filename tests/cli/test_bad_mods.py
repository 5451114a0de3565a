from __future__ import annotations

import os
from pathlib import Path

import pytest

from cli.conftest import Run
from cli.mods_on_disk import everything_in, write_game, write_mod
from coloma import packs

COMMANDS = (
    ("play", "--bots", "2xrandom", "--players", "2", "--plain"),
    ("play", "--players", "2"),
    ("simulate", "--games", "1"),
    ("test",),
    ("lint",),
    ("sources",),
    ("schema",),
)


@pytest.fixture
def box(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    monkeypatch.setattr(packs, "bundled_content", lambda: tmp_path / "bundled")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    write_game(tmp_path / "bundled")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_bad_mod_is_one_clear_error(run: Run, box: Path, command: tuple[str, ...]) -> None:
    (box / "secret.rules").write_text("after take-turn: gain 1 coin\n")
    mod = write_mod(box / "hats")
    (mod / "hats.rules").symlink_to(box / "secret.rules")
    before = everything_in(box)
    path = [str(box / "bundled")] if command == ("lint",) else []
    ran = run(*command, *path, "--mod", str(mod))
    said = ran.out if command == ("lint",) else ran.err

    assert ran.status == 1
    assert "error[E001 " in said
    assert "a link to a place outside its pack" in said
    assert "hats.rules:1" in said
    assert said.count("error[") == 1
    assert said.endswith("\n1 error\n")
    assert "Traceback" not in said
    assert everything_in(box) == before


def test_a_file_that_the_system_refuses(run: Run, box: Path) -> None:
    mod = write_mod(box / "hats", files={"hats.rules": "after take-turn: gain 1 coin\n"})
    (mod / "hats.rules").chmod(0)
    if os.access(mod / "hats.rules", os.R_OK):
        pytest.skip("this user may read everything")
    ran = run("lint", str(mod))

    assert ran.status == 1
    assert "This file cannot be read: permission denied." in ran.out
    assert ran.out.endswith("\n1 error\n")

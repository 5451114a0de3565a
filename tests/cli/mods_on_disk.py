"""A small game and mods for it, written to a test folder."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from check.stock import STOCK, write
from cli.conftest import Run


def write_game(folder: Path, more: Mapping[str, str] | None = None) -> Path:
    write(folder, STOCK | dict(more or {}))
    return folder


def write_mod(folder: Path, *lines: str, files: Mapping[str, str] | None = None) -> Path:
    head = [f'id = "{folder.name}"', f'name = "{folder.name.capitalize()}"', 'version = "1.0.0"']
    if not any(line.startswith("kind") for line in lines):
        head += ['kind = "mod"', 'for_game = "coins"']
    write(folder, {"pack.toml": "\n".join([*head, *lines, ""]), **(files or {})})
    return folder


def everything_in(folder: Path) -> dict[str, bytes]:
    return {
        each.relative_to(folder).as_posix(): each.read_bytes()
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


TEMPLATE = Path(__file__).parents[2] / "cli" / "coloma" / "scaffold" / "game"


def files_in(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def is_sound(run: Run, pack: str, scenarios: int) -> None:
    linted = run("lint", pack)
    assert (linted.out, linted.status) == ("", 0)
    tested = run("test", pack)
    assert tested.lines[0] == f"{scenarios} passed, 0 failed", tested.out
    played = run(
        "play", "--pack", pack, "--bots", "2xrandom", "--players", "2", "--seed", "1", "--plain"
    )
    assert played.status == 0, played.err
    assert "Final scoring" in played.out


def own_game(here: Path) -> None:
    shutil.copytree(TEMPLATE, here / "tea-time")


def bare_mod(here: Path, game: str = "coloma") -> Path:
    folder = here / "bare"
    folder.mkdir()
    (folder / "pack.toml").write_text(
        f'id = "bare"\nname = "Bare"\nversion = "1.0"\nkind = "mod"\nfor_game = "{game}"\n',
        encoding="utf-8",
    )
    return folder

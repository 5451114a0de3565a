"""Mods that cannot be loaded: one clear error each, status 1, and nothing is written."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from cli.conftest import Run
from cli.mods_on_disk import everything_in, write_game, write_mod
from coloma import catalogue

CIRCLE = """\
source = "house"
[mirror]
worth = 1
cost = { coins = 1 }
colour = "red"
use = ["needs any cards in my hand", "play a card in my hand"]
"""
FIFTY_MB = 50 * 2**20


@attrs.frozen
class Bad:
    """A mod, or several, that cannot be loaded; what is said of it, and where."""

    make: Callable[[Path], list[Path]]
    code: str
    message: str
    file: str


def _one(*lines: str, **files: str) -> Callable[[Path], list[Path]]:
    texts = {name.replace("__", "."): text for name, text in files.items()}
    return lambda box: [write_mod(box / "hats", *lines, files=texts)]


def _linked(box: Path) -> list[Path]:
    (box / "secret.rules").write_text("after take-turn: gain 1 coin\n")
    mod = write_mod(box / "hats")
    (mod / "hats.rules").symlink_to(box / "secret.rules")
    return [mod]


def _large(box: Path) -> list[Path]:
    mod = write_mod(box / "hats", files={"hats.rules": "after take-turn: wear\n"})
    with (mod / "wear.rules").open("wb") as file:
        file.truncate(FIFTY_MB)
    return [mod]


def _foreign(box: Path) -> list[Path]:
    mod = write_mod(box / "hats")
    (mod / "hats.rules").write_bytes("# Hüte\nafter take-turn: gain 1 coin\n".encode("latin-1"))
    return [mod]


def _foreign_table(box: Path) -> list[Path]:
    mod = write_mod(box / "hats")
    (mod / "cards.toml").write_bytes('[juggler]\nname = "Müller"\n'.encode("utf-16"))
    return [mod]


def _dangling(box: Path) -> list[Path]:
    mod = write_mod(box / "hats", files={"hats.rules": "after take-turn: wear\n"})
    (mod / "wear.rules").symlink_to(mod / "gone.rules")
    return [mod]


def _pipe(box: Path) -> list[Path]:
    mod = write_mod(box / "hats")
    os.mkfifo(mod / "hats.toml")
    return [mod]


def _twice(box: Path) -> list[Path]:
    first, second = write_mod(box / "hats"), write_mod(box / "more" / "hats")
    return [first, second]


def _excluded(box: Path) -> list[Path]:
    return [write_mod(box / "hats", 'excludes = ["shoes"]'), write_mod(box / "shoes")]


def _in_a_circle(box: Path) -> list[Path]:
    hats = write_mod(box / "hats", 'after = ["shoes"]')
    return [hats, write_mod(box / "shoes", 'requires = ["hats"]')]


def _at_odds(box: Path) -> list[Path]:
    text = 'source = "house"\n[juggler]\nworth = {}\n'
    return [
        write_mod(box / name, files={"cards.toml": text.format(number)})
        for number, name in enumerate(("hats", "shoes"), start=4)
    ]


BAD = {
    "circle": Bad(_one(cards__toml=CIRCLE), "E403", "leads back to itself", "cards.toml:6"),
    "engine": Bad(_one('engine = ">=9"'), "E003", "for the engine >=9.0.0", "pack.toml:6"),
    "engine-nonsense": Bad(
        _one('engine = "new"'), "E003", "not a range of versions", "pack.toml:6"
    ),
    "requires": Bad(_one('requires = ["bags"]'), "E501", "requires `bags`", "pack.toml:6"),
    "link": Bad(_linked, "E001", "a link to a place outside its pack", "hats.rules:1"),
    "path": Bad(
        _one(hats__rules='kind hat from "../secret.toml":\n    size: number\n'),
        "E001",
        "leads out of the pack",
        "hats.rules:1",
    ),
    "large": Bad(_large, "E001", "larger than 1024 KiB", "wear.rules:1"),
    "foreign": Bad(_foreign, "E001", "not UTF-8", "hats.rules:1"),
    "foreign-table": Bad(_foreign_table, "E001", "not UTF-8", "cards.toml:1"),
    "gone": Bad(_dangling, "E001", "cannot be read", "wear.rules:1"),
    "pipe": Bad(_pipe, "E001", "it is not a regular file", "hats.toml:1"),
    "other-game": Bad(
        _one('kind = "mod"', 'for_game = "stones"'), "E502", "not for `coins`", "pack.toml:5"
    ),
    "a-game": Bad(_one('kind = "game"'), "E502", "is a game, not a mod", "pack.toml:4"),
    "twice": Bad(_twice, "E505", "another pack with the id `hats`", "pack.toml:1"),
    "excluded": Bad(_excluded, "E503", "cannot be played together", "pack.toml:6"),
    "in-a-circle": Bad(_in_a_circle, "E504", "loaded after another", "pack.toml:6"),
    "at-odds": Bad(_at_odds, "E506", "each change `juggler.worth`", "cards.toml:3"),
}
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
    """A folder for mods; the cache is elsewhere, since what is kept there is nobody's file."""
    monkeypatch.setattr(catalogue, "bundled_content", lambda: tmp_path / "bundled")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
    write_game(tmp_path / "bundled")
    return tmp_path


@pytest.mark.parametrize(
    ("name", "command"),
    [*((name, ("lint",)) for name in BAD), *(("link", command) for command in COMMANDS)],
    ids=str,
)
def test_a_bad_mod_is_one_clear_error(
    run: Run, box: Path, name: str, command: tuple[str, ...]
) -> None:
    bad = BAD[name]
    mods = bad.make(box)
    before = everything_in(box)
    path = [str(box / "bundled")] if command == ("lint",) else []
    ran = run(*command, *path, *(part for each in mods for part in ("--mod", str(each))))
    said = ran.out if command == ("lint",) else ran.err

    assert ran.status == 1
    assert f"error[{bad.code} " in said
    assert bad.message in said
    assert bad.file in said
    assert said.count("error[") == 1
    assert said.endswith("\n1 error\n")
    assert "Traceback" not in said
    assert everything_in(box) == before


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ("bare", "is not a pack: it has no file pack.toml"),
        ("nowhere", "there is no pack"),
        ("bare/notes.rules", "is not a pack"),
        ("x" * 300, "cannot look for the pack"),
    ],
)
@pytest.mark.parametrize("command", COMMANDS[3:5], ids=str)
def test_what_is_no_mod_is_said_in_one_line(
    run: Run, box: Path, command: tuple[str, ...], wanted: str, message: str
) -> None:
    (box / "bare").mkdir()
    (box / "bare/notes.rules").write_text("after take-turn: gain 1 coin\n")
    before = everything_in(box)
    ran = run(*command, "--mod", str(box / wanted))

    assert ran.status == 1
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1
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

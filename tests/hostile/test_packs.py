from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

import attrs
import pytest

from cli.mods_on_disk import everything_in, write_game, write_mod
from hostile.bounded import Ran, commands

STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")
SECRET = "xyzzy-secret"
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\N{RIGHT-TO-LEFT OVERRIDE}"


def _box(home: Path) -> Path:
    box = write_game(home / "box")
    write_mod(box / "hats")
    outside = home / "outside"
    outside.mkdir()
    (outside / "secret.md").write_text(f"# {SECRET}\n")
    (outside / "rules.rules").write_text(f"# {SECRET}\n  verb   nothing-much:\n")
    (outside / "schemas").mkdir()
    (outside / "schemas" / "pack.json").write_text(SECRET)
    (home / "script").write_text("1\n" * 30)
    return box


def _commands(home: Path, case: str) -> list[tuple[object, ...]]:
    found = _every_command(home)
    if case in WHOLE:
        return found
    tried = AMONG_OTHERS if "beside" in case else {"lint", "fmt"}
    tried = tried | {command for word, command in READERS.items() if word in case}
    return [each for each in found if each[0] in tried and "json" not in each]


def _every_command(home: Path) -> list[tuple[object, ...]]:
    box = home / "box"
    pack = ("--pack", box)
    with_hats = (*pack, "--mod", box / "hats")
    return [
        ("lint", box),
        ("lint", box, "--format", "json"),
        ("explain", *pack),
        ("explain", "game", *pack),
        ("fmt", box),
        ("schema", *pack),
        ("test", box),
        ("vocabulary", *with_hats),
        ("sources", box),
        ("packs", *with_hats),
        ("simulate", "--games", 1, "--pack", box / "bad"),
        ("simulate", "--games", 1, *with_hats),
        ("play", "--plain", "--script", home / "script", "--seed", 1, *with_hats),
    ]


def _link(name: str, target: str) -> Callable[[Path], None]:
    def plant(box: Path) -> None:
        path = box / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(box.parent / target)

    return plant


def _pipe(name: str) -> Callable[[Path], None]:
    def plant(box: Path) -> None:
        (box / name).parent.mkdir(parents=True, exist_ok=True)
        (box / name).unlink(missing_ok=True)
        os.mkfifo(box / name)

    return plant


def _huge(name: str) -> Callable[[Path], None]:
    def plant(box: Path) -> None:
        (box / name).touch()
        os.truncate(box / name, 2**40)

    return plant


def _text(name: str, text: str) -> Callable[[Path], None]:
    def plant(box: Path) -> None:
        (box / name).parent.mkdir(parents=True, exist_ok=True)
        (box / name).write_text(text)

    return plant


DEEP = f"a = {'[' * 5_000}{']' * 5_000}\n"
LONG_KEY = ".".join(["a"] * 60_000) + " = 1\n"
DIGITS = f"a = {'9' * 5_000}\n"

PLANTED: dict[str, Callable[[Path], None]] = {
    "rules that are a link out": _link("more.rules", "outside/rules.rules"),
    "a page that is a link out": _link("game.md", "outside/secret.md"),
    "schemas that are a link out": _link("schemas", "outside/schemas"),
    "a schema that is a link out": _link("schemas/pack.json", "outside/schemas/pack.json"),
    "a folder that is a link out": _link("more", "outside"),
    "a circle of links": _link("more", "box"),
    "rules that are a device": _link("more.rules", "../../../../../../../dev/zero"),
    "a page that is a device": _link("game.md", "../../../../../../../dev/zero"),
    "a schema that is a device": _link("schemas/x.json", "../../../../../../../dev/zero"),
    "rules that are a pipe": _pipe("more.rules"),
    "a table that is a pipe": _pipe("more.toml"),
    "a scenario that is a pipe": _pipe("scenarios/more.toml"),
    "a page that is a pipe": _pipe("game.md"),
    "a manifest that is a pipe": _pipe("bad/pack.toml"),
    "a schema that is a pipe": _pipe("schemas/x.json"),
    "a huge page": _huge("game.md"),
    "huge rules": _huge("more.rules"),
    "a deep manifest beside": _text("bad/pack.toml", DEEP),
    "a manifest with an endless key beside": _text("bad/pack.toml", LONG_KEY),
    "a manifest with an endless number beside": _text("bad/pack.toml", DIGITS),
    "a number of thousands of digits": _text(
        "bad/pack.toml", f"players.least = 0x{'f' * 5_000}\n"
    ),
    "a deep table": _text("more.toml", DEEP),
    "a deep scenario": _text("scenarios/more.toml", DEEP),
    "a name with a line end": _text("a\nb.rules", ""),
    "a name with escape codes": _text(f"{EVIL}.rules", ""),
    "a name like a mod's file": _text("hats:hats.rules", ""),
    "a page with escape codes": _text("game.md", f"# {EVIL}\n\n{EVIL} {EVIL}\n"),
    "a manifest with escape codes": _text(
        "bad/pack.toml",
        f'id = "bad"\nname = "{ascii(EVIL)[1:-1]}"\nkind = "mod"\nfor_game = "\\u001b[2J\\u202e"\n'
        'about = "\\u001b]0;x\\u0007"\nversion = "1"\n'.replace("\\x1b", "\\u001b")
        .replace("\\x07", "\\u0007")
        .replace("\\x9b", "\\u009b"),
    ),
    "an empty manifest": _text("bad/pack.toml", ""),
}


WHOLE = {"a folder that is a link out", "a manifest with escape codes"}
READERS = {
    "page": "explain",
    "schema": "schema",
    "manifest": "explain",
    "scenario": "test",
    "table": "test",
}
AMONG_OTHERS = {"lint", "packs", "simulate", "test", "play"}


@attrs.frozen
class Tried:
    ran: list[Ran]
    untouched: bool


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Tried]:
    homes = {case: tmp_path_factory.mktemp("case") for case in PLANTED}
    before = {}
    for case, home in homes.items():
        PLANTED[case](_box(home))
        before[case] = everything_in(home / "outside")
    lines = [line for case, home in homes.items() for line in _commands(home, case)]
    found = iter(commands(*lines, home=tmp_path_factory.mktemp("home")))
    return {
        case: Tried(
            [next(found) for _ in _commands(home, case)],
            everything_in(home / "outside") == before[case],
        )
        for case, home in homes.items()
    }


@pytest.mark.parametrize("case", PLANTED)
def test_no_command_hangs_raises_or_touches_what_is_outside(
    tried: dict[str, Tried], case: str
) -> None:
    for each in tried[case].ran:
        assert each.status in {0, 1}, each
        assert "Traceback" not in each.err, each
        assert SECRET not in each.out + each.err, each
        assert not STEERING.search(each.out + each.err), each
    assert tried[case].untouched


@pytest.mark.parametrize("case", [each for each in PLANTED if "beside" in each])
def test_a_bad_neighbour_stops_nothing(tried: dict[str, Tried], case: str) -> None:
    sound = [each for each in tried[case].ran if not each.argv[-1].endswith("bad")]
    by_name = {each.argv[0]: each for each in sound}

    assert by_name["simulate"].status == 0
    assert by_name["play"].status == 0
    assert by_name["test"].status == 0
    assert by_name["lint"].status == 1
    assert "error[E002 bad-toml]" in by_name["lint"].out
    assert by_name["lint"].out.count("error[") == 1

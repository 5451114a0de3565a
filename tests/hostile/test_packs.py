import ast
import os
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest

from cli.mods_on_disk import everything_in, write_game, write_mod
from hostile.bounded import PLANTS, Ran, bounded, commands

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


def _plant(name: str, plant: Callable[[Path], object]) -> Callable[[Path], None]:
    def planted(box: Path) -> None:
        path = box / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        plant(path)

    return planted


def _link(name: str, target: str) -> Callable[[Path], None]:
    return lambda box: _plant(name, lambda path: path.symlink_to(box.parent / target))(box)


def _text(name: str, text: str) -> Callable[[Path], None]:
    return _plant(name, lambda path: path.write_text(text))


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
    "rules that are a device": _plant("more.rules", PLANTS["a device"]),
    "a page that is a device": _plant("game.md", PLANTS["a device"]),
    "a schema that is a device": _plant("schemas/x.json", PLANTS["a device"]),
    "rules that are a pipe": _plant("more.rules", PLANTS["a pipe"]),
    "a table that is a pipe": _plant("more.toml", PLANTS["a pipe"]),
    "a scenario that is a pipe": _plant("scenarios/more.toml", PLANTS["a pipe"]),
    "a page that is a pipe": _plant("game.md", PLANTS["a pipe"]),
    "a manifest that is a pipe": _plant("bad/pack.toml", PLANTS["a pipe"]),
    "a schema that is a pipe": _plant("schemas/x.json", PLANTS["a pipe"]),
    "a huge page": _plant("game.md", PLANTS["a huge file"]),
    "huge rules": _plant("more.rules", PLANTS["a huge file"]),
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
READERS = {"page": "explain", "schema": "schema", "manifest": "explain"}
READERS |= {"scenario": "test", "table": "test"}
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
def test_commands_survive_hostile_packs(tried: dict[str, Tried], case: str) -> None:
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


READS = """
import sys
from pathlib import Path
from rulesdsl.source.files import read_file, reason
for path in map(Path, sys.argv[1:]):
    try:
        print(len(read_file(path, 1024)))
    except OSError as error:
        print(reason(error))
"""

SAID = {
    "fits": "1024",
    "link": "1024",
    "more": "it is larger than 1 KiB",
    "sparse": "it is larger than 1 KiB",
    "pipe": "it is not a regular file",
    "device": "it is not a regular file",
    "loop": "too many levels of symbolic links",
    "folder": "it is a folder",
    "socket": "it is not a regular file",
    "nothing": "no such file or directory",
}


def test_only_regular_files_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    Path("fits").write_bytes(b"x" * 1024)
    Path("link").symlink_to("fits")
    Path("more").write_bytes(b"x" * 1025)
    Path("sparse").touch()
    os.truncate("sparse", 2**40)
    os.mkfifo("pipe")
    Path("device").symlink_to("/dev/zero")
    Path("loop").symlink_to("loop")
    Path("folder").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        ran = bounded(READS, *(tmp_path / name for name in SAID), home=tmp_path)

    assert dict(zip(SAID, ran.stdout.splitlines(), strict=True)) == SAID


ROOT = Path(__file__).parents[2]

OPENING = {
    *("open", "fdopen", "read_text", "read_bytes", "write_text", "write_bytes", "touch"),
    *("copytree", "copyfile", "copy", "copy2", "NamedTemporaryFile", "loads", "load", "unlink"),
}
SPEAKING = {"echo", "secho", "print", "write"}

OURS = "reads files of this package"
MAY_OPEN = {
    "rulesdsl/source/files.py": "the place",
    "cli/coloma/files.py": "the place, for commands",
    "rulesdsl/packs/toml_document.py": "the place, for TOML: tomllib.loads",
    "rulesdsl/source/cache.py": "drafts of its own: NamedTemporaryFile, unlink, json.loads",
    "cli/coloma/scaffold/drafts.py": "writes in a folder that it has made",
    "rulesdsl/table/journal.py": "appends to the journal of a session: os.open",
    "cli/coloma/saved_games.py": "takes a new name: touch",
    "cli/coloma/app.py": "opens the null device",
    "rulesdsl/source/codes.py": OURS,
    "rulesdsl/syntax/unreadable_lines.py": OURS,
    "rulesdsl/interpreter/simulator/module.py": OURS,
    "rulesdsl/interpreter/simulator/python_runner.py": "a position of its own: json.loads",
    "cli/coloma/guides.py": OURS,
    "cli/coloma/scaffold/new_pack.py": OURS,
    "cli/coloma/report/page.py": OURS,
    "cli/coloma/simulation/tables.py": OURS,
    "cli/coloma/simulation/comparing.py": "unpacks what git archives: tarfile.open",
    "cli/coloma/simulation/work.py": "what its own client packed: pickle.loads",
    "rulesdsl/editor/hover.py": OURS,
}
NOT_FILES = {"copy.copy", "loading.load", "rulesdsl.load"}
MAY_SPEAK = {
    "cli/coloma/output.py": "the place",
    "rulesdsl/source/files.py": "writes a draft, then moves it: file.write",
    "rulesdsl/source/cache.py": "writes a draft, then moves it: part.write",
    "rulesdsl/table/journal.py": "appends to a journal: os.write",
    "cli/coloma/commands/lint.py": "writes through the place: write_texts",
    "rulesdsl/editor/jobs.py": "a process of its own answers the server",
}


def calls(names: set[str]) -> Iterator[tuple[str, str]]:
    for folder in ("rulesdsl", "cli/coloma"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    name = ast.unparse(node.func)
                    own = "." not in name and name not in {"open", "print"}  # a function of ours
                    if name.rsplit(".", 1)[-1] in names and not own:
                        yield path.relative_to(ROOT).as_posix(), name


def test_files_are_opened_in_one_place() -> None:
    found = {(path, name) for path, name in calls(OPENING) if name not in NOT_FILES}
    assert {each for each in found if each[0] not in MAY_OPEN} == set()


def test_text_goes_out_in_one_place() -> None:
    found = {(path, name) for path, name in calls(SPEAKING) if name != "disk.write"}
    assert {each for each in found if each[0] not in MAY_SPEAK} == set()

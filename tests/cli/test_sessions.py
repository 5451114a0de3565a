"""Tests of commands and their output.

A chunk of a file in `sessions/` is a session: files in an empty folder, then commands and their
output.

    === NAME
    --- PATH            a file and its text; `--- @KIND PATH` a whole pack, see `PACKS`
    $ lint pack         a command that exits with status 0; `$1` for status 1
    < take:one          typed input
    some text           occurs in the output, in the order of these lines
    = some text         these lines are the whole output
    ! some text         occurs in the error output
    - some text         occurs in neither
    @ PATH: some text   the file then contains the text; `@ PATH:` the file does not exist
    @                   no file has changed

`{tmp}` is that folder. Without files, commands run in the checkout. Sessions in files whose names
begin with `fake` play the fake game and save games in the folder `shelf`.
"""

import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import attrs
import pytest

from check.stock import STOCK, write
from cli.conftest import Run
from cli.mods_on_disk import everything_in
from coloma import packs
from scenarios.small_pack import write_pack

TEMPLATE = Path(__file__).parents[2] / "cli" / "coloma" / "scaffold" / "game"
PACKS: dict[str, Callable[[Path], object]] = {
    "stock": lambda folder: write(folder, STOCK),
    "bundled": lambda folder: write(folder, STOCK),  # and nothing else is
    "small": write_pack,
    "template": lambda folder: shutil.copytree(TEMPLATE, folder),
}
FOLDER = Path(__file__).parent / "sessions"
CHUNK = re.compile(r"^=== ([^\n]+)\n(.*?\n)(?=\n===|\Z)", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^--- (?:@(\w+) )?(\S+)\n(.*?)(?=^---|\Z)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"\$(\d*) ?(.*)")


@attrs.define
class Command:
    words: list[str]
    status: int
    typed: list[str] = attrs.field(factory=list)
    expected: list[tuple[str, str]] = attrs.field(factory=list)

    def check(self, run: Run, folder: Path) -> None:
        before = everything_in(folder)
        ran = run(*self.words, typed=self.typed)
        whole = [text for mark, text in self.expected if mark == "="]
        problems = [] if ran.status == self.status else [f"it ended with {ran.status}"]
        if whole and "\n".join([*whole, ""]).lstrip("\n") != ran.out:
            problems.append("it printed something else")
        at = 0
        for mark, text in self.expected:
            found = ran.out.find(text, at) if mark == " " else 0
            at = found + len(text) if mark == " " and found >= 0 else at
            if (
                found < 0
                or (mark == "!" and text not in ran.err)
                or (mark == "-" and text in ran.out + ran.err)
                or (mark == "@" and text and not _is_in_file(text, folder))
                or (mark == "@" and not text and everything_in(folder) != before)
            ):
                problems.append(f"{mark} {text}")
        if problems:
            told = [" ".join(self.words), *problems, "--- printed", ran.out, "--- errors", ran.err]
            pytest.fail("\n".join(told), pytrace=False)


def _is_in_file(text: str, folder: Path) -> bool:
    path, _, wanted = text.partition(":")
    file = folder / path
    return wanted.strip() in file.read_text("utf-8") if wanted.strip() else not file.exists()


def _sessions() -> Iterator[tuple[str, str, str]]:
    for path in sorted(FOLDER.iterdir()):
        for name, body in CHUNK.findall(path.read_text("utf-8")):
            yield path.stem, name, body


ALL = list(_sessions())


@pytest.mark.parametrize(
    ("file", "name", "body"), ALL, ids=[f"{file}: {name}" for file, name, _ in ALL]
)
def test_session(
    run: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    file: str,
    name: str,
    body: str,
) -> None:
    assert name
    if file.startswith("fake"):
        request.getfixturevalue("pack")
        monkeypatch.setenv("COLOMA_GAMES", str(tmp_path / "here" / "shelf"))
    files, _, rest = body.partition("$") if body.startswith("---") else ("", "", body[1:])
    folder = tmp_path / "here"
    folder.mkdir()
    if files:
        monkeypatch.chdir(folder)
    for kind, path, text in FILE.findall(files):
        if kind:
            PACKS[kind](folder / path)
        else:
            write(folder, {path: text})
        if kind == "bundled":
            monkeypatch.setattr(packs, "bundled_content", lambda at=folder / path: at)
            monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for command in _commands(f"${rest}".replace("{tmp}", str(folder))):
        command.check(run, folder)


def _commands(text: str) -> list[Command]:
    found: list[Command] = []
    for line in text.splitlines():
        if started := COMMAND.fullmatch(line):
            found.append(Command(shlex.split(started[2]), int(started[1] or 0)))
        elif line.startswith("< ") or line == "<":
            found[-1].typed.append(line[2:])
        elif line[:2] in {"= ", "! ", "- ", "@ "} or line in {"=", "!", "@"}:
            found[-1].expected.append((line[0], line[2:]))
        else:
            found[-1].expected.append((" ", line))
    return found

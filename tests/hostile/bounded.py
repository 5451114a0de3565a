"""Python processes with limits on memory and time, and files that no program should read."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import attrs

MEMORY = 2**30
HANGS = 300  # seconds; what is right takes a few

LIMITED = f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))\n"


def bounded(code: str, *arguments: object, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LIMITED + code, *map(str, arguments)],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=HANGS,
        check=False,
        env={
            "PYTHONPATH": ":".join(sys.path),
            "XDG_CACHE_HOME": str(home / "cache"),
            "XDG_STATE_HOME": str(home / "state"),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )


def _huge(path: Path) -> None:
    path.touch()
    os.truncate(path, 2**40)


PLANTS: dict[str, Callable[[Path], object]] = {
    "a pipe": lambda path: os.mkfifo(path, 0o600),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a huge file": _huge,
    "a folder": Path.mkdir,
}

COMMANDS = """
import contextlib, io, json, sys, traceback
from coloma.app import main
for argv in json.load(open(sys.argv[1])):
    out, err, status = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(argv)
        except SystemExit as end:
            status = end.code or 0
        except BaseException:
            traceback.print_exc()
    print(json.dumps([status, out.getvalue(), err.getvalue()]))
"""


@attrs.frozen
class Ran:
    argv: tuple[str, ...]
    status: int | None
    out: str
    err: str


def commands(*lines: Sequence[object], home: Path) -> list[Ran]:
    given = [[*map(str, each)] for each in lines]
    listed = home / "commands"
    listed.write_text(json.dumps(given))
    ran = bounded(COMMANDS, listed, home=home)
    found = [json.loads(each) for each in ran.stdout.splitlines()]
    assert len(found) == len(given), ran.stderr
    return [Ran(tuple(argv), *each) for argv, each in zip(given, found, strict=True)]

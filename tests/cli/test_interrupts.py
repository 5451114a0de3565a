"""Ctrl-C ends every command that takes long: a plain line, status 130, and no process is left."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from packs_on_the_fly import written

ROOT = Path(__file__).parents[2]
PATIENCE = 60  # generous: the machine may be busy
THOUGHT = ("--bots", "2xstrong", "--iterations", "1000000")  # one game takes hours
ACT = "choose-fame\nmay gain 1 coin"


@pytest.fixture
def packs(tmp_path: Path) -> tuple[str, str]:
    written(tmp_path / "one", ACT)
    written(tmp_path / "two", f"{ACT}\nmay gain 2 coins")
    return str(tmp_path / "one"), str(tmp_path / "two")


@pytest.fixture
def running() -> Iterator[list[subprocess.Popen[str]]]:
    processes: list[subprocess.Popen[str]] = []
    yield processes
    for process in processes:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def is_there(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def interrupted(
    running: list[subprocess.Popen[str]], folder: Path, *argv: str, after: str = ""
) -> tuple[int, str]:
    """Interrupt a command and its processes, as a terminal does, after it has written a text."""
    command = [sys.executable, "-m", "coloma", *argv]
    path = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
    process = subprocess.Popen(
        command,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": path, "PYTHONUNBUFFERED": "1"},
    )
    running.append(process)
    assert process.stdout is not None
    if after:
        assert any(after in line for line in process.stdout)
    time.sleep(2 if after else 4)  # until it works, mostly; any time will do
    os.killpg(process.pid, signal.SIGINT)
    out, _ = process.communicate(timeout=PATIENCE)
    end = time.monotonic() + PATIENCE
    while is_there(process.pid):
        assert time.monotonic() < end, "a process goes on"
        time.sleep(0.05)
    assert "Traceback" not in out
    return process.returncode, out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_compare(
    running: list[subprocess.Popen[str]], packs: tuple[str, str], tmp_path: Path, jobs: str
) -> None:
    more = ("--players", "2", "--jobs", jobs, "--games", "3000000", "--until", "0.0001")
    status, out = interrupted(
        running, tmp_path, "compare", *packs, *more, after="This takes about"
    )
    assert status == 130
    assert "the result is partial" in out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_simulate(
    running: list[subprocess.Popen[str]], packs: tuple[str, str], tmp_path: Path, jobs: str
) -> None:
    more = ("--pack", packs[0], "--players", "2", "--games", "9", "--jobs", jobs)
    status, out = interrupted(running, tmp_path, "simulate", *more, *THOUGHT)
    assert status == 130
    assert "interrupted" in out


def test_report(running: list[subprocess.Popen[str]], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    more = ("--games", "3000000", "--jobs", "2")
    status, out = interrupted(running, tmp_path, "report", str(ROOT / "content"), *more)
    assert status == 130
    assert "interrupted" in out


@pytest.mark.parametrize(("command", "status"), [("test", 130), ("watch", 0)])
def test_scenarios(
    running: list[subprocess.Popen[str]], tmp_path: Path, command: str, status: int
) -> None:
    ended, out = interrupted(running, tmp_path, command, str(ROOT / "content"), after="content")
    assert ended == status
    assert ("coloma: interrupted" in out) == (status == 130)


SENDER = """\
import os, signal, sys
import coloma.__main__

class Sender:
    def find_spec(self, name, *_):
        if name == "coloma.app":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Sender())
coloma.__main__.main()
"""


def test_while_it_loads() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SENDER],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        env=os.environ | {"PYTHONPATH": str(ROOT / "cli")},
    )
    assert (ran.returncode, ran.stderr) == (130, "")

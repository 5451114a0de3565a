"""Sessions that need a terminal or a process of their own: covering, colours, signals."""

from __future__ import annotations

import codecs
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, str(ROOT / "tests/cli/fake_command.py"))
CLEARED = "\x1b[H\x1b[2J\x1b[3J"
PATIENCE = 60
GLANCE = 0.05


def _environment(tmp_path: Path, **more: str) -> dict[str, str]:
    paths = os.pathsep.join(str(ROOT / each) for each in ("", "cli", "tests"))
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": paths,
        "XDG_STATE_HOME": str(tmp_path),
        "HOME": str(tmp_path),
        "TERM": "xterm",
        "LANG": "C.UTF-8",
        **more,
    }


class Terminal:
    """A command on a terminal, and what it has shown."""

    def __init__(self, tmp_path: Path, *argv: str, **environment: str) -> None:
        # Their side stays open here too: what is written last can be lost with a hang-up.
        self._own, self._theirs = pty.openpty()
        self.shown = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        self.process = subprocess.Popen(
            [*COMMAND, *argv],
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            env=_environment(tmp_path, **environment),
        )

    def wait_for(self, text: str) -> str:
        """Read until a text is shown, and return everything up to it since the last time."""
        end = time.monotonic() + PATIENCE
        start = len(self.shown)
        while text not in self.shown[start:]:
            over = not self._read() and self.process.poll() is not None
            given_up = over or time.monotonic() > end
            assert not given_up, f"waiting for {text!r} in {self.shown[start:]!r}"
        return self.shown[start:]

    def type(self, line: str) -> None:
        os.write(self._own, f"{line}\n".encode())

    def end(self) -> int:
        """Read to the end, and return the status."""
        status = None
        end = time.monotonic() + PATIENCE
        while status is None and time.monotonic() < end:
            self._read()
            status = self.process.poll()
        while self._read():
            pass
        os.close(self._own)
        os.close(self._theirs)
        return self.process.wait(PATIENCE)

    def _read(self) -> bool:
        """Read what is there, or comes at once; tell whether there was something."""
        ready, _, _ = select.select([self._own], [], [], GLANCE)
        got = os.read(self._own, 1000) if ready else b""
        self.shown += self._decoder.decode(got)
        return bool(got)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    found = Terminal(tmp_path, "play", "--players", "2", "--seed", "1")
    yield found
    found.process.kill()
    found.process.wait()


def test_the_screen_is_cleared_before_and_after_the_keyboard_is_passed(
    terminal: Terminal,
) -> None:
    terminal.wait_for("only you can see the screen. ")
    terminal.type("")
    terminal.wait_for("> ")
    terminal.type("take:one")
    terminal.wait_for("> ")
    terminal.type("draw")
    own = terminal.wait_for("cover the screen for Player 2. ")
    terminal.type("")
    between = terminal.wait_for("only you can see the screen. ")
    terminal.type("")
    others = terminal.wait_for("> ")

    card = re.search(r"draws the (\d+)", own)
    assert card
    assert CLEARED in between
    assert others.index(CLEARED) < others.index("Player 1 draws a card.")
    assert card[1] not in between + others


def test_interrupting_names_the_journal(terminal: Terminal) -> None:
    terminal.wait_for("only you can see the screen. ")
    terminal.process.send_signal(signal.SIGINT)

    assert terminal.end() == 130
    assert "coloma play --resume" in terminal.shown
    assert "Traceback" not in terminal.shown


@pytest.mark.parametrize(
    ("arguments", "environment"),
    [(("--plain",), {}), ((), {"NO_COLOR": "1"}), ((), {"TERM": "dumb"})],
)
def test_no_colour_where_nobody_wants_it(
    tmp_path: Path, arguments: tuple[str, ...], environment: dict[str, str]
) -> None:
    bots = ("play", "--players", "2", "--bots", "2xrandom")
    plain = Terminal(tmp_path, *bots, *arguments, **environment)
    coloured = Terminal(tmp_path, *bots)

    assert (plain.end(), coloured.end()) == (0, 0)
    assert "\x1b" not in plain.shown
    assert "\x1b[" in coloured.shown


def test_a_terminal_without_boxes_gets_other_signs(tmp_path: Path) -> None:
    ran = subprocess.run(
        [*COMMAND, "play", "--bots", "1xrandom"],
        env=_environment(tmp_path, PYTHONIOENCODING="ascii"),
        input=b"board\n\xff\n",
        capture_output=True,
        check=False,
    )

    assert ran.returncode == 0
    assert b"\nMiddle             Things: Player 1" in ran.stdout


def test_a_reader_that_goes_away_is_no_reason_for_a_traceback(tmp_path: Path) -> None:
    command = " ".join(
        [*COMMAND, "play", "--players", "4", "--bots", "4xrandom", "|", "head", "-1"]
    )
    ran = subprocess.run(
        command, shell=True, env=_environment(tmp_path), capture_output=True, check=False
    )

    assert len(ran.stdout.splitlines()) == 1
    assert ran.stderr == b""


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_is_an_empty_one(tmp_path: Path, closed: str) -> None:
    journal = tmp_path / "kept.toml"
    command = " ".join([*COMMAND, "play", "--plain", "--journal", str(journal), closed])
    ran = subprocess.run(
        command,
        shell=True,
        env=_environment(tmp_path),
        capture_output=True,
        check=False,
        input=b"",
    )

    assert (ran.returncode, ran.stderr) == (0, b"")
    assert journal.read_text().startswith("# A game in progress")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a system without a full device")
def test_a_full_disk_is_said_in_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [*COMMAND, "play", "--bots", "2xrandom"],
            env=_environment(tmp_path),
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
        )

    assert (ran.returncode, ran.stderr) == (1, b"coloma: no space left on device\n")


@pytest.mark.parametrize("answers", range(1, 12, 3))
def test_a_killed_session_resumes_with_everything_that_was_shown(
    tmp_path: Path, answers: int
) -> None:
    journal = tmp_path / "kept.toml"
    process = subprocess.Popen(
        [*COMMAND, *["play", "--bots", "1xrandom", "--seed", "2", "--journal"], str(journal)],
        env=_environment(tmp_path, PYTHONUNBUFFERED="1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin
    assert process.stdout
    process.stdin.write(b"1\n" * answers)
    process.stdin.flush()
    shown = b""
    while shown.count(b"> 1\n") < min(answers, 6) or b"takes" not in shown:
        shown += os.read(process.stdout.fileno(), 1000)
    process.send_signal(signal.SIGKILL)
    shown += process.stdout.read()
    process.communicate()
    resumed = subprocess.run(
        [*COMMAND, "play", "--resume", str(journal), "--plain"],
        env=_environment(tmp_path),
        input=b"log 999\n",
        capture_output=True,
        check=True,
    ).stdout.splitlines()

    happened = [
        line for line in shown.splitlines() if re.match(rb"Player \d (takes|draws|has)", line)
    ]
    assert happened
    assert [line for line in happened if line not in resumed] == []

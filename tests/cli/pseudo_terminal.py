"""The command in a pseudo-terminal of a given size."""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

import pyte

from coloma.app import main

ROOT = Path(__file__).parents[2]
PATIENCE = 30
GLANCE = 0.05
DRAWN = (b"\x1b[?7h\x1b[0m", b"\x1b[?7h\x1b[0m\x1b[?12l\x1b[?25h")  # with or without a cursor
DONE = b"\x1b[?2004l"  # written when a line has been edited


class PseudoTerminal:
    """A running command and its screen."""

    def __init__(self, home: Path, columns: int, lines: int, *argv: str, **more: str) -> None:
        self._own, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.status = 0
        given = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "XDG_STATE_HOME": str(home),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            **more,
        }
        self._process = os.fork()  # a process that has imported everything: that takes the longest
        if not self._process:
            _run(theirs, given, argv)
        os.close(theirs)

    def asked(self) -> str:
        end = time.monotonic() + PATIENCE
        while not self._is_waiting():
            assert time.monotonic() < end, self.seen()
            if not self._read() and self._ended():
                break
        return self.seen()

    def wait_for(self, text: str) -> str:
        end = time.monotonic() + PATIENCE
        start = len(self.raw)
        while text not in (found := self.raw[start:].decode(errors="replace")):
            assert time.monotonic() < end, f"waiting for {text!r} in {found!r}"
            self._read()
        return found

    def shows(self, text: str) -> str:
        end = time.monotonic() + PATIENCE
        while text not in self.seen():
            assert time.monotonic() < end, f"waiting for {text!r} in {self.seen()}"
            self._read()
        return self.seen()

    def edits(self, *lines: str) -> None:
        """Wait until a line is edited, type lines, and wait again after each."""
        for line in ("", *lines):
            before = len(self.raw)
            if line:
                self.write(line)
            end = time.monotonic() + PATIENCE
            while not self.raw.endswith(DRAWN) or (line and DONE not in self.raw[before:]):
                assert time.monotonic() < end, self.raw[before:]
                self._read()

    def resize(self, columns: int, lines: int) -> None:
        before = len(self.raw)
        self.screen.resize(lines, columns)
        fcntl.ioctl(self._own, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        end = time.monotonic() + PATIENCE
        while not self.raw[before:].endswith(DRAWN):
            assert time.monotonic() < end, self.raw[before:]
            self._read()

    def enter(self, line: str) -> None:
        self.write(f"{line}\n")

    def write(self, typed: str) -> None:
        os.write(self._own, typed.encode())

    def interrupt(self) -> None:
        os.kill(self._process, signal.SIGINT)

    def end(self) -> int:
        end = time.monotonic() + PATIENCE
        while not self._ended() and time.monotonic() < end:
            self._read()
        while self._read():
            pass
        return self.status

    def type(self, line: str) -> str:
        self.enter(line)
        before = len(self.raw)
        end = time.monotonic() + PATIENCE
        while b"\n" not in self.raw[before:] and time.monotonic() < end:
            self._read()
        return self.asked()

    def seen(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip() + "\n"

    def close(self) -> None:
        if not self._ended():
            os.kill(self._process, signal.SIGKILL)
            os.waitpid(self._process, 0)
        os.close(self._own)

    def _ended(self) -> bool:
        if self._process:
            pid, status = os.waitpid(self._process, os.WNOHANG)
            self.status = os.waitstatus_to_exitcode(status) if pid else 0
            self._process = 0 if pid else self._process
        return not self._process

    def _is_waiting(self) -> bool:
        line = self.screen.display[self.screen.cursor.y]
        typed = line[: self.screen.cursor.x]
        return typed == "> " or (
            typed.startswith(("Press Enter", "What next?")) and typed.endswith(". ")
        )

    def _read(self) -> bool:
        ready, _, _ = select.select([self._own], [], [], GLANCE)
        try:
            got = os.read(self._own, 65536) if ready else b""
        except OSError:  # the other side is closed
            return False
        self.raw += got
        self._stream.feed(got)
        return bool(got)


def _run(terminal: int, given: dict[str, str], argv: Sequence[str]) -> NoReturn:
    try:
        os.setsid()
        for number in range(3):
            os.dup2(terminal, number)
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        os.environ.clear()
        os.environ.update(given)
        sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115 - it lasts as long as we do
        sys.stdout = open(1, "w", encoding="utf-8")  # noqa: SIM115 - as above
        sys.stderr = open(2, "w", encoding="utf-8")  # noqa: SIM115 - as above
        main(argv)
    except SystemExit as end:
        sys.stdout.flush()
        os._exit(end.code if isinstance(end.code, int) else 0)
    finally:
        os._exit(1)

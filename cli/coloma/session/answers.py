"""Where the answers come from: the keyboard, a pipe, or a file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Protocol

from coloma.errors import CommandError
from coloma.files import read_text


class SessionStopped(Exception):  # noqa: N818 - somebody may stop; that is no error
    """Nobody goes on with the game here: the input has ended, or somebody quit."""


class Answers(Protocol):
    """Lines that people or programs write, one after the other."""

    @property
    def is_terminal(self) -> bool:
        """Whether somebody sits at a keyboard, and sees what is typed."""

    def next_line(self) -> str:
        """Return the next line without its end; `SessionStopped` where there is none."""

    def refuse(self, advice: str) -> str:
        """Return what to say about a line that means nothing; `CommandError` to stop there."""


class StandardInput:
    """Lines from a keyboard or a pipe."""

    @property
    def is_terminal(self) -> bool:
        """Whether it is a keyboard."""
        return sys.stdin.isatty()

    def next_line(self) -> str:
        """Return the next line."""
        line = sys.stdin.readline()
        if not line:
            raise SessionStopped("The input has ended.")
        return line.rstrip("\r\n")

    def refuse(self, advice: str) -> str:
        """Take another line."""
        return advice


class Script:
    """Lines of a file. Empty ones and those that begin with `#` are left out."""

    is_terminal = False

    def __init__(self, path: Path) -> None:
        """Read the file; `CommandError` if that cannot be done."""
        lines = read_text(path).removeprefix("\ufeff").splitlines()
        self._path = path
        self._left = [
            (number, line.strip())
            for number, line in enumerate(lines, start=1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self._number = 0

    def next_line(self) -> str:
        """Return the next line."""
        if not self._left:
            raise SessionStopped("The script has ended.")
        self._number, line = self._left.pop(0)
        return line

    def refuse(self, advice: str) -> str:
        """Stop: whatever follows was meant for another question."""
        raise CommandError(f"{self._path}:{self._number}: {advice}")

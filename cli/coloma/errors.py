"""What a command says instead of going on."""

from __future__ import annotations

FINDINGS = 1
USAGE = 2
INTERRUPTED = 130


class CommandError(Exception):
    """A message for the person at the keyboard, and the status that the command ends with."""

    def __init__(self, message: str, status: int = FINDINGS) -> None:
        self.status = status
        super().__init__(message)

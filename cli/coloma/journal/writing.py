"""Writing a journal: every table is in the file before anybody sees what it led to."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Self

import cattrs
import tomli_w

from coloma.errors import CommandError
from coloma.files import cannot_write, read_text, write_whole
from coloma.journal.entries import By, Choice, End, Entry, Header, Undo
from rulesdsl.source.files import reason

_OPENING = "# A game in progress or finished. Resume with: coloma play --resume FILE\n"


class JournalWriter:
    """A journal that is being written.

    An entry goes to the system in one piece, so that a killed session loses none. What a person
    chose is also forced to the disk at once, and everything before it with it; bots would choose
    the same again.
    """

    def __init__(self, path: Path, choices: int = 0, *, ended: bool = False) -> None:
        """Go on with the journal at `path`, which has so many choices, or its end already."""
        self.path = path
        self._ended = ended
        self._choices = choices
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND)
            self._size = os.fstat(self._file).st_size
        except OSError as error:
            raise cannot_write(path, error) from None

    @classmethod
    def begin(cls, path: Path, header: Header) -> Self:
        """Write the header of a new journal, replacing the file if there is one."""
        text = _OPENING + tomli_w.dumps(cattrs.unstructure(header))
        write_whole(path, text)
        return cls(path)

    def choice(self, choice: Choice) -> None:
        """Add a choice."""
        self._choices += 1
        self._append(choice)
        if choice.by is By.PERSON:
            self.sync()

    def undo(self, choices: int) -> None:
        """Add that the last so many choices were taken back."""
        self._append(Undo(after=self._choices, choices=choices))
        self.sync()

    def end(self, outcome: str) -> None:
        """Add that the game is over, once."""
        if not self._ended:
            self._append(End(outcome))
            self._ended = True
            self.sync()

    def sync(self) -> None:
        """Force everything to the disk."""
        try:
            os.fsync(self._file)
        except OSError as error:
            raise cannot_write(self.path, error) from None

    def close(self) -> None:
        """Force everything to the disk and let go of the file."""
        self.sync()
        os.close(self._file)

    def _append(self, entry: Entry | End) -> None:
        kind = type(entry).__name__.lower()
        left = f"\n[[{kind}]]\n{tomli_w.dumps(cattrs.unstructure(entry))}".encode()
        try:
            if os.fstat(self._file).st_size != self._size:  # two games in one file are none
                raise CommandError(f"another session has continued {self.path}: this one stops")
            self._size += len(left)
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            raise cannot_write(self.path, error) from None


def save_copy(journal: JournalWriter, path: Path) -> Path:
    """Copy a journal; a file that is no journal is never replaced."""
    text = read_text(journal.path, torn=True)
    try:
        if path.exists() and not _is_journal(path):
            raise CommandError(f"{path} exists and is not a journal")
        write_whole(path, text)
    except OSError as error:
        raise CommandError(f"cannot save in {path}: {reason(error)}") from None
    except ValueError:  # a sign that ends names, or that the system cannot write
        raise CommandError("a file cannot have that name") from None
    return path


def _is_journal(path: Path) -> bool:
    try:
        return read_text(path, torn=True).startswith(_OPENING)
    except CommandError:
        return False


def check_free(path: Path) -> None:
    """Refuse to begin a journal where something else is kept; an empty file is nothing."""
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise CommandError(f"{path} already exists; use --resume to resume it")

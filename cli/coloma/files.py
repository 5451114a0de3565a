"""Writing files so that they are there completely or as they were before."""

from __future__ import annotations

import os
from pathlib import Path

from coloma.errors import CommandError
from rulesdsl.source.files import reason


def write_whole(path: Path, text: str) -> None:
    """Write a file; `CommandError` if that cannot be done, and then nothing has changed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")  # a pipe or a terminal
        else:
            _replace(path.resolve(), text)
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: OSError, advice: str = "") -> CommandError:
    """Return what to say where a file cannot be written."""
    return CommandError(f"cannot write {path}: {reason(error)}{advice}")


def _replace(path: Path, text: str) -> None:
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with draft.open("w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            draft.chmod(path.stat().st_mode)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)

"""Reading and writing of files: limited in size, atomic, and within a pack's folder."""

from __future__ import annotations

import difflib
import errno
import os
from pathlib import Path

from coloma.output import CommandError
from rulesdsl.source.files import (
    draft_of,
    end_of_links,
    inside,
    read_file,
    read_inside,
    reason,
    write_atomically,
)

MAX_BYTES = 16 * 2**20


def read_text(path: Path, within: Path | None = None, *, torn: bool = False) -> str:
    """Read a text file; with `within`, it must be inside this folder, even through links.

    Raise `CommandError` if it cannot be read, is not a regular file of at most MAX_BYTES, or is
    not UTF-8. If it may be `torn`, invalid bytes become replacement characters instead.
    """
    try:
        raw = read_inside(within, path, MAX_BYTES) if within else read_file(path, MAX_BYTES)
        return raw.decode("utf-8", errors="replace" if torn else "strict")
    except OSError as error:
        raise CommandError(f"cannot read {path}: {reason(error)}") from None
    except UnicodeDecodeError:
        raise CommandError(f"cannot read {path}: it is not UTF-8") from None


def write_whole(path: Path, text: str, within: Path | None = None) -> None:
    """Write a file atomically; with `within`, it must be inside this folder, even through links.

    Raise `CommandError` if this fails; the file is then unchanged.
    """
    try:
        if within:
            path = inside(within, path)
        if path.exists() and not path.is_file() and not within:
            path.write_text(text, encoding="utf-8")  # a pipe or a terminal
        else:
            write_atomically(path, text)
    except OSError as error:
        raise cannot_write(path, error) from None


def check_can_write(path: Path) -> None:
    """Raise `CommandError` if `write_whole` would fail, before any long work begins."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if path.is_file() or not path.exists():
            draft = draft_of(end_of_links(path))
            draft.touch(exist_ok=False)
            draft.unlink()
    except OSError as error:
        raise cannot_write(path, error) from None


def remove(path: Path, within: Path) -> None:
    """Remove a file from a pack; raise `CommandError` if this fails."""
    try:
        inside(within, path.parent)
        path.unlink()
    except OSError as error:
        raise CommandError(f"cannot remove {path}: {reason(error)}") from None


def cannot_write(path: Path, error: OSError, advice: str = "") -> CommandError:
    """Return the error for a file that cannot be written."""
    return CommandError(f"cannot write {path}: {reason(error)}{advice}")


def difference(before: str, after: str, file: Path) -> str:
    """Return a unified diff between two versions of a file."""
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"{file} (current)",
        f"{file} (changed)",
    )
    return "".join(
        line if line.endswith("\n") else f"{line}\n\\ no newline at the end\n" for line in lines
    )

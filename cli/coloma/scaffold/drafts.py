"""Packs under way: written aside, tried there, and put in place only when they are sound."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from coloma.errors import CommandError
from coloma.files import MAX_BYTES, read_text, remove, write_whole
from rulesdsl.source.files import copy_files, reason


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Give a folder to write a new pack into; it is put in its place when all went well.

    Whatever goes wrong, nothing is left behind.
    """
    if target.is_symlink() or target.exists():
        raise CommandError(f"{target} already exists: nothing was written")
    with _aside(target) as draft:
        draft.mkdir()
        yield draft
        try:
            draft.rename(target)
        except OSError as error:
            raise CommandError(f"cannot write {target}: {reason(error)}") from None


@contextmanager
def copy_of(folder: Path) -> Iterator[Path]:
    """Give a copy of a pack to change and try."""
    with _aside(folder) as draft:
        try:
            copy_files(folder, draft, MAX_BYTES)
        except OSError:
            raise CommandError(f"cannot copy {folder}, to try what would be added") from None
        yield draft


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write files of a pack: all of them, or none."""
    before: dict[Path, str | None] = {}
    try:
        for name, text in files.items():
            path = folder / name
            before[path] = read_text(path, folder) if os.path.lexists(path) else None
            write_whole(path, text, folder)
    except (CommandError, OSError):
        for path, old in before.items():
            if old is not None:
                write_whole(path, old, folder)
            elif path.exists():
                remove(path, folder)
        raise


@contextmanager
def _aside(target: Path) -> Iterator[Path]:
    """Give a path beside another, so that a finished folder can be moved there at once."""
    target = Path(os.path.realpath(target))  # `.` has no name
    try:
        home = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise CommandError(f"cannot write {target}: {reason(error)}") from None
    try:
        yield home / target.name
    finally:
        shutil.rmtree(home, ignore_errors=True)

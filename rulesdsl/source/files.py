"""Safe reading of untrusted files: regular, of bounded size, never blocking."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Protocol

_NEVER_WAIT = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_OPEN_TO_OTHERS = stat.S_IWGRP | stat.S_IWOTH


class Files(Protocol):
    """A file system: the disk, or an editor's open documents layered over the disk."""

    def read(self, folder: Path, path: Path, most: int) -> bytes:
        """Return the bytes of a file as `read_inside` does; raise OSError if it cannot be read."""

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder, sorted; raise OSError if it cannot be read."""

    def exists(self, path: Path) -> bool:
        """Return true if the path exists and is accessible."""

    def is_folder(self, path: Path) -> bool:
        """Return true if the path is a folder, or a link to one."""


class Disk:
    """The files on disk."""

    def read(self, folder: Path, path: Path, most: int) -> bytes:
        """Return the bytes of a file as `read_inside` does."""
        return read_inside(folder, path, most)

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder, sorted."""
        return sorted(os.listdir(folder))  # noqa: PTH208 - only names are needed

    def exists(self, path: Path) -> bool:
        """Return true if the path exists and is accessible."""
        return os.path.exists(path)  # noqa: PTH110 - `Path.exists` raises in inaccessible folders

    def is_folder(self, path: Path) -> bool:
        """Return true if the path is a folder, or a link to one."""
        return os.path.isdir(path)  # noqa: PTH112 - as above


DISK = Disk()


def read_file(path: Path, most: int, *, ours: bool = False) -> bytes:
    """Return the bytes of a regular file no larger than `most` bytes.

    With `ours`, it must not be a link, must belong to the current user, and must not be writable
    by anybody else. Raises OSError otherwise; a pipe or device is neither opened nor waited for.
    """
    _refuse(path.stat(follow_symlinks=not ours), most, ours=ours)
    number = os.open(path, _NEVER_WAIT | (getattr(os, "O_NOFOLLOW", 0) if ours else 0))
    with os.fdopen(number, "rb") as file:
        _refuse(os.fstat(number), most, ours=ours)  # it may have been replaced meanwhile
        found = file.read(most + 1)
    if len(found) > most:
        raise _too_large(most)
    return found


def read_inside(folder: Path, path: Path, most: int) -> bytes:
    """Read a file in a folder as `read_file` does; raise OSError if a link leads outside."""
    return read_file(inside(folder, path), most)


def inside(folder: Path, path: Path) -> Path:
    """Resolve the links in a path; raise OSError if the result is outside the folder."""
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(folder)):
        raise OSError(errno.EXDEV, "it is a link to a place outside its pack")
    return real


def copy_files(folder: Path, target: Path, most: int) -> None:
    """Copy the readable files in a folder, except hidden ones and links out of the folder."""
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        here = target / Path(path).relative_to(folder)
        here.mkdir(parents=True)
        for name in names:
            if not name.startswith("."):
                with suppress(OSError):
                    here.joinpath(name).write_bytes(read_inside(folder, Path(path, name), most))


def is_ours(found: os.stat_result) -> bool:
    """Return true if a file or folder is owned by the current user and writable by nobody else."""
    owner = getattr(os, "geteuid", lambda: found.st_uid)()
    return found.st_uid == owner and not found.st_mode & _OPEN_TO_OTHERS


def reason(error: OSError) -> str:
    """Return the reason for an OSError as part of a sentence."""
    said = error.strerror or "the system gives no reason"
    return said[:1].lower() + said[1:]


def _refuse(found: os.stat_result, most: int, *, ours: bool) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    if ours and not is_ours(found):
        raise OSError(errno.EPERM, "other users can write to it")
    if found.st_size > most:
        raise _too_large(most)


def _too_large(most: int) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {most // 1024} KiB")

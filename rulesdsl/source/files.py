"""Reading files that anybody may have put there: regular, of bounded size, never waiting."""

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
    """Where files are looked up: on the disk, or first among those that an editor has open."""

    def read(self, folder: Path, path: Path, most: int) -> bytes:
        """Return the bytes of a file as `read_inside` does; OSError if it cannot be read."""

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder, sorted; OSError if it cannot be read."""

    def exists(self, path: Path) -> bool:
        """Tell whether something is at the path that can be asked about."""

    def is_folder(self, path: Path) -> bool:
        """Tell whether a folder, or a link to one, is at the path."""


class Disk:
    """The files of the disk."""

    def read(self, folder: Path, path: Path, most: int) -> bytes:
        """Return the bytes of a file as `read_inside` does."""
        return read_inside(folder, path, most)

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder, sorted."""
        return sorted(os.listdir(folder))  # noqa: PTH208 - paths of our own would be thrown away

    def exists(self, path: Path) -> bool:
        """Tell whether something is at the path that can be asked about."""
        return os.path.exists(path)  # noqa: PTH110 - that of `Path` raises in folders that are shut

    def is_folder(self, path: Path) -> bool:
        """Tell whether a folder, or a link to one, is at the path."""
        return os.path.isdir(path)  # noqa: PTH112 - as above


DISK = Disk()


def read_file(path: Path, most: int, *, ours: bool = False) -> bytes:
    """Return the bytes of a regular file of at most so many.

    Where it has to be `ours`, it is no link, belongs to whoever runs us, and only they can write.
    Raises OSError for everything else: a pipe or a device is never opened or waited for.
    """
    _refuse(path.stat(follow_symlinks=not ours), most, ours=ours)
    number = os.open(path, _NEVER_WAIT | (getattr(os, "O_NOFOLLOW", 0) if ours else 0))
    with os.fdopen(number, "rb") as file:
        _refuse(os.fstat(number), most, ours=ours)  # it may be another one by now
        found = file.read(most + 1)
    if len(found) > most:
        raise _too_large(most)
    return found


def read_inside(folder: Path, path: Path, most: int) -> bytes:
    """Return the bytes of a file in a folder as `read_file` does; OSError if a link leads out."""
    return read_file(inside(folder, path), most)


def inside(folder: Path, path: Path) -> Path:
    """Return where a path leads to; OSError where that is not in the folder."""
    real = Path(os.path.realpath(path))
    if not real.is_relative_to(os.path.realpath(folder)):
        raise OSError(errno.EXDEV, "it is a link to a place outside its pack")
    return real


def copy_files(folder: Path, target: Path, most: int) -> None:
    """Copy what can be read in a folder: no hidden files, nothing that links lead out to."""
    for path, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith((".", "__pycache__"))]
        here = target / Path(path).relative_to(folder)
        here.mkdir(parents=True)
        for name in names:
            if not name.startswith("."):
                with suppress(OSError):
                    here.joinpath(name).write_bytes(read_inside(folder, Path(path, name), most))


def is_ours(found: os.stat_result) -> bool:
    """Tell whether a file or folder belongs to whoever runs us, and only they can write to it."""
    owner = getattr(os, "geteuid", lambda: found.st_uid)()
    return found.st_uid == owner and not found.st_mode & _OPEN_TO_OTHERS


def reason(error: OSError) -> str:
    """Return why the system, or `read_file`, refuses something, to be put into a sentence."""
    said = error.strerror or "the system refuses"
    return said[:1].lower() + said[1:]


def _refuse(found: os.stat_result, most: int, *, ours: bool) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise OSError(errno.EISDIR, "it is a folder")
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    if ours and not is_ours(found):
        raise OSError(errno.EPERM, "others can write to it")
    if found.st_size > most:
        raise _too_large(most)


def _too_large(most: int) -> OSError:
    return OSError(errno.EFBIG, f"it is larger than {most // 1024} KiB")

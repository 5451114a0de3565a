"""Safe reading of untrusted files: regular, of bounded size, never blocking."""

from __future__ import annotations

import errno
import os
import secrets
import stat
from pathlib import Path
from typing import Protocol

import attrs

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


@attrs.define
class Overlay:
    """Files on disk, overridden by open documents. A file is read again only if it has changed."""

    _texts: dict[str, bytes] = attrs.Factory(dict)
    _read: dict[str, tuple[tuple[int, ...], bytes]] = attrs.Factory(dict)
    _real: dict[str, str] = attrs.Factory(dict)

    def put(self, path: Path, text: str | None) -> None:
        """Set the text of a file; `None` reverts to the file on disk."""
        if text is None:
            self._texts.pop(self._key(path), None)
        else:
            self._texts[self._key(path)] = text.encode("utf-8", errors="surrogatepass")

    def look_again(self) -> None:
        """Forget where links to folders lead, since that may have changed."""
        self._real.clear()

    def read(self, folder: Path, path: Path, most: int) -> bytes:
        """Return the open text or the bytes on disk; raise OSError as `read_inside` does."""
        text = self._texts.get(self._key(path))
        if text is not None:
            if len(text) > most:
                raise _too_large(most)
            return text
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):  # a link is resolved and checked each time
            return DISK.read(folder, path, most)
        stamp = about.st_mtime_ns, about.st_size, about.st_ino, about.st_dev
        if str(path) not in self._read or self._read[str(path)][0] != stamp:
            self._read[str(path)] = stamp, DISK.read(folder, path, most)
        return self._read[str(path)][1]

    def names(self, folder: Path) -> list[str]:
        """Return the sorted names in a folder, on disk or open."""
        opened = self._opened_in(self._real_of(str(folder)))
        if not opened:
            return DISK.names(folder)
        on_disk = DISK.names(folder) if DISK.is_folder(folder) else []
        return sorted(opened.union(on_disk))

    def exists(self, path: Path) -> bool:
        """Return whether a path exists, open or on disk."""
        key = self._key(path)
        return key in self._texts or bool(self._opened_in(key)) or DISK.exists(path)

    def is_folder(self, path: Path) -> bool:
        """Return whether a path is a folder, on disk or because it contains an open file."""
        key = self._key(path)
        return key not in self._texts and (bool(self._opened_in(key)) or DISK.is_folder(path))

    def _opened_in(self, folder: str) -> set[str]:
        """Return the names in a folder that lead to open documents."""
        inside = f"{folder}{os.sep}"
        opened = (each for each in self._texts if each.startswith(inside))
        return {each.removeprefix(inside).partition(os.sep)[0] for each in opened}

    def _key(self, path: Path) -> str:
        """Return the key of a file, independent of links in its path."""
        folder, name = os.path.split(path)
        return os.path.join(self._real_of(folder), name)  # noqa: PTH118 - called very often

    def _real_of(self, folder: str) -> str:
        if folder not in self._real:
            self._real[folder] = os.path.realpath(folder)
        return self._real[folder]


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


def write_atomically(path: Path, text: str) -> None:
    """Write a regular file; raise OSError if this fails, and the file is then unchanged."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path = end_of_links(path)
    draft = draft_of(path)
    try:
        with draft.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if path.exists():
            draft.chmod(path.stat().st_mode)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def end_of_links(path: Path) -> Path:
    """Return the file to which links lead; raise OSError if they go in circles."""
    real = Path(os.path.realpath(path))
    if real.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return real


def draft_of(path: Path) -> Path:
    """Return the path of a new hidden file beside a file, which replaces it when complete."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}")


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

"""Overlay of open documents over the files on disk."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePath

import attrs

from rulesdsl.source.files import DISK

_Stamp = tuple[int, int, int, int]


@attrs.define
class Overlay:
    """Open documents over the disk. A file on disk is read again if its stamp has changed."""

    _texts: dict[str, bytes] = attrs.field(factory=dict, init=False)
    _folders: dict[str, set[str]] = attrs.field(factory=dict, init=False)  # open names by folder
    _read: dict[str, tuple[_Stamp, bytes]] = attrs.field(factory=dict, init=False)
    _real: dict[str, str] = attrs.field(factory=dict, init=False)

    def put(self, path: Path, text: str | None) -> None:
        """Set the text of a file; `None` reverts to the disk."""
        key = self._key(path)
        was_open = key in self._texts
        if text is None:
            self._texts.pop(key, None)
        else:
            self._texts[key] = text.encode("utf-8", errors="surrogatepass")
        if was_open == (text is not None):
            return
        self._folders = {}
        for each in self._texts:
            for folder, name in _way(each):
                self._folders.setdefault(folder, set()).add(name)

    def twin(self) -> Overlay:
        """Return an independent copy."""
        found = Overlay()
        found._texts = dict(self._texts)
        found._folders = {folder: set(names) for folder, names in self._folders.items()}
        found._read = dict(self._read)
        return found

    def look_again(self) -> None:
        """Forget the targets of links to folders, which may have changed."""
        self._real.clear()

    def read(self, folder: Path, path: Path, most: int) -> bytes:
        """Return the open text or the bytes on disk; raise OSError as `read_inside` does."""
        found = self._texts.get(self._key(path))
        if found is not None:
            if len(found) > most:
                raise OSError(errno.EFBIG, f"it is larger than {most // 1024} KiB")
            return found
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):  # a link is resolved and checked each time
            return DISK.read(folder, path, most)
        stamp = about.st_mtime_ns, about.st_size, about.st_ino, about.st_dev
        known = self._read.get(str(path))
        if known is None or known[0] != stamp:
            known = stamp, DISK.read(folder, path, most)
            self._read[str(path)] = known
        return known[1]

    def names(self, folder: Path) -> list[str]:
        """Return the sorted names in a folder, on disk or open."""
        opened = self._folders.get(self._real_of(str(folder)))
        if opened is None:
            return DISK.names(folder)
        on_disk = DISK.names(folder) if DISK.is_folder(folder) else []
        return sorted(opened.union(on_disk))

    def exists(self, path: Path) -> bool:
        """Return whether a path exists, open or on disk."""
        key = self._key(path)
        return key in self._texts or key in self._folders or DISK.exists(path)

    def is_folder(self, path: Path) -> bool:
        """Return whether a path is a folder, on disk or of an open file."""
        key = self._key(path)
        return key not in self._texts and (key in self._folders or DISK.is_folder(path))

    def _key(self, path: Path) -> str:
        """Return the key of a file, independent of links in its path."""
        folder, name = os.path.split(path)
        return os.path.join(self._real_of(folder), name)  # noqa: PTH118 - called very often

    def _real_of(self, folder: str) -> str:
        found = self._real.get(folder)
        if found is None:
            found = self._real[folder] = os.path.realpath(folder)
        return found


def _way(key: str) -> Iterator[tuple[str, str]]:
    """Yield the folders above a file, each with the name of the child on the path."""
    path = PurePath(key)
    for below, folder in zip([path, *path.parents], path.parents, strict=False):
        yield str(folder), below.name

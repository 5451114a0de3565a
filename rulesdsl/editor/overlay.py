"""Files of the disk under the texts of those that an editor has open."""

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
    """Open texts over the disk. A file of the disk is read again when its stamp has changed."""

    _texts: dict[str, bytes] = attrs.field(factory=dict, init=False)
    _folders: dict[str, set[str]] = attrs.field(factory=dict, init=False)  # what is open in them
    _read: dict[str, tuple[_Stamp, bytes]] = attrs.field(factory=dict, init=False)
    _real: dict[str, str] = attrs.field(factory=dict, init=False)

    def put(self, path: Path, text: str | None) -> None:
        """Let a file have a text, whatever the disk has; `None`: as on the disk again."""
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
        """Return one with the same texts, whatever is put into either."""
        found = Overlay()
        found._texts = dict(self._texts)
        found._folders = {folder: set(names) for folder, names in self._folders.items()}
        found._read = dict(self._read)
        return found

    def look_again(self) -> None:
        """Forget where links of folders lead: they may lead elsewhere by now."""
        self._real.clear()

    def read(self, folder: Path, path: Path, most: int) -> bytes:
        """Return the text that is open, else the bytes on the disk; OSError as `read_inside`."""
        found = self._texts.get(self._key(path))
        if found is not None:
            if len(found) > most:
                raise OSError(errno.EFBIG, f"it is larger than {most // 1024} KiB")
            return found
        about = path.lstat()
        if not stat.S_ISREG(about.st_mode):  # a link is followed, and judged, each time
            return DISK.read(folder, path, most)
        stamp = about.st_mtime_ns, about.st_size, about.st_ino, about.st_dev
        known = self._read.get(str(path))
        if known is None or known[0] != stamp:
            known = stamp, DISK.read(folder, path, most)
            self._read[str(path)] = known
        return known[1]

    def names(self, folder: Path) -> list[str]:
        """Return the names in a folder, on the disk and open, sorted."""
        opened = self._folders.get(self._real_of(str(folder)))
        if opened is None:
            return DISK.names(folder)
        on_disk = DISK.names(folder) if DISK.is_folder(folder) else []
        return sorted(opened.union(on_disk))

    def exists(self, path: Path) -> bool:
        """Tell whether something is at the path, open or on the disk."""
        key = self._key(path)
        return key in self._texts or key in self._folders or DISK.exists(path)

    def is_folder(self, path: Path) -> bool:
        """Tell whether a folder is at the path, on the disk or because a file in it is open."""
        key = self._key(path)
        return key not in self._texts and (key in self._folders or DISK.is_folder(path))

    def _key(self, path: Path) -> str:
        """Return what a file is known by: it may be opened by another way than it is read."""
        folder, name = os.path.split(path)
        return os.path.join(self._real_of(folder), name)  # noqa: PTH118 - asked very often

    def _real_of(self, folder: str) -> str:
        found = self._real.get(folder)
        if found is None:
            found = self._real[folder] = os.path.realpath(folder)
        return found


def _way(key: str) -> Iterator[tuple[str, str]]:
    """Yield the folders above a file, each with the name in it that leads to the file."""
    path = PurePath(key)
    for below, folder in zip([path, *path.parents], path.parents, strict=False):
        yield str(folder), below.name

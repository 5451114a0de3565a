"""Sessions: a game and its mods as they are edited, read through an overlay of open documents."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Sequence
from pathlib import Path

import attrs

from rulesdsl.check.frontend import check_pack
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Report
from rulesdsl.source.files import DISK

_Stamp = tuple[int, int, int, int]


@attrs.define
class Overlay:
    """Files on disk, overridden by open documents. A file is read again only if it has changed."""

    _texts: dict[str, bytes] = attrs.Factory(dict)
    _read: dict[str, tuple[_Stamp, bytes]] = attrs.Factory(dict)
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
        found = self._real.get(folder)
        if found is None:
            found = self._real[folder] = os.path.realpath(folder)
        return found


@attrs.frozen
class ProjectState:
    """Result of a check. `layers` and `checked` are `None` if it could not be completed."""

    layers: Layered | None
    checked: Checked | None
    report: Report


@attrs.frozen
class Session:
    """Game with its mods, checked as if all open documents were saved."""

    game: Path
    mods: Sequence[Path] = ()
    files: Overlay = attrs.Factory(Overlay)

    def edit(self, path: Path, text: str | None) -> None:
        """Set the text of a file, which need not exist; `None` reverts to the file on disk."""
        self.files.put(path, text)

    def check(self) -> ProjectState:
        """Check the packs in their current state, as `coloma lint` would if they were saved."""
        self.files.look_again()
        return ProjectState(*check_pack(self.game, self.mods, self.files))

"""Detection of changed files in packs, by polling."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulesdsl.packs.folder import MANIFEST

BETWEEN = 0.15  # house: seconds between polls, too short to notice
ENDINGS = (".rules", ".toml", ".md")
Stamp = tuple[int, int, int]


class FileWatcher:
    """The files of some packs, with their state at the last poll."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        self._before = self._stamps()

    def wait(self) -> list[str]:
        """Wait for changes, and return the changed, new and deleted files.

        Return only when nothing changes any longer: an editor that saves all writes one file after
        the other, and some delete a file before they write it.
        """
        while not self._changed(self._before, now := self._stamps()):
            time.sleep(BETWEEN)
        earlier = self._before
        while True:
            time.sleep(BETWEEN)
            later = self._stamps()
            if not self._changed(now, later):
                break
            now = later
        self._before = now
        return self._changed(earlier, now) or self.wait()

    def _changed(self, before: dict[str, Stamp], now: dict[str, Stamp]) -> list[str]:
        return sorted(
            each for each in before.keys() | now.keys() if before.get(each) != now.get(each)
        )

    def _stamps(self) -> dict[str, Stamp]:
        found: dict[str, Stamp] = {}
        for folder in self.folders:
            for each in _files(str(folder)):
                try:
                    about = each.stat()
                except OSError:  # deleted meanwhile
                    continue
                found[each.path] = about.st_mtime_ns, about.st_size, about.st_ino
        return found


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    try:
        entries = [*os.scandir(folder)]
    except OSError:  # deleted, or not readable
        return
    for each in entries:
        if each.name.startswith("."):
            continue
        if each.is_dir(follow_symlinks=False):
            if not (Path(each.path) / MANIFEST).exists():
                yield from _files(each.path)
        elif each.name.endswith(ENDINGS):
            yield each

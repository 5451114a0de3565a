"""Which files of some packs have changed: by looking at them again and again.

A pack has at most some hundred files, so a look at all of them takes about a millisecond. That
works on every system and every kind of disk, network folders included, and needs no library.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulesdsl.packs.folder import MANIFEST

BETWEEN = 0.15  # house: seconds between two looks; nobody notices it
ENDINGS = (".rules", ".toml", ".md")
Stamp = tuple[int, int, int]


class Changes:
    """The files of some packs, and what they were like at the last look."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self.folders = tuple(folders)
        self._before = self._stamps()

    def wait(self) -> list[str]:
        """Wait for changes and return the files: changed ones, new ones, and those that are gone.

        It waits on until nothing changes any more: an editor that saves all writes one file after
        the other, and some write a file by removing it first.
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
                except OSError:  # gone since
                    continue
                found[each.path] = about.st_mtime_ns, about.st_size, about.st_ino
        return found


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield the files of a pack, but for hidden ones and those of packs within it."""
    try:
        entries = [*os.scandir(folder)]
    except OSError:  # gone, or nobody may look
        return
    for each in entries:
        if each.name.startswith("."):
            continue
        if each.is_dir(follow_symlinks=False):
            if not (Path(each.path) / MANIFEST).exists():
                yield from _files(each.path)
        elif each.name.endswith(ENDINGS):
            yield each

"""One game with its mods as somebody works on it: edits in, findings out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from threading import Lock

import attrs

from rulesdsl.check.pack_check import Checked
from rulesdsl.check.read import check_pack
from rulesdsl.check.report import Report
from rulesdsl.editor.overlay import Overlay
from rulesdsl.packs.layers import Layered


@attrs.frozen
class State:
    """What a check came to. `layers` and `checked` are `None` where nothing could be checked."""

    layers: Layered | None
    checked: Checked | None
    report: Report


class Session:
    """A game and its mods with the files that are open. Any thread may call it at any time."""

    def __init__(self, game: Path, mods: Sequence[Path] = ()) -> None:
        self.game = game
        self.mods = tuple(mods)
        self._files = Overlay()
        self._lock = Lock()

    def edit(self, path: Path, text: str | None) -> None:
        """Let a file have a text, whether it is on the disk or not; `None`: as on the disk."""
        with self._lock:
            self._files.put(path, text)

    def hold(self, texts: Mapping[Path, str]) -> None:
        """Let these files have these texts, and all others be as on the disk."""
        with self._lock:
            self._files.hold(texts)

    def check(self) -> State:
        """Check the packs as they are now: the findings are those of a lint of these texts."""
        with self._lock:
            self._files.look_again()
            return State(*check_pack(self.game, self.mods, self._files))

    def like(self, mods: Sequence[Path] | None = None) -> Session:
        """Return one with the same texts, in which a change can be tried.

        It has the same mods, or those that are named.
        """
        with self._lock:
            found = Session(self.game, self.mods if mods is None else mods)
            found._files = self._files.twin()
            return found

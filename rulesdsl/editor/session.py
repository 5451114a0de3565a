"""Sessions: a game and its mods as they are edited, read through an overlay of open documents."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from rulesdsl.check.frontend import check_pack
from rulesdsl.check.typed.program import Checked
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Report
from rulesdsl.source.files import Overlay


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

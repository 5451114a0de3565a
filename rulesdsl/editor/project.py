"""Projects: a game and all its mods while they are being edited."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import attrs

from rulesdsl.editor.references import View
from rulesdsl.editor.session import ProjectState, Session
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.source.diagnostics import Diagnostic
from rulesdsl.source.files import Overlay
from rulesdsl.source.span import SourceFile


@attrs.frozen
class Packs:
    """Game, its mods with the folders loaded for each, and the mods loaded together.

    A mod whose game is missing takes the place of the game.
    """

    game: Path
    mods: Mapping[Path, tuple[Path, ...]] = attrs.Factory(dict)
    together: tuple[Path, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of all packs."""
        return (self.game, *self.mods)


Finder = Callable[[Path], Packs]
"""Function that finds the game and the mods to which the pack in a folder belongs."""


class Project:
    """A game and its mods while they are being edited.

    Each mod is checked together with the game, and all mods are checked together, as `coloma lint`
    does; findings in the game itself are reported once. Queries use all mods together.
    """

    def __init__(self, packs: Packs, texts: Mapping[Path, str]) -> None:
        """Start with the open documents."""
        self.packs = packs
        self._files = Overlay()
        self._layers = tuple(dict.fromkeys([(), *packs.mods.values(), packs.together]))
        self._states: dict[tuple[Path, ...], ProjectState] = {}
        self._stale = set(self._layers)
        self._view: tuple[ProjectState, View] | None = None
        for path, text in texts.items():
            self._files.put(path, text)

    def edit(self, path: Path, text: str | None) -> None:
        """Set the text of a file; `None` reverts to the file on disk."""
        self._files.put(path, text)
        self.look_again()

    def look_again(self) -> None:
        """Mark everything as stale, for example after a change on disk."""
        self._stale = set(self._layers)

    @property
    def is_stale(self) -> bool:
        """True if something has changed since the last complete check."""
        return bool(self._stale)

    def check_one(self) -> None:
        """Check one stale combination of packs; requests can be answered between such checks."""
        self._checked(next(mods for mods in self._layers if mods in self._stale))

    # ---------------------------------------------------------------- findings
    def findings(self) -> dict[str, list[Diagnostic]]:
        """Check everything; return the findings by file, including files without findings."""
        return self._found(self._layers)

    def findings_in(self, file: str) -> list[Diagnostic]:
        """Return the findings in a file after checking its own pack and the game.

        For other mods, the last known findings are used.
        """
        own = self.packs.mods.get(pack_of(Path(file)) or self.packs.game, ())
        known = [mods for mods in self._layers if mods in {(), own} or mods not in self._stale]
        return self._found(known).get(file, [])

    def _found(self, layers: Iterable[tuple[Path, ...]]) -> dict[str, list[Diagnostic]]:
        found: dict[str, dict[object, Diagnostic]] = {}
        known = {_key(each) for each in self._checked(()).report.diagnostics}
        for mods in layers:
            report = self._checked(mods).report
            for file in report.sources:
                found.setdefault(file, {})
            for each in report.diagnostics:
                if not mods or _key(each) not in known:
                    found.setdefault(each.span.file, {}).setdefault(_key(each), each)
        return {
            file: sorted(each.values(), key=lambda finding: (finding.span, finding.code))
            for file, each in found.items()
        }

    def source(self, file: str) -> SourceFile | None:
        """Return the text of a file as of the last check, or None."""
        for state in self._states.values():
            if file in state.report.sources:
                return state.report.sources[file]
        return None if self._view is None else self._view[1].source(file)

    # ---------------------------------------------------------------- names
    def view(self) -> View | None:
        """Return a view of all packs together in their current state.

        If the check cannot be completed, the previous view is returned.
        """
        for mods in (self.packs.together, ()):
            state = self._checked(mods)
            if state.layers is not None and state.checked is not None:
                if self._view is None or self._view[0] is not state:
                    self._view = state, View(state.layers, state.checked)
                break
        return self.last_view

    @property
    def view_at_once(self) -> View | None:
        """The last view; the packs are checked only if there is none."""
        return self.last_view or self.view()

    @property
    def last_view(self) -> View | None:
        """The last view; nothing is checked."""
        return None if self._view is None else self._view[1]

    def _checked(self, mods: tuple[Path, ...]) -> ProjectState:
        if mods in self._stale or mods not in self._states:
            self._states[mods] = Session(self.packs.game, mods, self._files).check()
            self._stale.discard(mods)
        return self._states[mods]


def pack_of(path: Path) -> Path | None:
    """Return the folder of the pack that contains a file, recognized by its manifest."""
    return next((each for each in path.parents if (each / MANIFEST).is_file()), None)


def _key(found: Diagnostic) -> object:
    return found.code, found.span, found.message

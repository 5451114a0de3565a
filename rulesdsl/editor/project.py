"""Sessions and projects: a game with its mods during editing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock

import attrs

from rulesdsl.check.frontend import check_pack
from rulesdsl.check.program import Checked
from rulesdsl.editor.overlay import Overlay
from rulesdsl.editor.references import View
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.overlay import Layered
from rulesdsl.source.diagnostics import Diagnostic, Report
from rulesdsl.source.span import SourceFile, Span


@attrs.frozen
class ProjectState:
    """Result of a check. `layers` and `checked` are `None` if it could not be completed."""

    layers: Layered | None
    checked: Checked | None
    report: Report


class Session:
    """Game and its mods with open documents, checked as if saved; thread-safe."""

    def __init__(self, game: Path, mods: Sequence[Path] = ()) -> None:
        self.game = game
        self.mods = tuple(mods)
        self._files = Overlay()
        self._lock = Lock()

    def edit(self, path: Path, text: str | None) -> None:
        """Set the text of a file, existing on disk or not; `None` reverts to the disk."""
        with self._lock:
            self._files.put(path, text)

    def check(self) -> ProjectState:
        """Check the packs in their current state, as a lint of these texts would."""
        with self._lock:
            self._files.look_again()
            return ProjectState(*check_pack(self.game, self.mods, self._files))

    def like(self, mods: Sequence[Path] | None = None) -> Session:
        """Return a copy for trying changes, with the same mods or those named."""
        with self._lock:
            found = Session(self.game, self.mods if mods is None else mods)
            found._files = self._files.twin()
            return found


_Key = tuple[str, Span, str]


@attrs.frozen
class Packs:
    """Game, its mods with the folders loaded for each, and the mods loaded together.

    A mod without a game takes the place of the game.
    """

    game: Path
    mods: Mapping[Path, tuple[Path, ...]] = attrs.Factory(dict)
    together: tuple[Path, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of all packs."""
        return (self.game, *self.mods)


Finder = Callable[[Path], Packs]
"""Finder of the game and the mods that belong to the pack in a folder."""


class Project:
    """Game with its mods during editing.

    Each mod is checked on its own over the game, and all mods together, as `coloma lint` does;
    findings in the game itself are reported once. Queries use all mods together.
    """

    def __init__(self, packs: Packs, texts: Mapping[Path, str]) -> None:
        """Start with the open documents."""
        self.packs = packs
        self._layers = tuple(dict.fromkeys([(), *packs.mods.values(), packs.together]))
        alone = Session(packs.game)
        for path, text in texts.items():
            alone.edit(path, text)
        # the others on first use
        self._sessions: dict[tuple[Path, ...], Session] = {(): alone}
        self._states: dict[tuple[Path, ...], ProjectState] = {}
        self._stale = set(self._layers)
        self._view: tuple[ProjectState, View] | None = None

    def edit(self, path: Path, text: str | None) -> None:
        """Set the text of a file; `None` reverts to the disk."""
        for session in self._sessions.values():
            session.edit(path, text)
        self.look_again()

    def look_again(self) -> None:
        """Mark everything as stale, for example after a change on disk."""
        self._stale = set(self._layers)

    @property
    def is_stale(self) -> bool:
        """True if something has changed since the last complete check."""
        return bool(self._stale)

    def check_one(self) -> None:
        """Check one stale combination of packs, so that requests can be answered in between."""
        for mods in self._layers:
            if mods in self._stale:
                self._checked(mods)
                return

    # ---------------------------------------------------------------- findings
    def findings(self) -> dict[str, list[Diagnostic]]:
        """Check everything; return the findings by file, files without findings included."""
        return self._found(self._layers)

    def findings_in(self, file: str) -> list[Diagnostic]:
        """Return the findings of a file after checking its own pack and the game.

        For other mods, the last known findings are used.
        """
        own = self.packs.mods.get(pack_of(Path(file)) or self.packs.game, ())
        known = [mods for mods in self._layers if mods in {(), own} or mods not in self._stale]
        return self._found(known).get(file, [])

    def _found(self, layers: Iterable[tuple[Path, ...]]) -> dict[str, list[Diagnostic]]:
        found: dict[str, dict[_Key, Diagnostic]] = {}
        own = self._checked(()).report
        known = {_key(each) for each in own.diagnostics}
        for mods in layers:
            report = self._checked(mods).report
            for file in report.sources:
                found.setdefault(file, {})
            for each in report.diagnostics:
                if not mods or _key(each) not in known:
                    found.setdefault(each.span.file, {}).setdefault(_key(each), each)
        return {file: sorted(each.values(), key=_order) for file, each in found.items()}

    def source(self, file: str) -> SourceFile | None:
        """Return a text as last checked."""
        for state in self._states.values():
            if file in state.report.sources:
                return state.report.sources[file]
        return None if self._view is None else self._view[1].source(file)

    # ---------------------------------------------------------------- names
    def view(self) -> View | None:
        """Return a view of all packs together in their current state.

        If the check cannot be completed, it is the previous view.
        """
        for mods in (self.packs.together, ()):
            state = self._checked(mods)
            if state.layers is not None and state.checked is not None:
                if self._view is None or self._view[0] is not state:
                    self._view = state, View(state.layers, state.checked, self._session(mods))
                break
        return self.last_view

    @property
    def view_at_once(self) -> View | None:
        """The last view; checks the packs only if there is none."""
        return self.last_view or self.view()

    @property
    def last_view(self) -> View | None:
        """The last view, without a check."""
        return None if self._view is None else self._view[1]

    def _checked(self, mods: tuple[Path, ...]) -> ProjectState:
        if mods in self._stale or mods not in self._states:
            self._states[mods] = self._session(mods).check()
            self._stale.discard(mods)
        return self._states[mods]

    def _session(self, mods: tuple[Path, ...]) -> Session:
        """Return the session of some mods, created with the texts of the game's session."""
        if mods not in self._sessions:
            self._sessions[mods] = self._sessions[()].like(mods)
        return self._sessions[mods]


def pack_of(path: Path) -> Path | None:
    """Return the folder of the pack that contains a file, by its manifest."""
    return next((each for each in path.parents if (each / MANIFEST).is_file()), None)


def _key(found: Diagnostic) -> _Key:
    return found.code, found.span, found.message


def _order(found: Diagnostic) -> tuple[Span, str]:
    return found.span, found.code

"""Sessions and projects: a game with its mods while somebody edits them.

A session keeps a game and its mods with the texts that an editor has open, saved or not, and
checks them as `coloma lint` would if everything were saved. A project is a game with all mods
around it: each mod is checked over the game, and all together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from threading import Lock

import attrs

from rulesdsl.check.pack_check import Checked
from rulesdsl.check.read import check_pack
from rulesdsl.check.report import Report
from rulesdsl.editor.overlay import Overlay
from rulesdsl.editor.references import View
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.layers import Layered
from rulesdsl.source.diagnostic import Diagnostic
from rulesdsl.source.span import SourceFile, Span


@attrs.frozen
class State:
    """Result of a check. `layers` and `checked` are `None` where nothing could be checked."""

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


_Key = tuple[str, Span, str]


@attrs.frozen
class Packs:
    """A game, its mods, each with the folders that are loaded for it, and those that go together.

    A mod whose game cannot be found takes the place of the game.
    """

    game: Path
    mods: Mapping[Path, tuple[Path, ...]] = attrs.Factory(dict)
    together: tuple[Path, ...] = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """The folders of all packs."""
        return (self.game, *self.mods)


Finder = Callable[[Path], Packs]
"""Finds the game and the mods that belong to the pack in a folder."""


class Project:
    """A game with its mods while they are edited.

    Each mod is checked over the game by itself, and all together, as `coloma lint` does; what is
    wrong with the game itself is said once. Names are looked up in all of them together.
    """

    def __init__(self, packs: Packs, texts: Mapping[Path, str]) -> None:
        """Begin with the texts that are open."""
        self.packs = packs
        self._layers = tuple(dict.fromkeys([(), *packs.mods.values(), packs.together]))
        alone = Session(packs.game)
        for path, text in texts.items():
            alone.edit(path, text)
        # the others when they are asked for
        self._sessions: dict[tuple[Path, ...], Session] = {(): alone}
        self._states: dict[tuple[Path, ...], State] = {}
        self._stale = set(self._layers)
        self._view: tuple[State, View] | None = None

    def edit(self, path: Path, text: str | None) -> None:
        """Let a file have a text; `None`: as on the disk."""
        for session in self._sessions.values():
            session.edit(path, text)
        self.look_again()

    def look_again(self) -> None:
        """Take it that something has changed, such as a file on the disk."""
        self._stale = set(self._layers)

    @property
    def is_stale(self) -> bool:
        """Tell whether something has changed since everything was checked."""
        return bool(self._stale)

    def check_one(self) -> None:
        """Check one of the things that are stale, so that somebody can ask in between."""
        for mods in self._layers:
            if mods in self._stale:
                self._checked(mods)
                return

    # ---------------------------------------------------------------- what was found
    def findings(self) -> dict[str, list[Diagnostic]]:
        """Check everything, and return what is wrong by file; a file without findings is there."""
        return self._found(self._layers)

    def findings_in(self, file: str) -> list[Diagnostic]:
        """Return what is wrong with a file, where only its own pack and the game are checked.

        Of all other mods, it is what is known.
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
        """Return a text as it was when it was last checked."""
        for state in self._states.values():
            if file in state.report.sources:
                return state.report.sources[file]
        return None if self._view is None else self._view[1].source(file)

    # ---------------------------------------------------------------- names
    def view(self) -> View | None:
        """Return what is known now of all packs together.

        Where nothing could be made out, it is what was known before.
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
        """The last view; only where there is none yet, the packs are checked."""
        return self.last_view or self.view()

    @property
    def last_view(self) -> View | None:
        """The last view, without another check."""
        return None if self._view is None else self._view[1]

    def _checked(self, mods: tuple[Path, ...]) -> State:
        if mods in self._stale or mods not in self._states:
            self._states[mods] = self._session(mods).check()
            self._stale.discard(mods)
        return self._states[mods]

    def _session(self, mods: tuple[Path, ...]) -> Session:
        """Return the session of some mods, with the texts that the game alone has."""
        if mods not in self._sessions:
            self._sessions[mods] = self._sessions[()].like(mods)
        return self._sessions[mods]


def pack_of(path: Path) -> Path | None:
    """Return the folder of the pack that a file lies in, by its manifest."""
    return next((each for each in path.parents if (each / MANIFEST).is_file()), None)


def _key(found: Diagnostic) -> _Key:
    return found.code, found.span, found.message


def _order(found: Diagnostic) -> tuple[Span, str]:
    return found.span, found.code

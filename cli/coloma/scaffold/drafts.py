"""Drafts of packs: written to a temporary folder, checked, and moved into place."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import attrs

import rulesdsl
from coloma import loading
from coloma.files import MAX_BYTES, read_text, remove, write_whole
from coloma.output import CommandError
from coloma.packs import Selection
from coloma.simulation.games import GamePlan, outcomes
from coloma.simulation.work import Hands
from rulesdsl.scenarios import load_suite
from rulesdsl.schema import FOLDER, schemas_of
from rulesdsl.source.diagnostics import Diagnostic
from rulesdsl.source.files import copy_files, reason
from rulesdsl.source.render import render_text


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """Provide a folder for a new pack, and move it into place on success.

    On any error, nothing is left behind.
    """
    if target.is_symlink() or target.exists():
        raise CommandError(f"{target} already exists: nothing was written")
    with _aside(target) as draft:
        draft.mkdir()
        yield draft
        try:
            draft.rename(target)
        except OSError as error:
            raise CommandError(f"cannot write {target}: {reason(error)}") from None


@contextmanager
def copy_of(folder: Path) -> Iterator[Path]:
    """Provide a temporary copy of a pack."""
    with _aside(folder) as draft:
        try:
            copy_files(folder, draft, MAX_BYTES)
        except OSError:
            raise CommandError(f"cannot copy {folder} to check the addition") from None
        yield draft


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Write all files of a pack, or none on an error."""
    before: dict[Path, str | None] = {}
    try:
        for name, text in files.items():
            path = folder / name
            before[path] = read_text(path, folder) if os.path.lexists(path) else None
            write_whole(path, text, folder)
    except (CommandError, OSError):
        for path, old in before.items():
            if old is not None:
                write_whole(path, old, folder)
            elif path.exists():
                remove(path, folder)
        raise


@contextmanager
def _aside(target: Path) -> Iterator[Path]:
    """Provide a path in the same file system, so that a finished folder can be renamed."""
    target = Path(os.path.realpath(target))  # `.` has no name
    try:
        home = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
    except OSError as error:
        raise CommandError(f"cannot write {target}: {reason(error)}") from None
    try:
        yield home / target.name
    finally:
        shutil.rmtree(home, ignore_errors=True)


@attrs.frozen
class Trial:
    """A draft, its target folder, and the packs it is checked with.

    `before` are findings without the draft; `only` names its scenarios, which a bare draft may
    lack.
    """

    draft: Path
    target: Path
    selection: Selection
    before: tuple[Diagnostic, ...] = ()
    only: str | None = None
    bare: bool = False

    def check(self) -> None:
        """Raise `CommandError` with the findings if the draft is not sound."""
        self._lint()
        game, mods = self.selection.game, self.selection.mods
        report = load_suite(game, mods, of=self.draft, only=self.only).report()
        if not report.ok or not (report.results or self.bare):
            raise self._refusal("the scenarios of the new files would fail", str(report))
        self._play()

    def _lint(self) -> None:
        report = rulesdsl.lint(self.selection.game, self.selection.mods)
        known = {(each.code, each.message) for each in self.before}
        new = [each for each in report.diagnostics if (each.code, each.message) not in known]
        if new:
            found = render_text(new, report.sources)
            raise self._refusal("this does not fit what is already there", found)

    def _play(self) -> None:
        game, mods = self.selection.game, self.selection.mods
        least, most = loading.load_pack(game, mods).players
        players = min(max(2, least), most)
        for _ in outcomes(GamePlan(game, mods, {}, players, games=1, seed=1), Hands()):
            pass

    def _refusal(self, what: str, found: str) -> CommandError:
        shown = found.replace(self.draft.as_posix(), self.target.as_posix())
        return CommandError(f"{what}; nothing was written\n{shown.rstrip()}")


def with_schemas(draft: Path, selection: Selection, files: dict[str, str]) -> dict[str, str]:
    """Add schemas to the files of a draft, and schema lines to its TOML files.

    The draft's folder must contain the files already.
    """
    schemas = schemas_of(selection.game, selection.mods, of=draft)
    marked = {
        path: f"{line}\n{files[path]}" for path, line in schemas.unmarked.items() if path in files
    }
    return files | marked | {f"{FOLDER}/{path}": text for path, text in schemas.texts.items()}


def has_schemas(folder: Path) -> bool:
    """Return True if a pack contains schemas."""
    return (folder / FOLDER).is_dir()

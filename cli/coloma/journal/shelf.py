"""Where games are kept that nobody named a file for: each until somebody deletes it."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

import attrs
import platformdirs

from coloma.errors import CommandError
from coloma.files import cannot_write
from coloma.journal.entries import choices_that_stand
from coloma.journal.reading import Journal, read_journal
from rulesdsl.source.suggest import did_you_mean

FOLDER_VARIABLE = "COLOMA_GAMES"
_ENDING = ".toml"


@attrs.frozen
class SavedGame:
    """A game on the shelf; `trouble` says why its journal cannot be read, else it is empty."""

    name: str
    path: Path
    played: float
    """When something was last written, in seconds of the system's clock."""
    journal: Journal | None
    trouble: str = ""

    @property
    def choices(self) -> int:
        """How far it is: the choices that nobody has taken back."""
        return len(choices_that_stand(self.journal.entries)) if self.journal else 0

    @property
    def outcome(self) -> str:
        """How it ended, empty while it goes on."""
        return self.journal.outcome if self.journal else ""


def shelf() -> Path | None:
    """Return the folder: that of COLOMA_GAMES, else the system's; None where it has none."""
    if own := os.environ.get(FOLDER_VARIABLE):
        return Path(own)
    try:
        return platformdirs.user_state_path("coloma") / "journals"
    except RuntimeError:  # no HOME, and nobody in the list of users
        return None


def new_journal_path(game: str, seed: int) -> Path | None:
    """Return where the journal of a new game belongs, and take the name; None without a shelf."""
    folder = shelf()
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = folder / f"{game}-{seed}-{number}{_ENDING}"
            if _taken_now(path):
                break
    except OSError as error:
        raise cannot_write(folder, error, "; name another place with --journal FILE") from None
    return path


def _taken_now(path: Path) -> bool:
    """Create an empty file; false if there was one, so that two sessions never share a journal."""
    try:
        path.touch(exist_ok=False)
    except FileExistsError:
        return False
    return True


def saved_games() -> list[SavedGame]:
    """Return the games on the shelf, those that were played last first."""
    found = [saved_game(path) for path in _files()]
    return sorted(found, key=lambda each: (-each.played, each.name))


def find(name: str) -> Path:
    """Return the journal of a saved game by its name; CommandError where there is none."""
    known = {path.stem: path for path in _files()}
    if name not in known:
        advice = did_you_mean(name, known) or "`coloma games` lists them"
        raise CommandError(f"no saved game is called {name} ({advice})")
    return known[name]


def named(file: Path) -> Path:
    """Return the file, or the journal on the shelf that the list calls so."""
    known = {} if file.exists() else {path.stem: path for path in _files()}
    return known.get(str(file), file)


def last_played() -> Path:
    """Return the journal of the game that was played last; CommandError where there is none."""
    files = _files()
    if not files:
        raise CommandError("no game is saved: there is nothing to resume")
    return max(files, key=_played)


def saved_game(path: Path) -> SavedGame:
    """Read a game on the shelf."""
    try:
        return SavedGame(path.stem, path, _played(path), read_journal(path))
    except CommandError as error:
        return SavedGame(path.stem, path, _played(path), None, str(error))


def _files() -> list[Path]:
    """Return the journals on the shelf; an empty file is a game that never began."""
    folder = shelf()
    if folder is None or not folder.is_dir():
        return []
    return [each for each in folder.glob(f"*{_ENDING}") if each.is_file() and each.stat().st_size]


def _played(path: Path) -> float:
    return path.stat().st_mtime

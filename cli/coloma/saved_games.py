"""Saved games: journals in the folder for them, and the content that they were played with."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path

import attrs
import platformdirs

from coloma import loading
from coloma.files import cannot_write, read_text, write_whole
from coloma.output import CommandError, abridged
from coloma.packs import Selection, pack_folder
from coloma.session.screen import shown
from rulesdsl import Pack
from rulesdsl.source.diagnostics import did_you_mean
from rulesdsl.source.english import and_list, option_word, so_many
from rulesdsl.source.files import reason
from rulesdsl.source.render import in_short
from rulesdsl.table.errors import JournalError
from rulesdsl.table.journal import (
    Journal,
    JournalHeader,
    JournalWriter,
    choices_that_stand,
    is_journal,
    read_journal,
)

_MOST_LISTED = 6


def packs_of(journal: Journal) -> Selection:
    """Return the game and mods in a journal; raise `CommandError` if one is missing."""
    header = journal.header
    return Selection(
        _folder(journal, "game", header.pack),
        tuple(_folder(journal, "mod", mod) for mod in header.mods),
    )


def _folder(journal: Journal, kind: str, wanted: str) -> Path:
    try:
        return pack_folder(wanted)
    except CommandError as error:
        raise CommandError(
            f"{journal.path} was played with the {kind} {in_short(wanted)}: {in_short(str(error))}"
        ) from None


def load_for(journal: Journal, *, with_current: bool) -> Pack:
    """Load the content for a journal.

    Raise `CommandError` if it has changed since the game, unless `with_current` permits this.
    """
    header = journal.header
    selection = packs_of(journal)
    pack = loading.load_pack(selection.game, selection.mods)
    if pack.digest != header.digest and not with_current:
        raise CommandError(
            f"{journal.path} was played with different content: {_changes(header, pack.files)}"
            " (--replay-with-current tries the current content)"
        )
    return pack


def _changes(header: JournalHeader, files: Mapping[str, str]) -> str:
    changes = [
        *(f"{file} is gone" for file in sorted(header.files.keys() - files.keys())),
        *(f"{file} is new" for file in sorted(files.keys() - header.files.keys())),
        *(
            f"{file} has changed"
            for file in sorted(header.files.keys() & files.keys())
            if header.files[file] != files[file]
        ),
    ]
    return abridged([*map(in_short, changes)], _MOST_LISTED) or "the engine has changed"


FOLDER_VARIABLE = "COLOMA_GAMES"
_ENDING = ".toml"


@attrs.frozen
class SavedGame:
    """Saved game; `trouble` is the reason if its journal cannot be read."""

    name: str
    path: Path
    played: float
    """Time of the last write, in seconds since the epoch."""
    journal: Journal | None
    trouble: str = ""

    @property
    def choices(self) -> int:
        """Number of choices that were not undone."""
        return len(choices_that_stand(self.journal.entries)) if self.journal else 0

    @property
    def outcome(self) -> str:
        """Outcome of the game; empty if it is not over."""
        return self.journal.outcome if self.journal else ""


def shelf() -> Path | None:
    """Return the folder for saved games, set by COLOMA_GAMES or the system; None if unknown."""
    if own := os.environ.get(FOLDER_VARIABLE):
        return Path(own)
    try:
        return platformdirs.user_state_path("coloma") / "journals"
    except RuntimeError:  # no HOME, and no entry in the user database
        return None


def new_journal_path(game: str, seed: int) -> Path | None:
    """Create an empty journal file for a new game; return None if no folder is known."""
    folder = shelf()
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = folder / f"{game}-{seed}-{number}{_ENDING}"
            with suppress(FileExistsError):
                path.touch(exist_ok=False)  # two sessions never share a file
                return path
    except OSError as error:
        raise cannot_write(folder, error, "; choose another file with --journal FILE") from None
    raise AssertionError("numbers never end")


def saved_games() -> list[SavedGame]:
    """Return the saved games, the most recently played first."""
    games = [saved_game(path) for path in _files()]
    return sorted(games, key=lambda game: (-game.played, game.name))


def last_unfinished() -> SavedGame | None:
    """Return the game played last that is not over and can be read; None if there is none."""
    games = map(saved_game, sorted(_files(), key=_played, reverse=True))
    return next((game for game in games if game.journal and not game.outcome), None)


def find(name: str) -> Path:
    """Return the path of the saved game with this name; raise `CommandError` if none has it."""
    by_name = {path.stem: path for path in _files()}
    if name not in by_name:
        advice = did_you_mean(name, by_name) or "`coloma games` lists them all"
        raise CommandError(f"there is no saved game {name} ({advice})")
    return by_name[name]


def named(file: Path) -> Path:
    """Return the file if it exists, or else the path of the saved game with this name."""
    by_name = {} if file.exists() else {path.stem: path for path in _files()}
    return by_name.get(str(file), file)


def short_name(path: Path) -> str:
    """Return the name by which `--resume` finds a saved game: its path if it lies elsewhere."""
    return path.stem if path.parent == shelf() and not Path(path.stem).exists() else str(path)


def last_played() -> Path:
    """Return the path of the game played last; raise `CommandError` if no game is saved."""
    files = _files()
    if not files:
        raise CommandError("there is no saved game to resume")
    return max(files, key=_played)


def saved_game(path: Path) -> SavedGame:
    """Read a saved game; an unreadable journal is reported in the result."""
    try:
        return SavedGame(path.stem, path, _played(path), read_journal(path))
    except JournalError as error:
        return SavedGame(path.stem, path, _played(path), None, str(error))


def _files() -> list[Path]:
    folder = shelf()
    if folder is None or not folder.is_dir():
        return []
    paths = folder.glob(f"*{_ENDING}")
    return [path for path in paths if path.is_file() and path.stat().st_size]


def _played(path: Path) -> float:
    return path.stat().st_mtime


def save_copy(journal: JournalWriter, path: Path) -> Path:
    """Copy a journal and return the path; never replace a file that is not a journal."""
    text = read_text(journal.path, torn=True)
    try:
        if path.exists() and not is_journal(path):
            raise CommandError(f"{path} exists and is not a journal")
        write_whole(path, text)
    except OSError as error:
        raise CommandError(f"cannot save to {path}: {reason(error)}") from None
    except ValueError:  # the name contains a null character or cannot be encoded
        raise CommandError("that is not a valid file name") from None
    return path


def check_free(path: Path) -> None:
    """Raise `CommandError` if the path exists, unless it is an empty file."""
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise CommandError(f"{path} already exists; use --resume to resume it")


def listed(game: SavedGame) -> Iterator[str]:
    """Yield the lines about a saved game for the list of games."""
    yield shown(game.name)
    if game.journal is None:
        yield f"    cannot be read: {shown(game.trouble)}"
        return
    header = game.journal.header
    yield f"    {when(game)}: {shown(header.game)} with {_players(header)}, {_how_far(game)}"


def details(game: SavedGame, header: JournalHeader) -> Iterator[str]:
    """Yield the lines about a saved game: its settings and its progress."""
    mods = f" with {', '.join(header.mods)}" if header.mods else ""
    yield f"Game: {shown(f'{header.game} {header.version}{mods}')}"
    yield f"Players: {_players(header)}"
    if header.options:
        chosen = (f"{name}={option_word(value)}" for name, value in header.options.items())
        yield f"Options: {shown(', '.join(chosen))}"
    yield f"Seed: {header.seed}"
    yield f"Last played: {when(game)}"
    yield f"Progress: {_how_far(game)}"
    yield f"Saved in: {game.path}"
    if not game.outcome:
        yield f"Resume with: coloma play --resume {short_name(game.path)}"
    yield f"See the log with: coloma replay {game.path}"


def _players(header: JournalHeader) -> str:
    if header.names:
        return shown(and_list(header.names))
    return so_many(header.players, "player", "players")


def _how_far(game: SavedGame) -> str:
    if game.outcome:
        return f"over: {shown(game.outcome)}"
    return f"not over, {so_many(game.choices, 'choice', 'choices')} made"


def when(game: SavedGame) -> str:
    """Return the date and time at which a saved game was played last."""
    return f"{datetime.fromtimestamp(game.played).astimezone():%Y-%m-%d %H:%M}"

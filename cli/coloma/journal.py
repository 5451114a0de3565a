"""Journals of sessions: written during a game, and read to resume or replay it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Self, TypeAlias

import attrs
import cattrs
import platformdirs
import tomli_w

from coloma import loading
from coloma.bots import check_bots
from coloma.files import cannot_write, read_text, write_whole
from coloma.output import CommandError, abridged
from coloma.packs import Selection, pack_folder
from rulesdsl import Game, OptionValue, Pack
from rulesdsl.bots.thought import Thought
from rulesdsl.packs.toml_document import read_toml
from rulesdsl.source.diagnostics import did_you_mean
from rulesdsl.source.files import reason
from rulesdsl.source.render import in_short

FORMAT = 2
"""The format of journals that are written; in format 1, ids of options came from texts."""


class By(StrEnum):
    """Kind of player that made a choice."""

    PERSON = "person"
    BOT = "bot"


@attrs.frozen
class JournalHeader:
    """Settings of a game; `pack` and `mods` are names of bundled packs, or paths.

    `digest` and `files` detect changes to the content. `bots` are the kinds of the bots in the
    last seats; `iterations` or `seconds` are their thinking budget (0 for the default).
    """

    format: int = attrs.field(default=1, kw_only=True)
    game: str
    version: str
    pack: str
    digest: str
    players: int
    bots: tuple[str, ...]
    seed: int
    mods: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    options: dict[str, OptionValue] = attrs.field(factory=dict)
    files: dict[str, str] = attrs.field(factory=dict)
    iterations: int = 0
    seconds: float = 0.0


@attrs.frozen
class JournalChoice:
    """Choice: the player, the id of the option, and the kind of player.

    `position` is the number of the position before it; 0 if it was not recorded.
    """

    player: int
    id: str
    by: By
    position: int = 0


@attrs.frozen
class Undo:
    """Undo of a number of choices; `after` counts the choices written before it.

    TOML keeps choices and undos in separate lists; `after` restores their order.
    """

    after: int
    choices: int


@attrs.frozen
class Handover:
    """Change of the kind of player in a seat; `after` as in `Undo`."""

    after: int
    player: int
    by: By


@attrs.frozen
class Rename:
    """New name of a player; `after` as in `Undo`."""

    after: int
    player: int
    name: str


@attrs.frozen
class End:
    """End of the game, with the outcome in words."""

    outcome: str


Entry: TypeAlias = JournalChoice | Undo | Handover | Rename
_TABLE_OF = {
    JournalChoice: "choice",
    Undo: "undo",
    Handover: "handover",
    Rename: "rename",
    End: "end",
}


@attrs.frozen
class _Tables:
    choice: tuple[JournalChoice, ...] = ()
    undo: tuple[Undo, ...] = ()
    handover: tuple[Handover, ...] = ()
    rename: tuple[Rename, ...] = ()
    end: tuple[End, ...] = ()

    def in_order(self) -> tuple[Entry, ...]:
        entries: list[Entry] = []
        others: list[Undo | Handover | Rename] = [*self.undo, *self.handover, *self.rename]
        others.sort(key=lambda entry: entry.after)
        for number, choice in enumerate(self.choice):
            while others and others[0].after <= number:
                entries.append(others.pop(0))
            entries.append(choice)
        return (*entries, *others)


def choices_that_stand(entries: tuple[Entry, ...]) -> tuple[JournalChoice, ...]:
    """Return the choices that were not undone, in order."""
    standing: list[JournalChoice] = []
    for entry in entries:
        match entry:
            case JournalChoice():
                standing.append(entry)
            case Undo():
                del standing[max(0, len(standing) - entry.choices) :]
            case Handover() | Rename():
                pass
    return tuple(standing)


_TABLE = re.compile(rf"^\[\[(?:{'|'.join(_TABLE_OF.values())})\]\]$", re.MULTILINE)


def _as_it_is(value: object, kind: object) -> object:
    """Check the exact type; by default, `cattrs` converts 3.9 to 3 and a list to a string."""
    if type(value) is kind or (kind == OptionValue and type(value) in {bool, int, str}):
        return value
    raise ValueError("a value of the wrong type")


_CONVERTER = cattrs.Converter(forbid_extra_keys=True)
for _kind in (int, str, OptionValue):
    _CONVERTER.register_structure_hook(_kind, _as_it_is)
_CONVERTER.register_structure_hook(By, lambda value, _: By(value))  # By is a str as well
_WRITING = cattrs.Converter(omit_if_default=True)


@attrs.frozen
class Journal:
    """Journal that was read; `torn` is an incomplete last table, left by a killed session."""

    path: Path
    header: JournalHeader
    entries: tuple[Entry, ...]
    whole: str = attrs.field(repr=False)
    torn: str = ""
    outcome: str = ""
    """Outcome of the game; empty if it is not over."""

    @property
    def choices(self) -> int:
        """Number of choices, including those undone."""
        return sum(isinstance(each, JournalChoice) for each in self.entries)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the players, as they were last."""
        names = dict(enumerate(self.header.names, start=1))
        names |= {entry.player: entry.name for entry in self.entries if isinstance(entry, Rename)}
        return tuple(names[player] for player in range(1, len(self.header.names) + 1))


def read_journal(path: Path) -> Journal:
    """Read a journal; raise `CommandError` if it is not one, or damaged before the last table."""
    whole, torn = _cut_where_torn(read_text(path, torn=True))
    try:
        data = read_toml(whole)
    except ValueError as error:
        raise _no_journal(path, str(error)) from None
    form = data.get("format", 1)
    if isinstance(form, int) and form > FORMAT:
        raise CommandError(f"{path} has format {form}, and this version of coloma reads {FORMAT}")
    written = {kind: data.pop(kind) for kind in _TABLE_OF.values() if kind in data}
    try:
        header = _CONVERTER.structure(data, JournalHeader)
        tables = _CONVERTER.structure(written, _Tables)
    except cattrs.BaseValidationError as error:
        first = cattrs.transform_error(error, path="journal")[0]
        raise _no_journal(path, str(first)) from None
    try:
        check_bots(header.bots, header.players)
        Thought(header.iterations or None, header.seconds or None)
    except (CommandError, ValueError) as error:
        raise _no_journal(path, str(error)) from None
    outcome = tables.end[-1].outcome if tables.end else ""
    return Journal(path, header, tables.in_order(), whole, torn, outcome)


def _no_journal(path: Path, why: str) -> CommandError:
    return CommandError(f"{path} is not a journal of a game: {in_short(why)}")


def _cut_where_torn(text: str) -> tuple[str, str]:
    starts = [match.start() for match in _TABLE.finditer(text)]
    if not starts:
        return text, ""
    whole, last = text[: starts[-1]], text[starts[-1] :]
    with suppress(ValueError, cattrs.BaseValidationError):
        _CONVERTER.structure(read_toml(last), _Tables)
        if last.endswith("\n"):
            return text, ""
    return whole, last


_MOST_LISTED = 6


def packs_of(journal: Journal) -> Selection:
    """Return the game and mods in a journal; raise `CommandError` if one is missing."""
    header = journal.header
    return Selection(
        _folder(journal, "game", header.pack),
        tuple(_folder(journal, "mod", each) for each in header.mods),
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


def set_up(journal: Journal, pack: Pack) -> Game:
    """Create a journal's game, in its position before the first choice."""
    header = journal.header
    try:
        return pack.new_game(header.players, header.seed, header.options, names=journal.names)
    except ValueError as error:
        said = in_short(str(error))
        raise CommandError(f"{journal.path} cannot be replayed: {said}") from None


def repeat(
    journal: Journal, choose: Callable[[JournalChoice], object], most: int | None = None
) -> Sequence[JournalChoice]:
    """Replay up to `most` choices from a journal, and return them.

    Raise `CommandError` if `choose` raises `ValueError`: a choice is no longer possible.
    """
    choices = choices_that_stand(journal.entries)[:most]
    for number, choice in enumerate(choices, start=1):
        try:
            choose(choice)
        except ValueError as error:
            raise CommandError(
                f"{journal.path} cannot be replayed: choice {number},"
                f" {in_short(choice.id)} by player {choice.player}: {in_short(str(error))}"
            ) from None
    return choices


def _changes(header: JournalHeader, files: Mapping[str, str]) -> str:
    listed = [
        *(f"{each} is gone" for each in sorted(header.files.keys() - files.keys())),
        *(f"{each} is new" for each in sorted(files.keys() - header.files.keys())),
        *(
            f"{each} has changed"
            for each in sorted(header.files.keys() & files.keys())
            if header.files[each] != files[each]
        ),
    ]
    return abridged([*map(in_short, listed)], _MOST_LISTED) or "the engine has changed"


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
    found = [saved_game(path) for path in _files()]
    return sorted(found, key=lambda each: (-each.played, each.name))


def find(name: str) -> Path:
    """Return the path of the saved game with this name; raise `CommandError` if none has it."""
    known = {path.stem: path for path in _files()}
    if name not in known:
        advice = did_you_mean(name, known) or "`coloma games` lists them all"
        raise CommandError(f"there is no saved game {name} ({advice})")
    return known[name]


def named(file: Path) -> Path:
    """Return the file if it exists, or else the path of the saved game with this name."""
    known = {} if file.exists() else {path.stem: path for path in _files()}
    return known.get(str(file), file)


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
    except CommandError as error:
        return SavedGame(path.stem, path, _played(path), None, str(error))


def _files() -> list[Path]:
    folder = shelf()
    if folder is None or not folder.is_dir():
        return []
    return [each for each in folder.glob(f"*{_ENDING}") if each.is_file() and each.stat().st_size]


def _played(path: Path) -> float:
    return path.stat().st_mtime


_OPENING = "# A game in progress or finished. Resume with: coloma play --resume FILE\n"


class JournalWriter:
    """Writer of a journal.

    Each entry is written immediately, so a killed session loses nothing. A person's
    choice is also synced to the disk, with everything before it; bots' choices need not be,
    because bots would make the same choices again.
    """

    def __init__(self, path: Path, choices: int = 0, *, ended: bool = False) -> None:
        """Open a journal of `choices` choices for appending; if `ended`, it has the game's end."""
        self.path = path
        self.ended = ended
        self._choices = choices
        try:
            self._file = os.open(path, os.O_WRONLY | os.O_APPEND)
            self._size = os.fstat(self._file).st_size
        except OSError as error:
            raise cannot_write(path, error) from None

    @classmethod
    def begin(cls, path: Path, header: JournalHeader) -> Self:
        """Start a new journal with a header, replacing any existing file."""
        write_whole(path, _OPENING + tomli_w.dumps(cattrs.unstructure(header)))
        return cls(path)

    def choice(self, choice: JournalChoice) -> None:
        """Append a choice, and sync it if a person made it."""
        self._choices += 1
        self._append(choice)
        if choice.by is By.PERSON:
            self.sync()

    def undo(self, choices: int) -> None:
        """Append an undo of the last choices, and sync it."""
        self._append(Undo(after=self._choices, choices=choices))
        self.sync()

    def end(self, outcome: str) -> None:
        """Append the end of the game, unless the journal already has it."""
        if not self.ended:
            self._append(End(outcome))
            self.ended = True
            self.sync()

    def sync(self) -> None:
        """Sync the file to the disk."""
        try:
            os.fsync(self._file)
        except OSError as error:
            raise cannot_write(self.path, error) from None

    def close(self) -> None:
        """Sync the file to disk and close it."""
        self.sync()
        os.close(self._file)

    def _append(self, entry: Entry | End) -> None:
        table = tomli_w.dumps(_WRITING.unstructure(entry))
        left = f"\n[[{_TABLE_OF[type(entry)]}]]\n{table}".encode()
        try:
            if os.fstat(self._file).st_size != self._size:
                raise CommandError(f"another session resumed {self.path}, so this one stopped")
            self._size += len(left)
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            raise cannot_write(self.path, error) from None


def save_copy(journal: JournalWriter, path: Path) -> Path:
    """Copy a journal and return the path; never replace a file that is not a journal."""
    text = read_text(journal.path, torn=True)
    try:
        if path.exists() and not _is_journal(path):
            raise CommandError(f"{path} exists and is not a journal")
        write_whole(path, text)
    except OSError as error:
        raise CommandError(f"cannot save to {path}: {reason(error)}") from None
    except ValueError:  # the name contains a null character or cannot be encoded
        raise CommandError("that is not a valid file name") from None
    return path


def _is_journal(path: Path) -> bool:
    try:
        return read_text(path, torn=True).startswith(_OPENING)
    except CommandError:
        return False


def check_free(path: Path) -> None:
    """Raise `CommandError` if the path exists, unless it is an empty file."""
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise CommandError(f"{path} already exists; use --resume to resume it")

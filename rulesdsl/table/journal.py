"""Journals of games: written during a game, and read to resume or replay it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Self, TypeAlias

import attrs
import cattrs
import tomli_w

from rulesdsl.bots.kinds import check_kinds
from rulesdsl.bots.thought import Thought
from rulesdsl.interpreter.game import Game
from rulesdsl.interpreter.pack import OptionValue, Pack
from rulesdsl.packs.toml_document import read_toml
from rulesdsl.source.files import read_file, reason, write_atomically
from rulesdsl.source.render import in_short
from rulesdsl.table.errors import JournalError
from rulesdsl.table.seating import Seating

MAX_BYTES = 16 * 2**20  # house
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
    """Choice: the player, the id of the option, and the kind of player."""

    player: int
    id: str
    by: By


@attrs.frozen
class Undo:
    """Undo of a number of choices; `after` counts the choices written before it.

    TOML keeps choices and undos in separate lists; `after` restores their order.
    """

    after: int
    choices: int


@attrs.frozen
class Handover:
    """Seat given to a bot of a kind, or to a person if it is empty; `after` as in `Undo`."""

    after: int
    player: int
    bot: str = ""


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
    Handover: "seat",
    Rename: "rename",
    End: "end",
}


@attrs.frozen
class _Tables:
    choice: tuple[JournalChoice, ...] = ()
    undo: tuple[Undo, ...] = ()
    seat: tuple[Handover, ...] = ()
    rename: tuple[Rename, ...] = ()
    end: tuple[End, ...] = ()

    def in_order(self) -> tuple[Entry, ...]:
        entries: list[Entry] = []
        others: list[Undo | Handover | Rename] = [*self.undo, *self.seat, *self.rename]
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
        names = [*self.header.names]
        for entry in self.entries:
            if isinstance(entry, Rename):
                names[entry.player - 1] = entry.name
        return tuple(names)

    @property
    def seating(self) -> Seating:
        """The kinds of players, as they were last."""
        seating = Seating.with_last(self.header.players, self.header.bots)
        for entry in self.entries:
            if isinstance(entry, Handover):
                seating = seating.with_seat(entry.player, entry.bot)
        return seating


def read_journal(path: Path) -> Journal:
    """Read a journal; raise `JournalError` if it is not one, or damaged before the last table."""
    complete, torn = _cut_where_torn(_text(path))
    try:
        data = read_toml(complete)
    except ValueError as error:
        raise _no_journal(path, str(error)) from None
    form = data.get("format", 1)
    if isinstance(form, int) and form > FORMAT:
        raise JournalError(f"{path} has format {form}, and this version of coloma reads {FORMAT}")
    tables_of_kind = {kind: data.pop(kind) for kind in _TABLE_OF.values() if kind in data}
    try:
        header = _CONVERTER.structure(data, JournalHeader)
        tables = _CONVERTER.structure(tables_of_kind, _Tables)
    except cattrs.BaseValidationError as error:
        first = cattrs.transform_error(error, path="journal")[0]
        raise _no_journal(path, str(first)) from None
    try:
        check_kinds(header.bots, header.players)
        _check_seats(header, tables)
        Thought(header.iterations or None, header.seconds or None)
    except ValueError as error:
        raise _no_journal(path, str(error)) from None
    outcome = tables.end[-1].outcome if tables.end else ""
    return Journal(path, header, tables.in_order(), complete, torn, outcome)


def _check_seats(header: JournalHeader, tables: _Tables) -> None:
    of_seats = [(entry.player, header.players) for entry in tables.seat]
    of_names = [(entry.player, len(header.names)) for entry in tables.rename]
    for player, seats in (*of_seats, *of_names):
        if not 1 <= player <= seats:
            raise ValueError(f"there is no player {player}")
    check_kinds([entry.bot for entry in tables.seat if entry.bot], len(tables.seat))


def _text(path: Path) -> str:
    try:
        return read_file(path, MAX_BYTES).decode("utf-8", errors="replace")  # it may be torn
    except OSError as error:
        raise JournalError(f"cannot read {path}: {reason(error)}") from None


def _no_journal(path: Path, why: str) -> JournalError:
    return JournalError(f"{path} is not a journal of a game: {in_short(why)}")


def _cannot_write(path: Path, error: OSError) -> JournalError:
    return JournalError(f"cannot write {path}: {reason(error)}")


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


def set_up(journal: Journal, pack: Pack) -> Game:
    """Create a journal's game, in its position before the first choice."""
    header = journal.header
    try:
        return pack.new_game(header.players, header.seed, header.options, names=journal.names)
    except ValueError as error:
        said = in_short(str(error))
        raise JournalError(f"{journal.path} cannot be replayed: {said}") from None


def repeat(
    journal: Journal, choose: Callable[[JournalChoice], object], most: int | None = None
) -> Sequence[JournalChoice]:
    """Replay up to `most` choices from a journal, and return them.

    Raise `JournalError` if `choose` raises `ValueError`: a choice is no longer possible.
    """
    choices = choices_that_stand(journal.entries)[:most]
    for number, choice in enumerate(choices, start=1):
        try:
            choose(choice)
        except ValueError as error:
            raise JournalError(
                f"{journal.path} cannot be replayed: choice {number},"
                f" {in_short(choice.id)} by player {choice.player}: {in_short(str(error))}"
            ) from None
    return choices


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
            raise _cannot_write(path, error) from None

    @classmethod
    def begin(cls, path: Path, header: JournalHeader) -> Self:
        """Start a new journal with a header, replacing any existing file."""
        try:
            write_atomically(path, _OPENING + tomli_w.dumps(cattrs.unstructure(header)))
        except OSError as error:
            raise _cannot_write(path, error) from None
        return cls(path)

    @classmethod
    def go_on(cls, journal: Journal) -> Self:
        """Open a journal that was read, and cut off an incomplete last table."""
        if journal.torn:
            try:
                write_atomically(journal.path, journal.whole)
            except OSError as error:
                raise _cannot_write(journal.path, error) from None
        return cls(journal.path, journal.choices, ended=bool(journal.outcome))

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

    def seat(self, player: int, kind: str) -> None:
        """Append that a seat went to a bot of a kind, or to a person if it is empty; sync it."""
        self._append(Handover(self._choices, player, kind))
        self.sync()

    def rename(self, player: int, name: str) -> None:
        """Append a player's new name, and sync it."""
        self._append(Rename(self._choices, player, name))
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
            raise _cannot_write(self.path, error) from None

    def close(self) -> None:
        """Sync the file to disk and close it."""
        self.sync()
        os.close(self._file)

    def _append(self, entry: Entry | End) -> None:
        table = tomli_w.dumps(_WRITING.unstructure(entry))
        left = f"\n[[{_TABLE_OF[type(entry)]}]]\n{table}".encode()
        try:
            if os.fstat(self._file).st_size != self._size:
                raise JournalError(f"another session resumed {self.path}, so this one stopped")
            self._size += len(left)
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            raise _cannot_write(self.path, error) from None


def is_journal(path: Path) -> bool:
    """Return whether a file begins like a journal."""
    try:
        return _text(path).startswith(_OPENING)
    except JournalError:
        return False

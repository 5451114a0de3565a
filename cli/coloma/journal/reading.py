"""Reading a journal, also one whose session was killed in the middle of a word."""

from __future__ import annotations

import re
from pathlib import Path

import attrs
import cattrs

from coloma.bots import check_bots
from coloma.errors import CommandError
from coloma.files import read_text
from coloma.journal.entries import By, Choice, End, Entry, Header, Undo
from rulesdsl import OptionValue
from rulesdsl.bots.thought import Thought
from rulesdsl.packs.toml_file import read_toml
from rulesdsl.source.excerpt import in_short

_TABLE = re.compile(r"^\[\[(?:choice|undo|end)\]\]$", re.MULTILINE)


def _as_it_is(value: object, kind: object) -> object:
    """Take a value of a type as it is: `cattrs` would make a 3 of 3.9, and a text of a list."""
    if type(value) is kind or (kind == OptionValue and type(value) in {bool, int, str}):
        return value
    raise ValueError("a value of another kind")


_CONVERTER = cattrs.Converter(forbid_extra_keys=True)
for _kind in (int, str, OptionValue):
    _CONVERTER.register_structure_hook(_kind, _as_it_is)
_CONVERTER.register_structure_hook(By, lambda value, _: By(value))  # it is a str as well


@attrs.frozen
class Journal:
    """A journal that was read. `torn` is what a killed session left of its last table."""

    path: Path
    header: Header
    entries: tuple[Entry, ...]
    whole: str = attrs.field(repr=False)
    torn: str = ""
    outcome: str = ""
    """How the game ended, empty while it goes on."""

    @property
    def choices(self) -> int:
        """How many choices it has, those that were taken back included."""
        return sum(isinstance(each, Choice) for each in self.entries)


def read_journal(path: Path) -> Journal:
    """Read a journal; `CommandError` where it is none, or is damaged before its end."""
    text = read_text(path, torn=True)
    whole, torn = _cut_where_torn(text)
    data = _parsed(whole, path)
    tables = {
        kind: _list_of_tables(data.pop(kind, []), kind, path) for kind in ("choice", "undo", "end")
    }
    try:
        header = _CONVERTER.structure(data, Header)
        choices = _CONVERTER.structure(tables["choice"], tuple[Choice, ...])
        undos = _CONVERTER.structure(tables["undo"], tuple[Undo, ...])
        ends = _CONVERTER.structure(tables["end"], tuple[End, ...])
    except cattrs.BaseValidationError as error:
        first = cattrs.transform_error(error, path="journal")[0]
        raise _no_journal(path, str(first)) from None
    try:
        check_bots(header.bots, header.players)
        Thought(header.iterations or None, header.seconds or None)
    except (CommandError, ValueError) as error:
        raise _no_journal(path, str(error)) from None
    outcome = ends[-1].outcome if ends else ""
    return Journal(path, header, _in_order(choices, undos), whole, torn, outcome)


def _no_journal(path: Path, why: str) -> CommandError:
    return CommandError(f"{path} is not a journal of a game: {in_short(why)}")


def _cut_where_torn(text: str) -> tuple[str, str]:
    """Split off the last table if it was not written to its end."""
    starts = [match.start() for match in _TABLE.finditer(text)]
    if not starts:
        return text, ""
    whole, last = text[: starts[-1]], text[starts[-1] :]
    return (text, "") if _is_complete(last) else (whole, last)


def _is_complete(table: str) -> bool:
    """Tell whether a table has all its lines, the last one with its end."""
    try:
        data = read_toml(table)
        _CONVERTER.structure(data.get("choice", []), tuple[Choice, ...])
        _CONVERTER.structure(data.get("undo", []), tuple[Undo, ...])
        _CONVERTER.structure(data.get("end", []), tuple[End, ...])
    except (ValueError, cattrs.BaseValidationError):
        return False
    return table.endswith("\n")


def _parsed(text: str, path: Path) -> dict[str, object]:
    try:
        return read_toml(text)
    except ValueError as error:
        raise _no_journal(path, str(error)) from None


def _list_of_tables(value: object, kind: str, path: Path) -> list[object]:
    if isinstance(value, list) and all(isinstance(each, dict) for each in value):
        return value
    raise _no_journal(path, f"{kind} is not a list of tables")


def _in_order(choices: tuple[Choice, ...], undos: tuple[Undo, ...]) -> tuple[Entry, ...]:
    """Put choices and undos back into the order in which they were written."""
    entries: list[Entry] = []
    left = list(undos)
    for number, choice in enumerate(choices):
        while left and left[0].after <= number:
            entries.append(left.pop(0))
        entries.append(choice)
    return (*entries, *left)

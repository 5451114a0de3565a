"""Input of a session, and its interpretation as an option or a command."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Protocol, TypeAlias

import attrs

from coloma.files import read_text
from coloma.output import CommandError
from coloma.session.screen import shown
from rulesdsl import Option
from rulesdsl.source import english
from rulesdsl.source.diagnostics import closest


class SessionStopped(Exception):  # noqa: N818 - a normal end, not an error
    """End of a session: the input has ended, or a player quit."""


class Answers(Protocol):
    """Source of input lines."""

    @property
    def is_terminal(self) -> bool:
        """True if the input is typed at a terminal, which shows it."""

    def next_line(self) -> str:
        """Return the next line without its line ending; raise `SessionStopped` at the end."""

    def refuse(self, advice: str) -> str:
        """Return the message for invalid input, or raise `CommandError` to end the session."""


class StandardInput:
    """Source of lines from a terminal or a pipe."""

    @property
    def is_terminal(self) -> bool:
        """True if standard input is a terminal."""
        return sys.stdin.isatty()

    def next_line(self) -> str:
        """Return the next line."""
        line = sys.stdin.readline()
        if not line:
            raise SessionStopped("The input has ended.")
        return line.rstrip("\r\n")

    def refuse(self, advice: str) -> str:
        """Return the message, so that the session continues with the next line."""
        return advice


class Script:
    """Source of lines from a file; empty lines and lines that begin with `#` are skipped."""

    is_terminal = False

    def __init__(self, path: Path) -> None:
        """Read the file; raise `CommandError` if it cannot be read."""
        lines = read_text(path).removeprefix("\ufeff").splitlines()
        self._path = path
        self._left = [
            (number, line.strip())
            for number, line in enumerate(lines, start=1)
            if line.strip() and not line.lstrip().startswith("#")
        ]
        self._number = 0

    def next_line(self) -> str:
        """Return the next line."""
        if not self._left:
            raise SessionStopped("The script has ended.")
        self._number, line = self._left.pop(0)
        return line

    def refuse(self, advice: str) -> str:
        """Raise `CommandError`, since the lines that follow belong to other questions."""
        raise CommandError(f"{self._path}:{self._number}: {advice}")


_MOST_LISTED = 6
_FEW = 3  # numbers to list one by one
_MOST_DIGITS = 9  # no option has a longer number
_NUMBERED = re.compile(r"([1-9][0-9]{0,2}) (.+)")


class SessionCommand(StrEnum):
    """Command that a player can type instead of an answer."""

    HELP = "help"
    BOARD = "board"
    ME = "me"
    LOG = "log"
    READ = "read"
    SCORE = "score"
    HINT = "hint"
    RULES = "rules"
    WHY = "why"
    UNDO = "undo"
    SAVE = "save"
    BOT = "bot"
    TAKE = "take"
    NAME = "name"
    QUIT = "quit"


_ALSO = {"?": SessionCommand.HELP, "q": SessionCommand.QUIT, "exit": SessionCommand.QUIT}
_LETTERS = {"y": "yes", "n": "no"}
_WITH_ARGUMENT = (
    SessionCommand.BOARD,
    SessionCommand.LOG,
    SessionCommand.READ,
    SessionCommand.RULES,
    SessionCommand.SAVE,
    SessionCommand.UNDO,
    SessionCommand.WHY,
)
OF_SEATS = (SessionCommand.BOT, SessionCommand.TAKE, SessionCommand.NAME)
"""Commands that change who sits where; they need an argument."""


@attrs.frozen
class PickedOption:
    """Answer that picks an option, by its index."""

    index: int


@attrs.frozen
class Request:
    """Session command with its argument."""

    word: SessionCommand
    argument: str = ""
    short: bool = attrs.field(default=False, eq=False)
    """True if a single sign was typed instead of the word."""


@attrs.frozen
class Unclear:
    """Input that is neither an option nor a command, with advice about valid input."""

    advice: str


Answer: TypeAlias = PickedOption | Request | Unclear


def understand(typed: str, options: Sequence[Option], final: Sequence[bool] = ()) -> Answer:
    """Interpret a line: first as a number, then as a command, then as a word from an option.

    An option can be chosen even if its full name reads like a command with an argument. `final`
    marks the options that cannot be undone.
    """
    line = " ".join(typed.split())
    lines = numbered(options)
    if re.fullmatch(r"-?[0-9]+\.?", line):
        numbers = [each.number for each in lines]
        digits = line.rstrip(".").lstrip("0") or "0"  # Python refuses to parse very long numbers
        number = int(digits) if len(digits) <= _MOST_DIGITS else None
        return PickedOption(numbers.index(number)) if number in numbers else _unclear(lines)
    ids = [each.id for each in options]
    if _LETTERS.get(line.casefold()) in ids:
        return PickedOption(ids.index(_LETTERS[line.casefold()]))
    request = requested(line)
    if request and request.argument:
        if request.word in (SessionCommand.BOARD, *OF_SEATS):
            by_name = by_word(line, options)
            if isinstance(by_name, PickedOption) or _begins_word(line, options):
                return by_name
        whole = [index for index, each in enumerate(options) if line.casefold() in _names(each)]
        if len(whole) == 1:
            return PickedOption(whole[0])
    if request:
        return request
    return by_word(line, options, final) if line else _unclear(lines)


def requested(typed: str) -> Request | None:
    """Interpret a line as a command, with an argument if the command takes one."""
    word, _, argument = " ".join(typed.split()).partition(" ")
    small = word.casefold()
    command = _ALSO.get(small) or (SessionCommand(small) if small in {*SessionCommand} else None)
    if command is None or (argument and command not in (*_WITH_ARGUMENT, *OF_SEATS)):
        return None
    if command in OF_SEATS and not argument:
        return None
    return Request(command, argument, short=small in _ALSO and len(small) == 1)


def by_word(
    line: str, options: Sequence[Option], final: Sequence[bool] = ()
) -> PickedOption | Unclear:
    """Return the option denoted by a word, or advice that lists the candidates.

    The word is compared with labels, ids and parts of ids; then with the words in these; then with
    the beginnings of words in labels, except for options that cannot be undone. A single letter
    must be the whole name of an option, since it may be a typing error.
    """
    wanted = line.casefold()
    names = [_names(option) for option in options]
    labels: Sequence[tuple[str, ...]] = [(shown(each.label).casefold(),) for each in options]
    begun = rf"(?<!\w){re.escape(wanted)}"
    whole, begins = re.compile(rf"{begun}(?!\w)"), re.compile(begun)
    ways: list[tuple[Sequence[tuple[str, ...]], Callable[[str], object]]]
    ways = [(names, lambda name: name == wanted)]
    if len(wanted) > 1:
        ways += [(names, whole.search)]
        ways += [(labels, begins.search)]
    lines = numbered(options)
    for texts, fits in ways:
        found = [index for index, each in enumerate(texts) if any(map(fits, each))]
        listed = [f"{lines[index].number} {lines[index].label}" for index in found]
        if len(found) > 1:
            return Unclear(f"`{line}` could be {or_list(listed)}.")
        if found and texts is labels and any(final[found[0] : found[0] + 1]):
            return Unclear(
                f"`{line}` could be {listed[0]}, which cannot be undone: type its number, or a"
                " whole word."
            )
        if found:
            return PickedOption(found[0])
    words = {word for each in names for name in each for word in (name, *name.split())}
    near = closest(wanted, {*words, *SessionCommand})[:3]
    if near and len(line) > 1:  # every short word resembles a single letter
        return Unclear(f"`{line}` is not one of the choices; did you mean {or_list(near)}?")
    return _unclear(lines, f"`{line}` is not one of the choices. ")


def _begins_word(line: str, options: Sequence[Option]) -> bool:
    begins = re.compile(rf"(?<!\w){re.escape(line.casefold())}")
    return any(begins.search(shown(option.label).casefold()) for option in options)


@attrs.frozen
class TypedOption:
    """Numbered option: the number to type, and the label after it."""

    number: int
    label: str


def numbered(options: Sequence[Option]) -> list[TypedOption]:
    """Return the options with the numbers to type for them.

    The number of an amount is the amount itself. If several options have names with different
    numbers (`4 Harbour`), these numbers are used, because players would mistake positions in the
    list for them. Other options get the numbers after the highest one.
    """
    labels = [shown(each.label) for each in options]
    if of_amounts(options):
        return [TypedOption(int(each), each) for each in labels]
    own = [
        _NUMBERED.fullmatch(label) if each.about else None
        for label, each in zip(labels, options, strict=True)
    ]
    numbers = [int(each[1]) for each in own if each]
    if len(numbers) < 2 or len(set(numbers)) < len(numbers):  # noqa: PLR2004 - not a numbering
        return [TypedOption(number, each) for number, each in enumerate(labels, start=1)]
    free = count(max(numbers) + 1)
    return [
        TypedOption(int(each[1]), each[2]) if each else TypedOption(next(free), label)
        for each, label in zip(own, labels, strict=True)
    ]


def of_amounts(options: Sequence[Option]) -> bool:
    """Return True if all options are numbers, so that they are their own labels."""
    return all(each.label.isdecimal() for each in options)


def said_numbers(lines: Sequence[TypedOption]) -> str:
    """List the numbers to choose from, such as `0, 2 or 3` or `a number from 0 to 9`."""
    numbers = sorted(each.number for each in lines)
    first, last = numbers[0], numbers[-1]
    if len(numbers) > _FEW and numbers == [*range(first, last + 1)]:
        return f"a number from {first} to {last}"
    return or_list([*map(str, numbers)])


def _unclear(lines: Sequence[TypedOption], problem: str = "") -> Unclear:
    return Unclear(f"{problem}Type {said_numbers(lines)}, or ? for help.")


def _names(option: Option) -> tuple[str, ...]:
    parts = option.id.split(":")
    return tuple(each.casefold() for each in (option.id, *parts[1:], shown(option.label)))


def or_list(texts: Sequence[str]) -> str:
    """Join alternatives with "or"; a long list is cut, and the rest is counted."""
    more = len(texts) - _MOST_LISTED
    return english.or_list([*texts[:_MOST_LISTED], f"{more} more"] if more > 0 else texts)

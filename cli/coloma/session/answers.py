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
from rulesdsl.source.diagnostics import closest


class SessionStopped(Exception):  # noqa: N818 - a normal end, not an error
    """End of a session: the input has ended, or a player quit."""


class Answers(Protocol):
    """Source of input lines."""

    @property
    def is_terminal(self) -> bool:
        """True if a person types at a terminal and sees the input."""

    def next_line(self) -> str:
        """Return the next line without its end; `SessionStopped` at the end of the input."""

    def refuse(self, advice: str) -> str:
        """Return the message for an input that cannot be used; `CommandError` to stop there."""


class StandardInput:
    """Lines from a terminal or a pipe."""

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
        """Return the message and go on to the next line."""
        return advice


class Script:
    """Lines of a file, without empty lines or lines that begin with `#`."""

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
        """Stop: the lines that follow belong to another question."""
        raise CommandError(f"{self._path}:{self._number}: {advice}")


_MOST_LISTED = 6
_FEW = 3  # amounts listed one by one
_NUMBERED = re.compile(r"([1-9][0-9]{0,2}) (.+)")


class SessionCommand(StrEnum):
    """Commands that every session understands."""

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
    QUIT = "quit"


_MARKS = {"?": SessionCommand.HELP, "q": SessionCommand.QUIT}
_WITH_ARGUMENT = (
    SessionCommand.BOARD,
    SessionCommand.LOG,
    SessionCommand.READ,
    SessionCommand.RULES,
    SessionCommand.SAVE,
    SessionCommand.WHY,
)


@attrs.frozen
class PickedOption:
    """An option, by its index."""

    index: int


@attrs.frozen
class Request:
    """A session command with its argument."""

    word: SessionCommand
    argument: str = ""


@attrs.frozen
class Unclear:
    """Input that is neither an option nor a command; `advice` says what to type instead."""

    advice: str


Answer: TypeAlias = PickedOption | Request | Unclear


def understand(typed: str, options: Sequence[Option], final: Sequence[bool] = ()) -> Answer:
    """Interpret a line: as a number first, then as a command, then as a word of an option.

    An option whose full name is a command with an argument can still be chosen. `final` marks the
    options that cannot be undone.
    """
    line = " ".join(typed.split())
    if re.fullmatch(r"-?[0-9]+", line):
        return _by_amount(line, options) if of_amounts(options) else _by_number(line, options)
    word, _, argument = line.partition(" ")
    request = request_for(word)
    if (
        request is SessionCommand.BOARD
        and argument
        and isinstance(found := by_word(line, options), PickedOption)
    ):
        return found
    if request and (not argument or request in _WITH_ARGUMENT):
        whole = [index for index, each in enumerate(options) if line.casefold() in _names(each)]
        return (
            PickedOption(whole[0]) if argument and len(whole) == 1 else Request(request, argument)
        )
    return by_word(line, options, final) if line else Unclear(_ask_for_number(numbered(options)))


def request_for(word: str) -> SessionCommand | None:
    """Return the command denoted by a word, if any."""
    small = word.casefold()
    return _MARKS.get(small) or (SessionCommand(small) if small in set(SessionCommand) else None)


def by_word(
    line: str, options: Sequence[Option], final: Sequence[bool] = ()
) -> PickedOption | Unclear:
    """Return the option denoted by a word, or the candidates.

    The word is matched against labels, ids and parts of ids; then against whole words in these;
    then against beginnings of words on the screen, except for options that cannot be undone. A
    single letter must be the whole name of an option, since it may be a typing error.
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
                " whole word of it."
            )
        if found:
            return PickedOption(found[0])
    return Unclear(_suggestion(line, names, lines))


@attrs.frozen
class TypedOption:
    """A menu entry: the number to type, and the label after it."""

    number: int
    label: str


def numbered(options: Sequence[Option]) -> list[TypedOption]:
    """Return options with the numbers to type; things with a number in their name keep it.

    The number of an amount is the amount itself. If several things on the board have numbered
    names (`4 Harbour`), positions in the list would be mistaken for these numbers, so they are
    kept. Options without a number follow after the highest one.
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
    """Return True if all options are numbers, which are typed as they are."""
    return all(each.label.isdecimal() for each in options)


def _by_amount(line: str, options: Sequence[Option]) -> PickedOption | Unclear:
    amounts = [each.label for each in options]
    wanted = line.lstrip("0") or "0"
    return (
        PickedOption(amounts.index(wanted))
        if wanted in amounts
        else Unclear(_ask_for_amount(amounts))
    )


def _ask_for_amount(amounts: Sequence[str]) -> str:
    return f"Type {said_amounts(amounts)}, or ? for help."


def said_amounts(amounts: Sequence[str]) -> str:
    """List amounts to choose from: `0, 2 or 3`, `a number from 0 to 9`."""
    first, last = int(amounts[0]), int(amounts[-1])
    if len(amounts) > _FEW and [*map(int, amounts)] == [*range(first, last + 1)]:
        return f"a number from {first} to {last}"
    return or_list(amounts)


def _by_number(line: str, options: Sequence[Option]) -> PickedOption | Unclear:
    # No option has a longer number, and Python refuses to parse very long ones.
    number = int(line) if len(line) < 10 else 0  # noqa: PLR2004 - see above
    lines = numbered(options)
    numbers = [each.number for each in lines]
    return (
        PickedOption(numbers.index(number))
        if number in numbers
        else Unclear(_ask_for_number(lines))
    )


def _ask_for_number(lines: Sequence[TypedOption]) -> str:
    numbers = [each.number for each in lines]
    if len(numbers) == 1:
        return f"Type {numbers[0]}."
    first, last = min(numbers), max(numbers)
    if len(numbers) == last - first + 1:
        return f"Type a number from {first} to {last}, or ? for help."
    return f"Type {or_list([str(each) for each in sorted(numbers)])}, or ? for help."


def _names(option: Option) -> tuple[str, ...]:
    parts = option.id.split(":")
    return tuple(each.casefold() for each in (option.id, *parts[1:], shown(option.label)))


def _suggestion(line: str, names: Sequence[tuple[str, ...]], lines: Sequence[TypedOption]) -> str:
    words = {word for each in names for name in each for word in (name, *name.split())}
    near = closest(line.casefold(), {*words, *SessionCommand})[:3]
    if near and len(line) > 1:  # every short word resembles a single letter
        return f"`{line}` is not one of the choices; did you mean {or_list(near)}?"
    return f"`{line}` is not one of the choices. {_ask_for_number(lines)}"


def or_list(texts: Sequence[str]) -> str:
    """Join alternatives with "or"; of many, only the first are named."""
    if len(texts) > _MOST_LISTED:
        texts = [*texts[:_MOST_LISTED], f"{len(texts) - _MOST_LISTED} more"]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"

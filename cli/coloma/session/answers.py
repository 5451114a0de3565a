"""Input of a session, and its interpretation as an option or a command."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Protocol, TypeAlias

import attrs

from coloma.files import read_text
from coloma.output import CommandError, say
from coloma.session.screen import Screen, screen_for, shown
from rulesdsl import Option
from rulesdsl.source import english
from rulesdsl.source.diagnostics import closest


class SessionStopped(Exception):  # noqa: N818 - a normal end, not an error
    """End of a session: the input has ended, or a player quit."""


@attrs.frozen
class Prompt:
    """Text before a line of input, and what an editor shows and completes there.

    `below` returns the parts of the line below the input, the most important one last, and
    `completions` the lines that typed text may become. The earlier lines of a `person` can be
    recalled by that person; those of nobody, 0, cannot.
    """

    text: str = ""
    below: Callable[[], Sequence[str]] = tuple
    completions: Callable[[str], Sequence[str]] = lambda _: ()
    person: int = 0
    colour: str = ""


NO_PROMPT = Prompt()


class Answers(Protocol):
    """Source of input lines."""

    @property
    def is_terminal(self) -> bool:
        """True if the input is typed at a terminal, which shows it."""

    def next_line(self, prompt: Prompt = NO_PROMPT) -> str:
        """Show the prompt, and return the next line without its line ending.

        Raises `SessionStopped` at the end of the input.
        """

    def refuse(self, advice: str) -> str:
        """Return the message for invalid input, or raise `CommandError` to end the session."""


class StandardInput:
    """Source of lines from a terminal or a pipe."""

    @property
    def is_terminal(self) -> bool:
        """True if standard input is a terminal."""
        return sys.stdin.isatty()

    def next_line(self, prompt: Prompt = NO_PROMPT) -> str:
        """Show the prompt, and return the next line."""
        say(prompt.text, nl=False)
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

    def next_line(self, prompt: Prompt = NO_PROMPT) -> str:
        """Show the prompt, and return the next line."""
        say(prompt.text, nl=False)
        if not self._left:
            raise SessionStopped("The script has ended.")
        self._number, line = self._left.pop(0)
        return line

    def refuse(self, advice: str) -> str:
        """Raise `CommandError`, since the lines that follow belong to other questions."""
        raise CommandError(f"{self._path}:{self._number}: {advice}")


def face_for(script: Path | None, *, plain: bool) -> tuple[Screen, Answers]:
    """Return the screen and the source of lines for standard output and input, or for a script.

    Lines are edited at a terminal that can move its cursor; the line below the input is then no
    part of the screen.
    """
    screen = screen_for(plain=plain)
    if script:
        return screen, Script(script)
    if screen.plain or not screen.can_clear or not sys.stdin.isatty():
        return screen, StandardInput()
    from coloma.session.editor import LineEditor  # 0.1 s, most of it for `prompt_toolkit`

    return attrs.evolve(screen, below=1).resized(), LineEditor()


_MOST_LISTED = 6
_FEW = 3  # numbers to list one by one
_MOST_DIGITS = 9  # no option has a longer number
_DESCRIBED = re.compile(r": | \(")  # what follows describes the thing that a label names


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
    SessionCommand.SCORE,
    SessionCommand.UNDO,
    SessionCommand.WHY,
)
OF_SEATS = (SessionCommand.BOT, SessionCommand.TAKE, SessionCommand.NAME)
"""Commands that change who sits where; they need an argument."""


@attrs.frozen
class PickedOption:
    """Answer that picks an option, by its index."""

    index: int
    exact: bool = attrs.field(default=True, eq=False)
    """False if the line has only a part of the option's words."""


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
    candidates: tuple[str, ...] = attrs.field(default=(), eq=False)
    """The options that it may mean."""


Answer: TypeAlias = PickedOption | Request | Unclear


def understand(
    typed: str, options: Sequence[Option], parts: Iterable[str] = (), *, ids: bool = True
) -> Answer:
    """Interpret a line: first as a number, then as a command, then as words from an option.

    An option can be chosen even if its full name reads like a command with an argument. `parts`
    are the titles of parts of the board: one that no option has asks for it. Without `ids`, as at
    a terminal, only whole ids are taken, and no parts of them.
    """
    line = " ".join(typed.split())
    lines = numbered(options)
    if (number := _typed_number(line, options)) is not None:
        numbers = [option.number for option in lines]
        return PickedOption(numbers.index(number)) if number in numbers else _unclear(lines)
    own_ids = [option.id for option in options]
    if _LETTERS.get(line.casefold()) in own_ids:
        return PickedOption(own_ids.index(_LETTERS[line.casefold()]))
    request = requested(line)
    if request and request.argument:
        if request.word in (SessionCommand.BOARD, *OF_SEATS):
            by_name = by_word(line, options, ids=ids)
            if isinstance(by_name, PickedOption) or _begins_word(line, options):
                return by_name
        whole = [
            index
            for index, option in enumerate(options)
            if line.casefold() in _names(option, ids=ids)
        ]
        if len(whole) == 1:
            return PickedOption(whole[0])
    if request:
        return request
    if not line:
        return _unclear(lines)
    by_name = by_word(line, options, ids=ids)
    if isinstance(by_name, Unclear) and not by_name.candidates and _is_part(line, parts):
        return Request(SessionCommand.BOARD, line)
    return by_name


def _typed_number(line: str, options: Sequence[Option]) -> int | None:
    """Return the number in `3`, `3.` or, for things that are called by numbers, `lane 3`."""
    kind, _, digits = line.rstrip(".").rpartition(" ")
    if not re.fullmatch(r"-?[0-9]+", digits):
        return None
    kinds = {option.about.partition(":")[0] for option in options if option.number is not None}
    if kind and kind.casefold() not in {name.rpartition(".")[2] for name in kinds}:
        return None
    short = digits.lstrip("0") or "0"
    return int(short) if len(short) <= _MOST_DIGITS else -1  # Python refuses very long numbers


def _is_part(line: str, parts: Iterable[str]) -> bool:
    word = line.casefold()
    return any(word in (title.casefold(), *title.casefold().split()) for title in parts)


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


def by_word(line: str, options: Sequence[Option], *, ids: bool = True) -> PickedOption | Unclear:
    """Return the option denoted by words, or advice that lists the candidates.

    The line is compared with labels, ids and, with `ids`, parts of ids; then with whole words in
    these, at first in the names of things; then with the beginnings of words in labels, which may
    leave words out. A single letter
    must be the whole name of an option, since it may be a typing error.
    """
    wanted = line.casefold()
    names = [_names(option, ids=ids) for option in options]
    labels: Sequence[tuple[str, ...]] = [(_label(option),) for option in options]
    searched = names if ids else labels
    in_turn = before = ""
    for word in wanted.split():  # what a number counts follows it at once
        gap = r"\W+" if before.isdecimal() else r"\b.*?"
        in_turn += (gap if before else "") + rf"(?<!\w){re.escape(word)}\w*"
        before = word
    ways: list[tuple[Sequence[tuple[str, ...]], Callable[[str], object]]]
    ways = [(names, lambda name: name == wanted)]
    if len(wanted) > 1:
        whole = _phrase(wanted, whole=True).search
        ways += [([(_thing(option),) for option in options], whole), (searched, whole)]
        ways += [(labels, _phrase(wanted).search)]
        ways += [(labels, re.compile(in_turn).search)]
    lines = numbered(options)
    for way, (texts, fits) in enumerate(ways):
        matches = [index for index, option in enumerate(texts) if any(map(fits, option))]
        if matches and way == 0:  # the head of a label is not exact if others have it
            matches = [
                index
                for index, option in enumerate(options)
                if index in matches or _head(option) == wanted
            ]
        if len(matches) > 1:
            listed = tuple(f"{lines[index].number} {lines[index].label}" for index in matches)
            return Unclear(f"`{line}` could be {or_list(listed)}.", listed)
        if matches:
            return PickedOption(matches[0], exact=way == 0)
    words = {word for option in names for name in option for word in (name, *name.split())}
    near = closest(wanted, {*words, *SessionCommand})[:3]
    if near and len(line) > 1:  # every short word resembles a single letter
        return Unclear(f"`{line}` is not one of the choices; did you mean {or_list(near)}?")
    return _unclear(lines, f"`{line}` is not one of the choices. ")


def two_answers(
    line: str, options: Sequence[Option], after: Callable[[int], Sequence[Option]]
) -> tuple[int, str] | None:
    """Split a line such as `e2e4` or `e2-e4` into an option and the answer to what comes next.

    Both must be words of exactly one option; `after` returns the options that follow the choice of
    an option, or none where that must not be tried.
    """
    for at in range(1, len(line)):
        first, second = line[:at].strip(), line[at:].strip(" -")
        if not (first and second) or line[at - 1 : at + 1].isalpha():
            continue
        picked = by_word(first, options, ids=False)
        if isinstance(picked, PickedOption) and _has_word(first, options[picked.index]):
            follow = after(picked.index)
            then = by_word(second, follow, ids=False) if follow else None
            if isinstance(then, PickedOption) and _has_word(second, follow[then.index]):
                return picked.index, second
    return None


def _has_word(word: str, option: Option) -> bool:
    return bool(_phrase(word, whole=True).search(_label(option)))


def _begins_word(line: str, options: Sequence[Option]) -> bool:
    return any(map(_phrase(line).search, map(_label, options)))


def _phrase(words: str, *, whole: bool = False) -> re.Pattern[str]:
    """Return the pattern of words that begin where a word does; if `whole`, they end there too."""
    return re.compile(rf"(?<!\w){re.escape(words.casefold())}" + (r"(?!\w)" if whole else ""))


def _label(option: Option) -> str:
    return shown(option.label).casefold()


@attrs.frozen
class TypedOption:
    """Numbered option: the number to type, and the label after it."""

    number: int
    label: str


def numbered(options: Sequence[Option]) -> list[TypedOption]:
    """Return the options with the numbers to type for them.

    The number of an amount, or of a thing that is called by nothing but a number, is that number,
    and that of a thing whose kind is `numbered` is the one in its title. Other options get the
    numbers after the highest one; if two things have one number, all options are counted.
    """
    labels = [shown(option.label) for option in options]
    if of_amounts(options):
        return [TypedOption(int(label), label) for label in labels]
    fixed = [
        int(label) if label.isdecimal() else option.number
        for option, label in zip(options, labels, strict=True)
    ]
    numbers = [number for number in fixed if number is not None]
    if not numbers or len(set(numbers)) < len(numbers):
        return [TypedOption(number, label) for number, label in enumerate(labels, start=1)]
    free = count(max(numbers) + 1)
    return [
        TypedOption(next(free), label)
        if number is None
        else TypedOption(number, label.removeprefix(f"{number} "))
        for number, label in zip(fixed, labels, strict=True)
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


def _names(option: Option, *, ids: bool = True) -> tuple[str, ...]:
    """Return the names by which an option is chosen exactly: its label, what it names, its id."""
    parts = option.id.split(":")[1:] if ids else ()
    names = dict.fromkeys((option.id.casefold(), *parts, _label(option), _thing(option)))
    return tuple(name.casefold() for name in names)


def _thing(option: Option) -> str:
    """Return the part of a label that names a thing, before what the label says of it."""
    return _head(option) if option.about else _label(option)


def _head(option: Option) -> str:
    return _DESCRIBED.split(_label(option))[0]


def or_list(texts: Sequence[str]) -> str:
    """Join alternatives with "or"; a long list is cut, and the rest is counted."""
    more = len(texts) - _MOST_LISTED
    return english.or_list([*texts[:_MOST_LISTED], f"{more} more"] if more > 0 else texts)

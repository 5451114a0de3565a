"""What somebody typed: a number, a word of an option, or one of the session's own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum
from itertools import count
from typing import TypeAlias

import attrs

from coloma.session.screen import shown
from rulesdsl import Option
from rulesdsl.source.suggest import closest

_MOST_LISTED = 6
_FEW = 3  # amounts that are listed one by one
_NUMBERED = re.compile(r"([1-9][0-9]{0,2}) (.+)")


class Word(StrEnum):
    """The words that every session knows."""

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


_MARKS = {"?": Word.HELP, "q": Word.QUIT}
_WITH_ARGUMENT = (Word.BOARD, Word.LOG, Word.READ, Word.RULES, Word.SAVE, Word.WHY)


@attrs.frozen
class Pick:
    """The option with this index."""

    index: int


@attrs.frozen
class Request:
    """One of the session's words, and what is after it."""

    word: Word
    argument: str = ""


@attrs.frozen
class Unclear:
    """Neither; `advice` says what could be typed instead."""

    advice: str


Answer: TypeAlias = Pick | Request | Unclear


def understand(typed: str, options: Sequence[Option], final: Sequence[bool] = ()) -> Answer:
    """Return what a line means: a number first, then our own words, then those of the options.

    An option that is called as one of our words with something after it stays within reach.
    `final` tells for each option if choosing it cannot be undone.
    """
    line = " ".join(typed.split())
    if re.fullmatch(r"-?[0-9]+", line):
        return _by_amount(line, options) if of_amounts(options) else _by_number(line, options)
    word, _, argument = line.partition(" ")
    request = request_for(word)
    if request is Word.BOARD and argument and isinstance(found := by_word(line, options), Pick):
        return found
    if request and (not argument or request in _WITH_ARGUMENT):
        whole = [index for index, each in enumerate(options) if line.casefold() in _names(each)]
        return Pick(whole[0]) if argument and len(whole) == 1 else Request(request, argument)
    return by_word(line, options, final) if line else Unclear(_ask_for_number(menu(options)))


def request_for(word: str) -> Word | None:
    """Return which of our own words was typed."""
    small = word.casefold()
    return _MARKS.get(small) or (Word(small) if small in set(Word) else None)


def by_word(line: str, options: Sequence[Option], final: Sequence[bool] = ()) -> Pick | Unclear:
    """Return the option that a word means, or what could have been meant.

    It is a label, an id or a part of an id; else whole words in one of these; else the beginning
    of words on the screen, but not of a choice that cannot be undone. One letter counts as a
    typing error unless it is the whole name of an option.
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
    lines = menu(options)
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
            return Pick(found[0])
    return Unclear(_suggestion(line, names, lines))


@attrs.frozen
class MenuLine:
    """What is typed for an option, and what it is called after that number."""

    number: int
    label: str


def menu(options: Sequence[Option]) -> list[MenuLine]:
    """Return the lines of a menu: things that have a number of their own keep it.

    An amount is typed as what it is.  Where each of several things on the board is called by a
    number (`4 Harbour`), another number beside it would be mistaken for that one.  Options
    without a number come after the highest.
    """
    labels = [shown(each.label) for each in options]
    if of_amounts(options):
        return [MenuLine(int(each), each) for each in labels]
    own = [
        _NUMBERED.fullmatch(label) if each.about else None
        for label, each in zip(labels, options, strict=True)
    ]
    numbers = [int(each[1]) for each in own if each]
    if len(numbers) < 2 or len(set(numbers)) < len(numbers):  # noqa: PLR2004 - of several
        return [MenuLine(number, each) for number, each in enumerate(labels, start=1)]
    free = count(max(numbers) + 1)
    return [
        MenuLine(int(each[1]), each[2]) if each else MenuLine(next(free), label)
        for each, label in zip(own, labels, strict=True)
    ]


def of_amounts(options: Sequence[Option]) -> bool:
    """Tell whether all options are numbers: they are typed as what they are."""
    return all(each.label.isdecimal() for each in options)


def _by_amount(line: str, options: Sequence[Option]) -> Pick | Unclear:
    amounts = [each.label for each in options]
    wanted = line.lstrip("0") or "0"
    return Pick(amounts.index(wanted)) if wanted in amounts else Unclear(_ask_for_amount(amounts))


def _ask_for_amount(amounts: Sequence[str]) -> str:
    return f"Type {said_amounts(amounts)}, or ? for help."


def said_amounts(amounts: Sequence[str]) -> str:
    """Return amounts to choose from: `0, 2 or 3`, `a number from 0 to 9`."""
    first, last = int(amounts[0]), int(amounts[-1])
    if len(amounts) > _FEW and [*map(int, amounts)] == [*range(first, last + 1)]:
        return f"a number from {first} to {last}"
    return or_list(amounts)


def _by_number(line: str, options: Sequence[Option]) -> Pick | Unclear:
    # Longer numbers are no option's either, and Python refuses to read the very long ones.
    number = int(line) if len(line) < 10 else 0  # noqa: PLR2004 - said above
    lines = menu(options)
    numbers = [each.number for each in lines]
    return Pick(numbers.index(number)) if number in numbers else Unclear(_ask_for_number(lines))


def _ask_for_number(lines: Sequence[MenuLine]) -> str:
    numbers = [each.number for each in lines]
    if len(numbers) == 1:
        return f"Type {numbers[0]}."
    first, last = min(numbers), max(numbers)
    if len(numbers) == last - first + 1:
        return f"Type a number from {first} to {last}, or ? for help."
    return f"Type {or_list([str(each) for each in sorted(numbers)])}, or ? for help."


def _names(option: Option) -> tuple[str, ...]:
    """Return what an option can be called: its id, the parts of its id, its label."""
    parts = option.id.split(":")
    return tuple(each.casefold() for each in (option.id, *parts[1:], shown(option.label)))


def _suggestion(line: str, names: Sequence[tuple[str, ...]], lines: Sequence[MenuLine]) -> str:
    words = {word for each in names for name in each for word in (name, *name.split())}
    near = closest(line.casefold(), {*words, *Word})[:3]
    if near and len(line) > 1:  # every short word is near to one letter
        return f"`{line}` is none of the choices; did you mean {or_list(near)}?"
    return f"`{line}` is none of the choices. {_ask_for_number(lines)}"


def or_list(texts: Sequence[str]) -> str:
    """Return texts as alternatives; of many, only the first ones."""
    if len(texts) > _MOST_LISTED:
        texts = [*texts[:_MOST_LISTED], f"{len(texts) - _MOST_LISTED} more"]
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"

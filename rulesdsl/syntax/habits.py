"""Habits from other languages, by the table beside this, and words of the language as names."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from rulesdsl.syntax.token_words import NO_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

TABLE = Path(__file__).with_name("habits.toml")
BOUND = re.compile(r"\b(?:let|(?:each|an?) [a-z][\w'-]*) ([a-z][\w'-]*)")
_HEADER = re.compile(r"(?:verb|value) [^:]*")
_WORD = re.compile(r"([a-z][\w'-]*)")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_+")
TEXT = re.compile(r'"[^"]*"')


@attrs.frozen
class Habit:
    """One row of the table."""

    find: re.Pattern[str]
    says: str
    after: re.Pattern[str]
    change: tuple[tuple[re.Pattern[str], str], ...] = ()
    write: str | None = None
    lower: bool = False
    sure: bool = False
    only: bool = False
    texts: bool = False


@attrs.frozen
class Written:
    """What somebody wrote out of habit, and the offset in its line at which it begins."""

    habit: Habit
    text: str
    start: int

    def changes(self, text: str, line_start: int) -> Iterator[tuple[int, int, str]]:
        """Yield what may take the place of which stretch of a text that the line is in."""
        start = line_start + self.start
        end = start + len(self.text)
        if self.habit.write is not None:
            yield start, end, self.habit.write
        if self.habit.lower:
            yield start, end, _HUMP.sub("-", self.text).strip("-").lower()
        for pattern, new in self.habit.change:
            for found in pattern.finditer(text):
                if found.start() < end and start < found.end():
                    yield found.start(), found.end(), found.expand(new)


@cache
def _table() -> dict[str, tuple[Habit, ...]]:
    groups = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {name: tuple(map(_habit, habits.values())) for name, habits in groups.items()}


def _habit(row: Mapping[str, Any]) -> Habit:
    said = dict(row)
    change = tuple(
        (re.compile(pattern, re.MULTILINE), new) for pattern, new in said.pop("change", ())
    )
    find, after = (re.compile(str(said.pop(key, ""))) for key in ("find", "after"))
    return Habit(find=find, after=after, change=change, **said)


def habits_at(line: str, column: int) -> Iterator[Written]:
    """Yield what may have made a reader stop at a column of a line, the likeliest first."""
    blank = TEXT.sub(lambda text: '"' * len(text[0]), line)
    for group in ("signs", "words"):
        for habit in _table()[group]:
            for each in habit.find.finditer(line if habit.texts else blank):
                near = each.start() < column and (group == "words" or column <= each.end() + 1)
                if near and habit.after.search(blank[: each.start()]):
                    written = each[0].strip() or each[0]
                    yield Written(habit, written, each.start() + each[0].index(written))


def habit_as_name(line: str, column: int) -> Written | None:
    """Return what somebody wrote at a column of a line that reads as a name, and is none."""
    for habit in _table()["names"]:
        found = habit.find.match(line, column - 1)
        if found and habit.after.search(line[: found.start()]):
            return Written(habit, found[0], found.start())
    return None


def word_as_name(lines: Sequence[str]) -> tuple[int, re.Match[str]] | None:
    """Return a word of the language that lines name something by, and the last one means by it.

    That is the index of the line that names it, and the match of the name.
    """
    used = _WORD.findall(lines[-1])
    for at, line in enumerate(lines):
        head = _HEADER.match(line) if at == 0 else None
        for each in (*BOUND.finditer(line), *(_WORD.finditer(head[0]) if head else ())):
            if each[1] in NO_NAMES and used.count(each[1]) > (at == len(lines) - 1):
                return at, each
    return None


def uses_as_name(word: str) -> re.Pattern[str]:
    """Return a pattern of a word of the language where it begins no phrase: there it is a name."""
    if word in {"top", "bottom"}:
        phrase = r"(?! of\b| \d)"
    elif word in {"a", "an"}:  # several things do not follow an article
        phrase = r"(?:(?! [a-z(])|(?= [a-z][\w-]*s\b))"
    else:
        phrase = r"(?! [a-z(])"
    return re.compile(rf"(?<![\w-]){word}(?![\w-]){phrase}")

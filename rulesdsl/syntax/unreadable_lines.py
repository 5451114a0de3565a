"""Habits from other languages, and candidate repairs of unreadable lines."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import takewhile
from typing import Any

import attrs

from rulesdsl.source.diagnostics import closest, is_slip
from rulesdsl.source.span import indent_of
from rulesdsl.syntax.lexer import begins, is_word, spelled, words_of_language

SHORTEST_SLIP = 3  # house: a shorter word resembles too many others
Change = tuple[int, int, str]  # start and end offset, and replacement
Idea = tuple[Change, bool, Sequence[Change]]  # change, is certain, rival readings

TABLE = files("rulesdsl.syntax") / "habits.toml"
BOUND = re.compile(r"\b(?:let|(?:each|an?) [a-z][\w'-]*) ([a-z][\w'-]*)")
_HEADER = re.compile(r"(?:verb|value) [^:]*")
_WORD = re.compile(r"([a-z][\w'-]*)")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_+")
TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')


@attrs.frozen
class Habit:
    """Habit from another language, as described in `habits.toml`."""

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
class HabitMatch:
    """Match of a habit in a line, and its offset."""

    habit: Habit
    text: str
    start: int

    def changes(self, text: str, line_start: int) -> Iterator[tuple[int, int, str]]:
        """Yield candidate changes to source text in which the line begins at `line_start`."""
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


def habits_at(line: str, column: int) -> Iterator[HabitMatch]:
    """Yield the habits that may explain a syntax error at a column, most likely first."""
    blank = TEXT.sub(lambda text: '"' * len(text[0]), line)
    for group in ("signs", "words"):
        for habit in _table()[group]:
            for each in habit.find.finditer(line if habit.texts else blank):
                near = each.start() < column and (group == "words" or column <= each.end() + 1)
                if near and habit.after.search(blank[: each.start()]):
                    whole = line[each.start() : each.end()]
                    written = whole.strip() or whole
                    yield HabitMatch(habit, written, each.start() + whole.index(written))


def habit_as_name(line: str, column: int) -> HabitMatch | None:
    """Return the habit that may explain an unknown name at a column, if any."""
    for habit in _table()["names"]:
        found = habit.find.match(line, column - 1)
        if found and habit.after.search(line[: found.start()]):
            return HabitMatch(habit, found[0], found.start())
    return None


def word_as_name(lines: Sequence[str]) -> tuple[int, re.Match[str]] | None:
    """Find a word of the language that is bound as a name and used in the last line.

    Return the index of the line that binds it, and the match there.
    """
    used = _WORD.findall(lines[-1])
    for at, line in enumerate(lines):
        head = _HEADER.match(line) if at == 0 else None
        for each in (*BOUND.finditer(line), *(_WORD.finditer(head[0]) if head else ())):
            if each[1] in begins("arg") and used.count(each[1]) > (at == len(lines) - 1):
                return at, each
    return None


def uses_as_name(word: str) -> re.Pattern[str]:
    """Return a pattern that matches a word of the language only where it can be a name."""
    if word in {"top", "bottom"}:
        phrase = r"(?! of\b| \d)"
    elif word in {"a", "an"}:  # a plural cannot follow an article
        phrase = r"(?:(?! [a-z(])|(?= [a-z][\w-]*s\b))"
    else:
        phrase = r"(?! [a-z(])"
    return re.compile(rf"(?<![\w-]){word}(?![\w-]){phrase}")


STEP = 4  # indentation of one level, as in the formatter
_COMMENT = re.compile(r'\A((?:[^"#]|"(?:[^"\\]|\\.)*+"?+)*+)#.*')


class RepairLines:
    """Lines of source text, modified so that the parser can continue after an error."""

    def __init__(self, text: str) -> None:
        self._lines = text.rstrip("\n").split("\n")
        self.lost: list[str] = []

    def _code(self, index: int) -> str:
        return _COMMENT.sub(r"\1", self._lines[index]).rstrip(" \t\r")

    def _open_bracket(self, index: int, column: int, *, later: bool) -> int | None:
        """Return the line of the innermost open bracket; it may be this line only if `later`."""
        text = [self._code(at) for at in range(index)] + [self._lines[index][: column - 1]]
        still_open: list[int] = []
        for at, line in enumerate(text):
            for sign in TEXT.sub("", line):
                if sign == "(":
                    still_open.append(at)
                elif sign == ")" and still_open:
                    still_open.pop()
        return still_open[-1] if still_open and (later or still_open[-1] < index) else None

    def _indent(self, index: int) -> int:
        return indent_of(self._lines[index])

    def _next_line(self, index: int) -> int:
        for later in range(index + 1, len(self._lines)):
            if self._code(later).strip():
                return later
        return index

    def _last_line(self, index: int) -> int:
        for earlier in range(index, -1, -1):
            if self._code(earlier).strip():
                return earlier
        return 0

    def _odd_line(self) -> int:
        """Return the first line whose indentation matches no open level."""
        open_levels = [0]
        for index in range(len(self._lines)):
            if not self._code(index).strip():
                continue
            indent = self._indent(index)
            while indent < open_levels[-1]:
                open_levels.pop()
            if indent > open_levels[-1]:
                if index and not self._code(self._last_line(index - 1)).endswith(":"):
                    return index
                open_levels.append(indent)
        for index in range(1, len(self._lines)):
            if self._code(index).strip() and self._indent(index) not in self._levels_above(index):
                return index
        return len(self._lines) - 1

    def _levels_above(self, index: int) -> set[int]:
        last = self._last_line(index - 1)
        if self._indent(index) > self._indent(last):
            return {self._indent(index)}
        return {self._indent(each) for each in range(index) if self._code(each).strip()}

    def _below(self, index: int, level: int) -> int:
        """Return the first line after a line that is indented less than a level."""
        for later in range(index + 1, len(self._lines)):
            if self._code(later).strip() and self._indent(later) < level:
                return later
        return len(self._lines)

    def _after(self, index: int) -> int:
        """Return the first line after a line, its block, and its `otherwise` with its block."""
        indent = self._indent(index)
        later = self._below(index, indent + 1)
        while "".join(self._lines[later : later + 1]).startswith(" " * indent + "otherwise"):
            later = self._below(later, indent + 1)
        return later

    def _lose(self, index: int, end: int) -> None:
        """Remove the lines of a range."""
        lines = range(index, end)
        self.lost += [self._lines[at] for at in lines if self._code(at).strip()]
        self._lines[index:end] = [""] * len(lines)


# Candidate repairs: each function yields changes of one line (start, end, replacement), most
# likely first. `LineFixes` in `recovery.py` verifies them by parsing.


_TWO_WORDS = re.compile(r"[a-z]+ [a-z]+")
_NUMBER_BEFORE_NOUN = re.compile(r"\d(?= [a-z])")
# Words that are often forgotten, and the lines in which they are expected.
_FORGOTTEN = {
    "=": re.compile(r"\blet\b"),
    "into": re.compile(r"\bmove\b"),
    "times": re.compile(r"\brepeat\b"),
    "until": re.compile(r"\brepeat\b"),
    "one": re.compile(r"\bchoose\b"),
    "by": re.compile(r"\b(?:raise|lower)\b"),
    "holds": re.compile(r"(?:place|stack)\b"),
    "from": re.compile(r"track\b|.*\bmove\b"),
    ",": re.compile(r"(?:kind|place|stack|piece|panel|option)\b"),
}


# Terminals that are certainly missing, with patterns of the text before and after them.
_CERTAIN = [
    ("COMMA", re.compile(r"(?:kind|place|stack|panel)\b"), re.compile(r"[a-z\"]")),
    ("FROM", re.compile(r".*\bmove\b"), re.compile(r"\binto\b")),
    ("COLON", re.compile(r" *(?:once|any time)\b"), re.compile(r"[a-z]")),
]
_ANYWHERE = ("x", "2", "my", "any", "no", "not", "all", "the", "a")  # valid in many places
_CLOSE_UP = {":", ",", ")"}  # signs without a space before them
_MORE = re.compile(r"\b(?:and|or)\b")


def forgotten(line: str, start: int, end: int, accepted: Collection[str]) -> Iterator[Idea]:
    """Yield repairs for a word that is misspelt or doubled, or that follows a missing word.

    A repair is certain if a word is doubled or almost correct, or if nothing else can be missing.
    A correctly spelt word of the language is never taken for a misspelling of another one.
    """
    word = line[start:end]
    expected = _expected(accepted)
    near = [*_misspelt(line, start, end, expected)]
    for to, meant in near:
        yield (start, to, meant), len(near) == 1 and is_slip(line[start:to], meant), ()
    at = len(line[:start].rstrip())
    if line[:start].split()[-1:] == [word]:
        yield (at, end, ""), True, _twins(word, at - len(word), end)
    twice = _twice_before(line[:start])
    if twice:
        first = at - len(twice) * 2 - 1
        yield (first + len(twice), at, ""), True, _twins(twice, first, at)
    certain = {
        spelled()[name]
        for name, before, after in _CERTAIN
        if name in accepted and before.match(line, 0, start) and after.search(line, start)
    }
    if len(accepted) == 1:
        certain.update(expected)
    for each, where in _FORGOTTEN.items():
        if each in expected and where.search(line):
            to = start if word in _CLOSE_UP else at
            whose = len(" my") if line[:at].endswith(" my") else 0
            new = each if each == "," else f" {each}"
            yield (at - whose, to - whose, new), each in certain, ()
    if "COLON" in accepted:
        yield (at, at, ":"), ":" in certain, ()
    for change in colons(line[:start]):
        yield change, False, ()


def slips(line: str, end: int) -> Iterator[tuple[int, str, str]]:
    """Yield the words before an offset that are almost words of the language.

    Each comes with its offset and the word that may be meant. A line can be read up to a later
    word because the misspelt one could be a name.
    """
    for found in _WORD.finditer(TEXT.sub(lambda text: '"' * len(text[0]), line), 0, end):
        word = found[0]
        if len(word) >= SHORTEST_SLIP and not is_word(word):
            for meant in closest(word, words_of_language()):
                yield found.start(), word, meant


def earlier(line: str, start: int) -> Iterator[Change]:
    """Yield the changes that move words of a declaration before one of the words before them."""
    words = [*re.finditer(r'"(?:[^"\\]|\\.)*"|[^\s":]+', line)]
    ends = [word.end() for word in words if word.end() > start]
    places = [word.start() for word in words[2:] if word.start() < start]
    for end in reversed(ends):
        for at in reversed(places):
            yield at, end, f"{line[start:end]} {line[at:start].rstrip()}"


def is_all_meant(word: str, line: str, start: int) -> bool:
    """Return true if a misplaced `where` applies to everything before it on the line."""
    return word == "where" and not _MORE.search(line, start)


def _expected(accepted: Collection[str]) -> list[str]:
    words = spelled()
    return [words[name] for name in sorted(accepted) if name in words]


def _misspelt(
    line: str, start: int, end: int, expected: Collection[str]
) -> Iterator[tuple[int, str]]:
    """Yield the end and a correction of a misspelt phrase of one or two words."""
    two = _TWO_WORDS.match(line, start)
    if not is_word(line[start:end]):
        for near in closest(line[start:end], [each for each in expected if each.isalpha()]):
            yield end, near
    if two is not None and not all(map(is_word, two[0].split())):
        for near in closest(two[0], [each for each in expected if " " in each]):
            yield two.end(), near


def _twice_before(before: str) -> str:
    """Return the word that is doubled at the end of a string, or an empty string."""
    last = re.search(r"(?<!\S)(\S+) \1$", before.rstrip())
    return last[1] if last else ""


def _twins(word: str, start: int, end: int) -> list[Change]:
    """Return the rival readings of a doubled word of the language.

    One of the two may stand for another word, so it is not certain that deleting one is right.
    """
    if not is_word(word):
        return []
    return [
        change
        for other in _ANYWHERE
        if other != word
        for change in ((start, start + len(word), other), (end - len(word), end, other))
    ]


def colons(line: str) -> Iterator[Change]:
    """Yield insertions of a colon that may be missing, last place first."""
    first = next(iter(line.split()), "")
    heads = {*begins("stmt"), *begins("decl"), "otherwise", "instead", "once"}
    if first in heads and ":" not in TEXT.sub("", line):
        for found in reversed([*re.finditer(r"(?<=\S) +(?=\S)", line)]):
            yield *found.span(), ": "


def closing(line: str, after: int, sign: str) -> Iterator[Change]:
    """Yield insertions of a closing sign that may be missing, most likely first."""
    end = len(line.rstrip())
    ends = [
        *reversed([each.start() for each in re.finditer(":", line)]),
        *reversed([each.end() for each in _NUMBER_BEFORE_NOUN.finditer(line)]),
        end,
        *reversed([each.start() for each in re.finditer(" ", line)]),
    ]
    yield from ((at, at, sign) for at in dict.fromkeys(ends) if at > after)


def bracketed(line: str, start: int) -> Iterator[Change]:
    """Yield changes that bracket the text from an offset to a colon or the end of the line."""
    end = len(line.rstrip())
    for at in [*(each.start() for each in re.finditer(":", line) if each.start() > start), end]:
        yield start, at, f"({line[start:at]})"


def margins(lines: Sequence[str], index: int, levels: Collection[int]) -> Iterator[Change]:
    """Yield other indentations of a line and the deeper lines below it, nearest first."""
    indent = indent_of(lines[index])
    for level in sorted(levels, key=lambda each: (abs(each - indent), each)):
        if level != indent:
            below = [*takewhile(lambda each: indent_of(each) >= indent, lines[index:])]
            moved = [" " * (indent_of(each) - indent + level) + each.lstrip() for each in below]
            yield 0, len("\n".join(below)), "\n".join(moved)


def own_line(lines: Sequence[str], index: int, colon: int, start: int) -> Change:
    """Return the change that moves the text after a colon, with its block, to a new line."""
    line, indent = lines[index], indent_of(lines[index])
    below = [
        *takewhile(
            lambda each: indent_of(each) > indent or each.lstrip().startswith("otherwise"),
            lines[index + 1 :],
        )
    ]
    first = " " * (indent + STEP) + line[start:]
    moved = ["", first, *(" " * STEP + each for each in below)]
    return colon, len("\n".join([line, *below])), "\n".join(moved)

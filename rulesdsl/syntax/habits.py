"""Habits from other languages, by the table beside this, and words of the language as names."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from rulesdsl.syntax.token_words import NO_NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

TABLE = Path(__file__).with_name("habits.toml")
BOUND = re.compile(r"\b(?:let|(?:each|an?) [a-z][\w'-]*) ([a-z][\w'-]*)")
_HEADER = re.compile(r"(?:verb|value) [^:]*")
_WORD = re.compile(r"([a-z][\w'-]*)")
TEXT = re.compile(r'"[^"]*"')


@cache
def _table() -> dict[str, dict[str, str | dict[str, str]]]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


def habit_at(line: str, column: int) -> tuple[int, str, str] | None:
    """Return what made a reader stop at a column of a line, as other languages have it.

    That is the column where it begins, what was written, and what to write instead.
    """
    blank = TEXT.sub(lambda text: '"' * len(text[0]), line)
    for group, habits in _table().items():
        for pattern, said in habits.items():
            after, instead = ("", said) if isinstance(said, str) else said.values()
            for each in re.finditer(pattern, blank):
                near = each.start() < column and (group == "words" or column <= each.end() + 1)
                if near and re.search(after, blank[: each.start()]):
                    written = each[0].strip()
                    return blank.index(written, each.start()) + 1, written, instead
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

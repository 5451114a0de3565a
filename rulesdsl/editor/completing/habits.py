"""What a game says how often, and after which word: the likeliest is offered first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulesdsl.source.span import SourceFile

KEPT = 400  # as many as the parser keeps files
_TOKEN = re.compile(r"[a-z][\w'.-]*|\d+|[^\w\s]")
_STARTS = "^"
_PAIR = 40  # house: said after the same word counts more than anywhere


@attrs.frozen
class Habits:
    """How often words are said: alone, and after another one."""

    words: Counter[str]
    pairs: Counter[tuple[str, str]]

    def weight(self, before: str, word: str) -> int:
        """Return how likely a word is after another one, compared with other words."""
        first = word.partition(" ")[0]
        return _PAIR * self.pairs[before or _STARTS, first] + self.words[first]


def habits_of(sources: Iterable[SourceFile]) -> Habits:
    """Return the habits of some texts taken together."""
    words: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for each in sources:
        found = _of_text(each)
        words.update(found.words)
        pairs.update(found.pairs)
    return Habits(words, pairs)


@lru_cache(KEPT)
def _of_text(source: SourceFile) -> Habits:
    words: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for line in source.lines:
        before = _STARTS
        for word in _TOKEN.findall(line.partition("#")[0]):
            kind = "0" if word.isdigit() else word
            words[kind] += 1
            pairs[before, kind] += 1
            before = kind
    return Habits(words, pairs)


def token_before(line: str) -> str:
    """Return the word or sign right before a place, as habits know it."""
    found = _TOKEN.findall(line)
    if not found:
        return _STARTS
    return "0" if found[-1].isdigit() else found[-1]

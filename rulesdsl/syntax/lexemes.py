"""A text of the language as lexemes, whether or not it can be parsed.

What a name, a number and a comparison are is read from the grammar; a text is one lexeme with all
the values in it, and the texts in those. Blanks and comments, which the parser skips, are lexemes
too: together they are the whole text.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

import attrs

from rulesdsl.syntax.grammar import grammar

if TYPE_CHECKING:
    from collections.abc import Iterator


TEXTS_IN_TEXTS = 4  # house: nobody writes as many, and a pattern has to end somewhere


class Sort(StrEnum):
    """What sort of lexeme it is; a keyword is a name."""

    BLANK = "blank"
    COMMENT = "comment"
    TEXT = "text"
    NAME = "name"
    NUMBER = "number"
    SIGN = "sign"


@attrs.frozen
class Lexeme:
    """A stretch of a text."""

    sort: Sort
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after it."""
        return self.start + len(self.text)

    @property
    def is_code(self) -> bool:
        """Whether the parser reads it."""
        return self.sort not in {Sort.BLANK, Sort.COMMENT}


def lexemes(text: str) -> Iterator[Lexeme]:
    """Cut a text into its lexemes."""
    for found in _pattern().finditer(text):
        yield Lexeme(Sort(found.lastgroup or ""), found[0], found.start())


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    terminals = {each.name: each.pattern.value for each in grammar().terminals}
    ways = {
        Sort.BLANK: r"\s+",
        Sort.COMMENT: r"\#[^\n]*",
        Sort.TEXT: _text(terminals["STRING"]),
        Sort.NAME: terminals["NAME"],
        Sort.NUMBER: terminals["NUMBER"],
        Sort.SIGN: rf"\.\.|{terminals['COMPARE']}|.",
    }
    return re.compile("|".join(f"(?P<{sort}>{way})" for sort, way in ways.items()))


def _text(plain: str) -> str:
    """Return the pattern of a text with values, in which there may be texts with values."""
    found = plain
    for _ in range(TEXTS_IN_TEXTS):
        found = rf'"(?:[^"\n{{]|\{{(?:[^"{{}}\n]|{found})*\}}|\{{)*"'
    return found

"""What may be missing in a line that cannot be read, or be too much: ideas to be tried in turn.

Each function yields changes of one line: where it begins and ends in the line, and what takes the
place of that. Whether the line can be read then is for the reader to say (`repair_fixes`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.source.suggest import closest
from rulesdsl.syntax.grammar import spelled
from rulesdsl.syntax.habits import TEXT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from rulesdsl.syntax.repair_fixes import Change

_BLOCK = re.compile(
    r" *(?:if|otherwise|repeat|for|may|menu|verb|step|before|after|instead|once)\b"
)
_LIST = re.compile(r"(?:kind|place|stack|piece|panel|option)\b")
# words and signs that only one thing can follow: where one of them is expected, it was forgotten
_FORGOTTEN = ("=", "into", "times", "one", "holds", "by", "until")


def forgotten(line: str, start: int, end: int, accepted: Collection[str]) -> Iterator[Change]:
    """Yield what may have been forgotten, or misspelt, where a word was not expected."""
    word = line[start:end]
    words = spelled()
    expected = [words[name] for name in sorted(accepted) if name in words]
    for near in closest(word, [each for each in expected if each.isalpha()]):
        yield start, end, near
    at = len(line[:start].rstrip())
    if line[:start].split()[-1:] == [word]:
        yield at, end, ""
    yield from ((at, at, f" {each}") for each in _FORGOTTEN if each in expected)
    if "from" in expected and line.startswith("track "):
        yield at, at, " from"
    if "," in expected and _LIST.match(line):
        yield at, at, ","
    if "COLON" in accepted:
        yield at, at, ":"
    yield from colons(line[:start])


def colons(line: str) -> Iterator[Change]:
    """Yield the places in a line where a colon may be missing, the last first."""
    if _BLOCK.match(line) and ":" not in TEXT.sub("", line):
        for found in reversed([*re.finditer(r"(?<=\S) +(?=\S)", line)]):
            yield *found.span(), ": "


def closing(line: str, after: int, sign: str) -> Iterator[Change]:
    """Yield the places at which what was opened may have to be closed: the likeliest first."""
    end = len(line.rstrip())
    colons_after = [each.start() for each in re.finditer(":", line) if each.start() > after]
    blanks = [each.start() for each in re.finditer(" ", line) if each.start() > after]
    for at in dict.fromkeys([*reversed(colons_after), end, *reversed(blanks)]):
        yield at, at, sign


def bracketed(line: str, start: int) -> Iterator[Change]:
    """Yield brackets from a place on: to a colon, or to the end of the line."""
    end = len(line.rstrip())
    for at in [*(each.start() for each in re.finditer(":", line) if each.start() > start), end]:
        yield start, at, f"({line[start:at]})"


def margins(indent: int, levels: Collection[int]) -> Iterator[Change]:
    """Yield other margins that a line may have, the nearest first."""
    for level in sorted(levels, key=lambda each: (abs(each - indent), each)):
        if level not in {0, indent}:
            yield 0, indent, " " * level

"""What may be missing in a line that cannot be read, or be too much: ideas to be tried in turn.

Each function yields changes of one line: where it begins and ends in the line, and what takes the
place of that. Whether the line can be read then is for the reader to say (`repair_fixes`).
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from rulesdsl.source.suggest import closest
from rulesdsl.syntax.grammar import spelled
from rulesdsl.syntax.habits import TEXT
from rulesdsl.syntax.repair_lines import STEP

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from rulesdsl.syntax.repair_fixes import Change

_BLOCK = re.compile(
    r" *(?:if|otherwise|repeat|for|may|menu|verb|step|before|after|instead|once)\b"
)
_NUMBER_BEFORE_NOUN = re.compile(r"\d(?= [a-z])")
# What is forgotten in which lines, where it is expected: elsewhere it would begin something else.
_FORGOTTEN = {
    "=": re.compile(r"\blet\b"),
    "into": re.compile(r"\bmove\b"),
    "times": re.compile(r"\brepeat\b"),
    "until": re.compile(r"\brepeat\b"),
    "one": re.compile(r"\bchoose\b"),
    "by": re.compile(r"\b(?:raise|lower)\b"),
    "holds": re.compile(r"(?:place|stack)\b"),
    "from": re.compile(r"track\b"),
    ",": re.compile(r"(?:kind|place|stack|piece|panel|option)\b"),
}


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
    for each, where in _FORGOTTEN.items():
        if each in expected and where.search(line):
            whose = len(" my") if line[:at].endswith(" my") else 0
            yield at - whose, at - whose, each if each == "," else f" {each}"
    if "COLON" in accepted:
        yield at, at, ":"
    yield from colons(line[:start])


def is_sure(accepted: Collection[str], word: str, line: str) -> bool:
    """Whether only one thing can have been forgotten, or a word is there twice."""
    return len(accepted) == 1 or f" {word} {word}" in line


def colons(line: str) -> Iterator[Change]:
    """Yield the places in a line where a colon may be missing, the last first."""
    if _BLOCK.match(line) and ":" not in TEXT.sub("", line):
        for found in reversed([*re.finditer(r"(?<=\S) +(?=\S)", line)]):
            yield *found.span(), ": "


def closing(line: str, after: int, sign: str) -> Iterator[Change]:
    """Yield the places at which what was opened may have to be closed: the likeliest first."""
    end = len(line.rstrip())
    ends = [
        *reversed([each.start() for each in re.finditer(":", line)]),
        *reversed([each.end() for each in _NUMBER_BEFORE_NOUN.finditer(line)]),
        end,
        *reversed([each.start() for each in re.finditer(" ", line)]),
    ]
    yield from ((at, at, sign) for at in dict.fromkeys(ends) if at > after)


def bracketed(line: str, start: int) -> Iterator[Change]:
    """Yield brackets from a place on: to a colon, or to the end of the line."""
    end = len(line.rstrip())
    for at in [*(each.start() for each in re.finditer(":", line) if each.start() > start), end]:
        yield start, at, f"({line[start:at]})"


def margins(lines: Sequence[str], index: int, levels: Collection[int]) -> Iterator[Change]:
    """Yield other margins that a line may have, with all that follows as far in, nearest first."""
    indent = _indent(lines[index])
    for level in sorted(levels, key=lambda each: (abs(each - indent), each)):
        if level != indent:
            below = [*takewhile(lambda each: _indent(each) >= indent, lines[index:])]
            moved = [" " * (_indent(each) - indent + level) + each.lstrip() for each in below]
            yield 0, len("\n".join(below)), "\n".join(moved)


def own_line(lines: Sequence[str], index: int, colon: int, start: int) -> Change:
    """Return the change that puts what follows a colon on a line of its own, with its lines."""
    line, indent = lines[index], _indent(lines[index])
    below = [
        *takewhile(
            lambda each: _indent(each) > indent or each.lstrip().startswith("otherwise"),
            lines[index + 1 :],
        )
    ]
    first = " " * (indent + STEP) + line[start:]
    moved = ["", first, *(" " * STEP + each for each in below)]
    return colon, len("\n".join([line, *below])), "\n".join(moved)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())

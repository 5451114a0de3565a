"""What may be missing in a line that cannot be read, or be too much: ideas to be tried in turn.

Each function yields changes of one line: where it begins and ends in the line, and what takes the
place of that. Whether the line can be read then is for the reader to say (`repair_fixes`).
"""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

from rulesdsl.source.suggest import closest, is_slip
from rulesdsl.syntax.grammar import is_word, spelled
from rulesdsl.syntax.habits import TEXT
from rulesdsl.syntax.repair_lines import STEP

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from rulesdsl.syntax.repair_fixes import Change, Idea

_BLOCK = re.compile(
    r" *(?:if|otherwise|repeat|for|may|menu|verb|step|before|after|instead|once)\b"
)
_TWO_WORDS = re.compile(r"[a-z]+ [a-z]+")
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
    "from": re.compile(r"track\b|.*\bmove\b"),
    ",": re.compile(r"(?:kind|place|stack|piece|panel|option)\b"),
}


# Where what is missing can be nothing else: the token, what is before it, and what follows it.
_CERTAIN = [
    ("COMMA", re.compile(r"(?:kind|place|stack|panel)\b"), re.compile(r"[a-z\"]")),
    ("FROM", re.compile(r".*\bmove\b"), re.compile(r"\binto\b")),
    ("COLON", re.compile(r" *(?:once|any time)\b"), re.compile(r"[a-z]")),
]
_ANYWHERE = ("x", "2", "my", "any", "no", "not", "all", "the", "a")  # what fits in many places
_CLOSE_UP = {":", ",", ")"}  # signs with no blank before them
_MORE = re.compile(r"\b(?:and|or)\b")


def forgotten(line: str, start: int, end: int, accepted: Collection[str]) -> Iterator[Idea]:
    """Yield what may have been forgotten, or misspelt, where a word was not expected.

    An idea is sure where a word is there twice, is nearly right, or where nothing but this can
    have been forgotten. A word of the language that is spelt right is not taken for another one.
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


def is_all_meant(word: str, line: str, start: int) -> bool:
    """Tell whether a `where` that does not fit is about all before it, up to the line's end."""
    return word == "where" and not _MORE.search(line, start)


def _expected(accepted: Collection[str]) -> list[str]:
    words = spelled()
    return [words[name] for name in sorted(accepted) if name in words]


def _misspelt(
    line: str, start: int, end: int, expected: Collection[str]
) -> Iterator[tuple[int, str]]:
    """Yield the words that may have been meant by one word, or two, and where that ends."""
    two = _TWO_WORDS.match(line, start)
    if not is_word(line[start:end]):
        for near in closest(line[start:end], [each for each in expected if each.isalpha()]):
            yield end, near
    if two is not None and not all(map(is_word, two[0].split())):
        for near in closest(two[0], [each for each in expected if " " in each]):
            yield two.end(), near


def _twice_before(before: str) -> str:
    """Return the word that is there twice right before a place, if any."""
    last = re.search(r"(?<!\S)(\S+) \1$", before.rstrip())
    return last[1] if last else ""


def _twins(word: str, start: int, end: int) -> list[Change]:
    """Return what else may have been meant by a word of the language that is there twice.

    Then one of the two stands for another word, and it is not for sure that one is too much.
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

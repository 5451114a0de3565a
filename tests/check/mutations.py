"""Small slips of the kind that people make, put into content by chance."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from pathlib import Path

from check.stock import write
from rulesdsl.check.read import check_pack

_TOKEN = re.compile(r"\"[^\"\n]*\"|[A-Za-z0-9'-]+|[^\sA-Za-z0-9]|\n[ \t]*")
_WORD = re.compile(r"[a-z][a-z0-9'-]*")
_SIGNS = '":,.()[]{}=<>+*/#@%\t\u00e9'


def findings_after_slips(folder: Path, files: Mapping[str, str], seeds: range) -> list[int]:
    """Return how many findings there are after each of some slips."""
    write(folder, files)
    numbers = []
    for seed in seeds:
        path, text = slip(files, random.Random(seed))
        (folder / path).write_bytes(text.encode())
        numbers.append(len(check_pack(folder)[2].diagnostics))
        (folder / path).write_bytes(files[path].encode())
    return numbers


def slip(files: Mapping[str, str], chance: random.Random) -> tuple[str, str]:
    """Return the path of one of the files, and its text with one slip."""
    path = chance.choice(sorted(files))
    words = _words(files)
    text = files[path]
    for _ in range(20):
        changed = chance.choice(_SLIPS)(text, words, chance)
        if changed != text:
            return path, changed
    return path, text + "\n?"


def _words(files: Mapping[str, str]) -> list[str]:
    return sorted({word for text in files.values() for word in _WORD.findall(_code(text))})


def _code(text: str) -> str:
    return re.sub(r"#.*", "", text)


def _tokens(text: str) -> list[tuple[int, int]]:
    """Return where the tokens outside of comments stand."""
    comments = [found.span() for found in re.finditer(r"#.*", text)]
    return [
        found.span()
        for found in _TOKEN.finditer(text)
        if not any(start <= found.start() < end for start, end in comments)
    ]


def _delete(text: str, _: list[str], chance: random.Random) -> str:
    start, end = chance.choice(_tokens(text))
    return text[:start] + text[end:]


def _double(text: str, _: list[str], chance: random.Random) -> str:
    start, end = chance.choice(_tokens(text))
    return text[:end] + " " + text[start:end] + text[end:]


def _swap(text: str, _: list[str], chance: random.Random) -> str:
    tokens = _tokens(text)
    at = chance.randrange(len(tokens) - 1)
    (a, b), (c, d) = tokens[at], tokens[at + 1]
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def _number(text: str, _: list[str], chance: random.Random) -> str:
    numbers = [each for each in _tokens(text) if text[slice(*each)].isdigit()]
    if not numbers:
        return text
    start, end = chance.choice(numbers)
    new = chance.choice(["0", "1", "7", "1000", "-1", "1.5", "9" * 30, "x"])
    return text[:start] + new + text[end:]


def _name(text: str, words: list[str], chance: random.Random) -> str:
    names = [each for each in _tokens(text) if _WORD.fullmatch(text[slice(*each)])]
    if not names:
        return text
    start, end = chance.choice(names)
    return text[:start] + chance.choice(words) + text[end:]


def _misspell(text: str, _: list[str], chance: random.Random) -> str:
    names = [each for each in _tokens(text) if _WORD.fullmatch(text[slice(*each)])]
    if not names:
        return text
    at = chance.randrange(*chance.choice(names))
    return text[:at] + chance.choice("aeiotz") + text[at + 1 :]


def _line(text: str, _: list[str], chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[at])
        case 2:
            lines[at] = " " * chance.choice([1, 2, 4, 8]) + lines[at]
        case _:
            lines[at] = lines[at].removeprefix("    ")
    return "\n".join(lines)


def _sign(text: str, _: list[str], chance: random.Random) -> str:
    at = chance.randrange(len(text))
    return text[:at] + chance.choice(_SIGNS) + text[at + chance.randrange(2) :]


_SLIPS: tuple[Callable[[str, list[str], random.Random], str], ...] = (
    _delete,
    _double,
    _swap,
    _number,
    _name,
    _name,
    _misspell,
    _line,
    _sign,
)

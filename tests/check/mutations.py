"""Small slips of the kind that people make, put into content by chance."""

from __future__ import annotations

import random
from collections.abc import Mapping
from pathlib import Path

from check.stock import write
from rulesdsl.check.frontend import check_pack
from rulesdsl.syntax.lexer import LexemeKind, lexemes

WORDS = (
    ("=", "<>", "<=", ">=", "<", ">"),
    ("any", "no", "all", "a", "the"),
    ("and", "or"),
    ("before", "after"),
    ("from", "into", "in", "of", "at"),
    ("me", "it"),
    ("seat", "player"),
    ("number", "yes-no", "text", "effect", "formula"),
    ("if", "where", "when"),
)
LETTERS, SIGNS, NUMBERS = (
    "aeiotz",
    '":,.()[]{}=<>+*/#@%\t\u00e9',
    ("0", "7", "-1", "1.5", "9" * 30),
)
WAYS = ("deleted", "doubled", "swapped", "number", "misspelt", "sign", "line", "margin", "name")


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
    path = chance.choices(list(files), [len(text) + 1 for text in files.values()])[0]
    way = chance.choice(WAYS)
    if way in {"line", "margin"}:
        return path, _in_a_line(files[path], way, chance)
    return path, _in_a_word(files, path, way, chance)


def _in_a_line(text: str, way: str, chance: random.Random) -> str:
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines))
    if way == "margin":
        line = lines[at]
        lines[at] = line[4:] if line.startswith("    ") else chance.choice((" ", "    ")) + line
    else:
        lines[at : at + 2] = chance.choice((lines[at + 1 : at + 2], lines[at : at + 2][::-1]))
    return "".join(lines)


def _in_a_word(files: Mapping[str, str], path: str, way: str, chance: random.Random) -> str:
    """Change a word or sign; what stands in quotes is made of words, too."""
    text = files[path]
    words = _words(text)
    wanted = {
        "number": LexemeKind.NUMBER,
        "misspelt": LexemeKind.NAME,
        "name": LexemeKind.NAME,
    }.get(way)
    known = [at for at, (sort, *_) in enumerate(words[:-1]) if wanted in (None, sort)]
    number = chance.choice(known or range(len(words) - 1))
    _, start, end = words[number]
    old = text[start:end]
    match way:
        case "deleted":
            new = ""
        case "doubled":
            new = f"{old} {old}"
        case "swapped":
            _, after, to = words[number + 1]
            new, end = text[after:to] + text[end:after] + old, to
        case "number":
            new = chance.choice(NUMBERS)
        case "misspelt":
            at = chance.randrange(start, end)
            new = text[start:at] + chance.choice(LETTERS) + text[at + 1 : end]
        case "sign":
            new = chance.choice(SIGNS) + chance.choice(("", old))
        case _:
            alike = [each for each in WORDS if old in each]
            names = [source[s:e] for source in files.values() for _, s, e in _words(source)]
            new = chance.choice(alike[0] if alike else names)
    return text[:start] + new + text[end:]


def _words(text: str, offset: int = 0) -> list[tuple[LexemeKind, int, int]]:
    found = []
    for each in lexemes(text):
        start = offset + each.start
        if each.sort is LexemeKind.TEXT:
            found += _words(each.text[1:-1], start + 1)
        elif each.is_code:
            found.append((each.sort, start, start + len(each.text)))
    return found

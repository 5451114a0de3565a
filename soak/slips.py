"""`python -m soak slips`: measure how `--fix` treats wrong words and misspelt names.

The rules are those of the small game in the README of the language. A wrong word must be left
alone, or the original text restored.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.frontend import check_pack
from rulesdsl.editor.fixing import Found, fix_all
from rulesdsl.syntax.lexer import spelled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from rulesdsl.source.files import Files

README = Path(__file__).parents[1] / "rulesdsl" / "README.md"
RULES = "game.rules"
_BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMENT_OR_TEXT = re.compile(r'#[^\n]*|"(?:[^"\\\n]|\\.)*"')
_WORD = re.compile(r"[\w'-]+")
_SHORTEST = 3  # letters of the shortest name to misspell: shorter ones are ambiguous


@attrs.frozen
class Slip:
    """Slip in one word of the rules: a description, and the resulting text."""

    what: str
    text: str


@cache
def little_game() -> dict[str, str]:
    """Return the texts of the files of the small game, keyed by path."""
    text = README.read_text(encoding="utf-8")
    blocks = _BLOCK.findall(text.partition("## A complete small game")[2])
    return dict(blocks[:4])


def one_word_slips(number: int, rng: Random) -> Iterator[Slip]:
    """Generate slips: a word is dropped, doubled, replaced, or swapped with the next one."""
    text = little_game()[RULES]
    words = [*_words(text)]
    keywords = sorted(_keywords())
    while number:
        start, end = rng.choice(words)
        word = text[start:end]
        following = _WORD.match(text, end + 1) if text[end : end + 1] == " " else None
        kind = rng.choice(["drop", "double", "swap", "put"])
        match kind:
            case "drop":
                gap = 1 if text[end : end + 1] == " " else 0
                new, end = "", end + gap
            case "double":
                new = f"{word} {word}"
            case "swap" if following is not None:
                new, end = f"{following[0]} {word}", following.end()
            case "swap":
                continue
            case _:
                new = rng.choice(keywords)
        if new == text[start:end]:
            continue
        yield Slip(f"{kind} {_told(text, start, end, new)}", text[:start] + new + text[end:])
        number -= 1


def misspelt_names(number: int, rng: Random) -> Iterator[Slip]:
    """Generate misspelt names: a letter is dropped, doubled, or swapped with the next one."""
    text = little_game()[RULES]
    keywords = _keywords()
    names = [
        (start, end)
        for start, end in _words(text)
        if end - start >= _SHORTEST and text[start].isalpha() and text[start:end] not in keywords
    ]
    while number:
        start, end = rng.choice(names)
        name = text[start:end]
        at = rng.randrange(len(name) - 1)
        new = rng.choice(
            [
                name[:at] + name[at + 1 :],
                name[: at + 1] + name[at:],
                name[:at] + name[at + 1] + name[at] + name[at + 2 :],
            ]
        )
        if new == name:
            continue
        yield Slip(_told(text, start, end, new), text[:start] + new + text[end:])
        number -= 1


def outcome(folder: Path, slip: Slip) -> tuple[str, str]:
    """Fix a slip; return "alone", "restored" or "wrong", and the resulting text."""
    texts = little_game()
    for path, text in (texts | {RULES: slip.text}).items():
        (folder / path).write_text(text, encoding="utf-8")

    def check(files: Files) -> Found:
        report = check_pack(folder, (), files)[2]
        return Found(report.diagnostics, report.sources)

    changed = fix_all(check, lambda _: True).changed
    after = next(iter(changed.values()), slip.text)
    if not changed:
        return "alone", after
    right = len(changed) == 1 and after == texts[RULES]
    return "restored" if right else "wrong", after


def changed_line(before: str, after: str) -> str:
    """Describe the first line that differs."""
    lines = zip([*before.splitlines(), ""], [*after.splitlines(), ""], strict=False)
    return next((f"{one.strip()} -> {other.strip()}" for one, other in lines if one != other), "")


def _words(text: str) -> Iterator[tuple[int, int]]:
    blank = _COMMENT_OR_TEXT.sub(lambda found: " " * len(found[0]), text)
    for found in _WORD.finditer(blank):
        yield found.span()


def _keywords() -> set[str]:
    return {word for each in spelled().values() for word in each.split() if word.isalpha()}


def _told(text: str, start: int, end: int, new: str) -> str:
    first, last = text.rfind("\n", 0, start) + 1, text.find("\n", end)
    return f"{text[first:start].lstrip()}[{text[start:end]}|{new}]{text[end:last]}"


def run(count: int, names: int, seed: int) -> int:
    """Fix random slips and print the results; return the exit status."""
    chance = random.Random(seed)
    drawn = {
        "one-word slips": [*one_word_slips(count, chance)],
        "misspelt names": [*misspelt_names(names, chance)],
    }
    wrong = 0
    for what, slips in drawn.items():
        came_to: Counter[str] = Counter()
        for slip in slips:
            with tempfile.TemporaryDirectory() as folder:
                end, after = outcome(Path(folder), slip)
            came_to[end] += 1
            if end == "wrong":
                print(f"{slip.what}\n  {changed_line(slip.text, after)}")
        print(f"{what}: {dict(sorted(came_to.items()))}")
        wrong += came_to["wrong"]
    return 1 if wrong else 0

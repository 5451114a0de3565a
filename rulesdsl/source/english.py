"""Helpers for generated English text."""

from __future__ import annotations

import re
from collections.abc import Sequence

ARTICLE = re.compile(r"^an? ")


def a_or_an(word: str) -> str:
    """Return a word with its indefinite article, chosen by its first letter."""
    return f"an {word}" if word[:1] in "AEIOaeio" else f"a {word}"


def plural_of(word: str) -> str:
    """Return the regular English plural of a word."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def spoken(text: str) -> str:
    """Replace hyphens with spaces, so that names can be used in a sentence."""
    return text.replace("-", " ")


class Verbatim(str):
    """Text that begins with a player's name, which keeps its spelling in every position."""

    __slots__ = ()


def opening(text: str) -> str:
    """Capitalise the first letter of a string, unless it is verbatim."""
    return text if isinstance(text, Verbatim) else text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return text as a sentence: capitalised, with final punctuation."""
    return opening(text) + ("" if text.endswith((".", "?", "!")) else ".")


def and_list(words: Sequence[str]) -> str:
    """Join words as in `a`, `a and b` or `a, b and c`; return an empty string for no words."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def or_list(words: Sequence[str]) -> str:
    """Join words as in `a`, `a or b` or `a, b or c`; return an empty string for no words."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def so_many(count: int, one: str, several: str) -> str:
    """Return a count with the right form of a noun: `1 red coin`, `2 red coins`."""
    return f"{count} {spoken(one if count == 1 else several)}"


def option_word(value: bool | int | str) -> str:  # noqa: FBT001 - a value, not a flag
    """Return an option's value as it is written in rules: `on`, `off`, a number or a name."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)

"""Helpers for generated English text."""

from __future__ import annotations

import re
from collections.abc import Sequence

ARTICLE = re.compile(r"^(?:an?|the) ")
_THE = re.compile(r"^the (?=\S)", re.IGNORECASE)
# how a word begins that is spoken with a vowel: `hour`, a letter such as `F`, `8`, but not `unit`
_VOWEL = re.compile(
    r"(?i:(?!eu|on(?:e|ce)\b|uni(?![mn])|u[st][ei]|usu|ur[aeiu])[aeiou]|hour|hono|heir)"
    r"|[FHLMNRSX]\b|8|1[18]\b"
)
_LOWER = re.compile(r" (?!and\b)[a-z]")
_HEAD = re.compile(r"^(.+?)( (?:of|on|in|from|for|with|at|to|per) .*| \(.*)?$")
_YOURS = re.compile(
    r"(?<![\w-])([Yy]our(?:s|self)?|[Yy]ou)(?![\w-])( (?!(?:an?|the|some|all|and|or)\b)[a-z])?"
)
_THEIRS = {"your": "their", "yours": "theirs", "yourself": "themselves"}
_PREFIX = re.compile(r"(?<![\w.-])[a-z][a-z0-9-]*\.(?=[a-z])")


def a_or_an(word: str) -> str:
    """Return a word with its indefinite article, chosen by its first letters."""
    word = _THE.sub("", word)
    return f"an {word}" if _VOWEL.match(word) else f"a {word}"


def definite(title: str) -> str:
    """Return a title with `the`, which may be its first word already."""
    return f"the {_THE.sub('', title)}"


def named(title: str) -> str:
    """Return the title of a place as a name, with `the` if it is not one: `the Upper shelf`."""
    return definite(title) if _LOWER.search(title) else title


def plural_of(word: str) -> str:
    """Return the regular English plural of a word."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh")) else "s")


def is_plural(title: str) -> bool:
    """Return true if the head of a title ends like a plural, as in `Cards in hand`."""
    head = _HEAD.sub(r"\1", title)
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))


def singular_of(word: str) -> str:
    """Return the singular of a regular English plural."""
    if word.endswith("ies") and len(word) > len("ties"):
        return word[:-3] + "y"
    return word.removesuffix("es" if word.endswith(("xes", "ches", "shes", "sses")) else "s")


def noun_forms(title: str, name: str, plural: str | None) -> tuple[str, str]:
    """Return the singular and the plural of the title of a noun.

    `plural` is the declared plural of the name; None if it is regular, or the name is a plural.
    """
    head = _HEAD.sub(r"\1", title)
    tail = title[len(head) :]
    if title.isupper() or plural == name:
        return title, title
    if plural and head.casefold().endswith(name):
        before, noun = head[: -len(name)], head[-len(name) :]
        irregular = plural.capitalize() if noun[:1].isupper() else plural
        several = plural_of(noun) if plural == plural_of(name) else irregular
        return title, before + several + tail
    if is_plural(title):
        return singular_of(head) + tail, title
    return title, plural_of(head) + tail


def spoken(text: str) -> str:
    """Return names or rule source as words: without hyphens and the prefixes of mods."""
    return _PREFIX.sub("", text).replace("-", " ")


def of_another(text: str) -> str:
    """Return words for a player as others read them: `their Deck` for `your Deck`."""

    def theirs(match: re.Match[str]) -> str:
        yours, after = match[1], match[2] or ""
        words = _THEIRS.get(yours.lower(), "they" if after else "them")
        return (opening(words) if yours[0] == "Y" else words) + after

    return _YOURS.sub(theirs, text)


def contains_phrase(text: str, phrase: str) -> bool:
    """Return true if a text contains a phrase as whole words, in any case of letters."""
    return bool(re.search(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", text, re.IGNORECASE))


class Verbatim(str):
    """Text that begins with a player's name, which keeps its spelling in every position."""

    __slots__ = ()


def opening(text: str) -> str:
    """Capitalise the first letter of a string, unless it is verbatim."""
    return text if isinstance(text, Verbatim) else text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return text as a sentence: capitalised, with final punctuation."""
    return opening(ended(text))


def ended(text: str) -> str:
    """Return text with final punctuation."""
    return text if text.endswith((".", "?", "!")) else f"{text}."


def and_list(words: Sequence[str]) -> str:
    """Join words as in `a`, `a and b` or `a, b and c`; return an empty string for no words."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def name_list(names: Sequence[str]) -> str:
    """Join names; three or more share the first one's `the`: `the Kite, Lamp and Bell`."""
    if len(names) > len(("one", "other")) and all(name.startswith("the ") for name in names):
        names = [names[0], *(name.removeprefix("the ") for name in names[1:])]
    return and_list(names)


def or_list(words: Sequence[str]) -> str:
    """Join words as in `a`, `a or b` or `a, b or c`; return an empty string for no words."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def so_many(count: int, one: str, several: str) -> str:
    """Return a count with the right form of a noun: `1 red coin`, `2 red coins`."""
    return f"{count} {spoken(one if count == 1 else several)}"


def number_in(title: str) -> int | None:
    """Return the number in a title such as `Row 3`, or None if there is not exactly one."""
    numbers = re.findall(r"(?<![\w.])[0-9]{1,6}(?![\w.]*[0-9])", title)
    return int(numbers[0]) if len(numbers) == 1 else None


def option_word(value: bool | int | str) -> str:  # noqa: FBT001 - a value, not a flag
    """Return an option's value as it is written in rules: `on`, `off`, a number or a name."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def ordinal(number: int) -> str:
    """Return a number as a position: `1st`, `12th`, `22nd`."""
    last = 0 if number % 100 // 10 == 1 else number % 10
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"

"""Small rules of English for generated text."""

from __future__ import annotations

from collections.abc import Sequence


def a_or_an(word: str) -> str:
    """Return a word with its article, chosen by its first letter."""
    return f"an {word}" if word[:1] in "aeio" else f"a {word}"


def spoken(text: str) -> str:
    """Return a name, or rules as text, for use within a sentence."""
    return text.replace("-", " ")


def opening(text: str) -> str:
    """Return a text with a capital first letter."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text as a sentence, with a capital and final punctuation."""
    return opening(text if text.endswith((".", "?", "!")) else f"{text}.")


def and_list(words: Sequence[str]) -> str:
    """Return a conjunction: `a`, `a and b`, `a, b and c`; empty for none."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def or_list(words: Sequence[str]) -> str:
    """Return a disjunction: `a`, `a or b`, `a, b or c`; empty for none."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def so_many(count: int, one: str, several: str) -> str:
    """Return a count with the right form of a noun: `1 red coin`, `2 red coins`."""
    return f"{count} {spoken(one if count == 1 else several)}"


def option_word(value: bool | int | str) -> str:  # noqa: FBT001 - a value, not a flag
    """Return a value of an option as people write it: `on`, `off`, a number or a name."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)

"""Words of the content put together as a person would say them."""

from __future__ import annotations

from collections.abc import Sequence


def spoken(text: str) -> str:
    """Return a name, or rules in words, as they are said in the middle of a sentence."""
    return text.replace("-", " ")


def opening(text: str) -> str:
    """Return a text with a capital, as it begins a sentence."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text as a sentence: with a capital, and a full stop where it has no sign yet."""
    return opening(text if text.endswith((".", "?", "!")) else f"{text}.")


def and_list(words: Sequence[str]) -> str:
    """Return words as a list: `a`, `a and b`, `a, b and c`; nothing for none."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def or_list(words: Sequence[str]) -> str:
    """Return words as a choice: `a`, `a or b`, `a, b or c`; nothing for none."""
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def so_many(count: int, one: str, several: str) -> str:
    """Return a number of things by the forms of their name: `1 red coin`, `2 red coins`."""
    return f"{count} {spoken(one if count == 1 else several)}"


def option_word(value: bool | int | str) -> str:  # noqa: FBT001 - a value, not a flag
    """Return a value of an option as people write it: `on`, `off`, a number or a name."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)

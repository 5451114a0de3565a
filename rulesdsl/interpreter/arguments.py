"""Validation of arguments passed by callers, and seat names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from operator import index

from rulesdsl.interpreter.saves import SaveError, listed, of_type
from rulesdsl.lower.layout import Layout
from rulesdsl.source.ranges import Limits
from rulesdsl.source.render import visible


def whole(name: str, value: object, within: Limits | None = None) -> int:
    """Return a Python or NumPy integer; raise ValueError if it is not one or is out of range."""
    if not isinstance(value, bool):
        try:
            found = index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
        else:
            if within is None or within.least <= found <= within.most:
                return found
            raise ValueError(f"`{name}` must be a whole number {within}, not {excerpt(value)}")
    raise ValueError(f"`{name}` must be a whole number, not {excerpt(value)}")


def table(name: str, value: object) -> Mapping[str, object]:
    """Return a mapping whose keys are strings; raise ValueError for anything else."""
    if isinstance(value, Mapping) and all(isinstance(each, str) for each in value):
        return value
    raise ValueError(f"`{name}` must be a table such as {{'name': value}}, not {excerpt(value)}")


def texts(name: str, value: object) -> Sequence[str]:
    """Return a list of strings; raise ValueError for anything else."""
    if isinstance(value, list | tuple) and all(isinstance(each, str) for each in value):
        return value
    raise ValueError(f"`{name}` must be a list of strings, not {excerpt(value)}")


def excerpt(value: object) -> str:
    """Return the shortened repr and the type of a value, for error messages."""
    written = repr(value)
    short = written if len(written) <= LONGEST else f"{written[:LONGEST]}..."
    return f"{short} ({type(value).__name__})"


LONGEST = 40  # characters; a longer excerpt would not help the reader


LONGEST_NAME = 30  # characters; a name must fit labels, logs and table columns


_JOINERS = re.compile("[\u200c\u200d\ufe00-\ufe0f]")  # of Persian, Sinhala, emoji families
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")  # of a part of a country
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")


def name_key(name: str) -> str:
    """Return the part of a name that tells it from others: normalized, and without case."""
    plain = unicodedata.normalize("NFKC", _JOINERS.sub("", name)).translate(_APOSTROPHES)
    return unicodedata.normalize("NFKC", " ".join(plain.split()).casefold())


def checked_name(name: str) -> str:
    """Return a name in composed characters, stripped; empty for an empty one.

    Raises ValueError if it is too long, or has characters that cannot be printed.
    """
    composed = unicodedata.normalize("NFC", name.strip())
    if len(composed) > LONGEST_NAME:
        short = f"{visible(composed[:LONGEST_NAME], keep='')}..."
        raise ValueError(f"'{short}' is too long: a name has at most {LONGEST_NAME} characters")
    printed = _JOINERS.sub("", _FLAG.sub("+", composed))
    if not printed.isprintable() or bool(composed) != bool(printed.strip()):
        name = visible(composed, keep="")
        raise ValueError(f"'{name}' cannot be a name: it has characters that cannot be printed")
    return composed


def checked_names(names: Sequence[str], layout: Layout) -> tuple[str, ...]:
    """Return the names of all players, stripped; missing ones get their defaults.

    Raises ValueError if there are too many names, or one is unprintable, too long or a duplicate.
    """
    players = layout.players
    if len(names) > players:
        some = "1 player" if players == 1 else f"{players} players"
        raise ValueError(f"{len(names)} names are too many for {some}")
    usual = layout.seat_names()
    found = tuple(checked_name(name) or own for name, own in zip(names, usual, strict=False))
    every = (*found, *usual[len(found) :])
    seen: set[str] = set()
    for name in every:
        if name_key(name) in seen:
            raise ValueError(f"two seats cannot both be called {name}")
        seen.add(name_key(name))
    return every[:players]


def names_of_save(value: object, layout: Layout) -> tuple[str, ...]:
    """Return the names in a saved game; raise SaveError if they are invalid."""
    names = [of_type("names", each, "a list of strings", str) for each in listed("names", value)]
    try:
        found = checked_names(names, layout)
    except ValueError as error:
        raise SaveError("names", f"is invalid ({error})") from None
    if len(names) not in {0, layout.players}:
        raise SaveError("names", f"must have a name for each of {layout.players} players")
    return found if names else ()

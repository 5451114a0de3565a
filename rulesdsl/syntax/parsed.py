"""What was parsed, on disk: of the texts of a pack most are what they were the last time."""

from __future__ import annotations

from rulesdsl.source import cache, diagnostic, fix, span
from rulesdsl.source.diagnostic import Severity
from rulesdsl.source.rows import SCALARS, kinds_of
from rulesdsl.syntax import declarations, expressions, node, parser, statements

_PARSED = kinds_of(
    *(declarations, expressions, node, statements, parser, diagnostic, fix, span),
    also=(Severity,),
)
MOST_NEW = 50  # house: to parse so many texts again takes as long as to write all


def read_parsed(key: str) -> None:
    """Take in what was kept under a key; nothing where nothing sound is."""
    for number, kept in enumerate(parser.KEPT):
        match cache.read_kept(f"parsed {number}\0{key}", _PARSED):
            case [list(texts), list(results)] if all(map(_is_flat, texts)):
                kept.fill(dict(zip(texts, results, strict=False)))
            case _:
                pass


def write_parsed(key: str) -> None:
    """Keep what was parsed or asked for in this process, where much of it is new."""
    for number, kept in enumerate(parser.KEPT):
        asked = kept.asked()
        if kept.new > min(MOST_NEW, len(asked) // 2):
            found = ([*asked], [*asked.values()])
            cache.write_kept(f"parsed {number}\0{key}", found, _PARSED)


def _is_flat(key: object) -> bool:
    """Tell whether an input is made of scalars and of places of characters."""
    return isinstance(key, tuple) and all(
        type(part) in SCALARS or (isinstance(part, tuple) and all(map(_is_place, part)))
        for part in key
    )


def _is_place(part: object) -> bool:
    return isinstance(part, tuple) and [*map(type, part)] == [int, int]

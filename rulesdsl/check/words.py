"""A word of a game, and the comments that come with it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulesdsl.source.span import SourceFile, Span

_RULE = "----"  # a comment that heads a part of a file, and is about no declaration
_COMMENT = re.compile(r"""^((?:[^"#]|"[^"]*")*)(#.*)$""")


@attrs.frozen
class Word:
    """One declaration: what sort of thing it is, and how it is written.

    `said` is its head as it is in the rules; `about` are the comments beside and above it;
    `text` are all its lines. `fields` are the lines of a kind that say what its entries hold.

    Of a field, `keys` are the things for each of which it has a value; `example` is how a rule
    asks for it; `said_by` are the entries that say it themselves.
    """

    sort: str
    name: str
    plural: str
    said: str
    about: str
    span: Span
    text: str
    fields: tuple[str, ...] = ()
    of: str = ""  # the kind of an entry or a field
    keys: tuple[str, ...] = ()
    example: str = ""
    said_by: tuple[str, ...] = ()


@attrs.frozen
class Use:
    """A line in which a word is."""

    file: str
    line: int
    text: str


def above(source: SourceFile, line: int) -> str:
    """Return the comments right above a line, in one."""
    found: list[str] = []
    while source.line(line - 1).startswith("#") and _RULE not in source.line(line - 1):
        line -= 1
        found.insert(0, _words_of(source.line(line)))
    return " ".join(found)


def cut(line: str) -> tuple[str, str]:
    """Return a line without its comment, and the comment without its sign."""
    found = _COMMENT.match(line)
    return (found[1].rstrip(), _words_of(found[2])) if found else (line.rstrip(), "")


def _words_of(comment: str) -> str:
    return " ".join(comment.lstrip("# ").split())

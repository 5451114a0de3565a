"""The words of the language itself, and what the reference says of them."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

_ROW = re.compile(r"^- `([^`]+)`: (.*)$")
_LINK = re.compile(r"\[([^\]]+)\]\(#[^)]*\)")
_HEADING = re.compile(r"^#{2,3} (.+)$")
_MOST_LINES = 12  # house: what fits into the box of an editor
_LIST = "Every word"


@cache
def language_words() -> dict[str, tuple[str, ...]]:
    """Return the words of the language, each with the sections of the reference about it."""
    found: dict[str, tuple[str, ...]] = {}
    for line in _sections().get(_LIST, ()):
        row = _ROW.match(line)
        if row:
            found[row[1]] = tuple(_LINK.findall(row[2]))
    return found


@cache
def said_of(word: str) -> str:
    """Return what the reference says of a word of the language, nothing for any other word."""
    titles = language_words().get(word, ())
    told = [title for title in titles if title in _sections()]
    if not told:
        return ""
    more = f"\n\nSee also: {', '.join(titles[1:])}." if titles[1:] else ""
    return f"**{word}**, a word of the language: {told[0]}\n\n{_beginning(told[0])}{more}"


def _beginning(title: str) -> str:
    """Return the first paragraph of a section, and its first example."""
    kept: list[str] = []
    fenced = False
    for line in _sections()[title]:
        if line.startswith("<!--"):
            break
        if line.startswith("```"):
            fenced = not fenced
            line = "```rules" if fenced else "```"  # noqa: PLW2901 - the file's name says nothing here
        kept.append(line)
        if (not fenced and line == "```") or len(kept) == _MOST_LINES:
            break
    if fenced:
        kept.append("```")
    return "\n".join(kept).strip()


@cache
def _sections() -> dict[str, tuple[str, ...]]:
    """Return the sections of the reference by their titles, each down to the next heading."""
    text = (files("rulesdsl") / "README.md").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    fenced = False
    lines: list[str] = []
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        heading = None if fenced else _HEADING.match(line)
        if heading:
            lines = found.setdefault(heading[1], [])
        else:
            lines.append(line)
    return {title: tuple(each) for title, each in found.items()}

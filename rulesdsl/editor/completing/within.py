"""Which text is being written at a place: rules, a string of a TOML file, a key or a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

if TYPE_CHECKING:
    from rulesdsl.source.span import SourceFile

BEGINNING = re.compile(r"(?<!\\)[A-Za-z][\w'.-]*$")
_KEY = re.compile(r"""^\s*((?:[\w-]+|"[^"]*")(?:\.(?:[\w'-]+|"[^"]*"))*)\s*=\s*""")
_HEADER = re.compile(r"^\s*\[+\s*([^\]\s]+)\s*\]+")
_MARGIN = re.compile(r"^[^\s#]")
_TEXT = re.compile(r'"(?:\\.|[^"\\\n])*(?:"|$)')
_SLOT = re.compile(r"\{([^{}]*)$")


@attrs.frozen
class Rules:
    """Rules down to the place: the whole declaration, and its lines that lead there."""

    text: str
    narrow: str
    start: str = "file"


@attrs.frozen
class TomlPlace:
    """A place in a TOML file: the header above, the key, and what it is in.

    `inside` is "key", "value", "header", "inline" (a key of a table in braces) or "string";
    `said` is what the string says down to the place, `above` those before it in a list.
    `inner` is the key of a table in braces that the place belongs to.
    """

    header: str
    key: str
    inside: str
    said: str = ""
    inner: str = ""
    above: tuple[str, ...] = ()


def beginning_of(line: str) -> str:
    """Return the letters of the word that ends a line, nothing after a blank or a sign."""
    found = BEGINNING.search(line)
    return found[0] if found else ""


def rules_at(source: SourceFile, line: int, before: str) -> Rules:
    """Return the rules down to a place; `before` is its line up to the word that is written."""
    if not before or not before[0].isspace():
        return Rules(before, before)
    first = line - 1
    while first > 1 and not _MARGIN.match(source.line(first)):
        first -= 1
    above = [source.line(each) for each in range(first, line)]
    margin = len(before) - len(before.lstrip(" "))
    return Rules("\n".join([*above, before]), "\n".join([*_leading(above, margin), before]))


def _leading(above: list[str], margin: int) -> list[str]:
    """Return those lines that a line belongs to: each further left than all below it."""
    kept: list[str] = []
    for each in reversed(above):
        own = len(each) - len(each.lstrip(" "))
        if each.strip() and not each.lstrip().startswith("#") and own < margin:
            kept.insert(0, each)
            margin = own
    return kept


def toml_at(source: SourceFile, line: int, before: str) -> TomlPlace:
    """Return where in a TOML file a place is; the text need not be TOML."""
    header = _header(source, line)
    if before.lstrip().startswith("["):
        return TomlPlace(before.strip("[ "), "", "header")
    key, start = _key(source, line, before)
    if key is None:
        return TomlPlace(header, before.strip(), "key")
    said = "\n".join([*(source.line(each) for each in range(start, line)), before])
    said = _KEY.sub("", said, count=1)
    *above, last = _strings(said)
    part = _in_braces(said)
    inner = part.partition("=")[0].strip() if part is not None else ""
    if last is not None:
        whole = tuple(each for each in above if each)
        return TomlPlace(header, key, "string", last, inner, whole if part is None else ())
    if part is not None:
        return TomlPlace(header, key, "value" if "=" in part else "inline", part.strip(), inner)
    return TomlPlace(header, key, "value")


def _in_braces(said: str) -> str | None:
    """Return the part of a table in braces that a text ends in, None where it ends in none."""
    bare = _TEXT.sub(lambda text: "_" * len(text[0]), said)
    while (closed := bare.rfind("}")) >= 0:
        opened = bare.rfind("{", 0, closed)
        if opened < 0:
            return None
        bare = bare[:opened] + "_" * (closed + 1 - opened) + bare[closed + 1 :]
    start = max(bare.rfind("{"), bare.rfind(",")) + 1
    return said[start:] if "{" in bare else None


def _header(source: SourceFile, line: int) -> str:
    for number in range(line - 1, 0, -1):
        found = _HEADER.match(source.line(number))
        if found:
            return found[1]
    return ""


def _key(source: SourceFile, line: int, before: str) -> tuple[str | None, int]:
    """Return the key that a line belongs to, and the line that it is on."""
    found = _KEY.match(before)
    if found:
        return found[1], line
    for number in range(line - 1, 0, -1):
        text = source.line(number)
        found = _KEY.match(text)
        if found:
            below = "\n".join(source.line(each) for each in range(number, line))
            return (found[1], number) if _is_open(below) else (None, line)
        if _HEADER.match(text) and not text.startswith(" "):
            break
    return None, line


def _is_open(text: str) -> bool:
    """Whether a list or a long string is still open at the end of a text."""
    bare = re.sub(r'"(?:\\.|[^"\\\n])*"', "", text)
    return bare.count("[") > bare.count("]") or text.count('"""') % 2 == 1


def _strings(said: str) -> list[str | None]:
    """Return what the strings of a text say; the last is the one that it ends in, or None."""
    if said.startswith('"""'):
        return [None if '"""' in said[3:] else said[3:]]
    lines: list[str | None] = []
    at = 0
    while (at := said.find('"', at)) >= 0:
        end = at + 1
        while end < len(said) and said[end] != '"':
            end += 2 if said[end] == "\\" else 1
        lines.append(said[at + 1 : end].replace('\\"', '"').replace("\\n", "\n"))
        if end >= len(said):
            return lines
        at = end + 1
    return [*lines, None]


def slot_in(said: str) -> str | None:
    """Return the phrase in braces that a text ends in, None where it ends in words."""
    found = _SLOT.search(said)
    return found[1] if found else None

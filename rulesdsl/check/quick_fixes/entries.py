"""Fixes of entries of tables: missing fields, sources, and values of the wrong kind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.check.quick_fixes.place import STEP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.quick_fixes.place import Place
    from rulesdsl.source.fix import Fix

# What a field holds until somebody says better; prices can be written in tables only.
_IN_TABLE = {"number": "0", "yes-no": "false", "bundle": "{}"}
_IN_RULES = {"number": "0", "yes-no": "off"}
_HEADER = re.compile(r"\s*\[[^\[\]]+\]\s*(?:#.*)?$")
_NUMBER = re.compile(r"""["'](\d+)["']|(\d+)\.0+""")
_IN_WORDS = (  # as in the habits of the language
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_LIMIT = re.compile(r"(?:Numbers go up to|It can have) (?:(\d+) to )?(\d+)")


def with_fields(place: Place) -> Iterator[Fix]:
    """Yield the fields that an entry lacks, with something to begin with."""
    world = place.world
    kinds = world.kinds.values() if world else ()
    kind = next((e for e in kinds if any(x.span == place.span for x in e.entries)), None)
    values = _IN_RULES if place.in_rules else _IN_TABLE
    if kind is None or not (place.in_rules or _HEADER.fullmatch(place.line)):
        return
    margin = " " * STEP if place.in_rules else ""
    lines: list[str] = []
    for name in place.quoted()[1:]:
        field = kind.fields.get(name.split(".")[0])
        if field is None or field.type not in values or (place.in_rules and "." in name):
            return
        lines.append(f"{margin}{name} = {values[field.type]}\n")
    if place.span.line < len(place.source.lines):
        yield place.insert("".join(lines), "Add what is missing", line=place.span.line + 1)


def with_source(place: Place) -> Iterator[Fix]:
    """Yield the file with a word that says where its numbers come from."""
    lines = place.source.lines
    first = next((n for n, line in enumerate(lines, 1) if line.strip()[:1] not in {"", "#"}), 1)
    title = 'Write `source = "house"` at the top of the file'
    yield place.insert('source = "house"\n\n', title, line=first)


def as_plain_number(place: Place) -> Iterator[Fix]:
    """Yield a number without quotation marks, or without a fraction of zero."""
    found, word = _NUMBER.fullmatch(place.text), place.text.strip("\"'").lower()
    if "whole number" not in place.finding.message:
        return
    if found:
        yield place.replace(found[1] or found[2], safe=True)
    elif word in _IN_WORDS:
        yield place.replace(str(_IN_WORDS.index(word)), safe=True)


def within_limits(place: Place) -> Iterator[Fix]:
    """Yield the nearest number that is allowed."""
    limit = _LIMIT.search(place.finding.help)
    if limit and place.text.isdigit():
        least, most = int(limit[1] or 0), int(limit[2])
        beyond = len(place.text) > len(limit[2]) + 1  # longer numbers than Python reads, too
        yield place.replace(str(most if beyond else min(max(int(place.text), least), most)))

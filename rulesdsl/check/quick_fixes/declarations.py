"""Fixes of declarations: what is there twice, is never used, or has the name of a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.source.fix import Edit, Fix
from rulesdsl.source.span import Span
from rulesdsl.syntax.habits import uses_as_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.quick_fixes.place import Place

_UNUSED = re.compile(r"^Nothing uses |^The option .* changes nothing|is never called\.$")
_KEY = re.compile(r"\s*[\w.'\"-]+\s*=\s*\S+\s*(?:#.*)?$")
_COMMENT_OR_BLANK = re.compile(r"\s*(?:#.*)?$")


def removed_unused(place: Place) -> Iterator[Fix]:
    """Yield the file without what nothing uses; what is half used is in use somewhere."""
    if _UNUSED.search(place.finding.message):
        yield from removed(place)


def removed(place: Place) -> Iterator[Fix]:
    """Yield the file without the declaration, field or number that a finding is about."""
    if place.in_rules and _is_whole(place):
        fix = place.remove_lines(place.span.line, place.last_line(), "Remove it")
        if fix is not None:
            yield fix
    elif not place.in_rules and _KEY.fullmatch(place.line) and not place.before.strip():
        fix = place.remove_lines(place.span.line, place.span.line, "Remove it")
        if fix is not None:
            yield fix


def _is_whole(place: Place) -> bool:
    """Whether the lines that begin here say nothing else: not a field that entries fill."""
    return not place.indent or not place.before.strip()


def removed_or_renamed(place: Place) -> Iterator[Fix]:
    """Yield what to do with the second of two things of one name: another name, or none."""
    name = place.text
    first = place.finding.related[:1]
    if first and first[0].span.file != place.source.path:
        return  # which of the two is the wrong one, nobody knows
    if "in this list twice" in place.finding.message:
        yield from _without_member(place)
    elif re.fullmatch(r"[a-z][\w.-]*", name) and not place.before.strip() and place.indent:
        yield from removed(place)
    elif (
        re.fullmatch(r"[a-z][\w-]*", name)
        and place.in_rules
        and "already" not in (place.finding.message)
    ):
        yield place.replace(f"{name}-2")
        yield from removed(place)
    elif not place.before.strip():
        yield from removed(place)


def renamed(place: Place) -> Iterator[Fix]:
    """Yield another name for what has the name of a word of the language, and for its uses."""
    word, path = place.text, place.source.path
    if not re.fullmatch(r"[a-z][\w-]*", word):
        return
    edits = [Edit(place.span, f"{word}-1")]
    first = place.span.line
    for at, line in enumerate(place.source.lines[first - 1 :], first):
        if at > first and line[:1].strip():
            break  # the next declaration
        start = place.span.end_column - 1 if at == first else 0
        for found in uses_as_name(word).finditer(line, start) if place.in_rules else ():
            span = Span(path, at, found.start() + 1, at, found.start() + 1 + len(word))
            edits.append(Edit(span, f"{word}-1"))
    yield Fix(f"Call it `{word}-1`", tuple(edits))


def _without_member(place: Place) -> Iterator[Fix]:
    comma = re.search(r", *$", place.before)
    if comma:
        at = place.span.line
        span = Span(place.source.path, at, comma.start() + 1, at, place.span.end_column)
        yield Fix("Remove it", (Edit(span, ""),), safe=True)

"""One file of the rulebook as a page: a title, the rules that it tells, and its lines."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.book.texts import Parts, Positions, Slot, cut, positions_in, slot_at
from rulesdsl.source.diagnostic import Findings
from rulesdsl.source.span import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.source.span import SourceFile

_TELLS = re.compile(r"<!-- *tells:(.*?)-->", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_CLOSE = "-->"
_ID = re.compile(r"[^\s,]+")
_TITLE = re.compile(r"# +(\S.*)")
_ORDER = re.compile(r"^[0-9]+[-_]")
_IF = re.compile(r"\{if ++([^{}]++)\} *")
_END = re.compile(r"\{end\} *")
_EACH = re.compile(r"\{each +([\w.-]+) +([\w-]+)(?: ++where ++([^{}]++))?\} ?")


@attrs.frozen
class Each:
    """A line is there once for each entry of a kind; `name` is the entry in it."""

    kind: str
    name: str
    where: Slot | None
    span: Span


@attrs.frozen
class Row:
    """One line of a page, and on what it depends that it is there."""

    parts: Parts
    when: Slot | None = None
    each: tuple[Each, ...] = ()


@attrs.frozen
class Page:
    """A page: the word that it is asked for by, its title, the rules that it tells, its lines."""

    topic: str
    title: str
    tells: tuple[tuple[str, Span], ...]
    rows: tuple[Row, ...]
    span: Span


def read_page(path: str, source: SourceFile, findings: Findings) -> Page:
    """Read a page; `path` is that inside its pack. What cannot be read is reported."""
    topic = topic_of(path)
    closed = _with_closed_comments(source.text)
    blank = _COMMENT.sub(_blanked, closed) + source.text[len(closed) :]
    lines = [line.removesuffix("\r").rstrip() for line in blank.split("\n")]
    first = next((at for at, line in enumerate(lines) if line), 0)
    title = _TITLE.fullmatch(lines[first])
    span = Span(source.path, first + 1, 1, first + 1, len(lines[first]) + 1)
    if not title:
        message, advice = "A page of the rulebook begins with its title.", "For example: # The end"
        findings.report("E006", span, message, advice)
    rows = tuple(_rows(lines, source.path, findings))
    return Page(topic, title[1] if title else topic, tuple(_told(source)), rows, span)


def topic_of(path: str) -> str:
    """Return the word for a page: the name of its file without the number that orders it."""
    return _ORDER.sub("", PurePosixPath(path).stem)


def _told(source: SourceFile) -> Iterator[tuple[str, Span]]:
    for comment in _TELLS.finditer(_with_closed_comments(source.text)):
        for found in _ID.finditer(comment[1]):
            at = comment.start(1) + found.start()
            line = source.text.count("\n", 0, at) + 1
            column = at - source.text.rfind("\n", 0, at)
            yield found[0], Span(source.path, line, column, line, column + len(found[0]))


def _with_closed_comments(text: str) -> str:
    """Return a text up to the last end of a comment: no search for an end is in vain there."""
    return text[: text.rfind(_CLOSE) + len(_CLOSE)] if _CLOSE in text else ""


def _blanked(comment: re.Match[str]) -> str:
    """Return nothing but the line breaks of a comment: all places stay as they are."""
    return "\n" * comment[0].count("\n")


def _rows(lines: list[str], file: str, findings: Findings) -> Iterator[Row]:
    """Yield the lines of a page; empty ones at both ends are left out."""
    when: Slot | None = None
    for number, line in enumerate(lines, start=1):
        positions = positions_in(number, 1, line)
        condition = _IF.fullmatch(line)
        if condition:
            if when is not None:
                message = "The part before this one has no end."
                advice = "Close it with a line {end}; these parts cannot be nested."
                findings.report("E101", _whole(file, number, line), message, advice)
            when = slot_at(line, condition.span(1), file, positions)
        elif _END.fullmatch(line):
            if when is None:
                message = "There is nothing to end here."
                advice = "A conditional part begins with a line such as {if players = 2}."
                findings.report("E101", _whole(file, number, line), message, advice)
            when = None
        else:
            yield _row(line, when, file, positions, findings)
    if when is not None:
        findings.report("E104", when.span, "This part has no end.", "Close it: {end}")


def _row(line: str, when: Slot | None, file: str, positions: Positions, findings: Findings) -> Row:
    loops: list[Each] = []
    start = 0
    while found := _EACH.match(line, start):
        where = None if found[3] is None else slot_at(line, found.span(3), file, positions)
        span = slot_at(line, found.span(1), file, positions).span
        loops.append(Each(found[1], found[2], where, span))
        start = found.end()
    rest = cut(line[start:], file, positions[start:], findings)
    return Row(rest, when, tuple(loops))


def _whole(file: str, number: int, line: str) -> Span:
    return Span(file, number, 1, number, len(line) + 1)

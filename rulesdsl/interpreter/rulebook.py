"""The rulebook of a pack for one setting: its pages with all values filled in."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.book.book import Book, Line, read_book
from rulesdsl.interpreter.texts import Reader
from rulesdsl.source.diagnostic import Findings, LintError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulesdsl.interpreter.pack import OptionValue, Pack

_HEADING = re.compile(r"#+ +(.+)")
_POINT = re.compile(r"- +|[0-9]+\. +")
_BOLD = re.compile(r"\*\*([^*]+)\*\*")


@attrs.frozen
class Topic:
    """A page of the rulebook: the word for it, its title, and its lines in Markdown.

    `tells` are the rules of the pack's checklist that it tells.
    """

    name: str
    title: str
    lines: tuple[str, ...] = attrs.field(repr=False)
    tells: tuple[str, ...] = attrs.field(repr=False)

    @property
    def words(self) -> tuple[str, ...]:
        """The words that it explains: its headings, and what is bold in it."""
        headings = (found[1] for line in self.lines if (found := _HEADING.fullmatch(line)))
        bold = (word for line in self.lines for word in _BOLD.findall(line))
        return tuple(dict.fromkeys((*headings, *bold)))

    def about(self, word: str) -> str:
        """Return the paragraph in which a word is bold, empty where it is bold in none.

        Points that the paragraph leads to are lines of their own.
        """
        wanted = word.casefold()
        paragraphs = [*_paragraphs(self.lines)]
        for at, paragraph in enumerate(paragraphs):
            if wanted in (each.casefold() for each in _BOLD.findall(paragraph)):
                points = takewhile(_POINT.match, paragraphs[at + 1 :])
                return "\n".join([paragraph, *(points if paragraph.endswith(":") else ())])
        return ""


@attrs.frozen
class Rulebook:
    """The topics of a game for so many players and given options; the first is the summary."""

    topics: tuple[Topic, ...]

    def find(self, word: str) -> Topic | None:
        """Return the topic of a name or title, else the first that explains such a word."""
        wanted = word.casefold()
        for each in self.topics:
            if wanted in (each.name.casefold(), each.title.casefold()):
                return each
        return next(iter(self.explaining(word)), None)

    def explaining(self, word: str) -> tuple[Topic, ...]:
        """Return the topics in which a word is a heading or bold; the summary says least."""
        wanted = word.casefold()
        return tuple(
            each
            for each in (*self.topics[1:], *self.topics[:1])
            if wanted in (one.casefold() for one in each.words)
        )


def unmarked(line: str) -> str:
    """Return a line without the marks of what is bold."""
    return _BOLD.sub(r"\1", line)


def rulebook(pack: Pack, players: int, options: Mapping[str, OptionValue]) -> Rulebook:
    """Fill the pages of a pack in; LintError where they ask for what the pack has not."""
    findings = Findings()
    book = read_book(pack.layers, pack.program.world, findings)
    if findings.has_errors:
        raise LintError(findings.sorted(), pack.layers.sources)
    reader = _reader(pack, book, players, options)
    topics = []
    for filled in book.pages:
        lines = _tidy(_shown(filled.lines, reader))
        tells = tuple(name for name, _ in filled.page.tells)
        topics.append(Topic(filled.page.topic, filled.page.title, lines, tells))
    return Rulebook(tuple(topics))


def _reader(pack: Pack, book: Book, players: int, options: Mapping[str, OptionValue]) -> Reader:
    """Return what reads the values of a book: code with nothing else in it."""
    values = {**pack.program.values, **book.values}
    program = attrs.evolve(pack.program, procs={}, guards={}, values=values)
    only_values = attrs.evolve(pack, program=program, key="")
    setting = only_values.setting(players, options, log=False)
    return Reader(setting, setting.box)


def _shown(lines: tuple[Line, ...], reader: Reader) -> Iterator[str]:
    for line in lines:
        if all(reader.holds(each) for each in line.when):
            yield reader.text(line.text)


def _tidy(lines: Iterator[str]) -> tuple[str, ...]:
    """Leave out empty lines at both ends, and the second of two that what is left out leaves."""
    kept: list[str] = []
    for line in lines:
        if line or (kept and kept[-1]):
            kept.append(line)
    return tuple(kept[:-1] if kept and not kept[-1] else kept)


def _paragraphs(lines: tuple[str, ...]) -> Iterator[str]:
    """Yield what belongs together; each point of a list is a paragraph."""
    found: list[str] = []
    for line in (*lines, ""):
        if found and (not line or line.startswith(("- ", "#", "```", "|"))):
            yield " ".join(each.strip() for each in found)
            found.clear()
        if line and not line.startswith(("#", "```", "|")):
            found.append(line)

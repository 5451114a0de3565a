"""Findings as text for people: the place, the line with a mark below it, and what to do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

import attrs

from rulesdsl.source.diagnostic import Diagnostic, Severity
from rulesdsl.source.excerpt import excerpt, visible
from rulesdsl.source.span import NOWHERE, SourceFile, Span


class _Ink(StrEnum):
    """The colours, as the escape sequences that terminals understand."""

    BOLD = "\x1b[1m"
    RED = "\x1b[1;31m"
    YELLOW = "\x1b[1;33m"
    BLUE = "\x1b[1;34m"
    CYAN = "\x1b[1;36m"
    PLAIN = "\x1b[0m"


INKS = tuple(map(str, _Ink))
"""What of escape sequences is in coloured findings."""
_LONGEST = 300  # house: of a word; a path may be as long
_LONG_WORD = re.compile(rf"(\S{{{_LONGEST}}})\S+")
_INK_OF = {Severity.ERROR: _Ink.RED, Severity.WARNING: _Ink.YELLOW}


def render(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, SourceFile],
    *,
    colour: bool = False,
) -> str:
    """Return the findings with their excerpts and, as the last line, their number.

    A place in a file that is missing in `sources` is named without an excerpt.
    """
    found = tuple(diagnostics)
    page = _Page(sources, colour)
    blocks = ["\n".join(page.finding(each)) for each in found]
    return "\n\n".join([*blocks, summary(found)]) + "\n"


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return how many errors and warnings there are: `2 errors, 1 warning`."""
    severities = [each.severity for each in diagnostics]
    counts = [(severities.count(severity), severity) for severity in Severity]
    parts = [f"{n} {severity}{'s' if n > 1 else ''}" for n, severity in counts if n]
    return ", ".join(parts) or "no findings"


def _with_short_words(text: str) -> str:
    """Return a message in which names that would fill a screen are cut."""
    return _LONG_WORD.sub(r"\1…", text)


@attrs.frozen
class _Page:
    """What all findings of one run are rendered with."""

    sources: Mapping[str, SourceFile]
    colour: bool

    def finding(self, diagnostic: Diagnostic) -> Iterator[str]:
        """Yield the lines of one finding."""
        ink = _INK_OF[diagnostic.severity]
        places = [diagnostic.span, *(each.span for each in diagnostic.related)]
        margin = " " * max(len(str(span.line)) for span in places)
        label = f"{diagnostic.severity}[{diagnostic.code} {diagnostic.name}]"
        message = visible(_with_short_words(diagnostic.message))
        yield self._paint(ink, label) + self._paint(_Ink.BOLD, f": {message}")
        yield from self._place(diagnostic.span, margin, "-->", "^", ink)
        for each in diagnostic.related:
            if each.span == NOWHERE:
                yield self._remark(margin, "note", each.message)
            else:
                yield from self._place(each.span, margin, ":::", "-", _Ink.BLUE, each.message)
        if diagnostic.help:
            yield self._remark(margin, "help", diagnostic.help)

    def _place(
        self, span: Span, margin: str, arrow: str, mark: str, ink: _Ink, message: str = ""
    ) -> Iterator[str]:
        """Yield where a span is and, if its file is at hand, its first line with the mark."""
        if span == NOWHERE:
            return
        where = visible(f"{span.file}:{span.line}:{span.column}")
        yield f"{margin}{self._paint(_Ink.BLUE, arrow)} {where}"
        source = self.sources.get(span.file)
        shown = None if source is None else excerpt(span, source)
        if shown is None:
            if message:
                yield self._remark(margin, "note", message)
            return
        bar = self._paint(_Ink.BLUE, "|")
        number = self._paint(_Ink.BLUE, f"{span.line:>{len(margin)}}")
        yield f"{margin} {bar}"
        yield f"{number} {bar} {shown.text}".rstrip()
        pointer = f"{mark * shown.width} {visible(_with_short_words(message))}".rstrip()
        yield f"{margin} {bar} {' ' * shown.start}{self._paint(ink, pointer)}"
        if span.end_line > span.line:
            yield f"{margin} {bar} {self._paint(_Ink.BLUE, f'... to line {span.end_line}')}"

    def _remark(self, margin: str, kind: str, text: str) -> str:
        """Return a line below the excerpts; more lines of the text are aligned with the first."""
        indent = " " * (len(margin) + len(f" = {kind}: "))
        aligned = visible(_with_short_words(text)).replace("\n", f"\n{indent}")
        return f"{margin} {self._paint(_Ink.BLUE, '=')} {self._paint(_Ink.CYAN, kind)}: {aligned}"

    def _paint(self, ink: _Ink, text: str) -> str:
        return f"{ink}{text}{_Ink.PLAIN}" if self.colour else text

"""Renderers of findings: terminal, JSON, GitHub annotations and SARIF."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from itertools import pairwise
from pathlib import PurePosixPath
from urllib.parse import quote

import attrs

from rulesdsl.source.codes import CODES
from rulesdsl.source.diagnostics import Diagnostic, Fix, Severity
from rulesdsl.source.span import NOWHERE, SourceFile, Span

_TAB_STOP = 4
_LONGEST_EXCERPT = 300  # house: characters of a line or text
_BEFORE = 60  # house: context before the span in a long line
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
# controls, line endings, bidirectional overrides, surrogates
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


@attrs.frozen
class Excerpt:
    """The line on which a span begins; `start` and `width` count terminal cells."""

    text: str
    start: int
    width: int


def excerpt(span: Span, source: SourceFile) -> Excerpt | None:
    """Return the first line of the span, or `None` if the file has no such line.

    The marked part is at least one cell wide, so that an empty span is visible, and does not
    extend past the line. A very long line is cut to the part around the span.
    """
    if not 1 <= span.line <= len(source.lines):
        return None
    line = source.line(span.line)
    first = min(max(span.column, 1) - 1, len(line))
    last = len(line) if span.end_line > span.line else min(span.end_column - 1, len(line))
    if len(line) > _LONGEST_EXCERPT:  # cut to the context
        begin = max(0, min(first - _BEFORE, len(line) - _LONGEST_EXCERPT))
        before, after = "…" if begin else "", "…" if begin + _LONGEST_EXCERPT < len(line) else ""
        line = f"{before}{line[begin : begin + _LONGEST_EXCERPT]}{after}"
        first, last = (min(at - begin + len(before), len(line)) for at in (first, last))
    cells = _cells(line)
    width = max(cells[max(last, first)] - cells[first], 1)
    shown = "".join(
        " " * (end - start) if each == "\t" else each
        for each, (start, end) in zip(line, pairwise(cells), strict=True)
    )
    return Excerpt(visible(shown, keep=""), cells[first], width)


def in_short(text: str) -> str:
    """Return untrusted text for use in a message: without control characters, and shortened."""
    return visible(
        text if len(text) <= _LONGEST_EXCERPT else f"{text[:_LONGEST_EXCERPT]}…", keep=""
    )


def visible(text: str, keep: str = "\n") -> str:
    """Replace terminal controls and bidirectional overrides in text, except those in `keep`."""
    return _CONTROLS.sub(lambda found: found[0] if found[0] in keep else _REPLACEMENT, text)


def escaped(json_text: str) -> str:
    """Escape terminal controls in JSON text."""
    return _CONTROLS.sub(
        lambda found: found[0] if found[0] == "\n" else f"\\u{ord(found[0]):04x}", json_text
    )


def _cells(line: str) -> list[int]:
    """Return the terminal column of each character, and of the end of the line."""
    cells = [0]
    for each in line:
        cells.append(cells[-1] + _width(each, cells[-1]))
    return cells


def _width(character: str, at: int) -> int:
    if character == "\t":
        return _TAB_STOP - at % _TAB_STOP
    if _CONTROLS.match(character):
        return 1  # the replacement character
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class _Ink(StrEnum):
    """Colours as terminal escape sequences."""

    BOLD = "\x1b[1m"
    RED = "\x1b[1;31m"
    YELLOW = "\x1b[1;33m"
    BLUE = "\x1b[1;34m"
    CYAN = "\x1b[1;36m"
    PLAIN = "\x1b[0m"


INKS = tuple(map(str, _Ink))
"""The escape sequences in coloured findings."""
_LONGEST_WORD = 300  # house: long enough for a path
_LONG_WORD = re.compile(rf"(\S{{{_LONGEST_WORD}}})\S+")
_INK_OF = {Severity.ERROR: _Ink.RED, Severity.WARNING: _Ink.YELLOW}


def render_text(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, SourceFile],
    *,
    colour: bool = False,
) -> str:
    """Return the findings with their excerpts, and a summary as the last line.

    A span in a file missing from `sources` has no excerpt.
    """
    found = tuple(diagnostics)
    page = _Page(sources, colour)
    blocks = ["\n".join(page.finding(each)) for each in found]
    return "\n\n".join([*blocks, summary(found)]) + "\n"


def summary(diagnostics: Iterable[Diagnostic]) -> str:
    """Return the numbers of errors and warnings: `2 errors, 1 warning`."""
    severities = [each.severity for each in diagnostics]
    counts = [(severities.count(severity), severity) for severity in Severity]
    parts = [f"{n} {severity}{'s' if n > 1 else ''}" for n, severity in counts if n]
    return ", ".join(parts) or "no findings"


def _with_short_words(text: str) -> str:
    return _LONG_WORD.sub(r"\1…", text)


@attrs.frozen
class _Page:
    """Rendering context for the findings of one run."""

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
        """Yield the position of a span and, if its file is available, the marked first line."""
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
        """Return a remark to show below the excerpts, with further lines aligned."""
        indent = " " * (len(margin) + len(f" = {kind}: "))
        aligned = visible(_with_short_words(text)).replace("\n", f"\n{indent}")
        return f"{margin} {self._paint(_Ink.BLUE, '=')} {self._paint(_Ink.CYAN, kind)}: {aligned}"

    def _paint(self, ink: _Ink, text: str) -> str:
        return f"{ink}{text}{_Ink.PLAIN}" if self.colour else text


def render_json(diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile]) -> str:
    """Return `{"findings": [...], "errors": n, "warnings": n}`.

    Lines and columns are counted from 1, columns in code points; ends are exclusive. A finding
    without a span has `"place": null`. `"text"` is the line on which the place begins. All edits
    of a fix are applied together; `"new"` replaces the text at the place.
    """
    found = tuple(diagnostics)
    severities = [each.severity for each in found]
    report = {
        "findings": [_finding(each, sources) for each in found],
        "errors": severities.count(Severity.ERROR),
        "warnings": severities.count(Severity.WARNING),
    }
    return escaped(json.dumps(report, indent=2, ensure_ascii=False)) + "\n"


def _finding(diagnostic: Diagnostic, sources: Mapping[str, SourceFile]) -> dict[str, object]:
    return {
        "code": diagnostic.code,
        "name": diagnostic.name,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "help": diagnostic.help,
        "place": _place(diagnostic.span, sources),
        "related": [
            {"message": each.message, "place": _place(each.span, sources)}
            for each in diagnostic.related
        ],
        "fixes": [_json_fix(each, sources) for each in diagnostic.fixes],
    }


def _json_fix(fix: Fix, sources: Mapping[str, SourceFile]) -> dict[str, object]:
    return {
        "title": fix.title,
        "safe": fix.safe,
        "edits": [{"place": _place(each.span, sources), "new": each.text} for each in fix.edits],
    }


def _place(span: Span, sources: Mapping[str, SourceFile]) -> dict[str, str | int] | None:
    if span == NOWHERE:
        return None
    source = sources.get(span.file)
    return {
        "file": span.file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
        "text": source.line(span.line) if source else "",
    }


_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render_github(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, SourceFile],  # noqa: ARG001 - all renderers have the same signature
) -> str:
    """Return a workflow command per finding, errors first: GitHub shows only the first few."""
    found = sorted(diagnostics, key=lambda each: each.severity is not Severity.ERROR)
    return "".join(f"{_command(each)}\n" for each in found)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties: dict[str, str | int] = {}
    if span != NOWHERE:
        properties |= {"file": span.file, "line": span.line, "endLine": span.end_line}
        if span.line == span.end_line:  # GitHub accepts columns within one line only
            properties |= {"col": span.column, "endColumn": span.end_column}
    properties["title"] = f"{diagnostic.code} {diagnostic.name}"
    listed = ",".join(
        f"{key}={str(value).translate(_PROPERTY_ESCAPES)}" for key, value in properties.items()
    )
    text = "\n".join(filter(None, (diagnostic.message, diagnostic.help)))
    return f"::{diagnostic.severity} {listed}::{text.translate(_ESCAPES)}"


_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_Json = dict[str, object]


def render_sarif(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, SourceFile],
    *,
    tool: str = "rulesdsl",
    version: str = "",
) -> str:
    """Return a SARIF log for one run of the given version of a tool.

    Relative paths become relative URIs, as code hosts expect.
    """
    found = tuple(diagnostics)
    rules = sorted({each.code for each in found})
    driver: _Json = {"name": tool, "rules": [_rule(code) for code in rules]}
    if version:
        driver["version"] = version
    run: _Json = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(each, rules.index(each.code), sources) for each in found],
    }
    log: _Json = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}
    return escaped(json.dumps(log, indent=2, ensure_ascii=False)) + "\n"


def _rule(code: str) -> _Json:
    declared = CODES[code]
    rule: _Json = {
        "id": code,
        "name": declared.name,
        "shortDescription": {"text": declared.title},
        "defaultConfiguration": {"level": str(declared.severity)},
    }
    if declared.has_page:
        rule["help"] = {"text": declared.page, "markdown": declared.page}
    return rule


def _result(diagnostic: Diagnostic, rule: int, sources: Mapping[str, SourceFile]) -> _Json:
    text = "\n".join(filter(None, (diagnostic.message, diagnostic.help)))
    result: _Json = {
        "ruleId": diagnostic.code,
        "ruleIndex": rule,
        "level": str(diagnostic.severity),
        "message": {"text": text},
    }
    if diagnostic.span != NOWHERE:
        result["locations"] = [{"physicalLocation": _location(diagnostic.span, sources)}]
    related = [
        {
            "id": number,
            "physicalLocation": _location(each.span, sources),
            "message": {"text": each.message},
        }
        for number, each in enumerate(diagnostic.related)
        if each.span != NOWHERE
    ]
    if related:
        result["relatedLocations"] = related
    if diagnostic.fixes:
        result["fixes"] = [_sarif_fix(each) for each in diagnostic.fixes]
    return result


def _sarif_fix(fix: Fix) -> _Json:
    """Return a fix, with a custom property for safe ones, since SARIF has no such notion."""
    files: dict[str, list[_Json]] = {}
    for edit in fix.edits:
        replacement = {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
        files.setdefault(edit.span.file, []).append(replacement)
    changes = [
        {"artifactLocation": {"uri": _address(file)}, "replacements": replacements}
        for file, replacements in files.items()
    ]
    return {
        "description": {"text": fix.title},
        "artifactChanges": changes,
        "properties": {"safe": fix.safe},
    }


def _location(span: Span, sources: Mapping[str, SourceFile]) -> _Json:
    region = _region(span)
    source = sources.get(span.file)
    if source is not None:
        lines = (source.line(n) for n in range(span.line, span.end_line + 1))
        region["snippet"] = {"text": "\n".join(lines)}
    return {"artifactLocation": {"uri": _address(span.file)}, "region": region}


def _region(span: Span) -> _Json:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _address(path: str) -> str:
    absolute = PurePosixPath(path).is_absolute()
    return PurePosixPath(path).as_uri() if absolute else quote(path)

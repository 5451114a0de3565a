"""Findings as one JSON object, for tools of all kinds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from rulesdsl.source.diagnostic import Diagnostic, Severity
from rulesdsl.source.excerpt import escaped
from rulesdsl.source.fix import Fix
from rulesdsl.source.span import NOWHERE, SourceFile, Span


def render(diagnostics: Iterable[Diagnostic], sources: Mapping[str, SourceFile]) -> str:
    """Return `{"findings": [...], "errors": n, "warnings": n}`.

    Lines and columns count from 1, columns in code points, ends are exclusive. What has no
    place has `"place": null`. `"text"` is the line on which the place begins. The edits of a fix
    belong together; `"new"` takes the place of what is at the place.
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
        "fixes": [_fix(each, sources) for each in diagnostic.fixes],
    }


def _fix(fix: Fix, sources: Mapping[str, SourceFile]) -> dict[str, object]:
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

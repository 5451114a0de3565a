"""Findings as the workflow commands that GitHub turns into remarks beside the lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulesdsl.source.diagnostic import Diagnostic, Severity
from rulesdsl.source.span import NOWHERE, SourceFile

_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY_ESCAPES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"})


def render(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, SourceFile],  # noqa: ARG001 - all renderers are called alike
) -> str:
    """Return one command for each finding; errors first, since GitHub shows only the first few."""
    found = sorted(diagnostics, key=lambda each: each.severity is not Severity.ERROR)
    return "".join(f"{_command(each)}\n" for each in found)


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties: dict[str, str | int] = {}
    if span != NOWHERE:
        properties |= {"file": span.file, "line": span.line, "endLine": span.end_line}
        if span.line == span.end_line:  # GitHub takes columns within one line only
            properties |= {"col": span.column, "endColumn": span.end_column}
    properties["title"] = f"{diagnostic.code} {diagnostic.name}"
    listed = ",".join(
        f"{key}={str(value).translate(_PROPERTY_ESCAPES)}" for key, value in properties.items()
    )
    text = "\n".join(filter(None, (diagnostic.message, diagnostic.help)))
    return f"::{diagnostic.severity} {listed}::{text.translate(_ESCAPES)}"

"""Findings as a SARIF 2.1.0 log, the format that code scanners exchange."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from urllib.parse import quote

from rulesdsl.source.codes import CODES
from rulesdsl.source.diagnostic import Diagnostic
from rulesdsl.source.excerpt import escaped
from rulesdsl.source.fix import Fix
from rulesdsl.source.span import NOWHERE, SourceFile, Span

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

_Json = dict[str, object]


def render(
    diagnostics: Iterable[Diagnostic],
    sources: Mapping[str, SourceFile],
    *,
    tool: str = "rulesdsl",
    version: str = "",
) -> str:
    """Return the log of one run; `tool` and `version` say which program found all this.

    Addresses of files stay relative where the paths are, as code hosts want them.
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
        result["fixes"] = [_fix(each) for each in diagnostic.fixes]
    return result


def _fix(fix: Fix) -> _Json:
    """Return a fix; SARIF has no word for safe ones, so that goes into the properties."""
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

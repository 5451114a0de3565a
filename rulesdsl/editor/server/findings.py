"""Findings as diagnostics, and their fixes as code actions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from rulesdsl.editor.server.positions import file_of, uri_of
from rulesdsl.source.codes import CODES
from rulesdsl.source.diagnostic import LintError, Severity
from rulesdsl.syntax.format import format_rules

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulesdsl.editor.server.positions import Positions
    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.fix import Fix
    from rulesdsl.source.span import SourceFile

SOURCE = "coloma"
EXPLAIN = "coloma.explain"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
}


def diagnostic(found: Diagnostic, positions: Positions) -> lsp.Diagnostic:
    """Return a finding as the client shows it, with a link to the page of its code."""
    help_text = f"\n{found.help}" if found.help else ""
    return lsp.Diagnostic(
        range=positions.range(found.span),
        message=f"{found.message}{help_text}",
        severity=_SEVERITIES[found.severity],
        code=found.code,
        code_description=_page(found.code),
        source=SOURCE,
        related_information=[
            lsp.DiagnosticRelatedInformation(positions.location(each.span), each.message)
            for each in found.related
            if each.span.file
        ],
    )


def _page(code: str) -> lsp.CodeDescription | None:
    """Return the page of a code on this machine: it fits this version, and needs no network."""
    known = CODES.get(code)
    path = None if known is None else known.path
    return lsp.CodeDescription(uri_of(path.as_posix())) if path else None


def actions(
    findings: Iterable[Diagnostic],
    params: lsp.CodeActionParams,
    source: SourceFile | None,
    positions: Positions,
) -> Iterator[lsp.CodeAction]:
    """Yield what can be done about the findings of a range, and the formatter for the file."""
    file = file_of(params.text_document.uri)
    only = params.context.only
    for found in findings:
        here = positions.range(found.span)
        if found.span.file != file or not _meet(here, params.range):
            continue
        shown = diagnostic(found, positions)
        for at, fix in enumerate(found.fixes):
            yield _of_fix(fix, shown, positions, is_preferred=at == 0 and fix.safe)
        explain = lsp.Command(f"Explain {found.code}", EXPLAIN, arguments=[found.code])
        yield lsp.CodeAction(
            explain.title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[shown], command=explain
        )
    kinds = {None, lsp.CodeActionKind.Source, lsp.CodeActionKind.SourceFixAll}
    if source is not None and (only is None or kinds & set(only)):
        edits = formatting(source)
        if edits:
            yield lsp.CodeAction(
                "Format the file",
                kind=lsp.CodeActionKind.SourceFixAll,
                edit=lsp.WorkspaceEdit(changes={params.text_document.uri: edits}),
            )


def _of_fix(
    fix: Fix, shown: lsp.Diagnostic, positions: Positions, *, is_preferred: bool
) -> lsp.CodeAction:
    changes: dict[str, list[lsp.TextEdit]] = {}
    for each in fix.edits:
        edit = lsp.TextEdit(positions.range(each.span), each.text)
        changes.setdefault(uri_of(each.span.file), []).append(edit)
    return lsp.CodeAction(
        fix.title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[shown],
        is_preferred=is_preferred,
        edit=lsp.WorkspaceEdit(changes=changes),
    )


def _meet(one: lsp.Range, other: lsp.Range) -> bool:
    return _key(one.start) <= _key(other.end) and _key(other.start) <= _key(one.end)


def _key(position: lsp.Position) -> tuple[int, int]:
    return position.line, position.character


def formatting(source: SourceFile) -> list[lsp.TextEdit]:
    """Return the edits that format a file of rules: none where it cannot be read."""
    if not source.path.endswith(".rules"):
        return []
    try:
        text = format_rules(source.text, source.path)
    except LintError:
        return []
    if text == source.text:
        return []
    end = lsp.Position(len(source.lines), 0)
    return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), text)]

"""Conversions to the types of the protocol."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import attrs
from lsprotocol import types as lsp
from pygls import uris

from rulesdsl.editor.references import TextPosition
from rulesdsl.editor.symbols import MODIFIERS, TYPES
from rulesdsl.source.codes import CODES
from rulesdsl.source.diagnostics import LintError, Severity
from rulesdsl.syntax.format import format_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pygls.workspace import PositionCodec

    from rulesdsl.editor.completion import Suggestion
    from rulesdsl.editor.hover import Hover
    from rulesdsl.editor.rename import Renamed
    from rulesdsl.editor.symbols import Fold, Hint, Lens, OutlineSymbol, Token
    from rulesdsl.source.diagnostics import Diagnostic, Edit
    from rulesdsl.source.span import SourceFile, Span

EXPLAIN = "coloma.explain"
LEGEND = lsp.SemanticTokensLegend(list(TYPES), list(MODIFIERS))
_SOURCE = "coloma"
_SEVERITIES = {
    Severity.ERROR: lsp.DiagnosticSeverity.Error,
    Severity.WARNING: lsp.DiagnosticSeverity.Warning,
}
_ITEM, _SYMBOL = lsp.CompletionItemKind, lsp.SymbolKind
_KINDS = {  # by kind of completion or declaration
    "verb": (_ITEM.Function, _SYMBOL.Function),
    "step": (_ITEM.Function, _SYMBOL.Function),
    "hook": (_ITEM.Event, _SYMBOL.Event),
    "kind": (_ITEM.Enum, _SYMBOL.Enum),
    "piece": (_ITEM.Class, _SYMBOL.Class),
    "place": (_ITEM.Folder, _SYMBOL.Namespace),
    "track": (_ITEM.Variable, _SYMBOL.Variable),
    "memory": (_ITEM.Variable, _SYMBOL.Variable),
    "flag": (_ITEM.Event, _SYMBOL.Boolean),
    "value": (_ITEM.Method, _SYMBOL.Method),
    "score": (_ITEM.Method, _SYMBOL.Method),
    "number": (_ITEM.Constant, _SYMBOL.Number),
    "option": (_ITEM.Property, _SYMBOL.Property),
    "rival": (_ITEM.Interface, _SYMBOL.Interface),
    "entry": (_ITEM.EnumMember, _SYMBOL.EnumMember),
    "field": (_ITEM.Field, _SYMBOL.Field),
    "scenario": (_ITEM.Event, _SYMBOL.Event),
    "word": (_ITEM.Keyword, _SYMBOL.Object),
    "local": (_ITEM.TypeParameter, _SYMBOL.Object),
    "source": (_ITEM.Value, _SYMBOL.Object),
}
_OTHER = (_ITEM.Text, _SYMBOL.Object)


def file_of(uri: str) -> str:
    """Return the real path of a file as used in spans; for anything else, its URI."""
    path = uris.to_fs_path(uri)
    return uri if path is None else Path(os.path.realpath(path)).as_posix()


@attrs.frozen
class Positions:
    """Converter of positions; `source` returns the current text of a file.

    A client counts columns in UTF-16 code units unless another encoding has been negotiated.
    """

    codec: PositionCodec
    source: Callable[[str], SourceFile | None]
    uri_of: Callable[[str], str]

    def position(self, file: str, line: int, column: int) -> lsp.Position:
        """Return the protocol's position for a line and column counted from 1."""
        source = self.source(file)
        before = "" if source is None else source.line(line)[: max(0, column - 1)]
        return lsp.Position(max(0, line - 1), self.codec.client_num_units(before))

    def range(self, span: Span) -> lsp.Range:
        """Return the protocol's range for a span."""
        return lsp.Range(
            self.position(span.file, span.line, span.column),
            self.position(span.file, span.end_line, span.end_column),
        )

    def location(self, span: Span) -> lsp.Location:
        """Return the protocol's location for a span."""
        return lsp.Location(self.uri_of(span.file), self.range(span))

    def spot(self, uri: str, position: lsp.Position) -> TextPosition:
        """Return the text position for a protocol position."""
        file = file_of(uri)
        source = self.source(file)
        text = "" if source is None else source.line(position.line + 1)
        column = 0
        units = 0
        while column < len(text) and units < position.character:
            units += self.codec.client_num_units(text[column])
            column += 1
        return TextPosition(file, position.line + 1, column + 1)

    def workspace_edit(self, edits: Iterable[Edit]) -> lsp.WorkspaceEdit:
        """Return edits grouped by URI."""
        changes: dict[str, list[lsp.TextEdit]] = {}
        for each in edits:
            edit = lsp.TextEdit(self.range(each.span), each.text)
            changes.setdefault(self.uri_of(each.span.file), []).append(edit)
        return lsp.WorkspaceEdit(changes=changes)


# -------------------------------------------------------------------- names
def completion_item(
    item: Suggestion, at: int, range_: lsp.Range, *, snippets: bool
) -> lsp.CompletionItem:
    """Convert a completion; `sort_text` preserves the ranking."""
    has_stops = bool(item.snippet) and snippets
    return lsp.CompletionItem(
        label=item.word,
        kind=_KINDS.get(item.sort, _OTHER)[0],
        detail=item.detail or None,
        sort_text=f"{at:04}",
        filter_text=item.word,
        text_edit=lsp.TextEdit(range_, item.snippet if has_stops else item.word),
        insert_text_format=(
            lsp.InsertTextFormat.Snippet if has_stops else lsp.InsertTextFormat.PlainText
        ),
    )


def document_symbol(symbol: OutlineSymbol, positions: Positions) -> lsp.DocumentSymbol:
    """Convert a declaration to a node of a document outline."""
    return lsp.DocumentSymbol(
        symbol.name or "?",
        _KINDS.get(symbol.sort, _OTHER)[1],
        positions.range(symbol.whole),
        positions.range(symbol.span),
        detail=symbol.sort,
        children=[document_symbol(each, positions) for each in symbol.below],
    )


def workspace_symbol(symbol: OutlineSymbol, positions: Positions) -> lsp.SymbolInformation:
    """Convert a declaration to a workspace symbol."""
    kind = _KINDS.get(symbol.sort, _OTHER)[1]
    return lsp.SymbolInformation(positions.location(symbol.span), symbol.name, kind)


def call_item(symbol: OutlineSymbol, positions: Positions) -> lsp.CallHierarchyItem:
    """Convert a declaration to an item of the call hierarchy."""
    kind = _KINDS.get(symbol.sort, _OTHER)[1]
    uri, whole = positions.uri_of(symbol.whole.file), positions.range(symbol.whole)
    return lsp.CallHierarchyItem(symbol.name, kind, uri, whole, positions.range(symbol.span))


def semantic_tokens(tokens: Iterable[Token], positions: Positions) -> lsp.SemanticTokens:
    """Convert the names in a file to the relative encoding of the protocol."""
    data: list[int] = []
    line = column = 0
    for each in tokens:
        at = positions.range(each.span)
        if at.start.line == line and data and at.start.character < column:
            continue  # overlapping names
        length = at.end.character - at.start.character
        down = at.start.line - line
        right = at.start.character - (column if down == 0 else 0)
        data += [down, right, length, TYPES.index(each.type), int(each.declares)]
        line, column = at.start.line, at.start.character
    return lsp.SemanticTokens(data)


def hover(found: Hover, positions: Positions) -> lsp.Hover:
    """Convert a hover."""
    said = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
    return lsp.Hover(said, positions.range(found.span))


def location(span: Span, positions: Positions) -> lsp.Location:
    """Convert a span to a location."""
    return positions.location(span)


def highlight(span: Span, positions: Positions) -> lsp.DocumentHighlight:
    """Convert a span to a highlight."""
    return lsp.DocumentHighlight(positions.range(span))


def placeholder(found: Renamed, positions: Positions) -> lsp.PrepareRenamePlaceholder:
    """Convert a name that can be renamed."""
    return lsp.PrepareRenamePlaceholder(positions.range(found.span), found.name)


def folding_range(fold: Fold, _: Positions) -> lsp.FoldingRange:
    """Convert a folding range, whose lines are counted from 0 in the protocol."""
    kind = lsp.FoldingRangeKind.Comment if fold.is_comment else None
    return lsp.FoldingRange(fold.first - 1, fold.last - 1, kind=kind)


def inlay_hint(hint: Hint, positions: Positions) -> lsp.InlayHint:
    """Convert an inlay hint, displayed in parentheses."""
    at, kind = positions.range(hint.span).end, lsp.InlayHintKind.Type
    return lsp.InlayHint(at, f"({hint.text})", kind=kind, padding_left=True)


def code_lens(lens: Lens, positions: Positions) -> lsp.CodeLens:
    """Convert a code lens and its command."""
    command = lsp.Command(lens.title, lens.command, arguments=list(lens.arguments))
    return lsp.CodeLens(positions.range(lens.span), command=command)


# -------------------------------------------------------------------- findings
def diagnostic(found: Diagnostic, positions: Positions) -> lsp.Diagnostic:
    """Convert a finding to a diagnostic, with a link to the page of its code."""
    help_text = f"\n{found.help}" if found.help else ""
    return lsp.Diagnostic(
        range=positions.range(found.span),
        message=f"{found.message}{help_text}",
        severity=_SEVERITIES[found.severity],
        code=found.code,
        code_description=_page(found.code),
        source=_SOURCE,
        related_information=[
            lsp.DiagnosticRelatedInformation(positions.location(each.span), each.message)
            for each in found.related
            if each.span.file
        ],
    )


def _page(code: str) -> lsp.CodeDescription | None:
    """Return the local page about a code, which matches this version and needs no network."""
    known = CODES.get(code)
    uri = uris.from_fs_path(known.path.as_posix()) if known and known.path else None
    return lsp.CodeDescription(uri) if uri else None


def code_actions(
    findings: Iterable[Diagnostic],
    params: lsp.CodeActionParams,
    source: SourceFile | None,
    positions: Positions,
) -> Iterator[lsp.CodeAction]:
    """Yield the fixes for findings in a range, links to explanations, and formatting."""
    file = file_of(params.text_document.uri)
    only = params.context.only
    for found in findings:
        here = positions.range(found.span)
        meet = here.start <= params.range.end and params.range.start <= here.end
        if found.span.file != file or not meet:
            continue
        shown = diagnostic(found, positions)
        for at, fix in enumerate(found.fixes):
            yield lsp.CodeAction(
                fix.title,
                kind=lsp.CodeActionKind.QuickFix,
                diagnostics=[shown],
                is_preferred=at == 0 and fix.safe,
                edit=positions.workspace_edit(fix.edits),
            )
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


def formatting(source: SourceFile) -> list[lsp.TextEdit]:
    """Return the edits that format a rules file; none if it cannot be parsed."""
    if not source.path.endswith(".rules"):
        return []
    try:
        text = format_rules(source.text, source.path, source.language)
    except LintError:
        return []
    if text == source.text:
        return []
    end = lsp.Position(len(source.lines), 0)
    return [lsp.TextEdit(lsp.Range(lsp.Position(0, 0), end), text)]

"""What a client asks about a whole file or game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from rulesdsl.editor import symbols
from rulesdsl.editor.lenses import lenses
from rulesdsl.editor.server import findings, outlines
from rulesdsl.editor.server.positions import file_of

if TYPE_CHECKING:
    from rulesdsl.editor.server.server import Handlers, Server
    from rulesdsl.source.span import SourceFile


def _source(server: Server, params: Any) -> SourceFile | None:  # noqa: ANN401 - any with a file
    return server.desk.source(file_of(params.text_document.uri))


def _outline(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    source = _source(server, params)
    return [] if source is None else outlines.document_symbols(source, server.positions)


def _named(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
    # of every game that is open: nobody waits until all have been checked
    return [
        outlines.workspace_symbol(each, server.positions)
        for project in server.desk.projects
        if (view := project.view_at_once) is not None
        for each in symbols.named(view, params.query)
    ]


def _folding(server: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    source = _source(server, params)
    return [] if source is None else outlines.folding_ranges(source)


def _format(server: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    source = _source(server, params)
    return [] if source is None else findings.formatting(source)


def _tokens(server: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    file = file_of(params.text_document.uri)
    view = server.desk.view(file)
    if view is None:
        return lsp.SemanticTokens([])
    return outlines.semantic_tokens(view, file, server.positions)


def _hints(server: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    file = file_of(params.text_document.uri)
    view = server.desk.view(file)
    lines = params.range.start.line + 1, params.range.end.line + 1
    return [] if view is None else outlines.inlay_hints(view, file, lines, server.positions)


def _lenses(server: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    source = _source(server, params)
    view = server.desk.view(file_of(params.text_document.uri))
    if view is None or source is None:
        return []
    return [outlines.code_lens(each, server.positions) for each in lenses(view, source)]


HANDLERS: Handlers = {
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_outline, None),
    lsp.WORKSPACE_SYMBOL: (_named, None),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: (_folding, None),
    lsp.TEXT_DOCUMENT_FORMATTING: (_format, None),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (_tokens, outlines.LEGEND),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (_hints, None),
    lsp.TEXT_DOCUMENT_CODE_LENS: (_lenses, None),
}

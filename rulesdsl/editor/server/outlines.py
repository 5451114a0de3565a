"""What is asked about a whole file or game, in the types of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from rulesdsl.editor.folding import folds
from rulesdsl.editor.inlay import hints
from rulesdsl.editor.symbols import outline
from rulesdsl.editor.tokens import MODIFIERS, TYPES, tokens

if TYPE_CHECKING:
    from rulesdsl.editor.lenses import Lens
    from rulesdsl.editor.server.positions import Positions
    from rulesdsl.editor.symbols import Symbol
    from rulesdsl.editor.view import View
    from rulesdsl.source.span import SourceFile

LEGEND = lsp.SemanticTokensLegend(list(TYPES), list(MODIFIERS))
KINDS = {
    "verb": lsp.SymbolKind.Function,
    "step": lsp.SymbolKind.Function,
    "hook": lsp.SymbolKind.Event,
    "kind": lsp.SymbolKind.Enum,
    "piece": lsp.SymbolKind.Class,
    "place": lsp.SymbolKind.Namespace,
    "track": lsp.SymbolKind.Variable,
    "flag": lsp.SymbolKind.Boolean,
    "option": lsp.SymbolKind.Property,
    "rival": lsp.SymbolKind.Interface,
    "value": lsp.SymbolKind.Method,
    "score": lsp.SymbolKind.Method,
    "number": lsp.SymbolKind.Number,
    "entry": lsp.SymbolKind.EnumMember,
    "field": lsp.SymbolKind.Field,
    "panel": lsp.SymbolKind.Object,
    "scenario": lsp.SymbolKind.Event,
}


def document_symbols(source: SourceFile, positions: Positions) -> list[lsp.DocumentSymbol]:
    """Return the outline of a file."""
    return [_symbol(each, positions) for each in outline(source)]


def _symbol(symbol: Symbol, positions: Positions) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        symbol.name or "?",
        KINDS.get(symbol.sort, lsp.SymbolKind.Object),
        positions.range(symbol.whole),
        positions.range(symbol.span),
        detail=symbol.sort,
        children=[_symbol(each, positions) for each in symbol.below],
    )


def workspace_symbol(symbol: Symbol, positions: Positions) -> lsp.SymbolInformation:
    """Return something that a game declares."""
    kind = KINDS.get(symbol.sort, lsp.SymbolKind.Object)
    return lsp.SymbolInformation(positions.location(symbol.span), symbol.name, kind)


def folding_ranges(source: SourceFile) -> list[lsp.FoldingRange]:
    """Return what can be folded in a file."""
    return [
        lsp.FoldingRange(
            each.first - 1,
            each.last - 1,
            kind=lsp.FoldingRangeKind.Comment if each.is_comment else None,
        )
        for each in folds(source)
    ]


def semantic_tokens(view: View, file: str, positions: Positions) -> lsp.SemanticTokens:
    """Return the names of a file: five numbers each, told by their distance from the last one."""
    data: list[int] = []
    line = column = 0
    for each in tokens(view, file):
        at = positions.range(each.span)
        if at.start.line == line and data and at.start.character < column:
            continue  # two names at one place
        length = at.end.character - at.start.character
        down = at.start.line - line
        right = at.start.character - (column if down == 0 else 0)
        data += [down, right, length, TYPES.index(each.type), int(each.declares)]
        line, column = at.start.line, at.start.character
    return lsp.SemanticTokens(data)


def inlay_hints(
    view: View, file: str, lines: tuple[int, int], positions: Positions
) -> list[lsp.InlayHint]:
    """Return what some lines leave unsaid."""
    return [
        lsp.InlayHint(
            positions.range(each.span).end,
            f"({each.text})",
            kind=lsp.InlayHintKind.Type,
            padding_left=True,
        )
        for each in hints(view, file, *lines)
    ]


def code_lens(lens: Lens, positions: Positions) -> lsp.CodeLens:
    """Return what is said above a declaration or a scenario."""
    arguments: list[object] = list(lens.arguments)
    command = lsp.Command(lens.title, lens.command, arguments=arguments)
    return lsp.CodeLens(positions.range(lens.span), command=command)

"""What is asked about a place, in the types of the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as lsp

from rulesdsl.editor import calls, definition
from rulesdsl.editor.completing import complete
from rulesdsl.editor.completing.within import beginning_of
from rulesdsl.editor.hover import hover
from rulesdsl.editor.server.outlines import KINDS
from rulesdsl.editor.server.positions import uri_of
from rulesdsl.editor.signature import signatures

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.editor.completing import Item
    from rulesdsl.editor.server.positions import Positions
    from rulesdsl.editor.symbols import Symbol
    from rulesdsl.editor.view import Spot, View
    from rulesdsl.source.span import SourceFile

_ITEMS = {
    "word": lsp.CompletionItemKind.Keyword,
    "verb": lsp.CompletionItemKind.Function,
    "step": lsp.CompletionItemKind.Function,
    "piece": lsp.CompletionItemKind.Class,
    "place": lsp.CompletionItemKind.Folder,
    "track": lsp.CompletionItemKind.Variable,
    "flag": lsp.CompletionItemKind.Event,
    "value": lsp.CompletionItemKind.Method,
    "number": lsp.CompletionItemKind.Constant,
    "option": lsp.CompletionItemKind.Property,
    "rival": lsp.CompletionItemKind.Interface,
    "kind": lsp.CompletionItemKind.Enum,
    "entry": lsp.CompletionItemKind.EnumMember,
    "field": lsp.CompletionItemKind.Field,
    "local": lsp.CompletionItemKind.TypeParameter,
    "source": lsp.CompletionItemKind.Value,
}


def completions(
    view: View, source: SourceFile, spot: Spot, positions: Positions, *, snippets: bool
) -> lsp.CompletionList:
    """Return what can be written at a place; the order is ours, so the client keeps it."""
    items = complete(view, source, spot)
    beginning = _beginning(source, spot)
    start = positions.position(spot.file, spot.line, spot.column - len(beginning))
    end = positions.position(spot.file, spot.line, spot.column)
    listed = [
        _item(each, at, lsp.Range(start, end), snippets=snippets) for at, each in enumerate(items)
    ]
    return lsp.CompletionList(is_incomplete=True, items=listed)


def _beginning(source: SourceFile, spot: Spot) -> str:
    found = beginning_of(source.line(spot.line)[: spot.column - 1])
    return found.rpartition(".")[2] if source.path.endswith(".toml") else found


def _item(item: Item, at: int, range_: lsp.Range, *, snippets: bool) -> lsp.CompletionItem:
    has_stops = bool(item.snippet) and snippets
    return lsp.CompletionItem(
        label=item.word,
        kind=_ITEMS.get(item.sort, lsp.CompletionItemKind.Text),
        detail=item.detail or None,
        sort_text=f"{at:04}",
        filter_text=item.word,
        text_edit=lsp.TextEdit(range_, item.snippet if has_stops else item.word),
        insert_text_format=(
            lsp.InsertTextFormat.Snippet if has_stops else lsp.InsertTextFormat.PlainText
        ),
    )


def hovered(view: View, spot: Spot, positions: Positions) -> lsp.Hover | None:
    """Return what a word means."""
    found = hover(view, spot)
    if found is None:
        return None
    said = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
    return lsp.Hover(said, positions.range(found.span))


def signature_help(view: View, source: SourceFile, spot: Spot) -> lsp.SignatureHelp | None:
    """Return the forms of the verb that is being written."""
    found = signatures(view, source, spot)
    if not found:
        return None
    listed = [
        lsp.SignatureInformation(
            each.text,
            parameters=[lsp.ParameterInformation(param) for param in each.params],
            active_parameter=each.active if each.params else None,
        )
        for each in found
    ]
    return lsp.SignatureHelp(listed, active_signature=0)


def highlighted(view: View, spot: Spot, positions: Positions) -> list[lsp.DocumentHighlight]:
    """Return the places of a file that name the same thing."""
    return [
        lsp.DocumentHighlight(positions.range(each)) for each in definition.highlights(view, spot)
    ]


# -------------------------------------------------------------------- calls
def call_item(symbol: Symbol, positions: Positions) -> lsp.CallHierarchyItem:
    """Return something that calls or is called."""
    kind = KINDS.get(symbol.sort, lsp.SymbolKind.Function)
    whole, name = positions.range(symbol.whole), positions.range(symbol.span)
    return lsp.CallHierarchyItem(symbol.name, kind, uri_of(symbol.whole.file), whole, name)


def calls_of(
    view: View,
    item: lsp.CallHierarchyItem,
    of: Callable[[View, Symbol], tuple[calls.Call, ...]],
    positions: Positions,
) -> list[tuple[lsp.CallHierarchyItem, list[lsp.Range]]]:
    """Return the calls of what an item of the client stands for now, whichever are asked for."""
    spot = positions.spot(item.uri, item.selection_range.start)
    symbol = calls.around(view, spot.file, spot.line)
    return [
        (call_item(each.who, positions), [positions.range(place) for place in each.places])
        for each in (() if symbol is None else of(view, symbol))
    ]

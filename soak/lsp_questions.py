"""Everything that can be asked of the language server at a place."""

from __future__ import annotations

import asyncio
import itertools
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcRequestCancelled

if TYPE_CHECKING:
    import random
    from collections.abc import Awaitable, Callable

    from pygls.lsp.client import LanguageClient

REFUSABLE = {"rename", "play"}  # what may be refused with a reason: that is an answer
_BESIDE_THE_END = 3  # columns after a line that are asked about, too
_NUMBERS = itertools.count()


def questions(
    client: LanguageClient, uri: str, text: str, chance: random.Random
) -> dict[str, Callable[[], Awaitable[Any]]]:
    """Return what can be asked at a random place of a text, by name."""
    lines = text.split("\n")
    line = chance.randrange(len(lines))
    place = lsp.Position(line, chance.randrange(len(lines[line]) + _BESIDE_THE_END))
    document = lsp.TextDocumentIdentifier(uri)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines), 0))
    here = lsp.Range(place, place)
    item = lsp.CallHierarchyItem("it", lsp.SymbolKind.Function, uri, here, here)
    spot = (Path(uris.to_fs_path(uri) or uri).as_posix(), line + 1, place.character + 1)
    return {
        "completion": lambda: client.text_document_completion_async(
            lsp.CompletionParams(document, place)
        ),
        "hover": lambda: client.text_document_hover_async(lsp.HoverParams(document, place)),
        "signature": lambda: client.text_document_signature_help_async(
            lsp.SignatureHelpParams(document, place)
        ),
        "definition": lambda: client.text_document_definition_async(
            lsp.DefinitionParams(document, place)
        ),
        "references": lambda: client.text_document_references_async(
            lsp.ReferenceParams(lsp.ReferenceContext(include_declaration=True), document, place)
        ),
        "highlight": lambda: client.text_document_document_highlight_async(
            lsp.DocumentHighlightParams(document, place)
        ),
        "prepare rename": lambda: client.text_document_prepare_rename_async(
            lsp.PrepareRenameParams(document, place)
        ),
        "rename": lambda: client.text_document_rename_async(
            lsp.RenameParams(document, place, "fresh-name")
        ),
        "actions": lambda: client.text_document_code_action_async(
            lsp.CodeActionParams(document, whole, lsp.CodeActionContext([]))
        ),
        "outline": lambda: client.text_document_document_symbol_async(
            lsp.DocumentSymbolParams(document)
        ),
        "symbols": lambda: client.workspace_symbol_async(lsp.WorkspaceSymbolParams("a")),
        "folding": lambda: client.text_document_folding_range_async(
            lsp.FoldingRangeParams(document)
        ),
        "format": lambda: client.text_document_formatting_async(
            lsp.DocumentFormattingParams(document, lsp.FormattingOptions(4, insert_spaces=True))
        ),
        "tokens": lambda: client.text_document_semantic_tokens_full_async(
            lsp.SemanticTokensParams(document)
        ),
        "hints": lambda: client.text_document_inlay_hint_async(
            lsp.InlayHintParams(document, whole)
        ),
        "lenses": lambda: client.text_document_code_lens_async(lsp.CodeLensParams(document)),
        "calls": lambda: client.text_document_prepare_call_hierarchy_async(
            lsp.CallHierarchyPrepareParams(document, place)
        ),
        "callers": lambda: client.call_hierarchy_incoming_calls_async(
            lsp.CallHierarchyIncomingCallsParams(item)
        ),
        "called": lambda: client.call_hierarchy_outgoing_calls_async(
            lsp.CallHierarchyOutgoingCallsParams(item)
        ),
        "showReferences": lambda: _carried_out(client, "coloma.showReferences", *spot),
        "play": lambda: _carried_out(client, "coloma.play", spot[0]),
        "explain": lambda: _carried_out(client, "coloma.explain", "E201"),
        "cancelled": lambda: _cancelled(client, document),
    }


async def _carried_out(client: LanguageClient, command: str, *arguments: object) -> None:
    params = lsp.ExecuteCommandParams(command, list(arguments))
    await client.workspace_execute_command_async(params)


async def _cancelled(client: LanguageClient, document: lsp.TextDocumentIdentifier) -> None:
    """Ask for something and do not want it any more; either is an answer."""
    name = f"cancelled {next(_NUMBERS)}"
    params = lsp.SemanticTokensParams(document)
    asked = asyncio.ensure_future(
        client.protocol.send_request_async(
            lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, params, msg_id=name
        )
    )
    await asyncio.sleep(0)
    client.cancel_request(lsp.CancelParams(name))
    try:
        await asked
    except JsonRpcRequestCancelled:
        return

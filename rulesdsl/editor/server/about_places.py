"""What a client asks about a place of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from rulesdsl.editor import calls, definition
from rulesdsl.editor.rename import Refused, rename, renamed_at
from rulesdsl.editor.server import answers, commands, findings
from rulesdsl.editor.server.positions import file_of, uri_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.editor.server.server import Handlers, Server
    from rulesdsl.editor.symbols import Symbol
    from rulesdsl.editor.view import View


def _completion(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    spot = server.positions.spot(params.text_document.uri, params.position)
    source, project = server.desk.source(spot.file), server.desk.project(spot.file)
    view = None if project is None else project.view_at_once
    if view is None or source is None:
        return None
    text = server.client_capabilities.text_document
    item = text.completion.completion_item if text and text.completion else None
    snippets = bool(item and item.snippet_support)
    return answers.completions(view, source, spot, server.positions, snippets=snippets)


def _hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    view, spot = server.asked(params)
    return None if view is None else answers.hovered(view, spot, server.positions)


def _signature(server: Server, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    view, spot = server.asked(params)
    source = server.desk.source(spot.file)
    return None if view is None or source is None else answers.signature_help(view, source, spot)


def _definition(server: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
    view, spot = server.asked(params)
    found = () if view is None else definition.definitions(view, spot)
    return [server.positions.location(each) for each in found]


def _references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    view, spot = server.asked(params)
    own = params.context.include_declaration
    found = () if view is None else definition.references(view, spot, declaration=own)
    return [server.positions.location(each) for each in found]


def _highlight(server: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    view, spot = server.asked(params)
    return [] if view is None else answers.highlighted(view, spot, server.positions)


def _prepare_rename(server: Server, params: lsp.PrepareRenameParams) -> Any:  # noqa: ANN401
    view, spot = server.asked(params)
    found = None if view is None else renamed_at(view, spot)
    if found is None:
        return None
    return lsp.PrepareRenamePlaceholder(server.positions.range(found.span), found.name)


def _rename(server: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
    view, spot = server.asked(params)
    if view is None:
        return None
    try:
        edits = rename(view, spot, params.new_name)
    except Refused as refused:
        raise commands.refusal(str(refused)) from None
    changes: dict[str, list[lsp.TextEdit]] = {}
    positions = server.positions
    for each in edits:
        edit = lsp.TextEdit(positions.range(each.span), each.text)
        changes.setdefault(uri_of(each.span.file), []).append(edit)
    return lsp.WorkspaceEdit(changes=changes)


def _actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    file = file_of(params.text_document.uri)
    project = server.desk.project(file)
    here = [] if project is None else project.findings_in(file)
    return list(findings.actions(here, params, server.desk.source(file), server.positions))


def _prepare_calls(
    server: Server, params: lsp.CallHierarchyPrepareParams
) -> list[lsp.CallHierarchyItem] | None:
    view, spot = server.asked(params)
    found = None if view is None else calls.callable_at(view, spot)
    return None if found is None else [answers.call_item(found, server.positions)]


def _incoming(
    server: Server, params: lsp.CallHierarchyIncomingCallsParams
) -> list[lsp.CallHierarchyIncomingCall]:
    found = _calls(server, params.item, calls.callers)
    return [lsp.CallHierarchyIncomingCall(who, places) for who, places in found]


def _outgoing(
    server: Server, params: lsp.CallHierarchyOutgoingCallsParams
) -> list[lsp.CallHierarchyOutgoingCall]:
    found = _calls(server, params.item, calls.called)
    return [lsp.CallHierarchyOutgoingCall(who, places) for who, places in found]


def _calls(
    server: Server,
    item: lsp.CallHierarchyItem,
    of: Callable[[View, Symbol], tuple[calls.Call, ...]],
) -> list[tuple[lsp.CallHierarchyItem, list[lsp.Range]]]:
    """Return those who call something, or whom it calls, with the places of the calls."""
    view = server.desk.view(file_of(item.uri))
    return [] if view is None else answers.calls_of(view, item, of, server.positions)


_QUICK_FIXES = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]
HANDLERS: Handlers = {
    lsp.TEXT_DOCUMENT_COMPLETION: (_completion, lsp.CompletionOptions([" ", ".", '"', "{"])),
    lsp.TEXT_DOCUMENT_HOVER: (_hover, None),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: (_signature, lsp.SignatureHelpOptions([" "])),
    lsp.TEXT_DOCUMENT_DEFINITION: (_definition, None),
    lsp.TEXT_DOCUMENT_REFERENCES: (_references, None),
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: (_highlight, None),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: (_prepare_rename, None),
    lsp.TEXT_DOCUMENT_RENAME: (_rename, lsp.RenameOptions(prepare_provider=True)),
    lsp.TEXT_DOCUMENT_CODE_ACTION: (_actions, lsp.CodeActionOptions(_QUICK_FIXES)),
    lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: (_prepare_calls, None),
    lsp.CALL_HIERARCHY_INCOMING_CALLS: (_incoming, None),
    lsp.CALL_HIERARCHY_OUTGOING_CALLS: (_outgoing, None),
}

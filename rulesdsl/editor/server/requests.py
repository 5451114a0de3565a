"""Requests, commands, and the registration of all handlers.

Slow requests that editors send on their own wait in a queue: before each, all messages from the
client are read, and cancelled requests are dropped.
"""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcException

from rulesdsl.editor import jobs, references, symbols
from rulesdsl.editor.annotations import hints, lenses
from rulesdsl.editor.completion import beginning_of, complete
from rulesdsl.editor.hover import hover, signatures
from rulesdsl.editor.project import pack_of
from rulesdsl.editor.references import TextPosition
from rulesdsl.editor.rename import Refused, rename, renamed_at
from rulesdsl.editor.server import lsp_convert, text_sync
from rulesdsl.editor.server.workspace import file_of
from rulesdsl.source.codes import find_code

if TYPE_CHECKING:
    from rulesdsl.editor.project import Finder
    from rulesdsl.editor.references import View
    from rulesdsl.editor.server.text_sync import Handler, Handlers, Server
    from rulesdsl.editor.symbols import CallEdge, OutlineSymbol
    from rulesdsl.source.span import SourceFile, Span

_REFUSED = -32803  # RequestFailed of the protocol
_LISTENING = 0.005  # house: seconds, enough to read a dozen messages
_FIRST_LINES = 3


# -------------------------------------------------------------------- requests about a position
def _completion(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    positions = server.positions
    spot = positions.spot(params.text_document.uri, params.position)
    source, project = server.documents.source(spot.file), server.documents.project(spot.file)
    view = None if project is None else project.view_at_once
    if view is None or source is None:
        return None
    text = server.client_capabilities.text_document
    client = text.completion.completion_item if text and text.completion else None
    snippets = bool(client and client.snippet_support)
    beginning = beginning_of(source.line(spot.line)[: spot.column - 1])
    if source.path.endswith(".toml"):
        beginning = beginning.rpartition(".")[2]
    start = positions.position(spot.file, spot.line, spot.column - len(beginning))
    written = lsp.Range(start, positions.position(spot.file, spot.line, spot.column))
    items = [
        lsp_convert.completion_item(each, at, written, snippets=snippets)
        for at, each in enumerate(complete(view, source, spot))
    ]
    return lsp.CompletionList(is_incomplete=True, items=items)


def _hover(server: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    view, spot = server.asked(params)
    found = None if view is None else hover(view, spot)
    if found is None:
        return None
    said = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
    return lsp.Hover(said, server.positions.range(found.span))


def _signature(server: Server, params: lsp.SignatureHelpParams) -> lsp.SignatureHelp | None:
    view, spot = server.asked(params)
    source = server.documents.source(spot.file)
    found = () if view is None or source is None else signatures(view, source, spot)
    listed = [
        lsp.SignatureInformation(
            each.text,
            parameters=[lsp.ParameterInformation(param) for param in each.params],
            active_parameter=each.active if each.params else None,
        )
        for each in found
    ]
    return lsp.SignatureHelp(listed, active_signature=0) if listed else None


def _locations(server: Server, spans: tuple[Span, ...]) -> list[lsp.Location]:
    positions = server.positions
    return [positions.location(each) for each in spans]


def _definition(server: Server, params: lsp.DefinitionParams) -> list[lsp.Location]:
    view, spot = server.asked(params)
    return _locations(server, () if view is None else references.definitions(view, spot))


def _references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    view, spot = server.asked(params)
    own = params.context.include_declaration
    found = () if view is None else references.references(view, spot, declaration=own)
    return _locations(server, found)


def _highlight(server: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    view, spot = server.asked(params)
    found = () if view is None else references.highlights(view, spot)
    return [lsp.DocumentHighlight(server.positions.range(each)) for each in found]


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
        raise refusal(str(refused)) from None
    return server.positions.workspace_edit(edits)


def _actions(server: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    file = file_of(params.text_document.uri)
    project = server.documents.project(file)
    here = [] if project is None else project.findings_in(file)
    source = server.documents.source(file)
    return list(lsp_convert.code_actions(here, params, source, server.positions))


def _prepare_calls(
    server: Server, params: lsp.CallHierarchyPrepareParams
) -> list[lsp.CallHierarchyItem] | None:
    view, spot = server.asked(params)
    found = None if view is None else symbols.callable_at(view, spot)
    return None if found is None else [lsp_convert.call_item(found, server.positions)]


def _incoming(
    server: Server, params: lsp.CallHierarchyIncomingCallsParams
) -> list[lsp.CallHierarchyIncomingCall]:
    found = _calls(server, params.item, symbols.callers)
    return [lsp.CallHierarchyIncomingCall(who, places) for who, places in found]


def _outgoing(
    server: Server, params: lsp.CallHierarchyOutgoingCallsParams
) -> list[lsp.CallHierarchyOutgoingCall]:
    found = _calls(server, params.item, symbols.called)
    return [lsp.CallHierarchyOutgoingCall(who, places) for who, places in found]


def _calls(
    server: Server,
    item: lsp.CallHierarchyItem,
    of: Callable[[View, OutlineSymbol], tuple[CallEdge, ...]],
) -> list[tuple[lsp.CallHierarchyItem, list[lsp.Range]]]:
    positions = server.positions
    spot = positions.spot(item.uri, item.selection_range.start)
    view = server.documents.view(spot.file)
    symbol = None if view is None else symbols.around(view, spot.file, spot.line)
    return [
        (lsp_convert.call_item(each.who, positions), [*map(positions.range, each.places)])
        for each in (() if view is None or symbol is None else of(view, symbol))
    ]


# -------------------------------------------------------------------- requests about a file
def _source(server: Server, params: Any) -> SourceFile | None:  # noqa: ANN401 - has a document
    return server.documents.source(file_of(params.text_document.uri))


def _outline(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    source, positions = _source(server, params), server.positions
    found = () if source is None else symbols.outline(source)
    return [lsp_convert.document_symbol(each, positions) for each in found]


def _named(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
    # of every open game, without waiting until all are checked
    return [
        lsp_convert.workspace_symbol(each, server.positions)
        for project in server.documents.projects
        if (view := project.view_at_once) is not None
        for each in symbols.named(view, params.query)
    ]


def _folding(server: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    source = _source(server, params)
    return [
        lsp.FoldingRange(
            each.first - 1,
            each.last - 1,
            kind=lsp.FoldingRangeKind.Comment if each.is_comment else None,
        )
        for each in (() if source is None else symbols.folds(source))
    ]


def _format(server: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    source = _source(server, params)
    return [] if source is None else lsp_convert.formatting(source)


def _tokens(server: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    file = file_of(params.text_document.uri)
    view = server.documents.view(file)
    if view is None:
        return lsp.SemanticTokens([])
    return lsp_convert.semantic_tokens(view, file, server.positions)


def _hints(server: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    file, lines = file_of(params.text_document.uri), params.range
    view = server.documents.view(file)
    return [
        lsp.InlayHint(
            server.positions.range(each.span).end,
            f"({each.text})",
            kind=lsp.InlayHintKind.Type,
            padding_left=True,
        )
        for each in (
            () if view is None else hints(view, file, lines.start.line + 1, lines.end.line + 1)
        )
    ]


def _lenses(server: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    source, positions = _source(server, params), server.positions
    view = server.documents.view(file_of(params.text_document.uri))
    found = () if view is None or source is None else lenses(view, source)
    return [
        lsp.CodeLens(
            positions.range(each.span),
            command=lsp.Command(each.title, each.command, arguments=list(each.arguments)),
        )
        for each in found
    ]


# -------------------------------------------------------------------- commands
def refusal(message: str) -> JsonRpcException:
    """Return the error response of a refused request."""
    return JsonRpcException(message, code=_REFUSED)


def _say(server: Server, message: str) -> None:
    params = lsp.ShowMessageParams(lsp.MessageType.Info, message)
    server.window_show_message(params)


def _pack_folders(server: Server, file: str) -> list[str]:
    project, folder = server.documents.project(file), pack_of(Path(file))
    if project is None or folder is None:
        raise refusal(f"{file} belongs to no pack.")
    mods = project.packs.mods.get(folder, ())
    return [str(project.packs.game), *map(str, mods)]


async def _run_scenarios(server: Server, file: str, only: str = "") -> str:
    """Run the scenarios of a file, or those about a rule; show the summary."""
    folders = _pack_folders(server, file)
    wanted = only or Path(file).name
    said = await jobs.run(jobs.TEST, str(pack_of(Path(file))), wanted, *folders)
    _say(server, said[-500:])
    return said


async def _show_form(server: Server, file: str, name: str, stage: str = "form") -> str:
    return await jobs.run(jobs.FORM, name, stage, *_pack_folders(server, file))


async def _explain(server: Server, code: str) -> str:
    """Return the page of a code, and show it if the client can."""
    found = find_code(code)
    if found is None or not found.has_page:
        raise refusal(f"There is no page about {code}.")
    window = server.client_capabilities.window
    uri = uris.from_fs_path(found.path.as_posix()) if found.path is not None else None
    if uri is not None and window is not None and window.show_document is not None:
        server.window_show_document(lsp.ShowDocumentParams(uri, take_focus=True), _ignored)
    else:
        _say(server, "\n".join(found.page.split("\n\n")[:_FIRST_LINES]))
    return found.page


def _ignored(_: object) -> None:
    """Ignore the response to a shown document."""


async def _play(server: Server, file: str) -> str:
    game, *mods = _pack_folders(server, file)
    words = ["coloma", "play", "--pack", game]
    for each in mods:
        words += ["--mod", each]
    return shlex.join(words)


async def _show_references(server: Server, *place: Any) -> list[lsp.Location]:  # noqa: ANN401
    """Return the references to the symbol at a file, line and column."""
    if not place:
        return []
    file, line, column = place
    view = server.documents.view(str(file))
    spot = TextPosition(str(file), int(line), int(column))
    return _locations(server, () if view is None else references.references(view, spot))


Command = Callable[..., Awaitable[Any]]
COMMANDS: dict[str, Command] = {
    "coloma.runScenarios": _run_scenarios,
    "coloma.showForm": _show_form,
    lsp_convert.EXPLAIN: _explain,
    "coloma.play": _play,
    "coloma.showReferences": _show_references,
}


# -------------------------------------------------------------------- all handlers
_QUICK_FIXES = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]
HANDLERS: Handlers = {
    **text_sync.HANDLERS,
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
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: (_outline, None),
    lsp.WORKSPACE_SYMBOL: (_named, None),
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: (_folding, None),
    lsp.TEXT_DOCUMENT_FORMATTING: (_format, None),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (_tokens, lsp_convert.LEGEND),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (_hints, None),
    lsp.TEXT_DOCUMENT_CODE_LENS: (_lenses, None),
}
IN_TURN = {
    lsp.TEXT_DOCUMENT_REFERENCES,
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT,
    lsp.TEXT_DOCUMENT_CODE_ACTION,
    lsp.CALL_HIERARCHY_INCOMING_CALLS,
    lsp.CALL_HIERARCHY_OUTGOING_CALLS,
    lsp.WORKSPACE_SYMBOL,
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    lsp.TEXT_DOCUMENT_INLAY_HINT,
    lsp.TEXT_DOCUMENT_CODE_LENS,
}


def serve(find: Finder) -> None:
    """Serve one client over standard input and output until it disconnects."""
    server = text_sync.Server(find)
    for method, (handler, options) in HANDLERS.items():
        answer = in_turn(server, handler) if method in IN_TURN else partial(handler, server)
        server.feature(method, options)(answer)
    for name, command in COMMANDS.items():
        server.command(name)(_carried_out(server, command))
    server.start_io(text_sync.Headers(sys.stdin.buffer))  # type: ignore[arg-type] # it reads, and no more


def _carried_out(server: Server, command: Command) -> Callable[..., Any]:
    """Return a command as a function of the client's arguments only."""

    async def carry_out(*arguments: Any) -> Any:  # noqa: ANN401 - decided by the client
        return await command(server, *arguments)

    return carry_out


def in_turn(server: Server, handler: Handler) -> Callable[..., Any]:
    """Return a handler that can be cancelled until its turn."""

    async def answer(params: Any) -> Any:  # noqa: ANN401 - any parameters
        async with server.turn:
            await asyncio.sleep(_LISTENING)
            return handler(server, params)

    return answer

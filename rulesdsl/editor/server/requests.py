"""Requests, commands, and the registration of all handlers.

Slow requests that editors send without a user's action wait in a queue: before each, all messages
from the client are read, and cancelled requests are dropped.
"""

from __future__ import annotations

import asyncio
import shlex
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcException

from rulesdsl.editor import jobs, references, symbols
from rulesdsl.editor.completion import beginning_of, complete
from rulesdsl.editor.hover import hover, signatures
from rulesdsl.editor.project import Finder, pack_of
from rulesdsl.editor.references import TextPosition, View, highlights
from rulesdsl.editor.rename import Refused, rename, renamed_at
from rulesdsl.editor.server import lsp_convert, text_sync
from rulesdsl.editor.server.lsp_convert import Positions, file_of
from rulesdsl.editor.server.text_sync import Handler, Handlers, Server
from rulesdsl.editor.symbols import (
    CallEdge,
    OutlineSymbol,
    callables_at,
    folds,
    hints,
    lenses,
    outline,
    tokens,
)
from rulesdsl.source.codes import find_code
from rulesdsl.source.span import SourceFile

_REFUSED = -32803  # RequestFailed of the protocol
_LISTENING = 0.005  # seconds, enough to read a dozen messages
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


def _references(server: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    view, spot = server.asked(params)
    own = params.context.include_declaration
    found = () if view is None else references.references(view, spot, declaration=own)
    return [server.positions.location(each) for each in found]


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


def _named(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
    # in every open game, without waiting until all are checked
    return [
        lsp_convert.workspace_symbol(each, server.positions)
        for project in server.documents.projects
        if (view := project.view_at_once) is not None
        for each in symbols.named(view, params.query)
    ]


# -------------------------------------------------------------------- queries as requests
_Convert = Callable[[Any, Positions], Any]


def _at(query: Callable[[View, TextPosition], object], convert: _Convert) -> Handler:
    """Return the handler for a query about a position; a missing answer becomes null."""

    def answer(server: Server, params: Any) -> Any:  # noqa: ANN401 - any parameters
        view, spot = server.asked(params)
        found = None if view is None else query(view, spot)
        return None if found is None else convert(found, server.positions)

    return answer


def _of_text(query: Callable[[SourceFile], object], convert: _Convert) -> Handler:
    """Return the handler for a query about a file's text, whether or not it belongs to a pack."""

    def answer(server: Server, params: Any) -> Any:  # noqa: ANN401 - any parameters
        source = server.documents.source(file_of(params.text_document.uri))
        return None if source is None else convert(query(source), server.positions)

    return answer


def _of_file(query: Callable[[View, SourceFile], object], convert: _Convert) -> Handler:
    """Return the handler for a query about a file in a checked pack."""

    def answer(server: Server, params: Any) -> Any:  # noqa: ANN401 - any parameters
        file = file_of(params.text_document.uri)
        view, source = server.documents.view(file), server.documents.source(file)
        found = None if view is None or source is None else query(view, source)
        return None if found is None else convert(found, server.positions)

    return answer


def _each(convert: _Convert) -> _Convert:
    """Return a converter that converts a list item by item."""
    return lambda found, positions: [convert(each, positions) for each in found]


def _hints(server: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    found = _of_file(hints, _each(lsp_convert.inlay_hint))(server, params) or ()
    lines = range(params.range.start.line, params.range.end.line + 1)
    return [each for each in found if each.position.line in lines]


# -------------------------------------------------------------------- commands
def refusal(message: str) -> JsonRpcException:
    """Return the error response to a refused request."""
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
    """Run the scenarios in a file, or those that match `only`; show the summary."""
    folders = _pack_folders(server, file)
    wanted = only or Path(file).name
    said = await jobs.run(jobs.TEST, str(pack_of(Path(file))), wanted, *folders)
    _say(server, said[-500:])
    return said


async def _show_form(server: Server, file: str, name: str, stage: str = "form") -> str:
    return await jobs.run(jobs.FORM, name, stage, *_pack_folders(server, file))


async def _explain(server: Server, code: str) -> str:
    """Return the page about a code, and show it if the client can."""
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
    """Ignore the client's response to a request to show a document."""


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
    found = () if view is None else references.references(view, spot)
    return [server.positions.location(each) for each in found]


Command = Callable[..., Awaitable[Any]]
COMMANDS: dict[str, Command] = {
    "coloma.runScenarios": _run_scenarios,
    "coloma.showForm": _show_form,
    lsp_convert.EXPLAIN: _explain,
    "coloma.play": _play,
    "coloma.showReferences": _show_references,
}


# -------------------------------------------------------------------- all handlers
HANDLERS: Handlers = {
    **text_sync.HANDLERS,
    lsp.TEXT_DOCUMENT_COMPLETION: _completion,
    lsp.TEXT_DOCUMENT_HOVER: _at(hover, lsp_convert.hover),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: _signature,
    lsp.TEXT_DOCUMENT_DEFINITION: _at(references.definitions, _each(lsp_convert.location)),
    lsp.TEXT_DOCUMENT_REFERENCES: _references,
    lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: _at(highlights, _each(lsp_convert.highlight)),
    lsp.TEXT_DOCUMENT_PREPARE_RENAME: _at(renamed_at, lsp_convert.placeholder),
    lsp.TEXT_DOCUMENT_RENAME: _rename,
    lsp.TEXT_DOCUMENT_CODE_ACTION: _actions,
    lsp.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: _at(callables_at, _each(lsp_convert.call_item)),
    lsp.CALL_HIERARCHY_INCOMING_CALLS: _incoming,
    lsp.CALL_HIERARCHY_OUTGOING_CALLS: _outgoing,
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: _of_text(outline, _each(lsp_convert.document_symbol)),
    lsp.WORKSPACE_SYMBOL: _named,
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: _of_text(folds, _each(lsp_convert.folding_range)),
    lsp.TEXT_DOCUMENT_FORMATTING: _of_text(lsp_convert.formatting, lambda edits, _: edits),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: _of_file(tokens, lsp_convert.semantic_tokens),
    lsp.TEXT_DOCUMENT_INLAY_HINT: _hints,
    lsp.TEXT_DOCUMENT_CODE_LENS: _of_file(lenses, _each(lsp_convert.code_lens)),
}
OPTIONS = {
    lsp.TEXT_DOCUMENT_COMPLETION: lsp.CompletionOptions([" ", ".", '"', "{"]),
    lsp.TEXT_DOCUMENT_SIGNATURE_HELP: lsp.SignatureHelpOptions([" "]),
    lsp.TEXT_DOCUMENT_RENAME: lsp.RenameOptions(prepare_provider=True),
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(
        [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]
    ),
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: lsp_convert.LEGEND,
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
    for method, handler in HANDLERS.items():
        answer = in_turn(server, handler) if method in IN_TURN else partial(handler, server)
        server.feature(method, OPTIONS.get(method))(answer)
    for name, command in COMMANDS.items():
        server.command(name)(_carried_out(server, command))
    server.start_io(text_sync.Headers(sys.stdin.buffer))  # type: ignore[arg-type] # only read from


def _carried_out(server: Server, command: Command) -> Callable[..., Any]:
    """Bind a command to the server, so that only the client's arguments remain."""

    async def carry_out(*arguments: Any) -> Any:  # noqa: ANN401 - decided by the client
        return await command(server, *arguments)

    return carry_out


def in_turn(server: Server, handler: Handler) -> Callable[..., Any]:
    """Wrap a handler so that its request can be cancelled until its turn comes."""

    async def answer(params: Any) -> Any:  # noqa: ANN401 - any parameters
        async with server.turn:
            await asyncio.sleep(_LISTENING)
            return handler(server, params)

    return answer

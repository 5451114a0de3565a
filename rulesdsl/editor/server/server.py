"""The server: its handlers in a table, and when things are checked."""

from __future__ import annotations

import asyncio
import time
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from rulesdsl.editor import calls, definition, symbols
from rulesdsl.editor.lenses import lenses
from rulesdsl.editor.rename import Refused, rename, renamed_at
from rulesdsl.editor.server import answers, commands, findings, outlines
from rulesdsl.editor.server.desk import Desk
from rulesdsl.editor.server.positions import Positions, file_of, uri_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.editor.project import Finder, Project
    from rulesdsl.editor.view import Spot, View
    from rulesdsl.source.diagnostic import Diagnostic
    from rulesdsl.source.span import SourceFile

PAUSE = 0.15  # house: seconds without a key until findings are looked for
_PATIENCE = 0.02  # house: seconds at a time that reading ahead may take from a client
_WATCHED = "**/*.{rules,toml,md}"


class Server(LanguageServer):
    """What is open, what was found in it, and the client that is told."""

    def __init__(self, find: Finder) -> None:
        super().__init__(
            "coloma",
            version("coloma"),
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            max_workers=2,  # one reads what the client says
        )
        self.desk = Desk(find)
        self.found: dict[str, list[Diagnostic]] = {}
        self._waiting: asyncio.Task[None] | None = None

    # ---------------------------------------------------------------- what handlers need
    @property
    def positions(self) -> Positions:
        """The way to count of this client."""
        return Positions(self.workspace.position_codec, self.desk.source)

    def asked(self, params: Any) -> tuple[View | None, Spot]:  # noqa: ANN401 - any with a place
        """Return what is known now, and the place that a question is about."""
        spot = self.positions.spot(params.text_document.uri, params.position)
        return self.desk.view(spot.file), spot

    # ---------------------------------------------------------------- checking
    def changed(self) -> None:
        """Look for findings when nothing has changed for a while."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().create_task(self._check_soon())

    async def _check_soon(self) -> None:
        await asyncio.sleep(PAUSE)
        for project in list(self.desk.projects):
            while project.is_stale:
                project.check_one()
                await asyncio.sleep(0)  # somebody may have asked something meanwhile
            self._tell(project)
            await _read_ahead(project)
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)  # now it is known who tests what

    def check(self) -> None:
        """Check what has changed, and tell the client what was found."""
        for project in list(self.desk.projects):
            if project.is_stale:
                self._tell(project)

    def _tell(self, project: Project) -> None:
        for file, found in project.findings().items():
            if self.found.get(file) != found or file in self.desk.published:
                self.found[file] = found
                self._publish(file)

    def _publish(self, file: str) -> None:
        """Tell the client what is wrong with a file; that all is well, only where it was not."""
        found = self.found.get(file, [])
        if not found and file not in self.desk.published:
            return
        positions = self.positions
        shown = [findings.diagnostic(each, positions) for each in found]
        uri = uri_of(file)
        document = self.workspace.text_documents.get(uri)
        number = document.version if document else None
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, diagnostics=shown, version=number)
        )
        self.desk.published.add(file)
        if not found:
            self.desk.published.discard(file)


async def _read_ahead(project: Project) -> None:
    """Read scenarios and pages before somebody asks for what names a thing, bit by bit."""
    view = project.last_view
    began = time.monotonic()
    for _ in view.index.read_texts() if view is not None else ():
        if time.monotonic() - began > _PATIENCE:
            await asyncio.sleep(0)
            began = time.monotonic()


def serve(find: Finder) -> None:
    """Serve one client over standard input and output until it goes."""
    server = Server(find)
    for method, (handler, options) in HANDLERS.items():
        server.feature(method, options)(handler)
    for name, command in commands.COMMANDS.items():
        server.command(name)(_carried_out(server, command))
    server.start_io()


def _carried_out(server: Server, command: commands.Command) -> Callable[..., Any]:
    """Return a command as a function of what comes from the client, and of nothing else."""

    async def carry_out(*arguments: Any) -> Any:  # noqa: ANN401 - whatever the client wants
        return await command(server, *arguments)

    return carry_out


# -------------------------------------------------------------------- texts
def _initialized(server: Server, _: lsp.InitializedParams) -> None:
    folders = server.workspace.folders.values()
    paths = [uris.to_fs_path(each.uri) for each in folders] or [server.workspace.root_path]
    for path in paths:
        if path:
            server.desk.open_folder(Path(path))
    watched = server.client_capabilities.workspace
    dynamic = watched.did_change_watched_files if watched else None
    if dynamic and dynamic.dynamic_registration:
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(_WATCHED)])
        method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        registration = lsp.Registration("coloma-files", method, options)
        server.client_register_capability(lsp.RegistrationParams([registration]))
    server.changed()


def _opened(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    server.desk.put(file_of(params.text_document.uri), params.text_document.text)
    server.changed()


def _edited(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    document = server.workspace.get_text_document(params.text_document.uri)
    server.desk.put(file_of(params.text_document.uri), document.source)
    server.changed()


def _closed(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    server.desk.put(file_of(params.text_document.uri), None)
    server.changed()


def _saved(server: Server, _: lsp.DidSaveTextDocumentParams) -> None:
    server.desk.look_again()
    server.changed()


def _on_disk(server: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    if any(each.uri.endswith("pack.toml") for each in params.changes):
        server.desk.forget()
        for each in params.changes:
            server.desk.project(file_of(each.uri))
    server.desk.look_again()
    server.changed()


def _folders(server: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    for each in params.event.added:
        path = uris.to_fs_path(each.uri)
        if path:
            server.desk.open_folder(Path(path))
    server.changed()


# -------------------------------------------------------------------- about a place
def _completion(server: Server, params: lsp.CompletionParams) -> lsp.CompletionList | None:
    spot = server.positions.spot(params.text_document.uri, params.position)
    source, project = server.desk.source(spot.file), server.desk.project(spot.file)
    view = None if project is None else project.last_view or project.view()
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
    server.check()
    file = file_of(params.text_document.uri)
    here = server.found.get(file, [])
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
    view = server.desk.view(file_of(params.item.uri))
    return [] if view is None else answers.incoming(view, params.item, server.positions)


def _outgoing(
    server: Server, params: lsp.CallHierarchyOutgoingCallsParams
) -> list[lsp.CallHierarchyOutgoingCall]:
    view = server.desk.view(file_of(params.item.uri))
    return [] if view is None else answers.outgoing(view, params.item, server.positions)


# -------------------------------------------------------------------- about a file
def _source(server: Server, params: Any) -> SourceFile | None:  # noqa: ANN401 - any with a file
    return server.desk.source(file_of(params.text_document.uri))


def _outline(server: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    source = _source(server, params)
    return [] if source is None else outlines.document_symbols(source, server.positions)


def _named(server: Server, params: lsp.WorkspaceSymbolParams) -> list[lsp.SymbolInformation]:
    return [
        outlines.workspace_symbol(each, server.positions)
        for project in server.desk.projects
        if (view := project.view()) is not None
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


_QUICK_FIXES = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]
_Handler = tuple["Callable[..., Any]", object]
HANDLERS: dict[str, _Handler] = {
    lsp.INITIALIZED: (_initialized, None),
    lsp.TEXT_DOCUMENT_DID_OPEN: (_opened, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (_edited, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (_closed, None),
    lsp.TEXT_DOCUMENT_DID_SAVE: (_saved, None),
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (_on_disk, None),
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: (_folders, None),
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
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: (_tokens, outlines.LEGEND),
    lsp.TEXT_DOCUMENT_INLAY_HINT: (_hints, None),
    lsp.TEXT_DOCUMENT_CODE_LENS: (_lenses, None),
}

"""What a client says of its files: opened, edited, closed, saved, changed on the disk."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types as lsp
from pygls import uris

from rulesdsl.editor.server.positions import file_of

if TYPE_CHECKING:
    from rulesdsl.editor.server.server import Handlers, Server

_WATCHED = "**/*.{rules,toml,md}"


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
        server.desk.find_again()
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


HANDLERS: Handlers = {
    lsp.INITIALIZED: (_initialized, None),
    lsp.TEXT_DOCUMENT_DID_OPEN: (_opened, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (_edited, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (_closed, None),
    lsp.TEXT_DOCUMENT_DID_SAVE: (_saved, None),
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (_on_disk, None),
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: (_folders, None),
}

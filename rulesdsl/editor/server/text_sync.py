"""Server object with its open documents, notifications of changes, and scheduling of checks.

A client may spell the URI of a file in several ways: percent-encoded, with `..`, through a
symbolic link. Internally, a file is identified by its real path. Messages to the client use the
client's own URI for the file, or else a URI below the client's URI for the nearest folder.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import quote

from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import FeatureNotificationError, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from rulesdsl.editor.project import Finder, Project, pack_of
from rulesdsl.editor.references import TextPosition, View
from rulesdsl.editor.server.lsp_convert import Positions, diagnostic, file_of
from rulesdsl.packs import ENGINE_VERSION
from rulesdsl.packs.folder import MANIFEST
from rulesdsl.packs.pack_source import language_of
from rulesdsl.source.diagnostics import Diagnostic
from rulesdsl.source.span import SourceFile

Handler = Callable[..., Any]  # takes the server, and the parameters
Handlers = dict[str, Handler]  # by method
PAUSE = 0.1  # seconds without an edit before a check of the edited file's pack
_QUIET = 0.5  # additional seconds without an edit before a check of all other packs
_PATIENCE = 0.02  # seconds of background reading at a time
_BREATH = 0.01  # seconds between two checks, during which requests are read
_WATCHED = "**/*.{rules,toml,md}"
_LENGTH = b"content-length"


class Protocol(LanguageServerProtocol):
    """Protocol that also responds to malformed requests."""

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 - as in the library
        """Return a message; respond to a malformed request, such as line -1, with an error."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], None, error.to_response_error())
            raise


class Headers:
    """Standard input with a normalized length header.

    Header names are case-insensitive, but the library expects one spelling.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """Return the next header line."""
        line = self._stream.readline()
        name, _, value = line.partition(b":")
        is_length = name.strip().lower() == _LENGTH
        return b"Content-Length: %s\r\n" % value.strip() if is_length else line

    def read(self, size: int) -> bytes:
        """Read up to `size` bytes of a message's body."""
        return self._stream.read(size)


class Server(LanguageServer):
    """Language server for one client: open documents and their findings."""

    def __init__(self, find: Finder) -> None:
        super().__init__(
            "coloma",
            ENGINE_VERSION,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
            max_workers=2,  # one reads messages from the client
        )
        self.documents = Workspace(find)
        self.found: dict[str, list[Diagnostic]] = {}
        self.turn = asyncio.Lock()  # held by the current cancellable request
        self._waiting: asyncio.Task[None] | None = None
        self._frozen: set[Project] = set()
        self._edited = ""  # the last edited file

    # ---------------------------------------------------------------- context of requests
    @property
    def positions(self) -> Positions:
        """The position encoding of this client."""
        codec, documents = self.workspace.position_codec, self.documents
        return Positions(codec, documents.source, documents.uri_of)

    def asked(self, params: Any) -> tuple[View | None, TextPosition]:  # noqa: ANN401 - has a position
        """Return the current view, and the position in a request."""
        spot = self.positions.spot(params.text_document.uri, params.position)
        return self.documents.view(spot.file), spot

    # ---------------------------------------------------------------- checking
    def changed(self, file: str = "") -> None:
        """Schedule a check after a pause, beginning with the edited file."""
        self._edited = file
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().create_task(self._check_soon())
        self._waiting.add_done_callback(self._checked)

    def _checked(self, task: asyncio.Task[None]) -> None:
        """Report an exception in a check to the client; it would otherwise be lost."""
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.report_server_error(error, FeatureNotificationError)

    async def _check_soon(self) -> None:
        await asyncio.sleep(PAUSE)
        edited = self.documents.project(self._edited) if self._edited else None
        if edited is not None and edited.is_stale:
            self._record(self._edited, edited.findings_in(self._edited))
            await asyncio.sleep(_QUIET)
        self.documents.forget_deleted()
        checked: set[str] = set()
        for project in list(self.documents.projects):
            while project.is_stale:
                project.check_one()
                await asyncio.sleep(_BREATH)  # answer requests in between
            for file, found in project.findings().items():
                self._record(file, found)
                checked.add(file)
            await _read_ahead(project)
        for deleted in self.documents.published - checked:
            self._record(deleted, [])
        self._freeze()
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)  # coverage is known now

    def _freeze(self) -> None:
        """Exclude long-lived objects from garbage collection if there are new projects.

        Traversing a large game takes a quarter of a second and finds no garbage, since most of it
        lives as long as the server. Previously frozen objects that have become garbage are
        collected first.
        """
        projects = set(self.documents.projects)
        if not projects <= self._frozen:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        self._frozen = projects

    def _record(self, file: str, found: list[Diagnostic]) -> None:
        if self.found.get(file) != found or file in self.documents.published:
            self.found[file] = found
            self._publish(file)

    def _publish(self, file: str) -> None:
        """Publish a file's findings; publish an empty list only if there were findings before."""
        found, published = self.found.get(file, []), self.documents.published
        if not found and file not in published:
            return
        positions, uri = self.positions, self.documents.uri_of(file)
        shown = [diagnostic(each, positions) for each in found]
        document = self.workspace.text_documents.get(uri)
        number = document.version if document else None
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(uri=uri, diagnostics=shown, version=number)
        )
        (published.add if found else published.discard)(file)


async def _read_ahead(project: Project) -> None:
    """Read scenarios and pages in the background, in small portions."""
    view = project.last_view
    began = time.monotonic()
    for _ in view.read_texts() if view is not None else ():
        if time.monotonic() - began > _PATIENCE:
            await asyncio.sleep(0)
            began = time.monotonic()


# -------------------------------------------------------------------- notifications
def _initialized(server: Server, _: lsp.InitializedParams) -> None:
    root = server.workspace.root_uri
    folders = [each.uri for each in server.workspace.folders.values()] or ([root] if root else [])
    for uri in folders:
        server.documents.open_folder(uri)
    watched = server.client_capabilities.workspace
    dynamic = watched.did_change_watched_files if watched else None
    if dynamic and dynamic.dynamic_registration:
        options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher(_WATCHED)])
        method = lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES
        registration = lsp.Registration("coloma-files", method, options)
        server.client_register_capability(lsp.RegistrationParams([registration]))
    server.changed()


def _opened(server: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    server.documents.opened(params.text_document.uri, params.text_document.text)
    server.changed()


def _edited(server: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    document = server.workspace.get_text_document(params.text_document.uri)
    file = file_of(params.text_document.uri)
    server.documents.put(file, document.source)
    server.changed(file)


def _closed(server: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    server.documents.put(file_of(params.text_document.uri), None)
    server.changed()


def _saved(server: Server, _: lsp.DidSaveTextDocumentParams) -> None:
    server.documents.look_again()
    server.changed()


def _on_disk(server: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    if any(each.uri.endswith("pack.toml") for each in params.changes):
        server.documents.find_again()
        for each in params.changes:
            server.documents.project(file_of(each.uri))
    server.documents.look_again()
    server.changed()


def _folders(server: Server, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    for each in params.event.added:
        server.documents.open_folder(each.uri)
    server.changed()


HANDLERS: Handlers = {
    lsp.INITIALIZED: _initialized,
    lsp.TEXT_DOCUMENT_DID_OPEN: _opened,
    lsp.TEXT_DOCUMENT_DID_CHANGE: _edited,
    lsp.TEXT_DOCUMENT_DID_CLOSE: _closed,
    lsp.TEXT_DOCUMENT_DID_SAVE: _saved,
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: _on_disk,
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: _folders,
}


class Workspace:
    """A client's open documents, and the games and mods that they belong to."""

    def __init__(self, find: Finder) -> None:
        self._find = find
        self._open: dict[str, SourceFile] = {}
        self._uris: dict[str, str] = {}  # of files and folders, as spelled by the client
        self._projects: dict[Path, Project] = {}  # by the folder of each pack
        self.published: set[str] = set()  # files with published findings

    @property
    def projects(self) -> Iterable[Project]:
        """All projects, without duplicates."""
        return {id(each): each for each in self._projects.values()}.values()

    def put(self, file: str, text: str | None) -> None:
        """Set the text of an open document; `None` closes it."""
        if text is None:
            self._open.pop(file, None)
        else:
            self._open[file] = SourceFile(file, text, language_of(pack_of(Path(file))))
        project = self.project(file)
        if project is not None:
            project.edit(Path(file), text)

    def opened(self, uri: str, text: str) -> None:
        """Open a document under the client's URI."""
        file = file_of(uri)
        self._uris[file] = uri
        self.put(file, text)

    def open_folder(self, uri: str) -> None:
        """Open a folder, and the pack in it if there is one."""
        folder = file_of(uri)
        self._uris[folder] = uri.rstrip("/")
        self.project(f"{folder}/{MANIFEST}")

    def uri_of(self, file: str) -> str:
        """Return the URI of a file, as spelled by the client if possible."""
        for path in (file, *(each.as_posix() for each in Path(file).parents)):
            if path in self._uris:
                return self._uris[path] + quote(file[len(path) :])
        return uris.from_fs_path(file) or file

    def project(self, file: str) -> Project | None:
        """Return the project that contains a file, or None if no pack contains it."""
        folder = pack_of(Path(file))
        if folder is None:
            return None
        if folder not in self._projects:
            packs = self._find(folder)
            project = Project(packs, self._texts())
            for each_folder in packs.folders:
                self._projects.setdefault(each_folder, project)
            self._projects[folder] = project
        return self._projects[folder]

    def look_again(self) -> None:
        """Mark all projects as stale after changes on disk."""
        for project in self.projects:
            project.look_again()

    def forget_deleted(self) -> None:
        """Find all packs again if one was deleted or renamed."""
        if not all((folder / MANIFEST).is_file() for folder in self._projects):
            self.find_again()

    def find_again(self) -> None:
        """Find all packs again; projects with unchanged packs are kept."""
        before, folders = list(self.projects), list(self._projects)
        self._projects.clear()
        for folder in folders:
            if folder in self._projects or not (folder / MANIFEST).is_file():
                continue
            packs = self._find(folder)
            same = (each for each in before if each.packs == packs)
            project = next(same, None) or Project(packs, self._texts())
            self._projects.update(dict.fromkeys((folder, *packs.folders), project))

    def _texts(self) -> dict[Path, str]:
        return {Path(each): source.text for each, source in self._open.items()}

    def view(self, file: str) -> View | None:
        """Return the current view of the project that contains a file, or None."""
        project = self.project(file)
        return None if project is None else project.view()

    def source(self, file: str) -> SourceFile | None:
        """Return the current text of an open document or of any file in a project."""
        if file in self._open:
            return self._open[file]
        for project in self.projects:
            found = project.source(file)
            if found is not None:
                return found
        return None

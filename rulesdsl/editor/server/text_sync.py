"""The server itself: `textDocument/did*` and `workspace/did*`, and when things are checked."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import FeatureNotificationError, JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

from rulesdsl.editor.server.lsp_convert import Positions, diagnostic
from rulesdsl.editor.server.workspace import Workspace, file_of

if TYPE_CHECKING:
    from typing import BinaryIO

    from rulesdsl.editor.project import Finder, Project
    from rulesdsl.editor.references import Spot, View
    from rulesdsl.source.diagnostic import Diagnostic

Handler = Callable[..., Any]  # takes the server, and what a client says or asks
Handlers = dict[str, tuple[Handler, object]]  # by methods, each with its options
PAUSE = 0.15  # house: seconds without a key until findings are looked for
_PATIENCE = 0.02  # house: seconds at a time that reading ahead may take from a client
_BREATH = 0.01  # house: seconds between two checks, in which a question is read and begun
_WATCHED = "**/*.{rules,toml,md}"
_LENGTH = b"content-length"


class Protocol(LanguageServerProtocol):
    """The protocol, with an answer to requests that cannot be read."""

    def structure_message(self, data: dict[str, Any]) -> Any:  # noqa: ANN401 - as the library has it
        """Return a message; a request with, say, a line below 0 is answered with an error."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], None, error.to_response_error())
            raise


class Headers:
    """Standard input whose header of the length is written as the library looks for it.

    Names of headers may be written in capitals or not; the library would miss the body.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def readline(self) -> bytes:
        """Return the next line of a header."""
        line = self._stream.readline()
        name, _, value = line.partition(b":")
        is_length = name.strip().lower() == _LENGTH
        return b"Content-Length: %s\r\n" % value.strip() if is_length else line

    def read(self, size: int) -> bytes:
        """Return so many bytes of a body."""
        return self._stream.read(size)


class Server(LanguageServer):
    """Language server for one client: the open documents and what was found in them."""

    def __init__(self, find: Finder) -> None:
        super().__init__(
            "coloma",
            version("coloma"),
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
            max_workers=2,  # one reads what the client says
        )
        self.documents = Workspace(find)
        self.found: dict[str, list[Diagnostic]] = {}
        self.turn = asyncio.Lock()  # of whoever asks what can be cancelled
        self._waiting: asyncio.Task[None] | None = None
        self._frozen: set[Project] = set()
        self._edited = ""  # the file that a client has changed last

    # ---------------------------------------------------------------- what handlers need
    @property
    def positions(self) -> Positions:
        """The way to count of this client."""
        codec, documents = self.workspace.position_codec, self.documents
        return Positions(codec, documents.source, documents.uri_of)

    def asked(self, params: Any) -> tuple[View | None, Spot]:  # noqa: ANN401 - any with a place
        """Return what is known now, and the place that a question is about."""
        spot = self.positions.spot(params.text_document.uri, params.position)
        return self.documents.view(spot.file), spot

    # ---------------------------------------------------------------- checking
    def changed(self, file: str = "") -> None:
        """Look for findings when nothing has changed for a while, in an edited file first."""
        self._edited = file
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().create_task(self._check_soon())
        self._waiting.add_done_callback(self._checked)

    def _checked(self, task: asyncio.Task[None]) -> None:
        """Tell the client of an error in a check, which would end unheard."""
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.report_server_error(error, FeatureNotificationError)

    async def _check_soon(self) -> None:
        await asyncio.sleep(PAUSE)
        edited = self.documents.project(self._edited) if self._edited else None
        if edited is not None and edited.is_stale:
            self._tell(self._edited, edited.findings_in(self._edited))
            await asyncio.sleep(_BREATH)
        for project in list(self.documents.projects):
            while project.is_stale:
                project.check_one()
                await asyncio.sleep(_BREATH)  # somebody may have asked something meanwhile
            for file, found in project.findings().items():
                self._tell(file, found)
            await _read_ahead(project)
        self._freeze()
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)  # now it is known who tests what

    def _freeze(self) -> None:
        """Let the garbage collector pass over what has been read, when there is more of it.

        To go through a large game takes a quarter of a second, and finds nothing: most of it
        stays as long as the server does. What was passed over and has gone by now, such as a
        game whose manifest could not be read for a while, is collected first.
        """
        projects = set(self.documents.projects)
        if not projects <= self._frozen:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        self._frozen = projects

    def _tell(self, file: str, found: list[Diagnostic]) -> None:
        if self.found.get(file) != found or file in self.documents.published:
            self.found[file] = found
            self._publish(file)

    def _publish(self, file: str) -> None:
        """Tell the client what is wrong with a file; that all is well, only where it was not."""
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
    """Read scenarios and pages before somebody asks for what names a thing, bit by bit."""
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
    lsp.INITIALIZED: (_initialized, None),
    lsp.TEXT_DOCUMENT_DID_OPEN: (_opened, None),
    lsp.TEXT_DOCUMENT_DID_CHANGE: (_edited, None),
    lsp.TEXT_DOCUMENT_DID_CLOSE: (_closed, None),
    lsp.TEXT_DOCUMENT_DID_SAVE: (_saved, None),
    lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES: (_on_disk, None),
    lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: (_folders, None),
}

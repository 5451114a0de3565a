"""The server: what it has open, and when things are checked."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp
from pygls.exceptions import FeatureNotificationError
from pygls.lsp.server import LanguageServer

from rulesdsl.editor.server import findings
from rulesdsl.editor.server.desk import Desk
from rulesdsl.editor.server.positions import Positions, uri_of
from rulesdsl.editor.server.protocol import Protocol

if TYPE_CHECKING:
    from rulesdsl.editor.project import Finder, Project
    from rulesdsl.editor.view import Spot, View
    from rulesdsl.source.diagnostic import Diagnostic

Handler = Callable[..., Any]  # takes the server, and what a client says or asks
Handlers = dict[str, tuple[Handler, object]]  # by methods, each with its options
PAUSE = 0.15  # house: seconds without a key until findings are looked for
_PATIENCE = 0.02  # house: seconds at a time that reading ahead may take from a client
_BREATH = 0.01  # house: seconds between two checks, in which a question is read and begun


class Server(LanguageServer):
    """What is open, what was found in it, and the client that is told."""

    def __init__(self, find: Finder) -> None:
        super().__init__(
            "coloma",
            version("coloma"),
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
            max_workers=2,  # one reads what the client says
        )
        self.desk = Desk(find)
        self.found: dict[str, list[Diagnostic]] = {}
        self.turn = asyncio.Lock()  # of whoever asks what can be cancelled
        self._waiting: asyncio.Task[None] | None = None
        self._passed_over: set[int] = set()  # projects that have been read as a whole

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
        self._waiting.add_done_callback(self._checked)

    def _checked(self, task: asyncio.Task[None]) -> None:
        """Tell the client of an error in a check, which would end unheard."""
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.report_server_error(error, FeatureNotificationError)

    async def _check_soon(self) -> None:
        await asyncio.sleep(PAUSE)
        for project in list(self.desk.projects):
            while project.is_stale:
                project.check_one()
                await asyncio.sleep(_BREATH)  # somebody may have asked something meanwhile
            self._tell(project)
            await _read_ahead(project)
        self._pass_over()
        workspace = self.client_capabilities.workspace
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)  # now it is known who tests what

    def _pass_over(self) -> None:
        """Let the collection of garbage pass over what has been read, when there is more of it.

        To go through a large game takes a quarter of a second, and finds nothing: most of it
        stays as long as the server does. What was passed over and has gone by now, such as a
        game whose manifest could not be read for a while, is collected first.
        """
        known = {id(each) for each in self.desk.projects}
        if not known <= self._passed_over:
            gc.unfreeze()
            gc.collect()
            gc.freeze()
        self._passed_over = known

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

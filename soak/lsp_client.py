"""Client of the language server that sends random edits and requests, and records failures."""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import attrs
from lsprotocol import types as lsp
from pygls import uris
from pygls.exceptions import JsonRpcException, JsonRpcRequestCancelled
from pygls.lsp.client import LanguageClient

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-c", "from coloma.app import main; main(['lsp'])"]
PATHS = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
LONGEST = 1.0  # CPU seconds of the server for one request
PATIENCE = 120.0  # seconds of wall-clock time, since the machine may be busy
_INTERNAL = -32603  # code of an internal error in the protocol
_REFUSABLE = {"textDocument/rename", "coloma.play"}  # requests that may be refused with a reason
_BESIDE_THE_END = 3  # columns beyond the end of a line
_NUMBERS = itertools.count()
_UNEDITED = 0.3  # house: probability that a text is restored, so that it does not degenerate
_REST, _RESTING = (
    0.5,
    0.1,
)  # house: interval in seconds, and the CPU load below which a server is idle
_SCRAPS = (
    " ", ":", "\n", "\n    ", '"', "{", "}", "my ", "of ", "it", "move 1 ", "for each player: ",
    "verb x: ", "[", "]", "=", "🏮", "é", "\t", "\u2028", "\r\n", "#", "if any ", "gain 2 ", "(",
)  # fmt: skip


@attrs.define
class Tally:
    """Counts of edits and answers, response times, and failures."""

    edits: int = 0
    cpu: dict[str, list[float]] = attrs.Factory(lambda: defaultdict(list))  # seconds by request
    clock: dict[str, list[float]] = attrs.Factory(lambda: defaultdict(list))
    told: int = 0
    failures: list[str] = attrs.Factory(list)
    memory: list[int] = attrs.Factory(list)  # samples of the server's memory, in KiB


class Client(LanguageClient):
    """Client with a server of its own."""

    def __init__(self, tally: Tally, chance: random.Random) -> None:
        super().__init__("soak", "1")
        self.tally = tally
        self.chance = chance
        self.texts: dict[str, str] = {}  # open texts by URI
        self.found: dict[str, list[lsp.Diagnostic]] = {}
        self._version = 0

        def shown(params: lsp.ShowMessageParams) -> None:
            if params.type is lsp.MessageType.Error:
                tally.failures.append(params.message)

        def told(params: lsp.PublishDiagnosticsParams) -> None:
            tally.told += 1
            self.found[params.uri] = list(params.diagnostics)

        self.feature(lsp.WINDOW_SHOW_MESSAGE)(shown)
        self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(told)

    async def start(self, folder: Path, packs: list[str]) -> None:
        """Start a server for a folder, and wait until it knows the packs with these manifests."""
        env = {**os.environ, "PYTHONPATH": PATHS}
        await self.start_io(*COMMAND, env=env)
        assert self._server is not None
        assert self._server.stderr is not None
        self._unread = asyncio.ensure_future(
            self._server.stderr.read()
        )  # so that the pipe does not fill up
        await self.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(),
                workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), folder.name)],
            )
        )
        self.initialized(lsp.InitializedParams())
        self._packs = packs
        await self.at_rest()

    async def at_rest(self) -> None:
        """Wait until the server has published all findings and is idle."""
        for uri in self._packs:
            document = lsp.TextDocumentIdentifier(uri)
            stretch = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
            await self.text_document_code_action_async(
                lsp.CodeActionParams(document, stretch, lsp.CodeActionContext([]))
            )
        before = -1.0
        while busy(self.server_id) > before + _REST * _RESTING:
            before = busy(self.server_id)
            await asyncio.sleep(_REST)

    async def end(self) -> None:
        """Shut the server down as an editor does."""
        await self.shutdown_async(None)
        self.exit(None)
        await self.stop()  # type: ignore[no-untyped-call] # of pygls

    @property
    def server_id(self) -> int:
        """Process ID of the server."""
        assert self._server is not None
        return int(self._server.pid)

    # ---------------------------------------------------------------- texts
    def edit(self, uri: str, shipped: str) -> None:
        """Change an open file at random, or restore the shipped text."""
        if uri not in self.texts:
            self.texts[uri] = shipped
            item = lsp.TextDocumentItem(uri, "rules", 0, shipped)
            self.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        chance, self._version = self.chance, self._version + 1
        again = chance.random() < _UNEDITED
        text = self.texts[uri] = shipped if again else edited(self.texts[uri], chance)
        named = lsp.VersionedTextDocumentIdentifier(uri=uri, version=self._version)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        self.text_document_did_change(lsp.DidChangeTextDocumentParams(named, [change]))
        self.tally.edits += 1

    def save(self, uri: str) -> None:
        """Write an open file to disk, and notify the server."""
        path = Path(uris.to_fs_path(uri) or uri)
        path.write_text(self.texts[uri], encoding="utf-8", newline="", errors="surrogatepass")
        document = lsp.TextDocumentIdentifier(uri)
        self.text_document_did_save(lsp.DidSaveTextDocumentParams(document))

    def hear(self, uri: str) -> None:
        """Notify the server that a file has changed on disk."""
        event = lsp.FileEvent(uri, lsp.FileChangeType.Changed)
        self.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))

    def close(self) -> None:
        """Close all files."""
        for uri in self.texts:
            document = lsp.TextDocumentIdentifier(uri)
            self.text_document_did_close(lsp.DidCloseTextDocumentParams(document))
        self.texts.clear()

    # ---------------------------------------------------------------- requests
    async def ask(self, uri: str) -> None:
        """Send a request about a random position in an open file."""
        found = requests(uri, self.texts[uri], self.chance)
        name = self.chance.choice([*found, "cancelled"])
        tally, began, start = self.tally, busy(self.server_id), time.monotonic()
        try:
            await asyncio.wait_for(self._answer(uri, found.get(name)), PATIENCE)
        except TimeoutError:
            tally.failures.append(f"{name}: no answer")
        except JsonRpcException as error:
            if name not in _REFUSABLE or error.code == _INTERNAL:
                tally.failures.append(f"{name}: {error}")
        took = busy(self.server_id) - began
        tally.cpu[name].append(took)
        tally.clock[name].append(time.monotonic() - start)
        if took > LONGEST:
            tally.failures.append(f"{name}: took {took:.1f} s, edit {tally.edits}, {uri}")

    async def _answer(self, uri: str, asked: tuple[str, object] | None) -> None:
        if asked is None:
            await self._cancelled(uri)
        else:
            await self.protocol.send_request_async(*asked)

    async def _cancelled(self, uri: str) -> None:
        """Send a request and cancel it; an answer and a cancellation are both valid."""
        name = f"cancelled {next(_NUMBERS)}"
        params = lsp.SemanticTokensParams(lsp.TextDocumentIdentifier(uri))
        asked = asyncio.ensure_future(
            self.protocol.send_request_async(
                lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, params, msg_id=name
            )
        )
        await asyncio.sleep(0)
        self.cancel_request(lsp.CancelParams(name))
        try:
            await asked
        except JsonRpcRequestCancelled:
            return


def requests(uri: str, text: str, chance: random.Random) -> dict[str, tuple[str, object]]:
    """Return requests about a random position in a file: name, method and parameters."""
    lines = text.split("\n")
    line = chance.randrange(len(lines))
    place = lsp.Position(line, chance.randrange(len(lines[line]) + _BESIDE_THE_END))
    document = lsp.TextDocumentIdentifier(uri)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines), 0))
    here = lsp.Range(place, place)
    item = lsp.CallHierarchyItem("it", lsp.SymbolKind.Function, uri, here, here)
    path = Path(uris.to_fs_path(uri) or uri).as_posix()
    indent = lsp.FormattingOptions(4, insert_spaces=True)
    context = lsp.ReferenceContext(include_declaration=True)
    asked = {
        "textDocument/completion": lsp.CompletionParams(document, place),
        "textDocument/hover": lsp.HoverParams(document, place),
        "textDocument/signatureHelp": lsp.SignatureHelpParams(document, place),
        "textDocument/definition": lsp.DefinitionParams(document, place),
        "textDocument/references": lsp.ReferenceParams(context, document, place),
        "textDocument/documentHighlight": lsp.DocumentHighlightParams(document, place),
        "textDocument/prepareRename": lsp.PrepareRenameParams(document, place),
        "textDocument/rename": lsp.RenameParams(document, place, "fresh-name"),
        "textDocument/codeAction": lsp.CodeActionParams(
            document, whole, lsp.CodeActionContext([])
        ),
        "textDocument/documentSymbol": lsp.DocumentSymbolParams(document),
        "workspace/symbol": lsp.WorkspaceSymbolParams("a"),
        "textDocument/foldingRange": lsp.FoldingRangeParams(document),
        "textDocument/formatting": lsp.DocumentFormattingParams(document, indent),
        "textDocument/semanticTokens/full": lsp.SemanticTokensParams(document),
        "textDocument/inlayHint": lsp.InlayHintParams(document, whole),
        "textDocument/codeLens": lsp.CodeLensParams(document),
        "textDocument/prepareCallHierarchy": lsp.CallHierarchyPrepareParams(document, place),
        "callHierarchy/incomingCalls": lsp.CallHierarchyIncomingCallsParams(item),
        "callHierarchy/outgoingCalls": lsp.CallHierarchyOutgoingCallsParams(item),
    }
    commands: dict[str, list[Any]] = {
        "coloma.showReferences": [path, line + 1, place.character + 1],
        "coloma.play": [path],
        "coloma.explain": ["E201"],
    }
    found: dict[str, tuple[str, object]] = {each: (each, of) for each, of in asked.items()}
    for name, of in commands.items():
        found[name] = (lsp.WORKSPACE_EXECUTE_COMMAND, lsp.ExecuteCommandParams(name, of))
    return found


def edited(text: str, chance: random.Random) -> str:
    """Return text after a random edit."""
    at = chance.randrange(len(text) + 1)
    match chance.randrange(4):
        case 0:
            return text[:at] + chance.choice(_SCRAPS) + text[at:]
        case 1:
            return text[:at] + text[at + chance.randrange(1, 12) :]
        case 2:
            start = chance.randrange(len(text) + 1)
            return text[:at] + text[start : start + 20] + text[at:]
        case _:
            lines = text.split("\n")
            lines.pop(chance.randrange(len(lines)))
            return "\n".join(lines)


# -------------------------------------------------------------------- processes
def busy(process: int) -> float:
    """Return a process's CPU time in seconds, which does not depend on other processes."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> int:
    """Return a process's memory in KiB, or 0 if it is unknown."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    line = next((each for each in status.splitlines() if each.startswith("VmRSS")), "VmRSS: 0")
    return int(line.split()[1])

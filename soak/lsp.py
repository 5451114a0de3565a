"""`python -m soak lsp`: a server under random edits and questions: no exception, no long wait.

A real client edits copies of the shipped packs at random, and asks everything at random places.
At the end, a server whose client is killed ends too, and two clients work on one folder.
"""

from __future__ import annotations

import asyncio
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.client import LanguageClient

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

ROOT = Path(__file__).parents[1]
COMMAND = [sys.executable, "-c", "from coloma.app import main; main(['lsp'])"]
PATHS = os.pathsep.join([str(ROOT), str(ROOT / "cli")])
LONGEST = 1.0  # seconds of CPU time of the server: the threshold of issue 14, proof 3
PATIENCE = 120.0  # seconds by the clock, on a machine that is busy
EDITS_A_QUESTION = 2
WARM_UP = 50  # edits until memory is looked at for the first time
GROWTH = 2.0  # house: memory may double after that, and no more
_SCRAPS = (
    " ", ":", "\n", "\n    ", '"', "{", "}", "my ", "of ", "it", "move 1 ", "for each player: ",
    "verb x: ", "[", "]", "=", "🏮", "é", "\t", "\u2028", "\r\n", "#", "if any ", "gain 2 ", "(",
)  # fmt: skip


@attrs.define
class Tally:
    """What has been done, how long answers took, and what went wrong."""

    edits: int = 0
    asked: Counter[str] = attrs.Factory(Counter)
    seconds: dict[str, list[float]] = attrs.Factory(lambda: defaultdict(list))
    failures: list[str] = attrs.Factory(list)
    memory: list[int] = attrs.Factory(list)  # of the server, in KiB, now and then


class Client(LanguageClient):
    """A client that notes what the server complains of."""

    def __init__(self, tally: Tally) -> None:
        super().__init__("soak", "1")
        self.tally = tally

        def shown(params: lsp.ShowMessageParams) -> None:
            if params.type is lsp.MessageType.Error:
                tally.failures.append(params.message)

        def told(_: lsp.PublishDiagnosticsParams) -> None:
            tally.asked["findings told"] += 1

        self.feature(lsp.WINDOW_SHOW_MESSAGE)(shown)
        self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(told)

    async def start(self, folder: Path) -> None:
        """Start a server for the packs in a folder."""
        env = {**os.environ, "PYTHONPATH": PATHS}
        await self.start_io(*COMMAND, env=env)
        await self.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(),
                workspace_folders=[lsp.WorkspaceFolder(folder.as_uri(), folder.name)],
            )
        )
        self.initialized(lsp.InitializedParams())

    @property
    def server_id(self) -> int:
        """The process of the server."""
        assert self._server is not None
        return int(self._server.pid)


def run(folder: str, count: int, seed: int) -> int:
    """Make so many edits, print a table, return the exit status."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as place:
        content = Path(place).resolve() / "content"
        shutil.copytree(folder, content)
        began = time.monotonic()
        asyncio.run(_all(content, count, random.Random(seed), tally))
        print(f"{tally.edits} edits, {sum(tally.asked.values())} questions, ", end="")
        print(f"{time.monotonic() - began:.0f} s")
    for name, times in sorted(tally.seconds.items()):
        ordered = sorted(times)
        middle, late = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
        said = f"median {middle * 1000:6.0f} ms, 95% {late * 1000:6.0f} ms"
        print(f"  {name:<16} {len(times):>6}  {said}, longest {ordered[-1] * 1000:6.0f} ms")
    first, last = (tally.memory or [0])[0], (tally.memory or [0])[-1]
    print(f"  memory {first // 1024} MiB, at the end {last // 1024} MiB")
    if last > GROWTH * first:
        tally.failures.append(f"memory grew from {first} to {last} KiB")
    for each in tally.failures[:20]:
        print(f"FAILED {each}")
    print(f"{len(tally.failures)} failed")
    return 1 if tally.failures else 0


async def _all(content: Path, count: int, chance: random.Random, tally: Tally) -> None:
    await _edits(content, count, chance, tally)
    await _two_clients(content, chance, tally)
    _killed(content, tally)


# -------------------------------------------------------------------- random edits
async def _edits(content: Path, count: int, chance: random.Random, tally: Tally) -> None:
    client = Client(tally)
    await client.start(content)
    texts = _texts(content)
    names = sorted(texts)
    opened: dict[str, str] = {}
    await _ask(client, "symbols", lambda: _symbols(client), tally, patient=True)
    for number in range(count):
        uri = chance.choice(names)
        if uri not in opened:
            opened[uri] = texts[uri]
            item = lsp.TextDocumentItem(uri, "rules", 0, texts[uri])
            client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        text = texts[uri] if chance.random() < 0.3 else _edited(opened[uri], chance)  # noqa: PLR2004
        opened[uri] = text
        named = lsp.VersionedTextDocumentIdentifier(uri=uri, version=number + 1)
        change = lsp.TextDocumentContentChangeWholeDocument(text)
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(named, [change]))
        tally.edits += 1
        if number % EDITS_A_QUESTION == 0:
            await _question(client, uri, text, chance, tally)
        if number % WARM_UP == WARM_UP - 1:
            tally.memory.append(_memory(client.server_id))
            await asyncio.sleep(0.2)  # typing pauses, and findings are looked for
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call] # of pygls


def _texts(content: Path) -> dict[str, str]:
    paths = [each for each in content.rglob("*") if each.suffix in {".rules", ".toml"}]
    beside = {"schema", "bots"}
    return {
        each.as_uri(): each.read_text(encoding="utf-8")
        for each in paths
        if not beside & {part.name for part in each.parents}
    }


def _edited(text: str, chance: random.Random) -> str:
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


async def _question(
    client: Client, uri: str, text: str, chance: random.Random, tally: Tally
) -> None:
    lines = text.split("\n")
    line = chance.randrange(len(lines))
    place = lsp.Position(line, chance.randrange(len(lines[line]) + 3))
    document = lsp.TextDocumentIdentifier(uri)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(len(lines), 0))
    questions: dict[str, Callable[[], Awaitable[Any]]] = {
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
        "symbols": lambda: _symbols(client),
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
    }
    name = chance.choice(list(questions))
    await _ask(client, name, questions[name], tally)


def _symbols(client: Client) -> Awaitable[Any]:
    return client.workspace_symbol_async(lsp.WorkspaceSymbolParams("a"))


async def _ask(
    client: Client,
    name: str,
    question: Callable[[], Awaitable[Any]],
    tally: Tally,
    *,
    patient: bool = False,
) -> None:
    """Ask something; a refusal to rename is an answer."""
    began = _busy(client.server_id)
    try:
        await asyncio.wait_for(_awaited(question), PATIENCE)
    except TimeoutError:
        tally.failures.append(f"{name}: no answer")
    except JsonRpcException as error:
        if name != "rename" or error.code == -32603:  # noqa: PLR2004 - an internal error
            tally.failures.append(f"{name}: {error}")
    took = _busy(client.server_id) - began
    tally.asked[name] += 1
    if not patient:
        tally.seconds[name].append(took)
        if took > LONGEST:
            tally.failures.append(f"{name}: took {took:.1f} s")


async def _awaited(question: Callable[[], Awaitable[Any]]) -> Any:  # noqa: ANN401
    return await question()


def _busy(process: int) -> float:
    """Return the CPU time of a process in seconds: how busy a machine is, is no fault of ours."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _memory(process: int) -> int:
    """Return how much memory a process uses, in KiB; 0 where the system does not tell."""
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    line = next((each for each in status.splitlines() if each.startswith("VmRSS")), "VmRSS: 0")
    return int(line.split()[1])


# -------------------------------------------------------------------- clients that go, or are two
async def _two_clients(content: Path, chance: random.Random, tally: Tally) -> None:
    clients = [Client(tally), Client(tally)]
    for each in clients:
        await each.start(content)
    uri, text = chance.choice(sorted(_texts(content).items()))
    for each in clients:
        item = lsp.TextDocumentItem(uri, "rules", 0, text)
        each.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    for each in clients:
        await _ask(each, "two clients", partial(_symbols, each), tally, patient=True)
    for each in clients:
        await each.shutdown_async(None)
        each.exit(None)
        await each.stop()  # type: ignore[no-untyped-call] # of pygls


def _killed(content: Path, tally: Tally) -> None:
    """Kill a client, and see that its server ends."""
    script = (
        "import subprocess, sys, time\n"
        f"server = subprocess.Popen({COMMAND!r}, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "print(server.pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    env = {**os.environ, "PYTHONPATH": PATHS}
    with subprocess.Popen(  # noqa: S603 - our own script
        [sys.executable, "-c", script], stdout=subprocess.PIPE, env=env, cwd=content
    ) as client:
        assert client.stdout is not None
        server = int(client.stdout.readline())
        time.sleep(2)
        client.send_signal(signal.SIGKILL)
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends:
        if not _alive(server):
            return
        time.sleep(0.1)
    tally.failures.append("the server goes on after its client was killed")
    os.kill(server, signal.SIGKILL)


def _alive(process: int) -> bool:
    try:
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    except OSError:
        return False
    return "State:\tZ" not in status

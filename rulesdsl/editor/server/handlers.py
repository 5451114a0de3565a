"""All handlers in a table, and a server that has them.

What is slow, and asked for by an editor by itself, waits for its turn: then all that the client
has said meanwhile is taken in, and what it does not want any more is not done.
"""

from __future__ import annotations

import asyncio
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from rulesdsl.editor.server import about_files, about_places, commands, taking
from rulesdsl.editor.server.protocol import Headers
from rulesdsl.editor.server.server import Server

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulesdsl.editor.project import Finder
    from rulesdsl.editor.server.server import Handler, Handlers

HANDLERS: Handlers = taking.HANDLERS | about_places.HANDLERS | about_files.HANDLERS
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
_LISTENING = 0.005  # house: seconds, in which a dozen messages are read


def serve(find: Finder) -> None:
    """Serve one client over standard input and output until it goes."""
    server = Server(find)
    for method, (handler, options) in HANDLERS.items():
        answer = in_turn if method in IN_TURN else at_once
        server.feature(method, options)(answer(server, handler))
    for name, command in commands.COMMANDS.items():
        server.command(name)(_carried_out(server, command))
    server.start_io(Headers(sys.stdin.buffer))  # type: ignore[arg-type] # it reads, and no more


def _carried_out(server: Server, command: commands.Command) -> Callable[..., Any]:
    """Return a command as a function of what comes from the client, and of nothing else."""

    async def carry_out(*arguments: Any) -> Any:  # noqa: ANN401 - whatever the client wants
        return await command(server, *arguments)

    return carry_out


def at_once(server: Server, handler: Handler) -> Callable[..., Any]:
    """Return a handler as a function of what comes from the client."""
    return partial(handler, server)


def in_turn(server: Server, handler: Handler) -> Callable[..., Any]:
    """Return a handler that can be cancelled until its turn has come."""

    async def answer(params: Any) -> Any:  # noqa: ANN401 - whatever it is asked with
        async with server.turn:
            await asyncio.sleep(_LISTENING)
            return handler(server, params)

    return answer

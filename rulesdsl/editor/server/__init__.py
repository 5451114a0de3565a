"""Language server: a thin layer between the protocol and the queries of this package.

It communicates over standard input and output (`pygls`) and has no knowledge of the language: each
handler takes a view of the project, calls one function of the package above, and converts the
answer to the types of the protocol.

    requests.py     requests, commands, and the registration of all handlers: start here
    text_sync.py    open documents, notifications of changes, and the schedule of checks
    lsp_convert.py  conversions to the types of the protocol

An edit is applied at once; its pack is checked after a short pause, all others after a longer one.
Requests are answered from a check of the current files, except completion requests, which use the
last check. Everything runs in one thread, in the order of arrival, except requests that editors
send without a user's action and may cancel: these wait in a queue.
"""

from __future__ import annotations

from rulesdsl.editor.server.requests import serve

__all__ = ["serve"]

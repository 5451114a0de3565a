"""The language server: a thin layer between the protocol of editors and what this folder knows.

It speaks over standard input and output (`pygls`), and holds no knowledge of the language: each
handler takes a view of the project, calls one function beside this folder, and puts the answer
into the types of the protocol.

    requests.py     requests and commands, and a server that has all handlers: start here
    text_sync.py    the server itself, notifications of changes, and when things are checked
    workspace.py    open documents, the projects that they belong to, and their URIs
    lsp_convert.py  places and answers in the types of the protocol

An edit is taken in at once and checked when the typing pauses; a question is answered by a check
of what is there now, completion by the last one. All of it happens in one thread, in the order in
which it comes, but for what an editor asks by itself and may cancel: that waits for its turn.
"""

from __future__ import annotations

from rulesdsl.editor.server.requests import serve

__all__ = ["serve"]

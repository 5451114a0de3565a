"""The language server: a thin layer between the protocol of editors and what this folder knows.

It speaks over standard input and output (`pygls`), and holds no knowledge of the language: each
handler takes a view of the project, calls one function beside this folder, and puts the answer
into the types of the protocol.

    handlers.py     all handlers in a table, and a server that has them: start here
    server.py       the server: what it has open, and when things are checked
    taking.py       what a client says of its files
    about_places.py what it asks about a place
    about_files.py  what it asks about a whole file or game
    desk.py         open texts, and the projects that they belong to
    protocol.py     guards around the library that speaks it
    positions.py    our lines and columns as the client counts them
    answers.py      what is asked about a place, in the types of the protocol
    outlines.py     what is asked about a whole file, in the types of the protocol
    findings.py     findings as diagnostics, fixes as code actions
    commands.py     what a click does: run scenarios, explain, show a form, play

An edit is taken in at once and checked when the typing pauses; a question is answered by a check
of what is there now, completion by the last one. All of it happens in one thread, in the order in
which it comes, but for what an editor asks by itself and may cancel: that waits for its turn.
"""

from __future__ import annotations

from rulesdsl.editor.server.handlers import serve

__all__ = ["serve"]

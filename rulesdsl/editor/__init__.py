"""Editor support: findings in files that are being edited, and queries about positions.

There are three layers, each built on the previous one.

A `Session` checks a game with its mods through an `Overlay`: the text of an open document takes
precedence over the disk, and unchanged files are not read again. `check` returns the findings that
`coloma lint` would report if everything were saved. A `Project` is a game with all its mods.

A `View` is the result of a check, with queries. The checker records every definition and use, so
editor and checker cannot disagree. All features are queries of that record by position,
independent of any protocol.

The language server (`server/`) converts the answers to the language server protocol and does
nothing else; only it imports `pygls`.

    project.py          projects: a game and all its mods: start here
    session.py          checks of a game with some mods; open documents override files on disk
    references.py       views: every name with its symbol, definitions, references
    documents.py        names in tables, scenarios, lessons and pages
    completion.py       completion in rules and TOML files
    hover.py            hover and signature help
    rename.py           rename
    symbols.py          outlines, workspace symbols, folding, calls, tokens, hints, lenses
    fixing.py           repeated application of fixes
    jobs.py             slow jobs in subprocesses
    server/             the language server

The package imports the layers below it, and in the product only the command line imports it.
"""

from __future__ import annotations

from rulesdsl.editor.session import ProjectState, Session

__all__ = ["ProjectState", "Session"]

"""Editor support: findings while somebody writes a game, and answers about a place in it.

There are three layers, each over the one before.

A *session* keeps a game with its mods checked. It reads the files of its packs through an overlay:
what an editor has open counts, saved or not, and a file that has not changed on the disk is not
read again. After every edit `check` gives what `coloma lint` would find if everything were saved.

A *view* is the result of a check, which can be asked. The checker records what every name
declares or refers to, so an editor and the checker can never be of two minds. Everything that an
editor asks is a query on that record by a place, and knows nothing of any protocol.

The *server* (`server/`) puts the answers into the language server protocol, and holds nothing
else; only there is `pygls` imported.

    project.py      sessions: a game, its mods, edits, and their check; and projects of many mods:
                    start here
    overlay.py      open files over those of the disk
    references.py   views: every name with its referent, declarations, references
    documents.py    names in tables, scenarios, lessons and pages
    completion.py   what can be written at a place of the rules
    toml_completion.py    keys and values of TOML files
    hover.py        what a word means, and what a verb wants
    rename.py       another name everywhere
    symbols.py      outlines of files, names of a whole game, folding, who calls whom
    annotations.py  semantic tokens, inlay hints and code lenses
    fixing.py       fixes of findings, round after round
    jobs.py         slow jobs, in processes of their own
    server/         the language server

It may import everything below it, and only the commands import it.
"""

from __future__ import annotations

from rulesdsl.editor.project import Session, State

__all__ = ["Session", "State"]

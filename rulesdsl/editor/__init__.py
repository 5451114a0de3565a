"""What an editor knows of a game while somebody writes it: findings, and answers about a place.

There are three layers, each over the one before.

A *session* keeps a game with its mods checked. It reads the files of its packs through an overlay:
what an editor has open counts, saved or not, and a file that has not changed on the disk is not
read again. After every edit `check` gives what `coloma lint` would find if everything were saved.

A *view* is the result of a check, which can be asked. It has an index of every name in the files,
with what it refers to (`index/`): the resolver says what it makes of each word, so an editor and
the checker can never be of two minds. Everything that an editor asks is a function of a view and a
place, knows nothing of any protocol, and lies in one file: `hover`, `definition`, `rename` ...

The *server* (`server/`) puts these answers into the language server protocol, and holds nothing
else; only there is `pygls` imported.

    session.py      a game, its mods, edits, and their check: start here
    overlay.py      open files over those of the disk
    project.py      a game and all mods around it, each checked over it, and all together
    view.py         what is known at a check: what all below are asked with
    index/          every name with what it refers to
    completing/     what can be written at a place
    hover.py        what a word means; `language.py` knows the words of the language
    definition.py   declarations and references
    rename.py       another name everywhere; `options.py` for the answers of scenarios
    symbols.py      outlines of files, and names of a whole game
    calls.py        who calls whom
    signature.py    what a verb wants
    folding.py, tokens.py, inlay.py, lenses.py    what is shown in and beside a text
    jobs.py         what takes longer than anybody should wait, in processes of their own
    server/         the language server

It may import everything below it, and only the commands import it.
"""

from __future__ import annotations

from rulesdsl.editor.session import Session, State

__all__ = ["Session", "State"]

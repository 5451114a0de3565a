"""`coloma lsp`: the language server, for editors."""

from __future__ import annotations


def lsp() -> None:
    """Serve an editor over standard input and output: findings while one types, and more.

    An editor starts it by itself; the README says how to set that up. It ends when the editor
    does.
    """
    from coloma.editing import packs_of
    from rulesdsl.editor.server import serve

    serve(packs_of)

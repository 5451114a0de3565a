"""`coloma vocabulary`: the words that a game's rules are made of."""

from __future__ import annotations

from typing import Annotated

import typer

from coloma.commands.parameters import ModNames, PackName
from coloma.output import say


def vocabulary(
    name: Annotated[
        str | None,
        typer.Argument(
            help="A word of the game, or a kind of word: verbs, values, places. By default all."
        ),
    ] = None,
    mod: ModNames = None,
    pack: PackName = None,
) -> None:
    """List the words of a game that a mod can use: verbs, values, pieces, places, numbers.

    With a NAME, show how it is declared, and where it is used.
    """
    import rulesdsl
    from coloma.selection import select
    from coloma.words_of_game import listed, sort_named, told

    selection = select(pack, mod or ())
    words = rulesdsl.vocabulary(selection.game, selection.mods)
    sort = sort_named(name) if name else None
    for line in told(words, name) if name and not sort else listed(words, sort):
        say(line)

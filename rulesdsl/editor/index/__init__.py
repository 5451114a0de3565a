"""What is at a place: every name in the files of a game, with what it refers to.

The technique is that of a compiler's cross reference. The resolver knows what each word means, so
it says so (`check.naming`): all bodies are resolved once more over the world of the last check,
with somebody listening. Words of declarations and keys of tables are read off beside it, by the
part that they play there.

    occurrence.py   a name at a place, and how to find the word in what the resolver notes
    bodies.py       what rules, effects and formulas say, as the resolver understands it
    declared.py     the words of declarations
    tables.py       keys and names in the TOML files of a game
    beside.py       scenarios, lessons, and the pages of the rulebook
    index.py        all of them, by place and by thing: start here

Nothing here looks a word up by its text alone, except in a declaration, where its part says what
it must be, as for the checker.
"""

from __future__ import annotations

from rulesdsl.check.naming import Role
from rulesdsl.editor.index.index import Index
from rulesdsl.editor.index.occurrence import Occurrence

__all__ = ["Index", "Occurrence", "Role"]

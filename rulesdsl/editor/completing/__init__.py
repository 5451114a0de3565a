"""What can be written at a place, the likeliest first.

The technique is grammar first, meaning second. The parser reads the declaration down to the
cursor and says which tokens could come next (`syntax.accepts`): that gives the words of the
language, and whether a name fits. Which names fit is told by the words right before: after
`into` it is a place, after `mark` a flag, after `foo of` something that has a `foo`. The names
are those of the last check, so that it works while the line is broken. Names that fit come first,
then all others, each by how often the game says it after the same word.

    item.py        what is offered
    within.py      which text is being written: rules, a string of a TOML file, a key, a value
    locals.py      names given in the declaration itself
    fitting.py     which names fit after which words; `nouns.py` sorts a game's names for it
    habits.py      what the game says how often
    tables.py      keys and values of TOML files
    completion.py  all of it: start here
"""

from __future__ import annotations

from rulesdsl.editor.completing.completion import complete
from rulesdsl.editor.completing.item import Item

__all__ = ["Item", "complete"]

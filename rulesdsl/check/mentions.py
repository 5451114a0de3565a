"""Which names a piece of the syntax tree uses, whatever they stand for."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.source.tree import walk
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.node import Word


def mentions(node: object) -> frozenset[str]:
    """Return all names in a node."""
    return frozenset(word.text for word in words_in(node))


def words_in(node: object) -> Iterator[Word]:
    """Yield all names in a node with their places."""
    for each in walk(node):
        if isinstance(each, Word):
            yield each
        elif isinstance(each, ex.Name | ex.My):
            yield Word(each.name, span=each.span)


def calls(node: object, verb: str) -> bool:
    """Whether a verb or step of this name is done somewhere in a node."""
    return any(isinstance(each, st.Call) and each.verb.text == verb for each in walk(node))

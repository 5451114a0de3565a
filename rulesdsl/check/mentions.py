"""Which names a piece of the syntax tree uses, whatever they stand for."""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.node import Node, Word


def mentions(node: object) -> frozenset[str]:
    """Return all names in a node."""
    return frozenset(word.text for word in words_in(node))


def words_in(node: object) -> Iterator[Word]:
    """Yield all names in a node with their places."""
    cls = type(node)
    if isinstance(node, Word):
        yield node
    elif isinstance(node, ex.Name | ex.My):
        yield Word(node.name, span=node.span)
    elif attrs.has(cls):
        for field in attrs.fields(cls):
            if field.name != "span":
                yield from words_in(getattr(node, field.name))
    elif isinstance(node, tuple):
        for each in node:
            yield from words_in(each)


def calls(node: object, verb: str) -> bool:
    """Whether a verb or step of this name is done somewhere in a node."""
    return any(isinstance(each, st.Call) and each.verb.text == verb for each in within(node))


def within(node: object) -> Iterator[Node]:
    """Yield a node of the syntax tree and all below it."""
    left = [node]
    while left:
        here = left.pop()
        if isinstance(here, Node):
            yield here
            left += [getattr(here, name) for name in _PARTS.get(type(here)) or _parts(type(here))]
        elif isinstance(here, tuple):
            left += reversed(here)


_PARTS: dict[type, list[str]] = {}


def _parts(cls: type) -> list[str]:
    _PARTS[cls] = [each.name for each in reversed(attrs.fields(cls)) if each.name != "span"]
    return _PARTS[cls]

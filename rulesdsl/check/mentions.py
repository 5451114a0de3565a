"""Which names a piece of the syntax tree uses, whatever they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import attrs

from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax.node import Word


def mentions(node: object) -> frozenset[str]:
    """Return all names in a node."""
    return frozenset(_names(node))


def _names(node: object) -> Iterator[str]:
    cls = type(node)
    if isinstance(node, Word):
        yield node.text
    elif isinstance(node, ex.Name | ex.My):
        yield node.name
    elif attrs.has(cls):
        for field in attrs.fields(cls):
            if field.name != "span":
                yield from _names(getattr(node, field.name))
    elif isinstance(node, tuple):
        yield from _all_names(node)


def _all_names(nodes: Iterable[object]) -> Iterator[str]:
    for each in nodes:
        yield from _names(each)

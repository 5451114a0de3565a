"""Traversal and rewriting of trees whose nodes are attrs classes.

A node is an instance of an attrs class; its children are the nodes in its fields, alone or in
tuples, in order. A field whose type is in `PLAIN` has no nodes. A field marked `ASIDE` is an
annotation of the node, not a part: traversal skips it, but rewriting includes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, TypeVar

import attrs

N = TypeVar("N")

ASIDE = {"aside": True}
PLAIN = {"Span", "Type", "bool", "int", "int | None", "str", "str | None", "tuple[int, ...]"}


class _Fields(dict[type, tuple[str, ...]]):
    """The fields of each class that may contain nodes, including annotations."""

    def __missing__(self, cls: type) -> tuple[str, ...]:
        fields = attrs.fields(cls) if attrs.has(cls) else ()
        self[cls] = tuple(each.name for each in fields if each.type not in PLAIN)
        return self[cls]


class _Inside(dict[type, "Callable[[Any], object] | None"]):
    """Getter of a node's children, for each attrs class; None for any other class."""

    def __init__(self, *, annotations: bool) -> None:
        self._annotations = annotations

    def __missing__(self, cls: type) -> Callable[[Any], object] | None:
        aside = {e.name for e in (attrs.fields(cls) if attrs.has(cls) else ()) if e.metadata}
        names = [each for each in _FIELDS[cls] if self._annotations or each not in aside]
        empty = _nothing if attrs.has(cls) else None
        self[cls] = attrgetter(*names) if names else empty
        return self[cls]


def _nothing(_: object) -> tuple[()]:
    return ()


_FIELDS = _Fields()
_INSIDE = _Inside(annotations=False)
_INSIDE_ALL = _Inside(annotations=True)


def walk(node: object, inside: _Inside = _INSIDE) -> Iterator[Any]:
    """Yield a node, or the nodes in a tuple, and all descendants in source order."""
    left = [node]
    while left:
        here = left.pop()
        cls = here.__class__
        if cls is tuple:
            left += here[::-1]  # type: ignore[index] # a tuple
        elif (getter := inside[cls]) is not None:
            yield here
            left.append(getter(here))


def walk_all(node: object) -> Iterator[Any]:
    """Yield a node and all descendants, including annotations."""
    return walk(node, _INSIDE_ALL)


def children(node: object) -> list[Any]:
    """Return the direct children of a node."""
    inside = _INSIDE[node.__class__]
    found: list[Any] = []
    left = [] if inside is None else [inside(node)]
    while left:
        here = left.pop()
        if here.__class__ is tuple:
            left += here[::-1]
        elif _INSIDE[here.__class__] is not None:
            found.append(here)
    return found


def rewrite(node: N, change: Callable[[Any], Any]) -> N:
    """Rewrite a tree bottom-up; unchanged subtrees are shared."""
    changes: dict[str, object] = {}
    for name in _FIELDS[node.__class__]:
        child = getattr(node, name)
        changed = _rewritten(child, change)
        if changed is not child:
            changes[name] = changed
    made: Any = attrs.evolve(node, **changes) if changes else node  # type: ignore[misc]
    return change(made)  # type: ignore[no-any-return] # the type is unchanged


def _rewritten(child: object, change: Callable[[Any], Any]) -> object:
    if isinstance(child, tuple):
        changed = tuple([_rewritten(each, change) for each in child])
        same = all(new is old for new, old in zip(changed, child, strict=True))
        return child if same else changed
    return child if _INSIDE[child.__class__] is None else rewrite(child, change)

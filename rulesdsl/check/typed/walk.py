"""Going through a node and what is inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from rulesdsl.check.typed.base import Typed
from rulesdsl.check.typed.values import Local

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulesdsl.check.typed import Node, Value


def parts_of(node: Node | tuple[object, ...]) -> Iterator[Node]:
    """Yield the nodes directly inside a node."""
    if isinstance(node, tuple):
        for each in node:
            if isinstance(each, Typed):
                yield each  # type: ignore[misc] # every one of these is in the union
            elif isinstance(each, tuple):
                yield from parts_of(each)
        return
    for name in _names(type(node)):
        child = getattr(node, name)
        if isinstance(child, Typed):
            yield child  # type: ignore[misc] # as above
        elif isinstance(child, tuple):
            yield from parts_of(child)


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(cls: type) -> tuple[str, ...]:
    names = _NAMES.get(cls)
    if names is None:
        names = tuple(
            field.name for field in attrs.fields(cls) if field.name not in {"span", "type"}
        )
        _NAMES[cls] = names
    return names


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything inside it, as it is read."""
    left = [node]
    while left:
        here = left.pop()
        yield here
        left.extend(reversed(list(parts_of(here))))


def substitute(node: Value, name: str, by: Value) -> Value:
    """Return a value with a local replaced."""
    if isinstance(node, Local):
        return by if node.name == name else node
    changes: dict[str, object] = {}
    for field in _names(type(node)):
        child = getattr(node, field)
        replaced = _substituted(child, name, by)
        if replaced is not child:
            changes[field] = replaced
    return attrs.evolve(node, **changes) if changes else node  # type: ignore[arg-type]


def _substituted(child: object, name: str, by: Value) -> object:
    if isinstance(child, tuple):
        replaced = tuple(_substituted(each, name, by) for each in child)
        same = all(new is old for new, old in zip(replaced, child, strict=True))
        return child if same else replaced
    if isinstance(child, Typed):
        return substitute(child, name, by)  # type: ignore[arg-type]
    return child

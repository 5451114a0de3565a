"""Going through a node and what is inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check.typed.base import Typed
from rulesdsl.check.typed.values import Local

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rulesdsl.check.typed import Node, Value

T = TypeVar("T", bound=Typed)


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


def rebuilt(node: T, change: Callable[[Node], Node]) -> T:
    """Return a node with every node in it, and then itself, changed; shared where nothing is."""
    changes: dict[str, object] = {}
    for field in _names(type(node)):
        child = getattr(node, field)
        replaced = _rebuilt_child(child, change)
        if replaced is not child:
            changes[field] = replaced
    made = attrs.evolve(node, **changes) if changes else node  # type: ignore[arg-type]
    return change(made)  # type: ignore[arg-type, return-value] # of the kind that it was


def _rebuilt_child(child: object, change: Callable[[Node], Node]) -> object:
    if isinstance(child, tuple):
        replaced = tuple([_rebuilt_child(each, change) for each in child])
        same = all(new is old for new, old in zip(replaced, child, strict=True))
        return child if same else replaced
    return rebuilt(child, change) if isinstance(child, Typed) else child


def substitute(node: T, name: str, by: Value) -> T:
    """Return a value or domain with a local replaced."""
    return rebuilt(
        node, lambda each: by if isinstance(each, Local) and each.name == name else each
    )

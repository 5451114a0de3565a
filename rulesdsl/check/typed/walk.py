"""Going through a node and what is inside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import attrs

from rulesdsl.check.typed.base import Typed
from rulesdsl.check.typed.values import Local

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rulesdsl.check.typed import Node, Value

T = TypeVar("T", bound=Typed)


def parts_of(node: Node) -> list[Node]:
    """Return the nodes directly inside a node."""
    found: list[Node] = []
    _gather([getattr(node, name) for name in _NAMES[type(node)]], found)
    return found


def _gather(children: Iterable[object], found: list[Node]) -> None:
    for child in children:
        if isinstance(child, Typed):
            found.append(child)  # type: ignore[arg-type] # every one of these is in the union
        elif isinstance(child, tuple):
            _gather(child, found)


PLAIN = {"Span", "Type", "bool", "int", "int | None", "str", "str | None", "tuple[int, ...]"}


class _Names(dict[type, tuple[str, ...]]):
    """For each kind of node the names of what may hold nodes."""

    def __missing__(self, cls: type) -> tuple[str, ...]:
        fields = attrs.fields(cls)
        self[cls] = tuple(each.name for each in fields if each.type not in PLAIN)
        return self[cls]


_NAMES = _Names()


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything inside it, as it is read."""
    left = [node]
    while left:
        here = left.pop()
        yield here
        left += reversed(parts_of(here))


def rebuilt(node: T, change: Callable[[Node], Node]) -> T:
    """Return a node with every node in it, and then itself, changed; shared where nothing is."""
    changes: dict[str, object] = {}
    for field in _NAMES[type(node)]:
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

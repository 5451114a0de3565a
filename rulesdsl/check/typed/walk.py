"""Going through the checked tree, and putting values in the place of locals."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from rulesdsl.check.typed.values import Local
from rulesdsl.source import tree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rulesdsl.check.typed import Node, Value

T = TypeVar("T")

walk: Callable[[Node], Iterator[Node]] = tree.walk
walk_all: Callable[[Node], Iterator[Node]] = tree.walk_all  # also what is said of a failing one
children: Callable[[Node], list[Node]] = tree.children
rewrite = tree.rewrite


def substitute(node: T, name: str, by: Value) -> T:
    """Return a value or domain with a local replaced."""
    return substitute_all(node, {name: by})


def substitute_all(node: T, given: Mapping[str, Value]) -> T:
    """Return a value or domain with locals replaced."""
    return rewrite(
        node, lambda each: given.get(each.name, each) if isinstance(each, Local) else each
    )

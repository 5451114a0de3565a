"""What every node of the syntax tree has: a place, and the rule of the grammar that it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar, dataclass_transform

import attrs

from rulesdsl.source.span import NOWHERE, Span

_Fields = str | tuple[str, ...]
Slot = _Fields | None | dict[str, _Fields]
"""What a child of a rule's tree is: a field, or nothing that a node has to say.

A tuple names fields for the child's own children. A dict has the fields for each rule that the
child may be, and passes over what is none of them.
"""


@attrs.frozen
class Shape:
    """A rule of the grammar whose trees are nodes of one kind.

    There is a slot for each child. `more` is the field of all children after them; `fixed` is
    what the rule says without any child.
    """

    kind: type
    slots: tuple[Slot, ...]
    more: str
    fixed: Mapping[str, object]


SHAPES: dict[str, Shape] = {}
"""The shapes of all rules that have one."""

FIELDS: dict[type, tuple[str, ...]] = {}
"""What each kind of node says, without its place."""

_Kind = TypeVar("_Kind", bound=type)


def rule(name: str, *slots: Slot, more: str = "", **fixed: object) -> Callable[[_Kind], _Kind]:
    """Say that a node is what a rule means; without slots, its fields are the children in order.

    Of a truth that the grammar writes as one of two words, the first is yes.
    """

    def described(kind: _Kind) -> _Kind:
        own = slots or tuple(each for each in FIELDS[kind] if each not in {more, *fixed})
        SHAPES[name] = Shape(kind, own, more, fixed)
        return kind

    return described


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def node(
    name: str = "", *slots: Slot, more: str = "", **fixed: object
) -> Callable[[_Kind], _Kind]:
    """Make a class a kind of node; with a name, what this rule means."""

    def made(kind: _Kind) -> _Kind:
        frozen: _Kind = attrs.frozen(kind)
        FIELDS[frozen] = tuple(each.name for each in attrs.fields(frozen) if each.name != "span")
        return rule(name, *slots, more=more, **fixed)(frozen) if name else frozen

    return made


@node()
class Node:
    """A piece of syntax; two nodes are equal when they say the same, wherever they are."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@node()
class Word(Node):
    """A name with its place."""

    text: str


@node("param")
class Param(Node):
    """A parameter: `number n` is kind number and name n; `n cards` is written noun last."""

    first: Word
    second: Word | None

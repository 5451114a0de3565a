"""What every node of the syntax tree has: a place in the text, invisible to comparison."""

from __future__ import annotations

import attrs

from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax.shape import node


@node()
class Node:
    """A piece of syntax; two nodes are equal when they say the same, wherever they stand."""

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

"""Base class of syntax nodes, and maps between nodes, productions and spans."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar, dataclass_transform

import attrs
from lark import Token, Tree

from rulesdsl.source.facts import OutOfRange
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax import wording

if TYPE_CHECKING:
    from lark.tree import Meta

    from rulesdsl.source.diagnostics import Findings


_Fields = str | tuple[str, ...]
Slot = _Fields | None | dict[str, _Fields]
"""Field for a child of a rule's tree; None if the node does not need the child.

A tuple has the fields for the child's own children. A dict has the field for each rule that the
child may come from; for any other child, the slot is skipped.
"""


@attrs.frozen
class GrammarRule:
    """Production of the grammar whose trees become nodes of one class.

    There is a slot for each child; `more` is the field for all further children. `fixed` has the
    fields whose values the production implies.
    """

    kind: type
    slots: tuple[Slot, ...]
    more: str
    fixed: Mapping[str, object]


SHAPES: dict[str, GrammarRule] = {}
"""The productions with a node class, by name."""

FIELDS: dict[type, tuple[str, ...]] = {}
"""The names of the fields of each node class, except its span."""

_Kind = TypeVar("_Kind", bound=type)


def rule(name: str, *slots: Slot, more: str = "", **fixed: object) -> Callable[[_Kind], _Kind]:
    """Map a production to a node class; without slots, its children are the fields in order.

    A boolean that is written as one of two words is true for the first of them.
    """

    def described(kind: _Kind) -> _Kind:
        own = slots or tuple(each for each in FIELDS[kind] if each not in {more, *fixed})
        SHAPES[name] = GrammarRule(kind, own, more, fixed)
        return kind

    return described


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field,))
def node(
    name: str = "", *slots: Slot, more: str = "", **fixed: object
) -> Callable[[_Kind], _Kind]:
    """Turn a class into a node class; with a name, also map that production to it."""

    def made(kind: _Kind) -> _Kind:
        frozen: _Kind = attrs.frozen(kind)
        FIELDS[frozen] = tuple(each.name for each in attrs.fields(frozen) if each.name != "span")
        return rule(name, *slots, more=more, **fixed)(frozen) if name else frozen

    return made


@node()
class Node:
    """Node of the syntax tree; comparison ignores spans."""

    span: Span = attrs.field(default=NOWHERE, eq=False, repr=False, kw_only=True)


@node()
class Identifier(Node):
    """Name with its span."""

    text: str


@node("param")
class Param(Node):
    """Parameter: a kind and a name (`number n`), or a name and a noun (`n cards`)."""

    first: Identifier
    second: Identifier | None


@attrs.frozen
class Places:
    """Map from positions in parsed text to positions in a file.

    A block of a .rules file is offset by whole lines; a string in a TOML file has a position for
    every character, because of escapes and line joins.
    """

    file: str
    first_line: int = 1
    characters: tuple[tuple[int, int], ...] = ()
    line_starts: tuple[int, ...] = (0,)

    @classmethod
    def of_string(cls, file: str, text: str, characters: tuple[tuple[int, int], ...]) -> Places:
        """Return the map for a string in a TOML file, given the positions of its characters."""
        starts = (at + 1 for at, sign in enumerate(text) if sign == "\n")
        return cls(file, 1, characters, (0, *starts))

    def span(self, line: int, column: int, end: tuple[int, int]) -> Span:
        """Return the span of the parsed text from a line and column to `end`, exclusive."""
        end_line, end_column = end
        if not self.characters:
            down = self.first_line - 1
            return Span(self.file, line + down, column, end_line + down, end_column)
        first = self._offset(line, column)
        start = self._character(first)
        last = self._character(max(first, self._offset(end_line, end_column) - 1))
        return Span(self.file, start[0], start[1], last[0], last[1] + 1)

    def stretch(self, begin: tuple[int, int], end: tuple[int, int]) -> Span | None:
        """Return the exact span between two positions of parsed text, possibly empty.

        Return None if the text might not be contiguous in the file: in a list of strings, or in a
        multi-line string.
        """
        (line, column), (end_line, end_column) = begin, end
        if not self.characters:
            down = self.first_line - 1
            return Span(self.file, line + down, column, end_line + down, end_column)
        first, last = self._offset(line, column), self._offset(end_line, end_column)
        if line != end_line or last >= len(self.characters):
            return None
        return Span(self.file, *self.characters[first], *self.characters[last])

    def _offset(self, line: int, column: int) -> int:
        return self.line_starts[min(line, len(self.line_starts)) - 1] + column - 1

    def _character(self, offset: int) -> tuple[int, int]:
        return self.characters[min(max(offset, 0), len(self.characters) - 1)]


MAX_NUMBER = 1_000_000
MAX_DIGITS = 24  # of a number quoted in a finding
MAX_BODIES = 15  # nested blocks; Python allows 20 nested loops
MAX_DEPTH = 120  # nested nodes, including the left spine of a long sum


def fits(tree: Tree[Token], places: Places, findings: Findings) -> bool:
    """Report numbers and nesting beyond the limits; return False if the nesting is too deep."""
    waiting: list[tuple[Tree[Token], int, int]] = [(tree, 0, 0)]
    while waiting:
        node, bodies, depth = waiting.pop()
        inside = bodies + (node.data == "body")
        if inside > MAX_BODIES or depth > MAX_DEPTH:
            _report(node.meta, places, findings)
            return False
        waiting.extend(
            (child, inside, depth + 1) for child in node.children if isinstance(child, Tree)
        )
        for child in node.children:
            if isinstance(child, Token) and child.type == "NUMBER" and whole(child) > MAX_NUMBER:
                _report_number(child, places, findings)
    return True


def whole(digits: str) -> int:
    """Parse a number; any number above the limit yields the limit plus one."""
    short = digits.lstrip("0") or "0"
    return int(short) if len(short) <= len(str(MAX_NUMBER)) else MAX_NUMBER + 1


def _report_number(token: Token, places: Places, findings: Findings) -> None:
    end = (token.end_line or 1, token.end_column or 1)
    span = places.span(token.line or 1, token.column or 1, end)
    facts = OutOfRange(0, MAX_NUMBER)
    shown = token if len(token) <= MAX_DIGITS else f"{token[:MAX_DIGITS]}..."
    wording.TOO_LARGE.report(findings, span, facts=facts, number=shown, most=MAX_NUMBER)


def _report(meta: Meta, places: Places, findings: Findings) -> None:
    span = places.span(meta.line, meta.column, (meta.end_line, meta.end_column))
    wording.TOO_DEEP.report(findings, span)

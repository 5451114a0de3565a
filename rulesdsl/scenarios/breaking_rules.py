"""Small ways to break what is written in the language: in rules, and in texts of tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import attrs

from rulesdsl.scenarios.swaps import FLIPS
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.node import Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rulesdsl.scenarios.mutant import Mutant, TextFile

TOKEN = re.compile(
    r'#[^\n]*|"[^"\n]*"|(?:[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*\.)?[a-z][a-z0-9\']*(?:-[a-z0-9\']+)*|[0-9]+|<>|<=|>=|\.\.|[^\s]',
    re.ASCII,
)
LAST_GAP = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n[ \t]*)+\Z|[ \t]+\Z")
COMPARED = {
    "=": ("<>",),
    "<>": ("=",),
    "<": ("<=", ">"),
    "<=": ("<", ">="),
    ">": (">=", "<"),
    ">=": (">", "<="),
}
NAMED_BY_ITSELF = {
    "kind",
    "piece",
    "place",
    "stack",
    "track",
    "flag",
    "option",
    "rival",
    "value",
    "verb",
    "step",
    "score",
}


class RuleBreaker:
    """Finds the ways to break a text; `about` are words that every one of them is about."""

    def __init__(
        self, file: TextFile, swaps: Mapping[str, tuple[str, ...]], about: tuple[str, ...] = ()
    ) -> None:
        self.file = file
        self.swaps = swaps
        self.about = about

    # ---------------------------------------------------------------- words
    def words(self, text: str, offset: Callable[[int], int], *, header: bool) -> Iterator[Mutant]:
        """Yield what changes one word or number. `header`: the text begins a declaration."""
        tokens = [each for each in TOKEN.finditer(text) if text[each.start()] not in '#"']
        for at, token in enumerate(tokens):
            word = token[0]
            before = tokens[at - 1][0] if at else ""
            if header and at == 1 and before in NAMED_BY_ITSELF:
                continue
            start, end = offset(token.start()), offset(token.end() - 1) + 1
            if word.isdigit():
                yield from self.number(start, end, int(word))
            elif word == "up" and at + 1 < len(tokens) and tokens[at + 1][0] == "to":
                last = offset(tokens[at + 1].end() - 1) + 2
                yield self._mutant(start, last, "", "up to left out")
            elif word in self.swaps:
                for other in self.swaps[word]:
                    yield self._mutant(start, end, other, "another noun")
            elif word in FLIPS and not (header and at == 0):
                yield self._mutant(start, end, FLIPS[word], "another word")

    def number(self, start: int, end: int, value: int) -> Iterator[Mutant]:
        """Yield a number that is one more, and one less."""
        yield self._mutant(start, end, str(value + 1), "number")
        if value > 0:
            yield self._mutant(start, end, str(value - 1), "number")

    # ---------------------------------------------------------------- trees
    def tree(self, node: object) -> Iterator[Mutant]:
        """Yield what changes a condition or a statement somewhere in a tree."""
        if isinstance(node, tuple):
            for each in node:
                yield from self.tree(each)
        elif isinstance(node, Node) and not isinstance(node, de.PanelDecl):
            yield from self._node(node)
            for field in attrs.fields(type(node)):
                yield from self.tree(getattr(node, field.name))

    def _node(self, node: Node) -> Iterator[Mutant]:
        if isinstance(node, ex.Compare):
            yield from self._compare(node.op, node.left.span, node.right.span)
        elif isinstance(node, ex.Logic):
            yield from self._operands(node)
        elif isinstance(node, st.Needs | st.Branch | st.Case):
            yield from self._negated(node.condition.span)
        elif isinstance(node, de.HookDecl | de.ValueHookDecl) and node.when is not None:
            yield from self._negated(node.when.span)
        elif isinstance(node, st.Body | st.Sequence):
            inside = node.statements if isinstance(node, st.Body) else (*node.steps, *node.gains)
            for each in inside:
                yield from self._dropped(each)
        elif isinstance(node, st.Move) and isinstance(node.what, ex.Amount | ex.Contents):
            start, _ = self._stretch(node.span)
            here = start + len("move ")
            if not node.up_to:
                yield self._mutant(here, here, "up to ", "up to added")
        where = getattr(node, "where", None)
        if isinstance(where, Node):
            yield from self._negated(where.span)
            yield from self._without_where(where.span)

    def _compare(self, op: str, left: Span, right: Span) -> Iterator[Mutant]:
        start, end = self._stretch(left)[1], self._stretch(right)[0]
        at = self.file.text.find(op, start, end)
        if at >= 0:
            for other in COMPARED.get(op, ()):
                yield self._mutant(at, at + len(op), other, "comparison")

    def _operands(self, node: Node) -> Iterator[Mutant]:
        start, end = self._stretch(node.span)
        parts = [
            each
            for field in attrs.fields(type(node))
            for value in [getattr(node, field.name)]
            for each in (value if isinstance(value, tuple) else (value,))
            if isinstance(each, Node)
        ]
        for part in parts:
            kept = self.file.text[slice(*self._stretch(part.span))]
            if kept.count("(") == kept.count(")"):
                yield self._mutant(start, end, kept, "condition left out")

    def _negated(self, span: Span) -> Iterator[Mutant]:
        start, end = self._stretch(span)
        if start < end:
            text = self.file.text[start:end]
            yield self._mutant(start, end, f"not ({text})", "condition turned round")

    def _without_where(self, span: Span) -> Iterator[Mutant]:
        start, end = self._stretch(span)
        word = re.compile(r"\s+where\s+\(*\Z").search(self.file.text, 0, start)
        if word and "(" not in word[0]:
            yield self._mutant(word.start(), end, "", "where left out")

    def _dropped(self, statement: Node) -> Iterator[Mutant]:
        if isinstance(statement, st.Let | st.Nothing | st.BadLine | st.Sequence | st.Either):
            return
        start, end = self._stretch(statement.span)
        if start < end:
            yield self._mutant(start, end, "nothing", "statement left out")

    # ---------------------------------------------------------------- places
    def _stretch(self, span: Span) -> tuple[int, int]:
        """Return the offsets of a place, without the gap behind it."""
        if span == NOWHERE:
            return (0, 0)
        start = self.file.offset(span.line, span.column)
        end = self.file.offset(span.end_line, span.end_column)
        gap = LAST_GAP.search(self.file.text[start:end])
        return (start, start + gap.start()) if gap else (start, end)

    def _mutant(self, start: int, end: int, new: str, way: str) -> Mutant:
        return self.file.mutant(start, end, new, way, self.about)

"""Mutations of what is written in the language: in rules, and in texts of tables."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulesdsl.scenarios.mutation.mutant import Mutation, TextFile
from rulesdsl.scenarios.mutation.names import FLIPS
from rulesdsl.source.span import NOWHERE, Span
from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.lexemes import Sort, lexemes
from rulesdsl.syntax.node import FIELDS, Node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

ANOTHER_NOUN = "another noun"
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
    def words(
        self, text: str, offset: Callable[[int], int], *, header: bool
    ) -> Iterator[Mutation]:
        """Yield what changes one word or number. `header`: the text begins a declaration."""
        code = [each for each in lexemes(text) if each.is_code and each.sort is not Sort.TEXT]
        for at, lexeme in enumerate(code):
            word = lexeme.text
            if header and at == 1 and code[0].text in NAMED_BY_ITSELF:
                continue
            start, end = offset(lexeme.start), offset(lexeme.end - 1) + 1
            if word.isdigit():
                yield self.number(start, end, int(word))
            elif word == "up" and at + 1 < len(code) and code[at + 1].text == "to":
                last = offset(code[at + 1].end - 1) + 2
                yield self._mutation(start, last, "up to left out", "")
            elif word in self.swaps:
                yield self._mutation(start, end, ANOTHER_NOUN, *self.swaps[word])
            elif word in FLIPS and not (header and at == 0):
                yield self._mutation(start, end, "another word", FLIPS[word])

    def number(self, start: int, end: int, value: int) -> Mutation:
        """Return a number that is one more, and one less."""
        less = [str(value - 1)] if value > 0 else []
        return self._mutation(start, end, "number", str(value + 1), *less)

    # ---------------------------------------------------------------- trees
    def tree(self, node: object) -> Iterator[Mutation]:
        """Yield what changes a condition or a statement somewhere in a tree."""
        if isinstance(node, tuple):
            for each in node:
                yield from self.tree(each)
        elif isinstance(node, Node) and not isinstance(node, de.PanelDecl):
            yield from self._node(node)
            for field in FIELDS[type(node)]:
                yield from self.tree(getattr(node, field))

    def _node(self, node: Node) -> Iterator[Mutation]:
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
                yield self._mutation(here, here, "up to added", "up to ")
        where = getattr(node, "where", None)
        if isinstance(where, Node):
            yield from self._negated(where.span)
            yield from self._without_where(where.span)

    def _compare(self, op: str, left: Span, right: Span) -> Iterator[Mutation]:
        start, end = self._stretch(left)[1], self._stretch(right)[0]
        at = self.file.text.find(op, start, end)
        if at >= 0 and op in COMPARED:
            yield self._mutation(at, at + len(op), "comparison", *COMPARED[op])

    def _operands(self, node: Node) -> Iterator[Mutation]:
        start, end = self._stretch(node.span)
        parts = [
            each
            for field in FIELDS[type(node)]
            for value in [getattr(node, field)]
            for each in (value if isinstance(value, tuple) else (value,))
            if isinstance(each, Node)
        ]
        for part in parts:
            kept = self.file.text[slice(*self._stretch(part.span))]
            if kept.count("(") == kept.count(")"):
                yield self._mutation(start, end, "condition left out", kept)

    def _negated(self, span: Span) -> Iterator[Mutation]:
        start, end = self._stretch(span)
        if start < end:
            text = self.file.text[start:end]
            yield self._mutation(start, end, "condition negated", f"not ({text})")

    def _without_where(self, span: Span) -> Iterator[Mutation]:
        start, end = self._stretch(span)
        word = re.compile(r"\s+where\s+\(*\Z").search(self.file.text, 0, start)
        if word and "(" not in word[0]:
            yield self._mutation(word.start(), end, "where left out", "")

    def _dropped(self, statement: Node) -> Iterator[Mutation]:
        if isinstance(statement, st.Let | st.Nothing | st.BadLine | st.Sequence | st.Either):
            return
        start, end = self._stretch(statement.span)
        if start < end:
            yield self._mutation(start, end, "statement left out", "nothing")

    # ---------------------------------------------------------------- places
    def _stretch(self, span: Span) -> tuple[int, int]:
        """Return the offsets of a place, without the gap after it."""
        if span == NOWHERE:
            return (0, 0)
        start = self.file.offset(span.line, span.column)
        end = self.file.offset(span.end_line, span.end_column)
        gap = LAST_GAP.search(self.file.text[start:end])
        return (start, start + gap.start()) if gap else (start, end)

    def _mutation(self, start: int, end: int, way: str, *news: str) -> Mutation:
        return Mutation(self.file, start, end, news, way, self.about)

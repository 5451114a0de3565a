"""How deep a text may be nested: deeper than anybody writes, but not too deep for a program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lark import Token, Tree

from rulesdsl.source.facts import OutOfRange
from rulesdsl.syntax import wording

if TYPE_CHECKING:
    from lark.tree import Meta

    from rulesdsl.source.diagnostic import Findings
    from rulesdsl.syntax.places import Places

MAX_NUMBER = 1_000_000
MAX_BODIES = 15  # blocks within blocks; Python itself takes no more than 20 loops
MAX_DEPTH = 120  # parts within parts, a long sum included


def fits(tree: Tree[Token], places: Places, findings: Findings) -> bool:
    """Whether a text is not nested too deeply; reports it where it is, and what is too large."""
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
    """Return a number that is written out; of the too large ones, the first stands for all."""
    short = digits.lstrip("0") or "0"
    return int(short) if len(short) <= len(str(MAX_NUMBER)) else MAX_NUMBER + 1


def _report_number(token: Token, places: Places, findings: Findings) -> None:
    end = (token.end_line or 1, token.end_column or 1)
    span = places.span(token.line or 1, token.column or 1, end)
    facts = OutOfRange(0, MAX_NUMBER)
    findings.report("E407", span, *wording.too_large(token, MAX_NUMBER), facts=facts)


def _report(meta: Meta, places: Places, findings: Findings) -> None:
    span = places.span(meta.line, meta.column, (meta.end_line, meta.end_column))
    findings.report("E407", span, *wording.too_deep())

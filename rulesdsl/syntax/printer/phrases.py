"""What is in one line as words and signs, with parentheses only where they are needed."""

from __future__ import annotations

import re

from rulesdsl.syntax import declarations as de
from rulesdsl.syntax import expressions as ex
from rulesdsl.syntax import statements as st
from rulesdsl.syntax.format_lines import spaced
from rulesdsl.syntax.grammar import spelled, words_of
from rulesdsl.syntax.node import Node, Word
from rulesdsl.syntax.printer.forms import form_of, level

_SOUNDS_LIKE_A_VOWEL = re.compile(r"(?!eu|one|uni|use|usu)[aeiou]")

# What is before the first of a list, and between the others; nothing in all other lists.
_LISTS = {
    "members": ("", ","),
    "shows": ("", ","),
    "ranking": ("", "then"),
    "pers": ("per", "per"),
}


def print_expression(expr: ex.Expr) -> str:
    """Return an expression as it is where any expression may be."""
    return in_line(phrase(expr))


def in_line(words: list[str]) -> str:
    """Return words and signs with the spaces between them."""
    return spaced(words, named=False)


def phrase(node: Node, needed: int = 0) -> list[str]:
    """Return the words of a node, for a place that takes only what holds together so tightly."""
    if isinstance(node, ex.Switch):
        return [words_of("switch")[not node.on]]
    if isinstance(node, ex.Text):
        return [print_text(node)]
    if isinstance(node, st.Call):
        return [node.verb.text, *(word for each in node.arguments for word in _argument(each))]
    if isinstance(node, st.Sequence):
        return _in_order(node.steps) + (["to", *_in_order(node.gains)] if node.gains else [])
    if isinstance(node, st.Either):
        return _joined([phrase(way) for way in node.ways], "or else")
    form = form_of(node)
    words: list[str] = []
    for part in form.parts:
        words += [part] if isinstance(part, str) else said(getattr(node, part.field), part.symbol)
    if isinstance(node, ex.Choice) and _SOUNDS_LIKE_A_VOWEL.match(node.kind.text):
        words[0] = "an"
    if isinstance(node, de.Names) and node.plural is not None:
        words[:3] = ["".join(words[:3])]
    return words if form.level >= needed else ["(", *words, ")"]


def said(value: object, symbol: str) -> list[str]:
    """Return the words of a field, where the grammar has this symbol."""
    if isinstance(value, Word):
        return [value.text]
    if isinstance(value, Node):
        return phrase(value, level(symbol))
    if isinstance(value, bool):
        return [(words_of(symbol) or [spelled()[symbol]])[not value]]
    if isinstance(value, tuple):
        before, between = _LISTS.get(symbol, ("", ""))
        items = _joined([said(each, "expr") for each in value], between)
        return [before, *items] if before and items else items
    return [f'"{value}"' if symbol == "STRING" else str(value)]


def print_text(text: ex.Text) -> str:
    """Return a text as it is written: in quotation marks, its values in braces."""
    first, *rest = text.words
    values = (f"{{{print_expression(each)}}}" for each in text.values)
    return (
        f'"{first}{"".join(f"{value}{words}" for value, words in zip(values, rest, strict=True))}"'
    )


def _argument(argument: st.Argument) -> list[str]:
    before = [] if argument.preposition is None else [argument.preposition]
    return before + phrase(argument.value)


def _in_order(steps: tuple[st.Stmt, ...]) -> list[str]:
    return _joined([phrase(step) for step in steps], ",")


def _joined(parts: list[list[str]], between: str) -> list[str]:
    words: list[str] = []
    for part in parts:
        words += [between, *part] if words and between else part
    return words

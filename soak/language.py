"""Coverage of the grammar: the alternatives in its rules that source text uses."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulesdsl.syntax.lexer import grammar, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Use = tuple[str, str]  # a rule of the grammar, and a word or rule inside it

MISTAKE = "bad"  # the rule for lines with a syntax error


@lru_cache(maxsize=1)
def alternatives() -> frozenset[Use]:
    """Return each rule of the grammar with each word or rule that can occur in it."""
    rules = grammar(every_word=True).rules
    inlined = {rule.origin.name for rule in rules if rule.options.expand1}
    passed_on = {MISTAKE, *inlined}  # rules without a node of their own
    return frozenset(
        (str(rule.alias or rule.origin.name), symbol.name)
        for rule in rules
        for symbol in rule.expansion
        if not (rule.origin.name in passed_on and not rule.alias and len(rule.expansion) == 1)
        and not (symbol.name in passed_on or symbol.name.startswith("_"))
        and not rule.origin.name.startswith(("_", MISTAKE))
    )


def uses_of(files: Mapping[str, str]) -> list[str]:
    """Return the alternatives that a pack's files use."""
    trees = (tree for name, text in files.items() for tree in trees_of(name, text))
    found = {use for tree in trees for use in uses_in(tree)}
    return sorted(f"{rule}: {inside}" for rule, inside in found & alternatives())


def uses_in(tree: Tree[Token]) -> Iterator[Use]:
    """Yield each word or rule in a tree, with the rule that contains it."""
    for each in tree.iter_subtrees():
        for child in each.children:
            yield str(each.data), child.type if isinstance(child, Token) else str(child.data)


def trees_of(name: str, text: str) -> Iterator[Tree[Token]]:
    """Parse a rules file, or the effects and formulas in a table."""
    if name.endswith(".rules"):
        yield parse(text, "file", every_word=True)
        return
    for each in _texts(tomllib.loads(text)):
        for start in ("effect", "formula_text"):
            with suppress(UnexpectedInput):
                yield parse(f"{each}\n", start, every_word=True)


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        if all(isinstance(each, str) for each in value):
            yield "\n".join(value)
        for each in value:
            yield from _texts(each)

"""What of the language a pack uses: alternatives of the grammar, statements inside blocks."""

from __future__ import annotations

import tomllib
from collections import Counter
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from rulesdsl.syntax.grammar import grammar, parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Use = tuple[str, str]  # a rule, and a word or rule inside it

MISTAKE = "bad"  # stands for lines that could not be read
BLOCKS = (
    "verb",
    "step",
    "hook",
    "may",
    "may_any",
    "may_times",
    "repeat",
    "until",
    "each",
    "act_as",
    "secret",
    "if",
    "if_able",
    "choose",
    "option_line",
    "menu_line",
    "effect_field",
    "more_ways",
    "effect",
)
STATEMENTS = (
    "call",
    "move",
    "change",
    "mark",
    "do",
    "let",
    "needs",
    "shuffle",
    "look",
    "end",
    "nothing",
    "sequence",
    "either",
    "may",
    "may_any",
    "may_times",
    "repeat",
    "until",
    "each",
    "act_as",
    "secret",
    "if",
    "if_able",
    "menu",
    "choose",
)


# What can never lint clean: a part of the flow where somebody acts, an act where nobody does.
FLOW = ("secret", "until")
ACTED = (
    "verb",
    "may",
    "may_any",
    "may_times",
    "act_as",
    "secret",
    "choose",
    "option_line",
    "menu_line",
    "effect_field",
    "more_ways",
    "effect",
)
ACTS = ("do", "look", "needs", "may", "may_any", "may_times", "choose", "menu", "either")
UNACTED = ("step", "until")


def alternatives() -> set[Use]:
    """Return every word or rule that can be in a rule of the grammar."""
    rules = grammar(every_word=True).rules
    inlined = {rule.origin.name for rule in rules if rule.options.expand1}
    passed_on = {MISTAKE, *inlined}  # they leave no trace of their own
    return {
        (str(rule.alias or rule.origin.name), symbol.name)
        for rule in rules
        for symbol in rule.expansion
        if not (rule.origin.name in passed_on and not rule.alias and len(rule.expansion) == 1)
        and not (symbol.name in passed_on or symbol.name.startswith("_"))
        and not rule.origin.name.startswith(("_", MISTAKE))
    }


@lru_cache(maxsize=1)
def everything() -> frozenset[str]:
    """Return every alternative of the grammar, and every statement that can be in a block."""
    found = {f"{rule}: {inside}" for rule, inside in alternatives()}
    pairs = {
        f"{inner} in {block}"
        for inner in STATEMENTS
        for block in BLOCKS
        if not (inner in FLOW and block in ACTED) and not (inner in ACTS and block in UNACTED)
    }
    return frozenset(found | pairs)


def uses_of(files: Mapping[str, str]) -> dict[str, int]:
    """Return what the files of a pack make use of, and how often."""
    found: Counter[str] = Counter()
    for name, text in files.items():
        if name != "pack.toml":
            for tree in trees_of(name, text):
                _count(tree, found)
    return {use: number for use, number in found.items() if use in everything()}


def trees_of(name: str, text: str) -> Iterator[Tree[Token]]:
    """Return the trees of a file of rules, or of the effects and formulas of a table."""
    if name.endswith(".rules"):
        yield parse(text, "file", every_word=True)
        return
    for each in _texts(tomllib.loads(text)):
        for start in ("effect", "formula_text"):
            with suppress(UnexpectedInput):
                yield parse(f"{each}\n", start, every_word=True)


def _count(tree: Tree[Token], found: Counter[str]) -> None:
    todo: list[tuple[Tree[Token], str]] = [(tree, "")]
    while todo:
        each, block = todo.pop()
        name = str(each.data)
        if name in STATEMENTS and block:
            found[f"{name} in {block}"] += 1
        if name in BLOCKS:
            block = name
        for child in each.children:
            if isinstance(child, Token):
                found[f"{name}: {child.type}"] += 1
            else:
                found[f"{name}: {child.data}"] += 1
                todo.append((child, block))


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

"""What of the language a pack uses: alternatives of the grammar, statements inside blocks."""

from __future__ import annotations

import tomllib
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from rulesdsl.syntax.layout import DECLARES, Layout

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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


@lru_cache(maxsize=1)
def _lark() -> Lark:
    return Lark.open_from_package(
        "rulesdsl",
        "grammar.lark",
        parser="lalr",
        lexer="contextual",
        postlex=Layout(),
        start=["file", "effect", "formula_text"],
        keep_all_tokens=True,
        maybe_placeholders=False,
    )


@lru_cache(maxsize=1)
def everything() -> frozenset[str]:
    """Return every alternative of the grammar, and every statement that can stand in a block."""
    rules = _lark().rules
    inlined = {rule.origin.name for rule in rules if rule.options.expand1}
    passed_on = {MISTAKE, *inlined}
    found = {
        f"{rule.alias or rule.origin.name}: {symbol.name}"
        for rule in rules
        for symbol in rule.expansion
        if not (rule.origin.name in passed_on and not rule.alias and len(rule.expansion) == 1)
        and not (symbol.name in passed_on or symbol.name.startswith("_"))
        and not rule.origin.name.startswith(("_", MISTAKE))
    }
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
        if name.endswith(".rules"):
            _count(_read(text, "file"), found)
        elif name != "pack.toml":
            for each in _texts(tomllib.loads(text)):
                for start in ("effect", "formula_text"):
                    try:
                        _count(_read(f"{each}\n", start), found)
                    except UnexpectedInput:
                        continue
    return {use: number for use, number in found.items() if use in everything()}


def _read(text: str, start: str) -> Tree[Token]:
    DECLARES.set(start == "file")
    return _lark().parse(text, start=start)


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

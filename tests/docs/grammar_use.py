"""What of the grammar a text makes use of: rules, and the words and rules inside them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache

from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedInput

from rulesdsl.syntax.layout import DECLARES, Layout

Use = tuple[str, str]  # a rule, and a word or rule inside it

_MISTAKE = "bad"  # stands for lines that could not be read
_WHOLE_WORD = "\\b(?!-)"  # ends what stands for several words


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


def words() -> set[str]:
    """Return every word of the language; those of several words are one."""
    found = set()
    for terminal in _lark().terminals:
        pattern = terminal.pattern.value
        text = pattern.replace("[ \t]+", " ").removesuffix(_WHOLE_WORD)
        if text.isalpha() or pattern.endswith(_WHOLE_WORD):
            found.add(text)
    return found


def possible() -> set[Use]:
    """Return all that the grammar knows."""
    rules = _lark().rules
    inlined = {rule.origin.name for rule in rules if rule.options.expand1}
    passed_on = {_MISTAKE, *inlined}  # they leave no trace of their own
    return {
        (str(rule.alias or rule.origin.name), symbol.name)
        for rule in rules
        for symbol in rule.expansion
        if not (rule.origin.name in passed_on and not rule.alias and len(rule.expansion) == 1)
        and not (symbol.name in passed_on or symbol.name.startswith("_"))
        and not rule.origin.name.startswith(("_", _MISTAKE))
    }


def used(rules: Iterable[str], tables: Iterable[str]) -> set[Use]:
    """Return what these files make use of."""
    found: set[Use] = set()
    for text in rules:
        found |= _inside(_read(text, "file"))
    for table in tables:
        for text in _texts(tomllib.loads(table)):
            for start in ("effect", "formula_text"):
                try:
                    found |= _inside(_read(f"{text}\n", start))
                except UnexpectedInput:
                    continue
    return found


def _read(text: str, start: str) -> Tree[Token]:
    DECLARES.set(start == "file")
    return _lark().parse(text, start=start)


def _inside(tree: Tree[Token]) -> set[Use]:
    return {
        (str(each.data), child.type if isinstance(child, Token) else str(child.data))
        for each in tree.iter_subtrees()
        for child in each.children
    }


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

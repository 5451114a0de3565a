"""The grammar's terminals in a designer's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.source.english import or_list

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lark import Token

WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'a text in "quotation marks"',
    "TEXT_BEGIN": 'a text in "quotation marks"',
    "TEXT_BETWEEN": "`}`",
    "TEXT_END": "`}`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "EQUAL": "`=`",
    "COMPARE": "a comparison (`=`, `<>`, `<`, `>`, `<=`, `>=`)",
    "SUM": "`+` or `-`",
    "PRODUCT": "`*` or `/`",
    "SLASH": "`/`",
    "__ANON_0": "`..`",
    "_NL": "the end of the line",
    "_INDENT": "lines indented below",
    "_DEDENT": "",
    "$END": "",
    "ERROR": "",
}
MAX_WORDS = 8
LAYOUT_TOKENS = {"_NL", "_INDENT", "_DEDENT", "$END"}
ANY_NAME = "*"  # among names that could not be read: it may have been any
# Words that begin a phrase, and those that begin a statement. The rest are names where one can be.
NO_NAMES = frozenset(
    {"a", "all", "an", "any", "bottom", "it", "me", "my", "no", "not", "random", "the", "top"}
)
STATEMENTS = frozenset(
    {"all", "choose", "clear", "do", "end", "for", "if", "let", "lower", "mark", "may", "menu"}
    | {"move", "needs", "nothing", "raise", "repeat", "say", "shuffle"}
)
OPERATORS = {"COMPARE", "SUM", "PRODUCT", "AT_MOST", "AT_LEAST", "SLASH"}


def of_the_language(name: str) -> tuple[str, str]:
    """Return what to say of such a word where it is declared, and what to do."""
    return (
        f"`{name}` is a word of the language itself.",
        f"Choose another name, such as `{name}-1`.",
    )


def describe(token: Token) -> str:
    """Return a token as a reader sees it."""
    if token.type in {"_NL", "_DEDENT", "$END"}:
        return "The end of the line"
    return f"`{token}`"


def expected_words(terminals: Iterable[str]) -> str:
    """Return what may be there as a short list, plain things first."""
    found = sorted(set(terminals), key=lambda name: (name in OPERATORS, name))
    words: list[str] = []
    for name in found:
        word = WORDS.get(name)
        if word is None:
            word = f"`{name.lower().replace('_', ' ')}`"
        if word and word not in words:
            words.append(word)
    if len(words) > MAX_WORDS:
        return ""
    return or_list(words)

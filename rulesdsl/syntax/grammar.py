"""The grammar: its parser, and how its words are spelled."""

from __future__ import annotations

import functools
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lark import Lark
from lark.exceptions import LarkError
from lark.grammar import Rule
from lark.lexer import TerminalDef

from rulesdsl.source import cache
from rulesdsl.syntax.layout import DECLARES, Layout

if TYPE_CHECKING:
    from collections.abc import Callable

    from lark import Token, Tree

_WHOLE_WORD = "\\b(?!-)"  # ends what stands for several words


def grammar(*, every_word: bool = False) -> Lark:
    """Return the parser of all threads: what a text needs is kept with that text.

    With `every_word` its trees show what was written, else what nodes are made of.
    """
    return _parser(every_word)


@functools.lru_cache(maxsize=2)
def _parser(every_word: bool) -> Lark:  # noqa: FBT001 - one way to call it, or it is made twice
    """Return a parser; its tables, which take long to make, are kept on disk."""
    key, options = f"parser {every_word}", _options(every_word=every_word)
    kept = cache.read_kept(key)
    if isinstance(kept, tuple):
        with suppress(*cache.UNSOUND, LarkError):
            data, memo = kept
            data |= {"options": {**options, "parser": "lalr", "lexer": "contextual"}}
            load: Callable[..., Lark] = Lark._load_from_dict  # noqa: SLF001 - the other way is a pickle
            return load(data, memo, postlex=Layout())
    made = _opened("lalr", "contextual", every_word=every_word)
    data, memo = made.memo_serialize([TerminalDef, Rule])
    cache.write_kept(key, (data | {"options": None}, memo))
    return made


def _opened(parser: str | None, lexer: str, *, every_word: bool = False) -> Lark:
    return Lark.open_from_package(
        "rulesdsl",
        "grammar.lark",
        parser=parser,
        lexer=lexer,
        postlex=Layout(),
        **_options(every_word=every_word),
    )


def _options(*, every_word: bool) -> dict[str, Any]:
    return {
        "start": ["file", "effect", "formula_text"],
        "propagate_positions": True,
        "keep_all_tokens": every_word,
        "maybe_placeholders": not every_word,
    }


def parse(text: str, start: str, *, every_word: bool = False) -> Tree[Token]:
    """Parse; raises lark's errors."""
    before = DECLARES.set(start == "file")  # strings of a TOML file declare nothing
    try:
        return grammar(every_word=every_word).parse(text, start=start)
    finally:
        DECLARES.reset(before)


@functools.cache
def _read() -> Lark:
    """Return the parser that is there, else the mere grammar: tables take long to make."""
    return grammar() if _parser.cache_info().currsize else _opened(None, "basic")


@functools.cache
def alternatives() -> dict[str, list[Rule]]:
    """Return what each rule may consist of, by the name that its trees have."""
    found: dict[str, list[Rule]] = {}
    for rule in _read().rules:
        found.setdefault(rule.alias or rule.origin.name, []).append(rule)
    return found


@functools.cache
def spelled() -> dict[str, str]:
    """Return how the words of each terminal are spelled; layout and patterns stay as they are."""
    return {
        each.name: each.pattern.value.replace("[ \t]+", " ").removesuffix(_WHOLE_WORD)
        for each in _read().terminals
    }


@functools.cache
def _language() -> frozenset[str]:
    return frozenset(word for each in spelled().values() for word in each.split())


def is_word(text: str) -> bool:
    """Tell whether a text is a word of the language, by itself or as a part of a phrase."""
    return text.isalpha() and text in _language()


@functools.cache
def words_of(symbol: str) -> tuple[str, ...]:
    """Return the words of a small closed set of words, nothing for any other rule."""
    return tuple(
        spelled()[rule.expansion[0].name]
        for rule in alternatives().get(symbol, ())
        if rule.options.keep_all_tokens
    )

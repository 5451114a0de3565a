"""Parser tables, lexemes, indentation, and queries about the terminals of the grammar."""

from __future__ import annotations

import functools
import re
from contextlib import suppress
from contextvars import ContextVar
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import attrs
from lark import Lark, Token
from lark.exceptions import LarkError
from lark.grammar import Rule
from lark.indenter import Indenter
from lark.lexer import TerminalDef

from rulesdsl.source import cache
from rulesdsl.source.language import NEWEST, Language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lark import Tree


DECLARES: ContextVar[bool] = ContextVar("true if the parsed text may contain declarations")
LANGUAGE: ContextVar[Language] = ContextVar("the language of the parsed text", default=NEWEST)

RESERVED_SINCE = dict.fromkeys(("SET", "SHOW", "SHOWN", "OFFERED_AS", "MEMORY"), Language.V0_2)
"""One-word terminals that packs of an older language may use as names."""


class _Indentation(Indenter):
    """Lexer stage for indentation; it is stateful, so each parse needs its own."""

    NL_type = "_NL"
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    OPEN_PAREN_types = ["LPAR"]  # noqa: RUF012 - type required by lark's base class
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012 - type required by lark's base class
    tab_len = 4


class LayoutFilter:
    """Filter of tokens between lexer and parser, stateless so that threads can share it.

    Words that begin a declaration are keywords only at the left margin; elsewhere they are names,
    so content may have a verb called `place` or `score`. Words that are reserved only in a later
    language than that of the text are names everywhere.
    """

    always_accept = ("_NL",)  # for lark's contextual lexer

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Add indentation tokens; turn keywords that are names here into names."""
        declares, margin = DECLARES.get(), margin_terminals()
        later = {word for word, since in RESERVED_SINCE.items() if since > LANGUAGE.get()}
        for token in _Indentation().process(_whole_words(stream)):  # type: ignore[no-untyped-call]
            is_inside = not (declares and token.column == 1)
            if token.type in later or (is_inside and token.type in margin):
                yield Token.new_borrow_pos("NAME", token.value, token)
            else:
                yield token


def _whole_words(stream: Iterator[Token]) -> Iterator[Token]:
    """Join a keyword and the rest of the word that it begins into one `GLUED` token.

    The contextual lexer tries only the terminals that the parser accepts. Where no name is
    accepted, it would split a keyword off the beginning of a name.
    """
    before: Token | None = None
    for token in stream:
        if (
            before is not None
            and token[:1].isalpha()
            and token.start_pos == before.end_pos
            and before.isalpha()
        ):
            yield Token.new_borrow_pos("GLUED", before.value + token.value, before)
        else:
            yield token
        before = token


_WHOLE_WORD = "\\b(?!-)"  # ends the words of a terminal


def grammar(*, every_word: bool = False) -> Lark:
    """Return the parser shared by all threads.

    With `every_word`, trees have all tokens; otherwise, only those needed to build nodes.
    """
    return _parser(every_word)


@functools.lru_cache(maxsize=2)
def _parser(every_word: bool) -> Lark:  # noqa: FBT001 - one cache key for each value
    key, options = f"parser {every_word}", _options(every_word=every_word)
    kept = cache.read_cached(key)
    if isinstance(kept, tuple):
        with suppress(*cache.UNSOUND, LarkError):
            data, memo = kept
            data |= {"options": {**options, "parser": "lalr", "lexer": "contextual"}}
            load: Callable[..., Lark] = Lark._load_from_dict  # noqa: SLF001 - avoids a pickle
            return load(data, memo, postlex=LayoutFilter())
    made = _opened("lalr", "contextual", every_word=every_word)
    data, memo = made.memo_serialize([TerminalDef, Rule])
    cache.write_cached(key, (data | {"options": None}, memo))
    return made


def _opened(parser: str | None, lexer: str, *, every_word: bool = False) -> Lark:
    return Lark.open_from_package(
        "rulesdsl",
        "grammar.lark",
        parser=parser,
        lexer=lexer,
        postlex=LayoutFilter(),
        **_options(every_word=every_word),
    )


def _options(*, every_word: bool) -> dict[str, Any]:
    return {
        "start": ["file", "effect", "formula_text"],
        "propagate_positions": True,
        "keep_all_tokens": every_word,
        "maybe_placeholders": not every_word,
    }


def parse(
    text: str, start: str, language: Language = NEWEST, *, every_word: bool = False
) -> Tree[Token]:
    """Parse source text as the given start symbol; raise lark's exceptions."""
    before = DECLARES.set(start == "file")  # a string in a TOML file contains no declarations
    meant = LANGUAGE.set(language)
    try:
        return grammar(every_word=every_word).parse(text, start=start)
    finally:
        LANGUAGE.reset(meant)
        DECLARES.reset(before)


@functools.cache
def _read() -> Lark:
    return grammar() if _parser.cache_info().currsize else _opened(None, "basic")


@functools.cache
def alternatives() -> dict[str, list[Rule]]:
    """Return the alternatives of each rule, by the name that lark gives to their trees."""
    found: dict[str, list[Rule]] = {}
    for rule in _read().rules:
        found.setdefault(rule.alias or rule.origin.name, []).append(rule)
    return found


@functools.cache
def spelled() -> dict[str, str]:
    """Return the spelling of each terminal; for layout and patterns, the regular expression."""
    return {
        each.name: each.pattern.value.replace("[ \t]+", " ").partition(_WHOLE_WORD)[0]
        for each in _read().terminals
    }


def reserved_after(language: Language) -> frozenset[str]:
    """Return the words that are reserved only in a later language."""
    later = (name for name, since in RESERVED_SINCE.items() if since > language)
    return frozenset(map(spelled().__getitem__, later))


@functools.cache
def words_of_language() -> frozenset[str]:
    """Return all words of keywords."""
    return frozenset(word for each in spelled().values() for word in each.split())


def is_word(text: str) -> bool:
    """Return true if a string is a keyword, or one word of a keyword that has several."""
    return text.isalpha() and text in words_of_language()


@functools.cache
def words_of(symbol: str) -> tuple[str, ...]:
    """Return the keywords of a rule that is a choice between single keywords; () for any other."""
    return tuple(
        spelled()[rule.expansion[0].name]
        for rule in alternatives().get(symbol, ())
        if rule.options.keep_all_tokens
    )


def _within(symbol: str, most: int | None) -> list[str]:
    """Return all symbols reachable from a rule through the first `most` symbols of each rule."""
    rules: dict[str, list[Rule]] = {}
    for rule in _read().rules:
        rules.setdefault(rule.origin.name, []).append(rule)
    found = [symbol]
    for name in found:  # grows during the loop
        inside = (each.name for rule in rules.get(name, ()) for each in rule.expansion[:most])
        found += [each for each in dict.fromkeys(inside) if each not in found]
    return found


@functools.cache
def openings(symbol: str) -> tuple[str, ...]:
    """Return the keywords, of one or several words, that can begin a phrase of a rule."""
    known = (spelled().get(name, "") for name in _within(symbol, 1))
    return tuple(words for words in known if words.replace(" ", "").isalpha())


@functools.cache
def begins(symbol: str) -> tuple[str, ...]:
    """Return the one-word keywords that can begin a phrase of a rule; only they are reserved.

    Words whose terminals look ahead are not: elsewhere they may be names.
    """
    looking = {spelled()[each.name] for each in _read().terminals if "(?=" in each.pattern.value}
    return tuple(words for words in openings(symbol) if words.isalpha() and words not in looking)


@functools.cache
def list_heads() -> dict[str, str]:
    """Return the heads of statements whose body is a list of choices, by their first word."""
    heads = (
        [spelled().get(each.name, "") for each in rule.expansion]
        for name in _within("stmt", 1)
        for rule in alternatives().get(name, ())
        if rule.expansion[-1].name == "_DEDENT"
    )
    return {head[0]: " ".join(head[: head.index(":")]) for head in heads if "" not in head[:3]}


@functools.cache
def margin_terminals() -> frozenset[str]:
    """Return the terminals that begin a declaration and do not occur in statements."""
    return frozenset(word.upper() for word in begins("decl")) - {*_within("effect", None)}


@functools.cache
def margin_words() -> tuple[str, ...]:
    """Return the words that are keywords only at the left margin."""
    return tuple(word for word in begins("decl") if word.upper() in margin_terminals())


# Lexemes of any text, parsable or not. Names, numbers and comparisons follow the terminals of the
# grammar; a text literal is one lexeme, including interpolated values and nested texts. Blanks and
# comments are lexemes too, so the lexemes concatenate to the source text.


TEXTS_IN_TEXTS = 4  # house: the pattern must be finite, and nobody nests texts deeper


class LexemeKind(StrEnum):
    """Category of a lexeme; keywords are names."""

    BLANK = "blank"
    COMMENT = "comment"
    TEXT = "text"
    NAME = "name"
    NUMBER = "number"
    SIGN = "sign"


@attrs.frozen
class Lexeme:
    """Piece of source text of one category, with its offset."""

    sort: LexemeKind
    text: str
    start: int

    @property
    def end(self) -> int:
        """The offset after the last character."""
        return self.start + len(self.text)

    @property
    def is_code(self) -> bool:
        """True unless the parser skips it."""
        return self.sort not in {LexemeKind.BLANK, LexemeKind.COMMENT}


def lexemes(text: str) -> Iterator[Lexeme]:
    """Split source text into lexemes."""
    for found in _pattern().finditer(text):
        yield Lexeme(LexemeKind(found.lastgroup or ""), found[0], found.start())


@lru_cache(maxsize=1)
def _pattern() -> re.Pattern[str]:
    terminals = {each.name: each.pattern.value for each in grammar().terminals}
    ways = {
        LexemeKind.BLANK: r"\s+",
        LexemeKind.COMMENT: r"\#[^\n]*",
        LexemeKind.TEXT: _text(terminals["STRING"]),
        LexemeKind.NAME: terminals["NAME"],
        LexemeKind.NUMBER: terminals["NUMBER"],
        LexemeKind.SIGN: rf"\.\.|{terminals['COMPARE']}|.",
    }
    return re.compile("|".join(f"(?P<{sort}>{way})" for sort, way in ways.items()))


def _text(plain: str) -> str:
    """Return a pattern for text literals with interpolated values, which may contain literals."""
    found = plain
    for _ in range(TEXTS_IN_TEXTS):
        found = rf'"(?:[^"\\\n{{]|\\.|\{{(?:[^"{{}}\n]|{found})*\}}|\{{)*"'
    return found


_ESCAPE = re.compile(r'\\(["{}\\])')
_TO_ESCAPE = re.compile(r'["{}]|\\(?=["{}\\]|$)')


def text_content(literal: str) -> str:
    """Return the words of a text literal, or of a part of one, without its ends and escapes."""
    return without_escapes(literal[1:-1])


def without_escapes(words: str) -> str:
    """Return words as they are read that are written as in a text literal."""
    return _ESCAPE.sub(r"\1", words)


def escaped(words: str) -> str:
    """Return words as they are written in a text literal."""
    return _TO_ESCAPE.sub(r"\\\g<0>", words)


LAYOUT_TOKENS = {"_NL", "_INDENT", "_DEDENT", "$END"}
ANY_NAME = "*"  # a name that could not be read: it may be any name


TAB = "    "


@attrs.frozen
class LexedLine:
    """Source line: indentation, tokens, and comment with its column.

    Columns are counted from 0, a tab as four spaces; `comment` is empty if there is none.
    """

    indent: int
    tokens: tuple[str, ...]
    comment: str
    column: int

    @property
    def is_blank(self) -> bool:
        """True if the line has neither code nor comment."""
        return not self.tokens and not self.comment


def source_lines(text: str) -> Iterator[LexedLine]:
    """Split source text into lexed lines."""
    for line in text.split("\n"):
        yield _cut(line.rstrip())


def comments(text: str) -> list[str]:
    """Return the comments in source text in order, with one space after each `#`."""
    return [line.comment for line in source_lines(text) if line.comment]


def _cut(line: str) -> LexedLine:
    tokens: list[str] = []
    comment, column = "", 0
    for each in lexemes(line):
        if each.is_code:
            tokens.append(each.text)
        elif each.sort is LexemeKind.COMMENT:
            comment = _tidy(each.text)
            column = _width(line[: each.start])
    return LexedLine(_width(line) - _width(line.lstrip(" \t")), tuple(tokens), comment, column)


def _width(text: str) -> int:
    return len(text.replace("\t", TAB))


def _tidy(comment: str) -> str:
    return f"# {comment[1:]}" if comment[1:2].isalnum() else comment

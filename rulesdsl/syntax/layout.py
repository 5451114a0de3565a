"""Indentation and left-margin keywords: what is between the lexer and the parser."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

from lark import Token
from lark.indenter import Indenter

if TYPE_CHECKING:
    from collections.abc import Iterator

MARGIN_WORDS = [
    "kind",
    "piece",
    "place",
    "stack",
    "track",
    "flag",
    "constants",
    "option",
    "rival",
    "value",
    "verb",
    "step",
    "score",
    "win",
    "verdict",
    "panel",
    "source",
]


DECLARES: ContextVar[bool] = ContextVar("whether the text that is parsed may declare things")


class _Indentation(Indenter):
    """Turn leading spaces into indent and dedent tokens; counts, so it is for one text only."""

    NL_type = "_NL"
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    OPEN_PAREN_types = ["LPAR"]  # noqa: RUF012 - the shape that lark's base class asks for
    CLOSE_PAREN_types = ["RPAR"]  # noqa: RUF012 - the same
    tab_len = 4


class Layout:
    """Put layout between lexer and parser; it has no state, so that any thread may parse.

    Words that begin a declaration are keywords at the left margin only; elsewhere they are
    ordinary words, so that content may have a verb called `place` or `score`.
    """

    always_accept = ("_NL",)  # for lark's contextual lexer
    _margin = frozenset(word.upper() for word in MARGIN_WORDS)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens with indentation, margin keywords elsewhere turned into names."""
        declares = DECLARES.get()
        for token in _Indentation().process(_whole_words(stream)):  # type: ignore[no-untyped-call]
            if token.type in self._margin and not (declares and token.column == 1):
                yield Token.new_borrow_pos("NAME", token.value, token)
            else:
                yield token


def _whole_words(stream: Iterator[Token]) -> Iterator[Token]:
    """Yield tokens; a name that begins with a keyword is no keyword and a rest of a name.

    The lexer looks only for what may be somewhere.  Where no name may, it takes the keyword,
    and the rest would be the name that may be next.
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

"""What may come next after a text that is not finished: for whoever is writing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError

from rulesdsl.syntax.grammar import grammar, spelled
from rulesdsl.syntax.layout import DECLARES, MARGIN_WORDS

if TYPE_CHECKING:
    from lark import Token

_PATTERNS = frozenset({"NAME", "NUMBER", "STRING", "TEXT_BEGIN", "TEXT_BETWEEN", "TEXT_END"})
_ANY_CASE = "abcdefghijklmnopqrstuvwxyz"


@attrs.frozen
class Expected:
    """The tokens of a text, by type and text, and the terminals that may come next."""

    tokens: tuple[tuple[str, str], ...]
    terminals: frozenset[str]

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the language among them, as they are spelled."""
        known = spelled()
        every = (known[each] for each in sorted(self.terminals - _PATTERNS) if each in known)
        return tuple(each for each in every if each[:1] in _ANY_CASE and each.isascii())

    @property
    def name(self) -> bool:
        """Whether a name may come next."""
        return "NAME" in self.terminals


def expected_after(text: str, start: str) -> Expected | None:
    """Return what may come after a text; None where the text itself cannot be read."""
    before = DECLARES.set(start == "file")
    try:
        return _expected(text, start)
    except (UnexpectedInput, DedentError):
        return None
    finally:
        DECLARES.reset(before)


def _expected(text: str, start: str) -> Expected:
    parser = grammar().parse_interactive(text, start=start)
    tokens: list[Token] = []
    following = parser.lexer_thread.lex(parser.parser_state)  # type: ignore[no-untyped-call] # lark's
    for token in following:
        if token.type == "_DEDENT" and not token:
            break  # the text ends here, and with it what is indented
        parser.feed_token(token)
        tokens.append(token)
    terminals: set[str] = set(parser.accepts())  # type: ignore[no-untyped-call] # lark's
    if not _at_margin(text, start):
        terminals -= {each.upper() for each in MARGIN_WORDS}
    return Expected(tuple((each.type, str(each)) for each in tokens), frozenset(terminals))


def _at_margin(text: str, start: str) -> bool:
    return start == "file" and (not text or text.endswith("\n"))

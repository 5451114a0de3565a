"""Unfinished texts: what the grammar accepts next, and the tree with a hole at the end.

The parser reads the text down to its end and is asked which terminals it accepts there. For the
tree it is given the hole, a name of its own, and then the tokens that bring what is open to an
end: of those that are accepted, always the first one in `_CLOSING`. The order makes the rest as
short as possible: what ends a block, a line or a bracket comes first, then words that a phrase
still needs, and numbers in the place of its values. None of them begins anything that is not
needed, so it comes to an end; `_LONGEST` guards against a grammar in which it does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
from lark import Token
from lark.exceptions import UnexpectedInput
from lark.indenter import DedentError

from rulesdsl.syntax.grammar import grammar, spelled
from rulesdsl.syntax.layout import DECLARES, MARGIN_WORDS

if TYPE_CHECKING:
    from lark import Tree
    from lark.parsers.lalr_interactive_parser import InteractiveParser

_PATTERNS = frozenset({"NAME", "NUMBER", "STRING", "TEXT_BEGIN", "TEXT_BETWEEN", "TEXT_END"})
_CLOSING = (
    "$END", "_DEDENT", "_NL", "RPAR", "TEXT_END", "COLON", "NOTHING", "INTO", "BY", "TIMES",
    "GAME", "WITH", "MOST", "IN", "HOLDS", "AND", "OF", "NUMBER", "DOTDOT", "STRING", "EQUAL",
    "NAME", "UNTIL", "EACH", "A", "_INDENT", "ONCE",
)  # fmt: skip
_LONGEST = 30  # tokens; a menu in a loop needs a dozen
_TEXTS = {"NUMBER": "1", "NAME": "x", "STRING": '""', "TEXT_END": '}"'}
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
        """Tell whether a name may come next."""
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
    parser, tokens = _read(text, start)
    terminals: set[str] = set(parser.accepts())  # type: ignore[no-untyped-call] # lark's
    if not _at_margin(text, start):
        terminals -= {each.upper() for each in MARGIN_WORDS}
    return Expected(tuple((each.type, str(each)) for each in tokens), frozenset(terminals))


def _read(text: str, start: str) -> tuple[InteractiveParser, list[Token]]:
    """Return a parser that has read a text, and its tokens."""
    parser = grammar().parse_interactive(text, start=start)
    tokens: list[Token] = []
    following = parser.lexer_thread.lex(parser.parser_state)  # type: ignore[no-untyped-call] # lark's
    for token in following:
        if token.type == "_DEDENT" and not token:
            break  # the text ends here, and with it what is indented
        parser.feed_token(token)
        tokens.append(token)
    return parser, tokens


def tree_with_hole(text: str, start: str, hole: str) -> Tree[Token] | None:
    """Return the tree of a text that goes on with a hole; None where no name can follow."""
    before = DECLARES.set(start == "file")
    try:
        parser, tokens = _read(text, start)
        last = tokens[-1] if tokens else Token("NAME", "", 0, 1, 1, 1, 1, 0)
        following, value = "NAME", hole
        for _ in range(_LONGEST):
            tree: Tree[Token] = parser.feed_token(Token.new_borrow_pos(following, value, last))
            if following == "$END":
                return tree
            following = _closing(parser)
            value = _TEXTS.get(following) or spelled().get(following, "")
    except (UnexpectedInput, DedentError):
        pass
    finally:
        DECLARES.reset(before)
    return None


def _closing(parser: InteractiveParser) -> str:
    accepted = parser.accepts()  # type: ignore[no-untyped-call] # lark's
    return next((each for each in _CLOSING if each in accepted), "$END")


def _at_margin(text: str, start: str) -> bool:
    return start == "file" and (not text or text.endswith("\n"))
